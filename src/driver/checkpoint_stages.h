/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of stages. Private to driver. */
#ifndef SCREE_CHECKPOINT_STAGES_H
#define SCREE_CHECKPOINT_STAGES_H

#include "job.h"
#include "scree/checkpoint.h"

struct scree_stages_memory {
    int64_t *record; /* which is the present one; first and last step and end of each; owned */
    double *place;   /* of walls, see scree_boundaries_save_places(); owned */
    double shape[SCREE_CELL_STAGE_NUMBERS]; /* of a cell, see scree_cell_control_save_stage() */
};

void scree_job_remember_stages(const struct scree_job *job, struct scree_stages_memory *memory);
void scree_stages_memory_clear(struct scree_stages_memory *memory);
/* Returns the number of tables: 0 for a run without stages. */
int scree_job_describe_stages(const struct scree_job *job, struct scree_stages_memory *memory,
                              struct scree_table *table);
/* Which stage it is, and all that follows from it. Collective. */
enum scree_status scree_job_load_stages(struct scree_job *job, const char *path);

#endif
