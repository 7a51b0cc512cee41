/* SPDX-License-Identifier: BSD-3-Clause
 * Walls at the border of two stages: new drives, and what of them a resumed run must know. */
#include <string.h>

#include "scree/walls.h"

void scree_walls_begin_stage(struct scree_walls *walls, int stage, double t, double dt)
{
    for (int w = 0; w < walls->n; w++)
        memset(walls->wall[w].pivot_shift, 0, sizeof walls->wall[w].pivot_shift);
    for (int k = 0; k < walls->n_changes; k++) {
        const struct scree_wall_change *change = &walls->change[k];
        if (change->stage == stage)
            scree_wall_begin(&walls->wall[change->wall], &change->drive, t, dt);
    }
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        scree_wall_move(wall, t); /* it stays where it is, but its velocity may be another */
        memcpy(wall->staged, wall->offset, sizeof wall->staged);
        wall->staged_angle = wall->angle;
    }
}

void scree_walls_save_places(const struct scree_walls *walls, double *numbers)
{
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        *numbers++ = wall->since;
        for (int k = 0; k < 3; k++) *numbers++ = wall->base[k];
        *numbers++ = wall->base_angle;
        for (int k = 0; k < SCREE_WALL_TILTS; k++) *numbers++ = wall->base_tilt[k];
        for (int k = 0; k < 3; k++) *numbers++ = wall->staged[k];
        *numbers++ = wall->staged_angle;
        for (int k = 0; k < 3; k++) *numbers++ = wall->pivot[k];
    }
}

void scree_walls_load_places(struct scree_walls *walls, int stage, const double *numbers)
{
    for (int k = 0; k < walls->n_changes; k++) {
        const struct scree_wall_change *change = &walls->change[k];
        if (change->stage <= stage)
            scree_wall_set_drive(&walls->wall[change->wall], &change->drive);
    }
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        wall->since = *numbers++;
        for (int k = 0; k < 3; k++) wall->base[k] = *numbers++;
        wall->base_angle = *numbers++;
        for (int k = 0; k < SCREE_WALL_TILTS; k++) wall->base_tilt[k] = *numbers++;
        for (int k = 0; k < 3; k++) wall->staged[k] = *numbers++;
        wall->staged_angle = *numbers++;
        for (int k = 0; k < 3; k++) wall->pivot[k] = *numbers++;
        scree_wall_widen_reach(wall);
    }
}
