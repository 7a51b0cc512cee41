/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps carried on along conjugate directions (Silcowitz, Niebe, Erleben, The Visual Computer 26,
 * 893 (2010)), as in contact dynamics. */
#include <math.h>
#include <string.h>

#include "cones_solvers.h"
#include "scree/alloc.h"

/* Looks without progress after which plain sweeps get the iterate out of where it is stuck, and how
 * many of them. */
enum { CHECK = 5, PATIENCE = 6, CALM = 10 };

/* Growth of the squares of changes that is too much to go on, as in contact dynamics. */
static const double much = 1.25;

/* Square of the change by a sweep, weighted so that impulses and moments have the same unit;
 * *along: its product with the direction. */
static double square_of_step(const struct scree_cones *c, const double *r, const double *before,
                             const double *direction, double *along)
{
    const size_t dim = (size_t)c->dim;
    double sum = 0.0;
    *along = 0.0;
    for (size_t k = 0; k < c->n; k++) {
        const double *block = c->block + c->diagonal[k] * dim * dim;
        for (size_t a = 0; a < dim; a++) {
            double d = r[k * dim + a] - before[k * dim + a];
            sum += block[a * dim + a] * d * d;
            *along += block[a * dim + a] * d * direction[k * dim + a];
        }
    }
    return sum;
}

static void follow(size_t n, double beta, double *r, double *before, double *direction)
{
    for (size_t k = 0; k < n; k++) {
        double change = r[k] - before[k];
        r[k] += beta * direction[k];
        direction[k] = beta * direction[k] + change;
        before[k] = r[k];
    }
}

static void iterate(struct scree_cones_watch *watch, double *before, double *direction)
{
    const struct scree_cones *c = watch->cones;
    const size_t n = c->n * (size_t)c->dim;
    double last = 0.0, *r = watch->r, least = INFINITY;
    int stalled = 0, calm = 0;
    memset(direction, 0, n * sizeof *direction);
    for (;;) {
        if (watch->outcome->iterations % CHECK == 0 ||
            watch->outcome->iterations >= watch->request->most) {
            if (scree_cones_watch_look(watch)) return; /* right after a sweep: r is in the cone */
            stalled = watch->least < least ? 0 : stalled + 1;
            least = watch->least;
            if (stalled >= PATIENCE) stalled = 0, calm = CALM;
        }
        if (watch->outcome->iterations > 0) {
            double along, step = square_of_step(c, r, before, direction, &along);
            double growth = last > 0.0 ? step / last : 0.0;
            last = step;
            if (along >= 0.0 && growth <= much && calm == 0) {
                follow(n, fmin(growth, 1.0), r, before, direction);
            } else {
                calm = calm > 0 ? calm - 1 : 0;
                memset(direction, 0, n * sizeof *direction);
            }
        }
        memcpy(before, r, n * sizeof *before);
        scree_cones_sweep(c, r);
        watch->outcome->iterations++;
    }
}

static enum scree_status solve(const struct scree_cones *c,
                               const struct scree_cones_request *request, double *r,
                               struct scree_cones_outcome *outcome)
{
    const size_t n = c->n * (size_t)c->dim + 1;
    struct scree_cones_watch watch;
    double *before = scree_alloc(2 * n, sizeof *before);
    scree_cones_watch_init(&watch, c, request, r, outcome);
    iterate(&watch, before, before + n);
    scree_cones_watch_end(&watch);
    scree_alloc_free(before);
    return SCREE_OK;
}

const struct scree_cones_solver scree_cones_solver_nncg = {
    "nncg", "sweeps carried on by conjugate directions", solve};
