/* SPDX-License-Identifier: BSD-3-Clause
 * Triangles of walls, for pictures. Private to walls. */
#ifndef SCREE_DRAWING_H
#define SCREE_DRAWING_H

#include "shape.h"

void scree_drawing_add(struct scree_wall_drawing *d, const double a[3], const double b[3],
                       const double c[3]);
/* A plane as far as a box goes across it. */
void scree_drawing_plane(struct scree_wall_drawing *d, const double point[3],
                         const double normal[3], const double low[3], const double high[3]);
void scree_drawing_revolved(struct scree_wall_drawing *d, const struct scree_shape_revolved *sheet);
void scree_drawing_sphere(struct scree_wall_drawing *d, const double centre[3], double radius);
void scree_drawing_block(struct scree_wall_drawing *d, const double low[3], const double high[3]);
/* Two unit vectors across an axis. */
void scree_drawing_across(const double axis[3], double across[2][3]);

#endif
