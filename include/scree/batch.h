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
enum { SCREE_BATCH_SLIPPED = 3 * SCREE_BATCH };

/* For the loop of a law with constant flags as arguments: one loop without branches per call. */
#define SCREE_SPECIALISED static inline __attribute__((always_inline))

/* Before such a loop: no contact depends on another. The arrays of a batch are reached through
 * pointers, and a compiler would suspect them to overlap. */
#if defined(__GNUC__) && !defined(__clang__)
#define SCREE_EACH_BY_ITSELF _Pragma("GCC ivdep")
#else
#define SCREE_EACH_BY_ITSELF
#endif

#define SCREE_BATCH_ARRAY(name) alignas(SCREE_ALIGNMENT) double name[SCREE_BATCH]

/* Grains i and j, normal n from j to i. Everything a law computes must change sign exactly (or stay
 * exactly the same) when i and j are exchanged: a contact cut by a rank border is computed on both
 * sides. Sums of two, products, square roots and quotients of such quantities do. */
struct scree_batch {
    int n;
    bool wall;    /* partners j are a wall: r_j = 0 stands for a flat partner */
    bool partial; /* some contact closes or opens within a step: its `spring` is below 1 */
    bool opening; /* some contact is about to open: its `later` is 0 */
    bool plain;   /* levers are radii and all act for whole steps: shares are constant, `then` is
                   * vn n */
    bool mean;    /* vn, vt and spins are means over the last step, whose end has its own, now_ */
    bool swing_is_booked; /* by the normal law: what all forces do to the turning of normals */
    bool together; /* friction limits hold for spring and dashpot together, as LAMMPS has it */
    double dt;     /* s; time since the last evaluation; 0: nothing advances, nothing is lost */
    double half;   /* s; velocities are those of this much before the overlaps; 0: same moment */
    double spans;  /* steps for which what is lost as normals turn is found in this one: 1, or 2 or
                    * 4 and 0 in turns; 0: `then` is not known. Of opened contacts: the steps left */
    double ease;   /* 1 + m r^2 / inertia: tangential forces turn the grains as well */
    /* Kinematics */
    SCREE_BATCH_ARRAY(nx);
    SCREE_BATCH_ARRAY(ny);
    SCREE_BATCH_ARRAY(nz);
    SCREE_BATCH_ARRAY(overlap); /* m, > 0 */
    SCREE_BATCH_ARRAY(vn);      /* m/s; relative normal velocity, < 0 while approaching */
    SCREE_BATCH_ARRAY(vtx);     /* m/s; relative tangential velocity at the contact point */
    SCREE_BATCH_ARRAY(vty);
    SCREE_BATCH_ARRAY(vtz);
    /* m/s; by how much vt would be another with the normal and the levers of the last evaluation;
     * only along vectors that were tangential then. Only for laws that need SCREE_NEEDS_THEN, and
     * not if `plain`, but for SCREE_NEEDS_THEN_ALWAYS */
    SCREE_BATCH_ARRAY(then_x);
    SCREE_BATCH_ARRAY(then_y);
    SCREE_BATCH_ARRAY(then_z);
    /* Only if `mean`: vn, vt and w_i - w_j of now; dashpots act on them */
    SCREE_BATCH_ARRAY(now_n);
    SCREE_BATCH_ARRAY(now_x);
    SCREE_BATCH_ARRAY(now_y);
    SCREE_BATCH_ARRAY(now_z);
    SCREE_BATCH_ARRAY(now_wx);
    SCREE_BATCH_ARRAY(now_wy);
    SCREE_BATCH_ARRAY(now_wz);
    SCREE_BATCH_ARRAY(m_eff);     /* kg; reduced mass ... */
    SCREE_BATCH_ARRAY(inverse_m); /* 1/kg; ... and its inverse */
    SCREE_BATCH_ARRAY(r_i);       /* m; radii */
    SCREE_BATCH_ARRAY(r_j);
    /* Only for laws that need SCREE_NEEDS_SPINS: difference of the spins, 1/s; and their sum, for
     * SCREE_NEEDS_TWIRL as well */
    SCREE_BATCH_ARRAY(wx); /* w_i - w_j */
    SCREE_BATCH_ARRAY(wy);
    SCREE_BATCH_ARRAY(wz);
    SCREE_BATCH_ARRAY(sum_wx); /* w_i + w_j */
    SCREE_BATCH_ARRAY(sum_wy);
    SCREE_BATCH_ARRAY(sum_wz);
    /* Only for laws that need SCREE_NEEDS_TURN: the normal at the last evaluation */
    SCREE_BATCH_ARRAY(before_x);
    SCREE_BATCH_ARRAY(before_y);
    SCREE_BATCH_ARRAY(before_z);
    SCREE_BATCH_ARRAY(vn_before); /* m/s; as vn, along that normal */
    /* Only for laws that need TWIRL as well: m/s; by how much vt would be another with the normal
     * of half a step ago, to which the velocities belong; for the way since the last evaluation */
    SCREE_BATCH_ARRAY(swing_x);
    SCREE_BATCH_ARRAY(swing_y);
    SCREE_BATCH_ARRAY(swing_z);
    /* A force acts from half a step before to half a step after its moment, but in the step in
     * which a contact closes or opens only while it is closed. Laws multiply what grows with the
     * overlap by `spring`, what grows from the first touch on but need not vanish when the contact
     * opens by `shear`, and what is there at once (dashpots) by `now` + `later`; in the midst of a
     * contact these are 1, 1, 1/2 and 1/2. See src/laws/README.md. */
    SCREE_BATCH_ARRAY(advance); /* s; over which history advances: the closed part of dt */
    SCREE_BATCH_ARRAY(spring);
    SCREE_BATCH_ARRAY(shear);
    SCREE_BATCH_ARRAY(now);   /* share of a force that acts until now, or until it opens soon */
    SCREE_BATCH_ARRAY(later); /* share that acts until the next evaluation; 0: about to open */
    /* Results: force on i; j gets the opposite */
    SCREE_BATCH_ARRAY(fn);  /* N; along n, > 0 repels */
    SCREE_BATCH_ARRAY(ftx); /* N; in the tangent plane */
    SCREE_BATCH_ARRAY(fty);
    SCREE_BATCH_ARRAY(ftz);
    SCREE_BATCH_ARRAY(cx); /* N m; couple on i, of rolling and torsion; j gets the opposite */
    SCREE_BATCH_ARRAY(cy);
    SCREE_BATCH_ARRAY(cz);
    const double *grip; /* N; normal load that holds friction: fn, or what a normal law says */
    SCREE_BATCH_ARRAY(own_grip); /* room for the latter */
    /* J; energy lost since the last evaluation, by channel; only those that the laws declare. All
     * channels are set by one law, but changes of stiffness are added to if `softens` */
    alignas(SCREE_ALIGNMENT) double loss[SCREE_N_CONTACT_LOSSES][SCREE_BATCH];
    bool softens;
    /* J; lost by sliding, told in brief if may_be_brief: only by those contacts that slip, in any
     * order and among zeros. Laws put it behind the n_slipped amounts that are there, in whole
     * vectors, for which there is room, and set `brief`; loss[] of sliding is not filled then */
    bool may_be_brief, brief;
    int n_slipped;
    alignas(SCREE_ALIGNMENT) double slipped[SCREE_BATCH_SLIPPED];
    /* History of this contact, slot by slot; zeros for a new contact */
    alignas(SCREE_ALIGNMENT) double history[SCREE_BATCH_HISTORY][SCREE_BATCH];
};

/* Contacts in a batch, for the head of a loop: a compiler sees that they fill whole vectors and
 * makes no code for a rest. */
static inline int scree_batch_n(const struct scree_batch *b)
{
    return b->n & -SCREE_BATCH_PAD;
}

/* a b + c, with one rounding where the machine can: for what is booked, on which no motion depends.
 * Elsewhere two roundings would have to be the same in vector and in scalar code. */
static inline double scree_batch_fma(double a, double b, double c)
{
#ifdef __FMA__
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* m^2; displacement over the last step along a vector h of the last evaluation, beyond h . vt dt:
 * the normal was another then, and so were the levers. For the work of the force of that moment. */
static inline double scree_batch_turned(const struct scree_batch *b, int k, double hx, double hy,
                                        double hz)
{
    double along =
        scree_batch_fma(hz, b->then_z[k], scree_batch_fma(hy, b->then_y[k], hx * b->then_x[k]));
    return b->advance[k] * along;
}

/* Radius of the sphere that, against a flat partner, would have the same gap between surfaces. */
static inline double scree_batch_r_eff(const struct scree_batch *b, int k)
{
    return b->wall ? b->r_i[k] : b->r_i[k] * b->r_j[k] / (b->r_i[k] + b->r_j[k]);
}

#endif
