/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are poured at a rate while a run goes on. How many are there by a step is a function
 * of the step alone, so nothing of it is saved. */
#ifndef SCREE_POURS_H
#define SCREE_POURS_H

#include "scree/run.h"
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

extern const struct scree_param scree_pours_params[];

/* Read the section `pours` (may be NULL). `deforms`: the box does, which excludes them. */
void scree_pours_read(struct scree_pours *pours, struct scree_input *input,
                      const struct scree_node *node, const struct scree_samples_setting *setting,
                      bool deforms);
void scree_pours_clear(struct scree_pours *pours);
/* What is known of the grains to come, as of those of stages. */
void scree_pours_enlarge(const struct scree_pours *pours, const struct scree_materials *materials,
                         double largest[2]);
bool scree_pours_use(const struct scree_pours *pours, int species);
bool scree_pours_glue_grains(const struct scree_pours *pours);

/* The next step after `step` in which grains may be due; dt: s. */
int64_t scree_pours_next(const struct scree_pours *pours, double dt, int64_t step);
struct scree_stages;
/* Add the grains that are due in the present step. Collective. */
enum scree_status scree_pours_poll(struct scree_stages *stages, struct scree_run *run);

#endif
