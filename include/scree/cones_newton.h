/* SPDX-License-Identifier: BSD-3-Clause
 * Contact problems solved to tight tolerances: a proximal point method in impulses, whose steps are
 * solved by a semismooth Newton method with PETSc for its linear equations, on all ranks at once.
 *
 * Unknowns x (velocities of bodies, or of contacts) are numbered over all ranks, each rank owning
 * a range of them. With u = R x + w at contacts, the problem is
 *     mass (x - free) = L r,   r = clip(r - rho u).
 * Of bodies L is R transposed; of a local problem x = W r, R = 1, L = W. */
#ifndef SCREE_CONES_NEWTON_H
#define SCREE_CONES_NEWTON_H

#include "scree/comm.h"
#include "scree/cones.h"

/* For each contact of this rank its unknowns, each with `dim` coefficients. */
struct scree_cones_links {
    size_t *start;    /* [n + 1] */
    int32_t *unknown; /* numbers over all ranks */
    double *value;    /* [start[n]][dim] */
};

struct scree_cones_system {
    struct scree_comm *comm; /* borrowed */
    int dim;
    size_t n;                             /* contacts of this rank */
    int32_t first, n_own;                 /* unknowns of this rank */
    int64_t n_all;                        /* of all ranks */
    double *mass, *free;                  /* [n_own] */
    struct scree_cones_links right, left; /* left.start NULL: the same as right */
    double *w;                            /* [n dim] */
    scree_cones_limits *limit;
    double *scale; /* [n dim] largest eigenvalue of the diagonal block, of each part by itself */
};

struct scree_cones_newton {
    double tolerance;     /* at which `measure` is to be */
    int64_t most_systems; /* of linear equations */
    /* Distance of impulses r [n dim] from a solution, the same on all ranks. Collective. */
    double (*measure)(void *context, const double *r);
    void *context;
    /* Found: */
    int64_t systems, proximal; /* systems solved, proximal steps */
    double residual;
    bool converged;
};

/* Is it built in? */
bool scree_cones_newton_is_there(void);
/* r, the first guess, becomes the best that was found. A failure of PETSc is told and leaves the
 * best so far. Collective. */
enum scree_status scree_cones_newton_solve(const struct scree_cones_system *system,
                                           struct scree_cones_newton *newton, double *r);
void scree_cones_system_clear(struct scree_cones_system *system);

#endif
