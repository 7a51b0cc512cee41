/* SPDX-License-Identifier: BSD-3-Clause
 * Walls across the directions in which a cell (deformation.h) is not periodic.
 *
 * The flow of the cell goes along these walls and leaves them where they are. All images of a grain
 * must find the same wall, so a wall stretches with the cell: its velocity along itself is relative
 * to the flow, as that of grains is. Then contacts with walls do no work on the cell, and those
 * with the flow none on walls. Only planes are the same everywhere, and only between planes is the
 * size of the sample, to which stresses refer, known. */
#ifndef SCREE_DEFORMATION_WALLS_H
#define SCREE_DEFORMATION_WALLS_H

#include "scree/deformation_control.h"
#include "scree/walls.h"

/* Collect mistakes, at the walls of the section `boundaries`. */
void scree_deformation_walls_check(const struct scree_walls *walls, struct scree_input *input,
                                   const struct scree_node *node);
/* Is there a wall at either end of this axis? */
bool scree_deformation_walls_enclose(const struct scree_walls *walls, int axis);
/* After a step of walls and cell: the sides of the sample along periodic directions are those of
 * the cell, its span along the others that between walls or, without them, of the box. */
void scree_deformation_walls_follow(struct scree_walls *walls, struct scree_deformation *cell,
                                    const struct scree_box *box);
/* Do walls at present strain the sample on and on: by a velocity that is given, by pushing along
 * themselves, or with another stress than servos of the cell keep? */
bool scree_deformation_walls_strain(const struct scree_walls *walls,
                                    const struct scree_deformation_control *control);

#endif
