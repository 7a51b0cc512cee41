/* SPDX-License-Identifier: BSD-3-Clause
 * A batch of touching pairs of one material pair: all that a contact law sees.
 *
 * Arrays, not structs, so that a law written as one plain loop over k < n becomes vector code. n is
 * a multiple of SCREE_BATCH_PAD (the tail repeats a real contact; its results are dropped). */
#ifndef SCREE_BATCH_H
#define SCREE_BATCH_H

#include <stdalign.h>

#include "scree/types.h"

enum { SCREE_BATCH = 128, SCREE_BATCH_PAD = 8, SCREE_BATCH_HISTORY = 8 };

#define SCREE_BATCH_ARRAY(name) alignas(SCREE_ALIGNMENT) double name[SCREE_BATCH]

/* Grains i and j, normal n from j to i. Everything a law computes must change sign exactly (or stay
 * exactly the same) when i and j are exchanged: a contact cut by a rank border is computed on both
 * sides. Sums of two, products, square roots and quotients of such quantities do. */
struct scree_batch {
    int n;
    double half; /* s; velocities are those of this much before the overlaps; 0: the same moment */
    /* Kinematics */
    SCREE_BATCH_ARRAY(nx);
    SCREE_BATCH_ARRAY(ny);
    SCREE_BATCH_ARRAY(nz);
    SCREE_BATCH_ARRAY(overlap); /* m, > 0 */
    SCREE_BATCH_ARRAY(vn);      /* m/s; relative normal velocity, < 0 while approaching */
    SCREE_BATCH_ARRAY(vtx);     /* m/s; relative tangential velocity at the contact point */
    SCREE_BATCH_ARRAY(vty);
    SCREE_BATCH_ARRAY(vtz);
    SCREE_BATCH_ARRAY(advance); /* s; over which history advances: the time in contact since the
                                 * last evaluation */
    SCREE_BATCH_ARRAY(m_eff);   /* kg; reduced mass */
    SCREE_BATCH_ARRAY(r_i);     /* m; radii; a wall has r_j = 0 and inverse_r_j = 0 */
    SCREE_BATCH_ARRAY(r_j);
    /* Results: force on i; j gets the opposite */
    SCREE_BATCH_ARRAY(fn);  /* N; along n, > 0 repels */
    SCREE_BATCH_ARRAY(ftx); /* N; in the tangent plane */
    SCREE_BATCH_ARRAY(fty);
    SCREE_BATCH_ARRAY(ftz);
    /* History of this contact, slot by slot; zeros for a new contact */
    alignas(SCREE_ALIGNMENT) double history[SCREE_BATCH_HISTORY][SCREE_BATCH];
};

#endif
