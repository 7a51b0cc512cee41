/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that tilt. Private to walls. */
#ifndef SCREE_TILT_H
#define SCREE_TILT_H

#include "scree/walls.h"

/* Read the map `node` of a wall, `normal` and `point` being NANs if they are not given. False if it
 * cannot be used. */
bool scree_tilt_read(struct scree_wall *wall, struct scree_input *input,
                     const struct scree_node *node, double normal[3], double point[3]);
/* Two directions across the normal, or across that of a plane if it is not given; in two dimensions
 * only z. Collects mistakes at `node`, the tilt. */
void scree_tilt_aim(struct scree_wall *wall, struct scree_input *input,
                    const struct scree_node *node, int dimension);

/* Where a disk meets another wall the joint would open as it tilts: collect a mistake at `node`. */
void scree_tilt_check_joints(const struct scree_walls *walls, const struct scree_wall *wall,
                             struct scree_input *input, const struct scree_node *node);

/* Go to where the servos are, add to the angular velocity; returns the largest turn (rad). */
double scree_tilt_move(struct scree_wall *wall);

#endif
