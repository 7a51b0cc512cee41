/* SPDX-License-Identifier: BSD-3-Clause
 * The volume of a measurement at one moment. Private to analysis.
 *
 * All there is reaches from wall to wall and through whole periods (scree/section.h); what of a
 * region is beyond a wall does not count in its size. In a region, grains count if their centre is
 * inside, and contacts by the fraction of their branch (from centre to centre, or from the centre
 * to the wall) that is inside: contacts cut by the surface are then shared without gaps between
 * neighbouring volumes, and the stress of parts adds up to that of the whole. */
#ifndef SCREE_VOLUME_H
#define SCREE_VOLUME_H

#include "scree/analysis.h"

struct scree_extent {
    double low[3], high[3];            /* m */
    bool cut[3];                       /* false: along this axis everything counts */
    double size;                       /* m^3; 2D: m^2; NAN: it is not known */
    const struct scree_section *round; /* NULL, or: across this axis it is a ring ... */
    int axis;
    double inner, outer; /* m; ... between these radii */
    bool cut_round;      /* false: everything counts */
};

void scree_extent_now(struct scree_extent *extent, const struct scree_volume *volume,
                      const struct scree_scene *scene);
/* Is there nothing outside? */
bool scree_extent_is_whole(const struct scree_extent *extent);
bool scree_extent_holds(const struct scree_extent *extent, const double pos[3]);
/* Fraction of the way from `start` by `along` that is inside; in periodic directions, in any image.
 */
double scree_extent_fraction(const struct scree_extent *extent, const struct scree_box *box,
                             const double start[3], const double along[3]);

/* The section across the axis of a round sample; NULL: it is not round, or not known. */
const struct scree_section *scree_volume_round(const struct scree_walls *walls, int *axis);
/* Border and corners of the input; mistakes at their keys. */
void scree_volume_check(struct scree_volume *volume, struct scree_input *input,
                        const struct scree_node *node,
                        const struct scree_analysis_setting *setting);
/* Is the size of it known before the run? Asked of measurements without other mistakes. */
void scree_volume_check_size(const struct scree_volume *volume, struct scree_input *input,
                             const struct scree_node *node,
                             const struct scree_analysis_setting *setting);

#endif
