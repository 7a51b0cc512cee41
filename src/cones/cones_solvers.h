/* SPDX-License-Identifier: BSD-3-Clause
 * What solvers share. Private to cones. */
#ifndef SCREE_CONES_SOLVERS_H
#define SCREE_CONES_SOLVERS_H

#include "scree/cones.h"

/* The best impulses so far, and looks at where a solver is. */
struct scree_cones_watch {
    const struct scree_cones *cones;
    const struct scree_cones_request *request;
    struct scree_cones_outcome *outcome;
    double *r, *u, *best; /* r borrowed */
    double least;         /* measure of the best */
};
void scree_cones_watch_init(struct scree_cones_watch *watch, const struct scree_cones *cones,
                            const struct scree_cones_request *request, double *r,
                            struct scree_cones_outcome *outcome);
/* Measure r; are we there, or have we to give up? */
bool scree_cones_watch_look(struct scree_cones_watch *watch);
/* r becomes the best there was, the outcome what is said of it. */
void scree_cones_watch_end(struct scree_cones_watch *watch);

extern const struct scree_cones_solver scree_cones_solver_nncg;

/* Solve one contact exactly: r becomes the solution of u = W r + b with the law; r is the first
 * guess. False: not found, r is the nearest that was. */
bool scree_cones_solve_contact(const struct scree_cones *cones, size_t contact, const double *b,
                               double *r);
/* Every contact once, one after the other. */
void scree_cones_sweep(const struct scree_cones *cones, double *r);

#endif
