/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints: what of a run is saved, and back. */
#ifndef SCREE_RESTART_H
#define SCREE_RESTART_H

#include "scree/output.h"
#include "scree/run.h"
#include "scree/stages.h"

struct scree_restart {
    /* The section output.checkpoint */
    double every;        /* s of wall-clock time between checkpoints */
    int64_t steps, keep; /* steps between them (0: by time only), how many are kept */
    int64_t keep_every;  /* one of so many is kept for good; 0: none */
    bool required;       /* a checkpoint that cannot be written ends the run */

    char *sets_text;       /* the --set options, one a line; owned */
    const char *path;      /* checkpoint to resume from, or NULL; borrowed */
    int64_t n_checkpoints; /* written so far, those before a resume included */
    /* What is saved; borrowed from the job */
    const struct scree_input *input;
    struct scree_run *run;
    struct scree_stages *stages;
    struct scree_output *output;
};

extern const struct scree_param scree_restart_params[];
/* Read the section at `node` (may be NULL), a key of `parent`; collects mistakes. */
void scree_restart_read(struct scree_restart *restart, struct scree_input *input,
                        const struct scree_node *node, const struct scree_node *parent);

/* Write a checkpoint of the present step. Collective. */
enum scree_status scree_restart_save(struct scree_restart *restart, const char *path);
/* The input text and the --set options in a checkpoint; allocated with scree_alloc. Collective. */
enum scree_status scree_restart_peek(struct scree_comm *comm, const char *path, char **input,
                                     char **sets);
/* The number of the method of the run that a checkpoint was written by. Collective. */
enum scree_status scree_restart_find_method(const struct scree_restart *restart, const char *path,
                                            int *method);
/* While a job is built: the grains. After building: contacts, stages, measurements and the method,
 * instead of starting it. Collective. */
enum scree_status scree_restart_load_grains(struct scree_restart *restart, const char *path);
enum scree_status scree_restart_load_rest(struct scree_restart *restart, const char *path);

#endif
