/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate directions as long as they get on; Newton's method when they would need more sweeps
 * than it costs. What its systems of equations cost in sweeps was measured: dense factors grow with
 * the number of contacts. */
#include <math.h>

#include "scree/cones_newton.h"
#include "scree/log.h"
#include "solvers.h"

enum { SEGMENT = 500, SYSTEMS = 80 }; /* sweeps between choices; systems of a polish, about */

/* Sweeps that a polish costs, about: 40 per system at 1500 contacts, growing like the number of
 * contacts to the power 1/3 against that of a sweep. Collective. */
static double find_price(const struct scree_cd_problem *p)
{
    int64_t n = (int64_t)p->n_contacts;
    scree_comm_sum_int(p->comm, &n, 1);
    return SYSTEMS * 40.0 * cbrt((double)n / 1500.0);
}

static void solve(const struct scree_cd_values *values, struct scree_cd_problem *p,
                  struct scree_cd_outcome *outcome)
{
    double before = 1.0;
    int64_t sweeps = 0, systems = 0;
    bool may_polish = scree_cones_newton_is_there() && !(values->fixed > 0);
    for (;;) {
        struct scree_cd_values part = *values;
        int64_t left = values->most - sweeps;
        if (may_polish && left > SEGMENT) part.most = SEGMENT;
        if (!may_polish || left <= SEGMENT) part.most = left;
        if (part.least > part.most) part.least = part.most;
        scree_cd_solver_nncg.solve(&part, p, outcome);
        sweeps = outcome->sweeps += sweeps;
        outcome->systems = systems;
        left = values->most - sweeps;
        if (outcome->converged || left < values->sweeps_per_exchange || values->fixed > 0) return;
        double speed = log(before / outcome->residual) / SEGMENT; /* per sweep */
        double needed = speed > 0.0 ? log(outcome->residual / values->residual) / speed : INFINITY;
        before = outcome->residual;
        if (!may_polish || outcome->residual <= values->residual) continue;
        double price = find_price(p);
        if (needed < fmin(price, (double)left)) continue;
        scree_log(SCREE_LOG_DETAIL,
                  "solver auto: residual %.2g after %lld sweeps, %.2g more needed: Newton's method",
                  outcome->residual, (long long)sweeps, needed);
        (void)scree_cd_polish(values, p, outcome);
        may_polish = false; /* if it has not helped, sweeps go on from the best */
        systems = outcome->systems;
        if (outcome->converged) return;
    }
}

extern const struct scree_cd_solver scree_cd_solver_auto;
const struct scree_cd_solver scree_cd_solver_auto = {
    "auto", "conjugate directions, and Newton's method where they crawl", solve};
