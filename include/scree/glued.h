/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are part of a wall and follow its motion as a rigid body, whatever the method. */
#ifndef SCREE_GLUED_H
#define SCREE_GLUED_H

#include "scree/particles.h"
#include "scree/types.h"
#include "scree/walls.h"

/* From now (time 0) on grain i is part of a wall; `contact` is where it is with respect to it. It
 * gets the wall's velocity and spin and feels no forces. */
void scree_glued_begin(const struct scree_walls *walls, int wall,
                       const struct scree_wall_contact *contact, struct scree_particles *p,
                       scree_lid i);

/* After the walls began a stage: arms of grains on walls that turn about another point now. */
void scree_glued_change_pivots(const struct scree_walls *walls, struct scree_particles *p);

/* Velocities and spins of glued grains for the step of length dt to which the walls have just been
 * moved: a drift by dt takes the grains along. Over any number of steps they stay where they are on
 * their wall to within rounding of one position. */
void scree_glued_follow(const struct scree_walls *walls, struct scree_particles *p,
                        const struct scree_box *box, double dt);

#endif
