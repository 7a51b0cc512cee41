/* SPDX-License-Identifier: BSD-3-Clause
 * A batch of touching pairs of one material pair: all that a contact law sees.
 *
 * Arrays, not structs, so that a law written as one plain loop over k < n becomes vector code. n is
 * a multiple of SCREE_BATCH_PAD (the tail repeats a real contact; its results are dropped). */
#ifndef SCREE_BATCH_H
#define SCREE_BATCH_H

#include <stdalign.h>

#include <stdbool.h>

#include "scree/ledger.h"
#include "scree/types.h"

/* An odd number of cache lines to an array: with a power of two the arrays of a contact would fall
 * on the same few places of the cache. Few enough contacts that the arrays of a batch and what was
 * fetched of its grains fit into 48 KB. */
enum { SCREE_BATCH = 56, SCREE_BATCH_PAD = 8, SCREE_BATCH_HISTORY = 24 };

/* For the loop of a law with constant flags as arguments: one loop without branches per call. */
#define SCREE_SPECIALISED static inline __attribute__((always_inline))
/* Calls such a loop, whose last two arguments are flags, with what they are at the moment. */
#define SCREE_CALL_SPECIALISED(loop, first, second, ...)                                   \
    ((first) ? ((second) ? loop(__VA_ARGS__, true, true) : loop(__VA_ARGS__, true, false)) \
             : ((second) ? loop(__VA_ARGS__, false, true) : loop(__VA_ARGS__, false, false)))

/* Before such a loop: no contact depends on another. The arrays of a batch are reached through
 * pointers, and a compiler would suspect them to overlap. */
#if defined(__GNUC__) && !defined(__clang__)
#define SCREE_IVDEP _Pragma("GCC ivdep")
#else
#define SCREE_IVDEP
#endif

#define SCREE_BATCH_ARRAY(name)  alignas(SCREE_ALIGNMENT) double name[SCREE_BATCH]
#define SCREE_BATCH_VECTOR(name) alignas(SCREE_ALIGNMENT) double name[3][SCREE_BATCH]

/* Grains i and j at one moment, normal n from j to i. Everything a law computes must change sign
 * exactly (or stay exactly the same) when i and j are exchanged: a contact cut by a rank border is
 * computed on both sides. Sums of two, products, square roots and quotients of such quantities do.
 */
struct scree_batch {
    int n;
    bool wall;        /* partners j are a wall: r_j = 0 stands for a flat partner */
    bool joint_limit; /* friction limits hold for spring and dashpot together, as LAMMPS has it */
    double dt;        /* s; time since the last evaluation; 0: nothing advances, nothing is lost */
    SCREE_BATCH_VECTOR(normal);
    SCREE_BATCH_ARRAY(overlap); /* m, > 0 */
    SCREE_BATCH_ARRAY(vn);      /* m/s; relative normal velocity, < 0 while approaching */
    SCREE_BATCH_VECTOR(vt);     /* m/s; relative tangential velocity at the contact point */
    SCREE_BATCH_VECTOR(way);    /* m; of i over j at the contact point since the last evaluation, in
                                 * the tangent plane; of a new contact, since it touched */
    SCREE_BATCH_ARRAY(m_eff);   /* kg; reduced mass */
    SCREE_BATCH_ARRAY(r_i);     /* m; radii */
    SCREE_BATCH_ARRAY(r_j);
    /* Only for laws that need SCREE_NEEDS_TURN: how the pair as a whole turned since the last
     * evaluation, by the normal of then and by the mean spin of both about it. */
    SCREE_BATCH_VECTOR(normal_before);
    SCREE_BATCH_ARRAY(pair_twist); /* rad */
    /* Only for laws that need SCREE_NEEDS_SPINS */
    SCREE_BATCH_VECTOR(spin);   /* rad/s; w_i - w_j */
    SCREE_BATCH_VECTOR(turned); /* rad; of i against j since the last evaluation */
    /* Results: force on i; j gets the opposite */
    SCREE_BATCH_ARRAY(fn);            /* N; along n, > 0 repels */
    SCREE_BATCH_VECTOR(ft);           /* N; in the tangent plane */
    SCREE_BATCH_VECTOR(couple);       /* N m; on i, of rolling and torsion; j gets the opposite */
    const double *friction_load;      /* N; normal load that friction goes by: fn, or ... */
    SCREE_BATCH_ARRAY(cohesive_load); /* ... this, if a normal law attracts and says so */
    /* J; energy lost since the last evaluation, by channel; only those that the laws declare. Each
     * channel is set by one law. */
    alignas(SCREE_ALIGNMENT) double loss[SCREE_N_CONTACT_LOSSES][SCREE_BATCH];
    /* History of this contact, slot by slot; zeros for a new contact */
    alignas(SCREE_ALIGNMENT) double history[SCREE_BATCH_HISTORY][SCREE_BATCH];
};

/* Contacts in a batch, for the head of a loop: a compiler sees that they fill whole vectors and
 * makes no code for a rest. */
static inline int scree_batch_n(const struct scree_batch *b)
{
    return b->n & -SCREE_BATCH_PAD;
}

/* m; reduced radius R* of each contact: that of the sphere which, against a flat partner, would
 * have the same gap between surfaces. */
static inline void scree_batch_find_radii(const struct scree_batch *__restrict b,
                                          double *__restrict radius)
{
    if (b->wall)
        for (int k = 0; k < scree_batch_n(b); k++) radius[k] = b->r_i[k];
    else
        for (int k = 0; k < scree_batch_n(b); k++)
            radius[k] = b->r_i[k] * b->r_j[k] / (b->r_i[k] + b->r_j[k]);
}

#endif
