/* SPDX-License-Identifier: BSD-3-Clause
 * Gauss-Seidel: every contact solved exactly, one after the other, and again. */
#include "cones_solvers.h"

enum { CHECK = 5 }; /* sweeps between looks at the residual */

static enum scree_status solve(const struct scree_cones *c,
                               const struct scree_cones_request *request, double *r,
                               struct scree_cones_outcome *outcome)
{
    struct scree_cones_watch watch;
    scree_cones_watch_init(&watch, c, request, r, outcome);
    while (!scree_cones_watch_look(&watch))
        for (int k = 0; k < CHECK && outcome->iterations < request->most; k++) {
            scree_cones_sweep(c, r);
            outcome->iterations++;
        }
    scree_cones_watch_end(&watch);
    return SCREE_OK;
}

extern const struct scree_cones_solver scree_cones_solver_sweeps;
const struct scree_cones_solver scree_cones_solver_sweeps = {
    "sweeps", "Gauss-Seidel over contacts, each solved exactly", solve};
