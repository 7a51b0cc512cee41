/* SPDX-License-Identifier: BSD-3-Clause
 * The table of solvers, and what they share. */
#include "cones_solvers.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/rng.h"

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

void scree_cones_sweep(const struct scree_cones *c, const int32_t *order, double *r)
{
    const int dim = c->dim;
    for (size_t s = 0; s < c->n; s++) {
        const size_t i = (size_t)order[s];
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

int32_t *scree_cones_draw_order(size_t n)
{
    const struct scree_rng_key key = {.seed = 1, .purpose = SCREE_RNG_SWEEP};
    int32_t *order = scree_alloc(n + 1, sizeof *order);
    for (size_t k = 0; k < n; k++) order[k] = (int32_t)k;
    for (size_t k = n; k > 1; k--) {
        size_t other = (size_t)(scree_rng_uniform(&key, (uint32_t)k) * (double)k);
        int32_t kept = order[k - 1];
        order[k - 1] = order[other < k ? other : k - 1];
        order[other < k ? other : k - 1] = kept;
    }
    return order;
}
