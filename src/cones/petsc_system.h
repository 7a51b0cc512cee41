/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors, matrix and linear solver of the semismooth Newton method in PETSc. Private to cones. */
#ifndef SCREE_CONES_PETSC_SYSTEM_H
#define SCREE_CONES_PETSC_SYSTEM_H

#include "scree/cones_newton.h"

struct scree_petsc;

/* Collective, all of them. */
enum scree_status scree_petsc_create(struct scree_petsc **petsc,
                                     const struct scree_cones_system *system);
void scree_petsc_destroy(struct scree_petsc **petsc);
/* u = R x + w; x [n_own]. */
enum scree_status scree_petsc_velocity(struct scree_petsc *petsc, const double *x, double *u);
/* g = mass (x - free) - L r. */
enum scree_status scree_petsc_balance(struct scree_petsc *petsc, const double *x, const double *r,
                                      double *g);
/* d = -(mass + L slope R)^-1 g, with blocks slope [n][dim][dim]; *found: the linear solver came to
 * an end. */
enum scree_status scree_petsc_solve(struct scree_petsc *petsc, const double *slope, const double *g,
                                    double *d, bool *found);

#endif
