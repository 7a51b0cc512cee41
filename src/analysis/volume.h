/* SPDX-License-Identifier: BSD-3-Clause
 * The volume of a measurement at one moment. Private to analysis.
 *
 * All there is reaches from face to face of the box or, where flat walls stand across an axis
 * within the box, from wall to wall. In a part of it, grains count if their centre is inside, and
 * contacts by the fraction of their branch (from centre to centre, or from the centre to the wall)
 * that is inside: contacts cut by the surface are then shared without gaps between neighbouring
 * volumes, and the stress of parts adds up to that of the whole. */
#ifndef SCREE_VOLUME_H
#define SCREE_VOLUME_H

#include "scree/analysis.h"

struct scree_extent {
    double low[3], high[3];          /* m */
    bool cut[3];                     /* false: along this axis everything counts */
    double size;                     /* m^3; 2D: m^2 */
    const struct scree_wedge *round; /* NULL, or: across this axis it is a ring ... */
    double inner, outer;             /* m; ... between these radii */
    bool cut_round;                  /* false: everything counts */
};

/* A flat wall across an axis. */
struct scree_face {
    int axis;
    double sign;  /* +1: grains are above it */
    double place; /* m; along the axis */
};
bool scree_face_find(const struct scree_wall *wall, const struct scree_box *box,
                     struct scree_face *face);

/* All there is. */
void scree_extent_all(struct scree_extent *extent, const struct scree_scene *scene);
void scree_extent_now(struct scree_extent *extent, const struct scree_volume *volume,
                      const struct scree_scene *scene);
bool scree_extent_holds(const struct scree_extent *extent, const double pos[3]);
/* Fraction of the way from `start` by `along` that is inside; in periodic directions, in any image.
 */
double scree_extent_fraction(const struct scree_extent *extent, const struct scree_box *box,
                             const double start[3], const double along[3]);

/* Border and corners of the input; mistakes at their keys. */
void scree_volume_check(struct scree_volume *volume, struct scree_input *input,
                        const struct scree_node *node,
                        const struct scree_analysis_setting *setting);

#endif
