/* SPDX-License-Identifier: BSD-3-Clause
 * The problem of a step as a system for Newton's method on all ranks. Private to cd. */
#ifndef SCREE_CD_SYSTEM_H
#define SCREE_CD_SYSTEM_H

#include "problem.h"
#include "scree/cones_newton.h"

/* With the present impulses, which are allocated here; dim: of scree_cd_row_dim(). Collective. */
void scree_cd_make_system(struct scree_cd_problem *problem, int dim,
                          struct scree_cones_system *system, double **r);
/* The impulses r become those of the problem; velocities remain as they are. */
void scree_cd_set_impulses(struct scree_cd_problem *problem, int dim, const double *r);

#endif
