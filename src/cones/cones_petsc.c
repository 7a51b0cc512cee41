/* SPDX-License-Identifier: BSD-3-Clause
 * Proximal points by Newton's method after conjugate directions have come near: the unknowns are
 * relative velocities at contacts, less those without impulses, x = W r. One rank. */
#include <math.h>
#include <string.h>

#include "cones_solvers.h"
#include "scree/alloc.h"
#include "scree/cones_newton.h"

static const double first_near = 1e-3; /* residual at which Newton begins */
enum { MOST_SYSTEMS = 150 };           /* of linear equations, before sweeps come nearer */

struct context {
    struct scree_cones_watch watch;
};

static double measure(void *context, const double *r)
{
    struct context *c = context;
    double residual[SCREE_CONES_MEASURES];
    scree_cones_velocity(c->watch.cones, r, c->watch.u);
    scree_cones_measure(c->watch.cones, r, c->watch.u, residual);
    if (residual[c->watch.request->measure] < c->watch.least) {
        memcpy(c->watch.outcome->residual, residual, sizeof residual);
        c->watch.least = residual[c->watch.request->measure];
    }
    return residual[c->watch.request->measure];
}

static void set_links(const struct scree_cones *c, struct scree_cones_system *s)
{
    const size_t dim = (size_t)c->dim, n = c->n * dim;
    size_t *fill = scree_alloc(c->n + 1, sizeof *fill);
    s->right.start = scree_alloc(c->n + 1, sizeof *s->right.start);
    s->left.start = scree_alloc(c->n + 1, sizeof *s->left.start);
    s->right.unknown = scree_alloc(n + 1, sizeof *s->right.unknown);
    s->right.value = scree_alloc(n * dim + 1, sizeof *s->right.value);
    s->left.unknown = scree_alloc(c->start[c->n] * dim + 1, sizeof *s->left.unknown);
    s->left.value = scree_alloc(c->start[c->n] * dim * dim + 1, sizeof *s->left.value);
    memset(s->right.value, 0, n * dim * sizeof *s->right.value);
    memset(s->left.start, 0, (c->n + 1) * sizeof *s->left.start);
    for (size_t k = 0; k <= c->n; k++) s->right.start[k] = k * dim;
    for (size_t k = 0; k < n; k++) {
        s->right.unknown[k] = (int32_t)k;
        s->right.value[k * dim + k % dim] = 1.0;
    }
    for (size_t k = 0; k < c->start[c->n]; k++) s->left.start[c->column[k] + 1] += dim;
    for (size_t k = 0; k < c->n; k++) s->left.start[k + 1] += s->left.start[k];
    memcpy(fill, s->left.start, c->n * sizeof *fill);
    for (size_t i = 0; i < c->n; i++) /* columns of W, by the contact whose impulse it is */
        for (size_t k = c->start[i]; k < c->start[i + 1]; k++)
            for (size_t a = 0; a < dim; a++) {
                size_t to = fill[c->column[k]]++;
                s->left.unknown[to] = (int32_t)(i * dim + a);
                for (size_t b = 0; b < dim; b++)
                    s->left.value[to * dim + b] =
                        s->mass[i * dim + a] * c->block[(k * dim + a) * dim + b];
            }
    scree_alloc_free(fill);
}

static void make_system(const struct scree_cones *c, struct scree_comm *self,
                        struct scree_cones_system *s)
{
    const size_t dim = (size_t)c->dim, n = c->n * dim;
    memset(s, 0, sizeof *s);
    s->comm = self;
    s->dim = c->dim;
    s->n = c->n;
    s->n_own = (int32_t)n;
    s->n_all = (int64_t)n;
    s->mass = scree_alloc(n + 1, sizeof *s->mass);
    s->free = scree_alloc(n + 1, sizeof *s->free);
    s->w = scree_alloc(n + 1, sizeof *s->w);
    s->limit = scree_alloc(c->n + 1, sizeof *s->limit);
    s->scale = scree_alloc(n + 1, sizeof *s->scale);
    memcpy(s->w, c->q, n * sizeof *s->w);
    memcpy(s->limit, c->limit, c->n * sizeof *s->limit);
    for (size_t k = 0; k < c->n; k++) {
        int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
        const double *block = c->block + c->diagonal[k] * dim * dim;
        for (size_t a = 0; a < dim; a++) s->scale[k * dim + a] = c->scale[k];
        for (int parts = scree_cones_parts(c->dim, first, count), m = 1; m < parts; m++)
            for (int a = first[m]; a < first[m] + count[m]; a++) {
                double own = block[(size_t)a * dim + (size_t)a];
                if (own > 0.0) s->scale[k * dim + (size_t)a] = own;
            }
    }
    for (size_t k = 0; k < n; k++) { /* equations of velocities over W: impulses, as of bodies */
        s->mass[k] = 1.0 / s->scale[k];
        s->free[k] = 0.0;
    }
    set_links(c, s);
}

/* Newton from r, which keeps the best; `outcome` goes on. */
static enum scree_status polish(const struct scree_cones *c, struct scree_cones_system *system,
                                const struct scree_cones_request *request, double *r,
                                struct scree_cones_outcome *outcome)
{
    struct context context;
    struct scree_cones_outcome found;
    scree_cones_watch_init(&context.watch, c, request, r, &found);
    struct scree_cones_newton newton = {.tolerance = request->tolerance,
                                        .most_systems = MOST_SYSTEMS,
                                        .measure = measure,
                                        .context = &context};
    enum scree_status status = scree_cones_newton_solve(system, &newton, r);
    memcpy(context.watch.best, r, c->n * (size_t)c->dim * sizeof *r);
    scree_cones_watch_end(&context.watch);
    memcpy(outcome->residual, found.residual, sizeof found.residual);
    outcome->systems += newton.systems;
    outcome->converged = newton.converged;
    return status;
}

/* Sweeps come near, Newton goes on; if it does not get there, sweeps come ten times nearer. */
static enum scree_status alternate(const struct scree_cones *c, struct scree_cones_system *system,
                                   const struct scree_cones_request *request, double *r,
                                   struct scree_cones_outcome *outcome)
{
    struct scree_cones_request first = *request;
    enum scree_status status = SCREE_OK;
    for (double near = first_near; status == SCREE_OK && !outcome->converged; near *= 0.1) {
        const struct scree_cones_outcome before = *outcome;
        first.tolerance = fmax(request->tolerance, near);
        first.most = request->most - before.iterations;
        if (first.most <= 0) break;
        status = scree_cones_solver_nncg.solve(c, &first, r, outcome);
        outcome->iterations += before.iterations;
        outcome->systems = before.systems;
        outcome->converged = outcome->residual[request->measure] <= request->tolerance;
        if (status == SCREE_OK && !outcome->converged)
            status = polish(c, system, request, r, outcome);
    }
    return status;
}

static enum scree_status solve(const struct scree_cones *c,
                               const struct scree_cones_request *request, double *r,
                               struct scree_cones_outcome *outcome)
{
    struct scree_comm *self;
    struct scree_cones_system system;
    memset(outcome, 0, sizeof *outcome);
    SCREE_CHECK(scree_cones_newton_is_there(), SCREE_INPUT,
                "solver petsc: scree was built without PETSc");
    scree_comm_create_self(&self);
    make_system(c, self, &system);
    enum scree_status status = alternate(c, &system, request, r, outcome);
    scree_cones_system_clear(&system);
    scree_comm_destroy_self(&self);
    return status;
}

extern const struct scree_cones_solver scree_cones_solver_petsc;
const struct scree_cones_solver scree_cones_solver_petsc = {
    "petsc", "proximal points by semismooth Newton, after conjugate directions", solve};
