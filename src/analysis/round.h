/* SPDX-License-Identifier: BSD-3-Clause
 * Round samples: rings as volumes, and in a wedge cylindrical components. Private to analysis. */
#ifndef SCREE_ROUND_H
#define SCREE_ROUND_H

#include "volume.h"

/* Cartesian components of a vector at a place become the radial, azimuthal and axial ones. */
void scree_round_components(const struct scree_wedge *wedge, const double pos[3], double vector[3]);
/* Names of the three components of vectors in a box: x, y, z, or with a wedge r, phi and the axis.
 */
const char *const *scree_round_names(const struct scree_box *box);

/* m^2; of the ring between the two radii, or the part of it that is in the wedge. */
double scree_round_section(const struct scree_extent *extent);
/* Is a point between the two radii? */
bool scree_round_holds(const struct scree_extent *extent, const double pos[3]);
/* How much of the part [from, to] of the way from `start` by `along` is between them. */
double scree_round_fraction(const struct scree_extent *extent, const double start[3],
                            const double along[3], double from, double to);

#endif
