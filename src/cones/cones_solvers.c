/* SPDX-License-Identifier: BSD-3-Clause
 * The table of solvers, and what they share. */
#include "cones_solvers.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

#define SCREE_CONES_SOLVER(name) extern const struct scree_cones_solver scree_cones_solver_##name;
#include "cones_solvers.def"
#undef SCREE_CONES_SOLVER

static const struct scree_cones_solver *const table[] = {
#define SCREE_CONES_SOLVER(name) &scree_cones_solver_##name,
#include "cones_solvers.def"
#undef SCREE_CONES_SOLVER
};

const char *const scree_cones_solver_names[] = {
#define SCREE_CONES_SOLVER(name) #name,
#include "cones_solvers.def"
#undef SCREE_CONES_SOLVER
    NULL};

const struct scree_cones_solver *scree_cones_solver_at(int k)
{
    return table[k];
}

void scree_cones_watch_init(struct scree_cones_watch *watch, const struct scree_cones *cones,
                            const struct scree_cones_request *request, double *r,
                            struct scree_cones_outcome *outcome)
{
    const size_t n = cones->n * (size_t)cones->dim + 1;
    memset(outcome, 0, sizeof *outcome);
    *watch = (struct scree_cones_watch){.cones = cones,
                                        .request = request,
                                        .outcome = outcome,
                                        .r = r,
                                        .u = scree_alloc(n, sizeof(double)),
                                        .best = scree_alloc(n, sizeof(double)),
                                        .least = INFINITY};
    memset(watch->best, 0, n * sizeof(double));
}

bool scree_cones_watch_look(struct scree_cones_watch *watch)
{
    struct scree_cones_outcome *outcome = watch->outcome;
    double residual[SCREE_CONES_MEASURES];
    scree_cones_velocity(watch->cones, watch->r, watch->u);
    scree_cones_measure(watch->cones, watch->r, watch->u, residual);
    double found = residual[watch->request->measure];
    if (found < watch->least) {
        watch->least = found;
        memcpy(outcome->residual, residual, sizeof residual);
        memcpy(watch->best, watch->r,
               watch->cones->n * (size_t)watch->cones->dim * sizeof *watch->best);
    }
    outcome->converged = watch->least <= watch->request->tolerance;
    return outcome->converged || outcome->iterations >= watch->request->most;
}

void scree_cones_watch_end(struct scree_cones_watch *watch)
{
    memcpy(watch->r, watch->best,
           watch->cones->n * (size_t)watch->cones->dim * sizeof *watch->best);
    scree_alloc_free(watch->u);
    scree_alloc_free(watch->best);
}

void scree_cones_sweep(const struct scree_cones *c, double *r)
{
    const int dim = c->dim;
    for (size_t i = 0; i < c->n; i++) {
        double b[SCREE_CONES_DIM];
        memcpy(b, c->q + i * (size_t)dim, (size_t)dim * sizeof *b);
        for (size_t k = c->start[i]; k < c->start[i + 1]; k++) {
            const double *block = c->block + k * (size_t)(dim * dim);
            const double *of = r + (size_t)c->column[k] * (size_t)dim;
            if (k == c->diagonal[i]) continue;
            for (int x = 0; x < dim; x++)
                for (int y = 0; y < dim; y++) b[x] += block[x * dim + y] * of[y];
        }
        scree_cones_solve_contact(c, i, b, r + i * (size_t)dim);
    }
}
