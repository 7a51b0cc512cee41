/* SPDX-License-Identifier: BSD-3-Clause
 * Accelerated projected gradient descent (Nesterov; Mazhar et al., ACM Trans. Graph. 34, 32
 * (2015)), in a metric that gives each contact its own step, with the shift of the normal velocity
 * by the slip taken anew in every gradient, so that the law is Coulomb's and not its convex
 * relative. */
#include <math.h>
#include <string.h>

#include "cones_solvers.h"
#include "scree/alloc.h"

enum { CHECK = 5, POWER = 30 };

static double slip(const struct scree_cones *c, size_t at, const double *u)
{
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    double sum = 0.0;
    for (int n = scree_cones_parts(c->dim, first, count), k = 0; k < n; k++) {
        double square = 0.0;
        for (int i = first[k]; i < first[k] + count[k]; i++) square += u[i] * u[i];
        sum += c->limit[at][k] * sqrt(square);
    }
    return sum;
}

/* Largest eigenvalue of W over the scales of its contacts, by power steps from above: some per cent
 * are added, since they come from below. */
static double find_bound(const struct scree_cones *c, double *x, double *y)
{
    const size_t dim = (size_t)c->dim, n = c->n * dim;
    double size = 1.0;
    for (size_t k = 0; k < n; k++) x[k] = 1.0 + 0.5 * sin(3.7 * (double)k);
    for (int step = 0; step < POWER; step++) {
        double sum = 0.0;
        scree_cones_velocity(c, x, y);
        for (size_t k = 0; k < n; k++) {
            y[k] = (y[k] - c->q[k]) / c->scale[k / dim];
            sum += y[k] * y[k];
        }
        size = sqrt(sum);
        for (size_t k = 0; k < n; k++) x[k] = y[k] / size;
    }
    return 1.05 * size;
}

/* r from the extrapolated y; returns whether the gradient points against the way from before. */
static bool descend(const struct scree_cones *c, double bound, const double *y, double *u,
                    const double *before, double *r)
{
    const size_t dim = (size_t)c->dim;
    double along = 0.0;
    scree_cones_velocity(c, y, u);
    for (size_t k = 0; k < c->n; k++) {
        const size_t at = k * dim;
        double step = 1.0 / (bound * c->scale[k]);
        u[at] += slip(c, k, u + at);
        for (size_t a = at; a < at + dim; a++) r[a] = y[a] - step * u[a];
        scree_cones_project(c->dim, c->limit[k], r + at);
        for (size_t a = at; a < at + dim; a++) along += u[a] * (r[a] - before[a]);
    }
    return along > 0.0;
}

static enum scree_status solve(const struct scree_cones *c,
                               const struct scree_cones_request *request, double *r,
                               struct scree_cones_outcome *outcome)
{
    const size_t n = c->n * (size_t)c->dim;
    struct scree_cones_watch watch;
    double *y = scree_alloc(3 * n + 1, sizeof *y), *u = y + n, *before = u + n, theta = 1.0;
    scree_cones_watch_init(&watch, c, request, r, outcome);
    double bound = find_bound(c, y, u);
    memcpy(y, r, n * sizeof *y);
    while (outcome->iterations % CHECK != 0 || !scree_cones_watch_look(&watch)) {
        memcpy(before, r, n * sizeof *before);
        bool uphill = descend(c, bound, y, u, before, r);
        double next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));
        double beta = uphill ? 0.0 : theta * (1.0 - theta) / (theta * theta + next);
        theta = uphill ? 1.0 : next;
        for (size_t k = 0; k < n; k++) y[k] = r[k] + beta * (r[k] - before[k]);
        outcome->iterations++;
    }
    scree_cones_watch_end(&watch);
    scree_alloc_free(y);
    return SCREE_OK;
}

extern const struct scree_cones_solver scree_cones_solver_apgd;
const struct scree_cones_solver scree_cones_solver_apgd = {
    "apgd", "accelerated projected gradients, products with W only", solve};
