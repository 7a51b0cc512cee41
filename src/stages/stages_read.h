/* SPDX-License-Identifier: BSD-3-Clause
 * One stage while it is read. Private to the files that read the section `stages`. */
#ifndef SCREE_STAGES_READ_H
#define SCREE_STAGES_READ_H

#include "scree/stages.h"

struct scree_stage_keys {
    const char *name;
    int method;
    double step;
    const struct scree_node *until, *boundaries, *friction, *output, *analysis, *particles, *cell;
    double gravity[3], background_friction, scale_radii;
    int64_t repeat;
};

struct scree_stage_reading {
    struct scree_stages *stages;
    struct scree_input *input;
    struct scree_run *run;
    struct scree_stage *stage;
    const struct scree_node *node;
    struct scree_stage_keys keys;
    char name[SCREE_STAGE_NAME], what[96];
};

/* The key `friction`: a number for all contacts, or a list of pairs. */
void scree_stages_read_friction(const struct scree_stage_reading *r, const struct scree_node *node);

#endif
