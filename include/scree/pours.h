/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are poured at a rate while a run goes on. How many are there by a step is a function
 * of the step alone, so nothing of it is saved. */
#ifndef SCREE_POURS_H
#define SCREE_POURS_H

#include "scree/samples.h"

struct scree_pour {
    double rate, start, every; /* 1/s, s, s; every NAN: auto */
    const struct scree_node *node;
    struct scree_samples samples;
    int64_t count; /* in all */
};

struct scree_pours {
    int n;
    struct scree_pour *pour; /* owned */
};

struct scree_job;
extern const struct scree_param scree_pours_params[];

/* Read the section `pours` (may be NULL). */
void scree_pours_read(struct scree_job *job, const struct scree_node *node,
                      const struct scree_samples_setting *setting);
void scree_pours_clear(struct scree_job *job);
/* What is known of the grains to come, as of those of stages. */
void scree_pours_enlarge(const struct scree_job *job, double largest[2]);
bool scree_pours_use(const struct scree_job *job, int species);
bool scree_pours_glue_grains(const struct scree_job *job);

/* The next step after `step` in which grains may be due. */
int64_t scree_pours_next(const struct scree_job *job, int64_t step);
/* Add the grains that are due in the present step. Collective. */
enum scree_status scree_pours_look(struct scree_job *job);

#endif
