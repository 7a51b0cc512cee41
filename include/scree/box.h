/* SPDX-License-Identifier: BSD-3-Clause
 * The simulation box: extent, periodic directions, and a position grid that makes wrapping exact.
 *
 * Along a periodic direction positions live on a grid of 2^k metres that is fine enough to cost no
 * accuracy (about the spacing of doubles at the box edge) and of which the period is a multiple.
 * Differences, wraps and image shifts are then exact, so no bit of the state can depend on when a
 * grain is wrapped or on which rank sees it through which image. */
#ifndef SCREE_BOX_H
#define SCREE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/wedge.h"

struct scree_box {
    double low[3], high[3], length[3]; /* m; length is the period where periodic */
    bool periodic[3];
    int dimension;          /* 2 or 3 */
    double grid_rounder[3]; /* adding and subtracting it rounds to the grid; 0 in open directions */
    struct scree_wedge wedge; /* its n is 0 after scree_box_init() */
};

/* Bounds of periodic directions are moved to the nearest grid points. */
void scree_box_init(struct scree_box *box, int dimension, const double low[3], const double high[3],
                    const bool periodic[3]);

/* Round a coordinate to the position grid (open directions: unchanged). */
static inline double scree_box_snap(const struct scree_box *box, int axis, double x)
{
    return (x + box->grid_rounder[axis]) - box->grid_rounder[axis];
}

/* Bring a position on the grid into [low, high) of periodic directions; image counts the periods
 * removed. Exact. With a wedge, the position is that of a home frame and is turned, with rounding:
 * for looking at it only. */
void scree_box_wrap(const struct scree_box *box, double pos[3], int32_t image[3]);
/* Bring a position into the periods of the box, and not into a wedge. */
void scree_box_shift(const struct scree_box *box, double pos[3], int32_t image[3]);

#endif
