/* SPDX-License-Identifier: BSD-3-Clause
 * What reading walls at the start and in stages have in common. Private to walls. */
#ifndef SCREE_WALLS_READ_H
#define SCREE_WALLS_READ_H

#include "scree/walls.h"

/* Keys of every wall, whatever its shape. */
struct scree_wall_keys {
    const char *shape, *material;
    double velocity[3]; /* m/s */
    const struct scree_node *move, *rotate, *servo, *tilt;
};

/* What one entry of the section says, which may be several walls. */
struct scree_wall_entry {
    struct scree_input *input;
    const struct scree_node *node;
    const struct scree_box *box;
    struct scree_wall wall;
};

/* The keys of a drive into the wall of an entry, whose name is known. `point` of the axis: NANs if
 * it is not given. False if it cannot be used. */
bool scree_wall_read_drive(struct scree_wall_entry *e, const struct scree_wall_keys *keys,
                           double point[3]);

/* Collect mistakes: walls and motions that do not fit the periods, the wedge or the dimension of
 * the box. `wall` is the one of the entry or a piece of it. */
void scree_wall_check_box(const struct scree_wall_entry *e, const struct scree_wall *wall);

#endif
