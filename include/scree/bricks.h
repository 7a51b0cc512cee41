/* SPDX-License-Identifier: BSD-3-Clause
 * Bricks: the box cut into blocks of a few grain diameters, the unit of ownership. */
#ifndef SCREE_BRICKS_H
#define SCREE_BRICKS_H

#include <stdint.h>

#include "scree/box.h"

/* Bricks are replicated on every rank: 16 MB of owners. Rounding may make some more than wanted. */
enum { SCREE_BRICKS_WANTED = 1 << 22, SCREE_BRICKS_MOST = 1 << 26 };

/* Replicated on every rank. Bricks at the open faces of the box reach to infinity, so that every
 * grain is in some brick. */
struct scree_bricks {
    int n[3];
    int64_t count;  /* n[0] * n[1] * n[2] */
    double edge[3]; /* m */
    int32_t *owner; /* rank of each brick, x fastest; owned */
    /* With a wedge: bricks that meet across its seam, both ways, sorted; owned. */
    struct scree_brick_pair *seam;
    int64_t n_seam;
};

/* Bricks that share no face of the grid, but touch. A brick has at most so many such neighbours. */
enum { SCREE_BRICK_SEAM_MOST = 6 };
struct scree_brick_pair {
    int64_t brick, other;
};
/* Fills `seam` of bricks that are otherwise complete; empty without a wedge. */
void scree_bricks_find_seam(struct scree_bricks *bricks, const struct scree_box *box);

/* About `wanted` bricks, in flat boxes up to 16 times as many, with edges of at least `min_edge`:
 * their number is no matter of the size of the box. Owners are -1 until somebody splits. */
void scree_bricks_init(struct scree_bricks *bricks, const struct scree_box *box, double min_edge,
                       int64_t wanted);
void scree_bricks_clear(struct scree_bricks *bricks);

int64_t scree_bricks_find(const struct scree_bricks *bricks, const struct scree_box *box,
                          const double pos[3]);
/* The brick that owns a grain which is stored there: with a wedge, in its home frame. */
int64_t scree_bricks_find_stored(const struct scree_bricks *bricks, const struct scree_box *box,
                                 const double pos[3]);
void scree_bricks_coordinates(const struct scree_bricks *bricks, int64_t brick, int at[3]);
static inline int64_t scree_bricks_index(const struct scree_bricks *bricks, const int at[3])
{
    return ((int64_t)at[2] * bricks->n[1] + at[1]) * bricks->n[0] + at[0];
}

/* Squared distance from a point to a brick seen through the periodic image `shift` (the brick is
 * displaced by shift * period). */
double scree_bricks_distance2(const struct scree_bricks *bricks, const struct scree_box *box,
                              const int at[3], const int shift[3], const double pos[3]);

#endif
