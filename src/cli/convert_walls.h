/* SPDX-License-Identifier: BSD-3-Clause
 * Walls of a run as surfaces, from the input that its trajectory holds. Private to cli. */
#ifndef SCREE_CONVERT_WALLS_H
#define SCREE_CONVERT_WALLS_H

#include <stdio.h>

#include "scree/job.h"
#include "scree/state.h"

struct scree_cli_walls {
    const char *file; /* borrowed */
    char *text;
    struct scree_job job;
    bool there; /* the file holds an input with walls */
};

/* Local. A trajectory without a readable input has no walls. */
void scree_cli_walls_init(struct scree_cli_walls *walls, const char *file);
void scree_cli_walls_clear(struct scree_cli_walls *walls);
/* Where they are in a frame. False: there are none. */
bool scree_cli_walls_write(const struct scree_cli_walls *walls, FILE *out,
                           const struct scree_state_header *header, int64_t frame);

#endif
