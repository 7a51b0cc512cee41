/* SPDX-License-Identifier: BSD-3-Clause
 * Solvers of contact problems, and what those made of sweeps share. Private to cd. */
#ifndef SCREE_CD_SOLVERS_H
#define SCREE_CD_SOLVERS_H

#include "cd_keys.h"
#include "problem.h"

/* A way to solve a problem. All of solve() is collective. */
struct scree_cd_solver {
    const char *name, *summary;
    void (*solve)(const struct scree_cd_values *values, struct scree_cd_problem *problem,
                  struct scree_cd_outcome *outcome);
};
const struct scree_cd_solver *scree_cd_solver_at(int k);
extern const char *const scree_cd_solver_names[]; /* NULL-ended */

extern const struct scree_cd_solver scree_cd_solver_nncg;

/* Newton's method from the present impulses (solver_petsc.c); the best are kept, and the outcome
 * says what they are. False: the problem has contacts or servos that it does not know. Collective.
 */
bool scree_cd_polish(const struct scree_cd_values *values, struct scree_cd_problem *problem,
                     struct scree_cd_outcome *outcome);

/* Velocities that belong to the first guess; nothing has been done. Every rank. */
void scree_cd_solve_begin(struct scree_cd_problem *problem, struct scree_cd_outcome *outcome);
/* The present impulses and velocities become those before the next sweeps. */
void scree_cd_remember(struct scree_cd_problem *problem);
/* Each block is swept as often as blocks sweep between exchanges, then all tell each other. Every
 * rank. */
void scree_cd_sweep_all(const struct scree_cd_values *values, struct scree_cd_problem *problem,
                        struct scree_cd_outcome *outcome);
/* Are all criteria met by what the outcome says? */
bool scree_cd_is_solved(const struct scree_cd_values *values,
                        const struct scree_cd_outcome *outcome);
/* After sweeps: look at the error when it is due; are we there, or have we to give up? *looked: the
 * residual in the outcome is of now. Collective. */
bool scree_cd_solve_is_done(const struct scree_cd_values *values, struct scree_cd_problem *problem,
                            struct scree_cd_outcome *outcome, bool *looked);

#endif
