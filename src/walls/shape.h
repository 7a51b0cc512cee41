/* SPDX-License-Identifier: BSD-3-Clause
 * What shapes share: directions from the input, and surfaces of revolution. Private to walls.
 */
#ifndef SCREE_SHAPE_H
#define SCREE_SHAPE_H

#include "scree/wall.h"

/* Scale a direction that was read to unit length. If it is zero collect a mistake at `key` of
 * `node`, saying what it should be; an unreadable one (NANs) has been reported. False for both. */
bool scree_shape_direction(struct scree_input *input, const struct scree_node *node,
                           const char *what, const char *key, const char *meaning,
                           double direction[3]);

/* Shapes given by two opposite corners {low[3], high[3]}: mistakes, and the sphere around them. In
 * two dimensions the corners are both in the plane of the grains. */
void scree_shape_check_corners(struct scree_input *input, const struct scree_node *node,
                               const char *what, int dimension, const void *corners);
void scree_shape_bound_corners(const void *corners, double centre[3], double *radius);

/* Is a length along an axis as long as a period, within what matters to a grain? */
bool scree_shape_is_whole_period(double length, double period);

/* Which side of a body the grains are on. */
enum scree_shape_side { SCREE_SHAPE_INSIDE, SCREE_SHAPE_OUTSIDE };
extern const char *const scree_shape_sides[];

/* Lines in space, directions being unit vectors; within rounding. */
bool scree_shape_is_parallel(const double a[3], const double b[3]);
bool scree_shape_is_on_line(const double x[3], const double point[3], const double direction[3]);

/* Cylindrical coordinates about an axis. */
struct scree_shape_place {
    double along, off;  /* m; along the axis from its point, and away from it */
    double outwards[3]; /* unit vector away from the axis; on it: any across it */
};
struct scree_shape_place scree_shape_find_place(const double point[3], const double axis[3],
                                                const double x[3]);

/* The sheet that a straight line between two places (off the axis, along it) sweeps about an axis:
 * disk, ring, tube and cone. */
struct scree_shape_revolved {
    double point[3], axis[3];
    double from[2], to[2]; /* m; {off, along} */
};
_Static_assert(sizeof(struct scree_shape_revolved) <= SCREE_WALL_VALUES * sizeof(double),
               "it fits in a wall");
/* For the table of a shape whose values are, or begin with, such a sheet. */
void scree_shape_revolved_locate(const void *values, int n, const double (*pos)[4],
                                 struct scree_wall_point *found);
void scree_shape_revolved_bound(const void *values, double centre[3], double *radius);
bool scree_shape_revolved_revolves(const void *values, const double point[3], const double axis[3]);

/* The direction of a servo that is in place: planes move along their normal unless the input says
 * otherwise. Collects mistakes at `node`, the servo (servo_read.c). */
void scree_servo_aim(struct scree_wall *wall, struct scree_input *input,
                     const struct scree_node *node);

#endif
