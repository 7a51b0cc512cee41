/* SPDX-License-Identifier: BSD-3-Clause
 * Walls as obstacles to new grains. A shape measures its gap to a grain on the good side of a
 * plane, a cylinder or a block, where gaps fall below zero the more, the deeper a grain is on the
 * bad side; both sides of a sheet are good. So the sign of the gap tells all there is to know. */
#include "samples_impl.h"

bool scree_sample_keeps_off(const struct scree_sample *sample, const struct scree_wall *wall)
{
    return !(sample->has_glue && sample->glue.share >= 1.0 &&
             scree_sample_is_glued_to(sample, wall));
}

bool scree_sample_keeps_off_any(const struct scree_sample *sample, const struct scree_walls *walls)
{
    for (int w = 0; w < walls->n; w++)
        if (scree_sample_keeps_off(sample, &walls->wall[w])) return true;
    return false;
}

bool scree_sample_is_off_walls(const struct scree_sample *sample, const struct scree_walls *walls,
                               const double pos[4], double gap)
{
    for (int w = 0; w < walls->n; w++) {
        double here;
        if (!scree_sample_keeps_off(sample, &walls->wall[w])) continue;
        scree_wall_gaps(&walls->wall[w], 1, (const double(*)[4])pos, &here);
        if (!(here >= gap - 1e-9 * pos[3])) return false;
    }
    return true;
}
