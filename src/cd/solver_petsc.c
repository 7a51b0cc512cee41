/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps come near, then all contacts of all ranks are solved at once: proximal points by a
 * semismooth Newton method, with PETSc for its linear equations (cones/newton.c). If that does not
 * get there, sweeps come ten times nearer; the best impulses are kept all the time. Rounding in
 * PETSc depends on the number of ranks, and so do forces where they are not unique. */
#include <math.h>
#include <string.h>

#include "general.h"
#include "scree/alloc.h"
#include "scree/cones_newton.h"
#include "scree/log.h"
#include "solvers.h"
#include "system.h"

enum { MOST_SYSTEMS = 120 }; /* of linear equations, before sweeps come nearer */

struct context {
    struct scree_cd_problem *problem;
    struct scree_cd_outcome *outcome;
    int dim;
};

static double measure(void *context, const double *r)
{
    struct context *c = context;
    scree_cd_set_impulses(c->problem, c->dim, r);
    scree_cd_apply_impulses(c->problem);
    scree_cd_measure(c->problem, c->outcome);
    return c->outcome->residual;
}

/* A drive that its limit holds is not one of the equations. */
static bool is_held(const struct scree_cd_problem *p)
{
    for (int d = 0; d < p->n_drives; d++)
        if (p->drive[d].found < p->drive[d].low || p->drive[d].found > p->drive[d].high)
            return true;
    return false;
}

static void tell_once(const char *why)
{
    static bool told;
    if (!told)
        scree_log(SCREE_LOG_WARNING, "solver petsc: %s: steps like this one are solved by sweeps",
                  why);
    told = true;
}

bool scree_cd_polish(const struct scree_cd_values *values, struct scree_cd_problem *p,
                     struct scree_cd_outcome *outcome)
{
    const int dim = scree_cd_row_dim(p);
    struct scree_cones_system system;
    double *r;
    if (dim == 0) tell_once("contacts cohere");
    if (is_held(p)) tell_once("a servo is held by its limit");
    if (dim == 0 || is_held(p)) return false;
    scree_cd_make_system(p, dim, &system, &r);
    struct context context = {p, outcome, dim};
    struct scree_cones_newton newton = {.tolerance = values->residual,
                                        .most_systems = MOST_SYSTEMS,
                                        .measure = measure,
                                        .context = &context};
    enum scree_status status = scree_cones_newton_solve(&system, &newton, r);
    if (status != SCREE_OK) {
        tell_once(scree_status_message());
        scree_status_clear();
    }
    outcome->systems += newton.systems;
    (void)measure(&context, r); /* the best */
    outcome->converged = outcome->residual <= values->residual;
    scree_cones_system_clear(&system);
    scree_alloc_free(r);
    return true;
}

/* Further criteria are about sweeps: one more, if it does no harm. */
static void finish(const struct scree_cd_values *values, struct scree_cd_problem *p,
                   struct scree_cd_outcome *outcome)
{
    if (!outcome->converged || (isinf(values->force_change) && isinf(values->unbalanced))) return;
    scree_cd_remember(p);
    scree_cd_sweep_all(values, p, outcome);
    scree_cd_measure(p, outcome);
    outcome->converged = scree_cd_is_solved(values, outcome);
}

static void solve(const struct scree_cd_values *values, struct scree_cd_problem *p,
                  struct scree_cd_outcome *outcome)
{
    const struct scree_cd_solver *first = scree_cd_solver_at(values->first);
    int64_t sweeps = 0, systems = 0;
    if (values->fixed > 0) {
        first->solve(values, p, outcome);
        return;
    }
    for (double near = values->polish_from;; near *= 0.1) {
        struct scree_cd_values part = *values;
        const int64_t left = values->most - sweeps;
        part.residual = fmax(values->residual, near);
        part.most = left > 100 ? left / 2 : left; /* Newton gets its turn though sweeps crawl */
        part.least = values->least < part.most ? values->least : part.most;
        if (left < values->sweeps_per_exchange) return;
        first->solve(&part, p, outcome);
        sweeps = outcome->sweeps += sweeps;
        outcome->systems = systems;
        outcome->converged = scree_cd_is_solved(values, outcome);
        if (outcome->converged) return;
        if (outcome->residual > values->residual) (void)scree_cd_polish(values, p, outcome);
        systems = outcome->systems;
        finish(values, p, outcome);
        sweeps = outcome->sweeps;
        if (outcome->converged) return;
    }
}

extern const struct scree_cd_solver scree_cd_solver_petsc;
const struct scree_cd_solver scree_cd_solver_petsc = {
    "petsc", "all contacts at once by Newton's method on PETSc, after sweeps", solve};
