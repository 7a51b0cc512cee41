/* SPDX-License-Identifier: BSD-3-Clause
 * Plain block Gauss-Seidel: sweeps of all blocks, exchange, and again until the error is small. */
#include "solvers.h"

static void solve(const struct scree_cd_values *values, struct scree_cd_problem *p,
                  struct scree_cd_outcome *outcome)
{
    bool looked;
    scree_cd_solve_begin(p, outcome);
    for (;;) {
        scree_cd_sweep_all(values, p, outcome);
        if (scree_cd_solve_is_done(values, p, outcome, &looked)) return;
        scree_cd_remember(p);
    }
}

extern const struct scree_cd_solver scree_cd_solver_sweeps;
const struct scree_cd_solver scree_cd_solver_sweeps = {
    "sweeps", "block Gauss-Seidel with split masses", solve};
