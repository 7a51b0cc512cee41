/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of stages. Private to restart. */
#ifndef SCREE_RESTART_STAGES_H
#define SCREE_RESTART_STAGES_H

#include "scree/checkpoint.h"
#include "scree/restart.h"

struct scree_restart_stages_memory {
    int64_t *record;    /* which is the present one; first and last step and end of each; owned */
    double *unbalanced; /* what hand-overs left, of each; owned */
    double *place;      /* of walls, see scree_walls_save_places(); owned */
    double shape[SCREE_DEFORMATION_STAGE_NUMBERS]; /* of a cell, see
                                                      scree_deformation_control_save_stage() */
};

void scree_restart_remember_stages(const struct scree_restart *restart,
                                   struct scree_restart_stages_memory *memory);
void scree_restart_stages_memory_clear(struct scree_restart_stages_memory *memory);
/* Returns the number of tables: 0 for a run without stages. */
int scree_restart_describe_stages(const struct scree_restart *restart,
                                  struct scree_restart_stages_memory *memory,
                                  struct scree_table *table);
/* Which stage it is, and all that follows from it. Collective. */
enum scree_status scree_restart_load_stages(struct scree_restart *restart, const char *path);

#endif
