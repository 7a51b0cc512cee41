/* SPDX-License-Identifier: BSD-3-Clause
 * Walls: shapes that grains cannot enter, with their motion. Shapes are listed in boundaries.def.
 */
#ifndef SCREE_BOUNDARIES_H
#define SCREE_BOUNDARIES_H

#include <stdbool.h>

#include "scree/exact.h"
#include "scree/input.h"
#include "scree/particles.h"

/* A kind of wall. locate() is called for many grains at once. */
struct scree_wall;
struct scree_wall_shape {
    const char *name, *summary;
    const struct scree_param *params; /* of struct scree_wall::shape_values, besides the common */
    /* Complete the values just read; collect mistakes at `node`. */
    void (*check)(struct scree_input *input, const struct scree_node *node, void *values);
    /* Is the wall the same after a shift along this axis? If not, the axis cannot be periodic. */
    bool (*repeats)(const struct scree_wall *wall, int axis);
    /* For each of n grains: gap between surface and grain (m, negative: overlap), unit normal from
     * the wall into the grain, velocity of the wall's surface at the contact. */
    void (*locate)(const struct scree_wall *wall, int n, const double (*pos)[4], double *gap,
                   double (*normal)[3], double (*velocity)[3]);
};

enum { SCREE_WALL_VALUES = 16 };

struct scree_wall {
    const char *name; /* owned by the input */
    const struct scree_wall_shape *shape;
    int species;        /* index of its material */
    double velocity[3]; /* m/s, constant */
    double offset[3];   /* m, how far it has moved by now */
    double shape_values[SCREE_WALL_VALUES];
    struct scree_wide
        force[3]; /* quanta; contact force on this rank's grains' wall part, last step */
};

struct scree_boundaries {
    int n;
    struct scree_wall *wall; /* owned */
};

const struct scree_wall_shape *const *scree_boundaries_shapes(int *n);
const struct scree_param *scree_boundaries_common_params(void);

/* Read the section `boundaries` (may be NULL); material names are resolved by the caller's table.
 */
void scree_boundaries_read(struct scree_boundaries *walls, struct scree_input *input,
                           const struct scree_node *node, const char *const *materials);
void scree_boundaries_clear(struct scree_boundaries *walls);
/* Put all walls where they are at time t: a function of t only, no state to carry. */
void scree_boundaries_move(struct scree_boundaries *walls, double t);
double scree_boundaries_speed(const struct scree_boundaries *walls); /* largest, m/s */

#endif
