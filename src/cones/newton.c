/* SPDX-License-Identifier: BSD-3-Clause
 * Proximal points by semismooth Newton. A proximal step looks for the impulses r of
 *     mass (x - free) = L r,   r = clip(r_0 - rho u),   rho = sigma / scale,
 * which has one solution whatever sigma is: the law of Coulomb with a little give, that vanishes as
 * r comes to rest. Newton's method finds x with clip() differentiated where it is, the unsymmetric
 * part of friction included. Large sigma: few steps, equations that are hard to solve. */
#include <math.h>
#include <string.h>

#include "petsc_system.h"
#include "scree/alloc.h"
#include "scree/log.h"

#ifdef SCREE_HAVE_PETSC

enum { INNER = 12, HALVINGS = 6 };
enum { QUICK = 5 }; /* systems of a proximal step after which sigma may be much larger */
static const double least_sigma = 1.0, most_sigma = 1e12;

struct work {
    const struct scree_cones_system *s;
    struct scree_petsc *petsc;
    double sigma;
    double *x, *g, *d, *tried; /* [n_own] */
    double *u, *r, *slope;     /* [n dim], [n dim], [n dim dim] */
};

static struct work make_work(const struct scree_cones_system *s)
{
    const size_t n = s->n * (size_t)s->dim, n_own = (size_t)s->n_own;
    double *own = scree_alloc(4 * n_own + 1, sizeof *own);
    double *here = scree_alloc(2 * n + n * (size_t)s->dim + 1, sizeof *here);
    return (struct work){.s = s,
                         .x = own,
                         .g = own + n_own,
                         .d = own + 2 * n_own,
                         .tried = own + 3 * n_own,
                         .u = here,
                         .r = here + n,
                         .slope = here + 2 * n};
}

/* Sum over all ranks, whatever rank has which part. */
static double sum_of(const struct work *w, double mine)
{
    struct scree_exact sum;
    scree_exact_clear(&sum);
    scree_exact_add(&sum, mine);
    scree_comm_sum_exact(w->s->comm, &sum, 1);
    return scree_exact_value(&sum);
}

/* Impulses that velocities x make of r_0, with their slopes if asked for; g and its size as that of
 * a velocity. */
static enum scree_status look(struct work *w, const double *x, const double *r0, bool slopes,
                              double *size)
{
    const struct scree_cones_system *s = w->s;
    const size_t dim = (size_t)s->dim;
    double sum = 0.0;
    SCREE_TRY(scree_petsc_velocity(w->petsc, x, w->u));
    for (size_t c = 0; c < s->n; c++) {
        double *slope = slopes ? w->slope + c * dim * dim : NULL;
        for (size_t k = c * dim; k < (c + 1) * dim; k++)
            w->r[k] = r0[k] - w->sigma / s->scale[k] * w->u[k];
        scree_cones_clip(s->dim, s->limit[c], w->r + c * dim, slope);
        for (size_t a = 0; a < dim && slopes; a++)
            for (size_t b = 0; b < dim; b++) slope[a * dim + b] *= w->sigma / s->scale[c * dim + b];
    }
    SCREE_TRY(scree_petsc_balance(w->petsc, x, w->r, w->g));
    for (int32_t k = 0; k < s->n_own; k++) sum += w->g[k] * w->g[k] / s->mass[k];
    *size = sqrt(sum_of(w, sum));
    return SCREE_OK;
}

/* Along d as far as it leads down. */
static enum scree_status search(struct work *w, const double *r0, double *size)
{
    const size_t n = (size_t)w->s->n_own;
    double part = 1.0, then = INFINITY;
    for (int half = 0; half <= HALVINGS; half++, part *= 0.5) {
        for (size_t k = 0; k < n; k++) w->tried[k] = w->x[k] + part * w->d[k];
        SCREE_TRY(look(w, w->tried, r0, true, &then));
        if (then < (1.0 - 1e-4 * part) * *size) break;
    }
    memcpy(w->x, w->tried, n * sizeof *w->x);
    *size = then;
    return SCREE_OK;
}

/* x and r of one proximal step from r0; *solved: to the last. */
static enum scree_status step(struct work *w, struct scree_cones_newton *newton, const double *r0,
                              double tolerance, bool *solved)
{
    double size, begin;
    *solved = false;
    SCREE_TRY(look(w, w->x, r0, true, &size));
    begin = size;
    for (int k = 0; k < INNER && newton->systems < newton->most_systems; k++) {
        bool found;
        if (size <= tolerance) break;
        SCREE_TRY(scree_petsc_solve(w->petsc, w->slope, w->g, w->d, &found));
        newton->systems++;
        if (!found) return SCREE_OK;
        double before = size;
        SCREE_TRY(search(w, r0, &size));
        if (!(size < before)) break;
    }
    *solved = size <= tolerance || size < 1e-3 * begin;
    return SCREE_OK;
}

/* x becomes the velocities that belong to r. Sizes, as square roots of energies: of r, and of what
 * clip(r - u / scale) changes in it, which is how far r is from a solution. */
static enum scree_status begin_at(struct work *w, const double *r, double *size, double *error)
{
    const struct scree_cones_system *s = w->s;
    const size_t dim = (size_t)s->dim;
    double sum[2] = {0.0, 0.0}, y[SCREE_CONES_DIM];
    memcpy(w->x, s->free, (size_t)s->n_own * sizeof *w->x);
    SCREE_TRY(scree_petsc_balance(w->petsc, w->x, r, w->g));
    for (int32_t k = 0; k < s->n_own; k++) w->x[k] -= w->g[k] / s->mass[k];
    SCREE_TRY(scree_petsc_velocity(w->petsc, w->x, w->u));
    for (size_t c = 0; c < s->n; c++) {
        for (size_t a = 0; a < dim; a++)
            y[a] = r[c * dim + a] - w->u[c * dim + a] / s->scale[c * dim + a];
        scree_cones_clip(s->dim, s->limit[c], y, NULL);
        for (size_t a = 0; a < dim; a++) {
            double of_r = r[c * dim + a], change = of_r - y[a];
            sum[0] += s->scale[c * dim + a] * of_r * of_r;
            sum[1] += s->scale[c * dim + a] * change * change;
        }
    }
    *size = sqrt(sum_of(w, sum[0]));
    *error = sqrt(sum_of(w, sum[1]));
    return SCREE_OK;
}

/* One proximal step from `r`, which it replaces unless it leads away; sigma is chosen for it, and
 * `factor` for the next. */
static enum scree_status advance(struct work *w, struct scree_cones_newton *newton, double *r,
                                 double *residual, double *factor)
{
    const int64_t systems = newton->systems;
    double size, error;
    bool solved;
    SCREE_TRY(begin_at(w, r, &size, &error));
    if (!(error > 0.0)) error = 1e-16 * size;
    w->sigma = fmin(fmax(*factor * 0.2 * size / error, least_sigma), most_sigma);
    SCREE_TRY(step(w, newton, r, 0.05 * error, &solved));
    newton->proximal++;
    double found = newton->measure(newton->context, w->r);
    scree_log(SCREE_LOG_DETAIL,
              "proximal step %lld: sigma %.2g, %lld systems so far, residual %.3g -> %.3g%s",
              (long long)newton->proximal, w->sigma, (long long)newton->systems, *residual, found,
              solved ? "" : " (Newton has not ended)");
    bool taken = found < (solved ? 2.0 : 1.0) * *residual;
    *factor *= !taken || !solved ? 0.3 : newton->systems - systems <= QUICK ? 2.5 : 1.5;
    *factor = fmin(fmax(*factor, 1e-6), 1e4);
    if (!taken) return SCREE_OK;
    *residual = found;
    memcpy(r, w->r, w->s->n * (size_t)w->s->dim * sizeof *r);
    return SCREE_OK;
}

enum { PATIENCE = 12 }; /* proximal steps without a better one */

static enum scree_status iterate(struct work *w, struct scree_cones_newton *newton, double *best)
{
    const size_t n = w->s->n * (size_t)w->s->dim;
    double *r = scree_alloc(n + 1, sizeof *r), residual = newton->residual, factor = 1.0;
    enum scree_status status = SCREE_OK;
    memcpy(r, best, n * sizeof *r);
    for (int stalled = 0; status == SCREE_OK && stalled < PATIENCE && !newton->converged &&
                          newton->systems < newton->most_systems;) {
        status = advance(w, newton, r, &residual, &factor);
        stalled++;
        if (status != SCREE_OK || !(residual < newton->residual)) continue;
        stalled = residual < 0.9 * newton->residual ? 0 : stalled;
        newton->residual = residual;
        newton->converged = residual <= newton->tolerance;
        memcpy(best, r, n * sizeof *r);
    }
    scree_alloc_free(r);
    return status;
}

enum scree_status scree_cones_newton_solve(const struct scree_cones_system *system,
                                           struct scree_cones_newton *newton, double *r)
{
    struct work w = make_work(system);
    newton->systems = newton->proximal = 0;
    newton->residual = newton->measure(newton->context, r);
    newton->converged = newton->residual <= newton->tolerance;
    enum scree_status status = scree_petsc_create(&w.petsc, system);
    if (status == SCREE_OK) status = iterate(&w, newton, r);
    scree_petsc_destroy(&w.petsc);
    scree_alloc_free(w.x);
    scree_alloc_free(w.u);
    return status;
}

#else

enum scree_status scree_cones_newton_solve(const struct scree_cones_system *system,
                                           struct scree_cones_newton *newton, double *r)
{
    (void)system, (void)newton, (void)r;
    return SCREE_FAIL(SCREE_INPUT, "scree was built without PETSc");
}

#endif

void scree_cones_system_clear(struct scree_cones_system *s)
{
    void *const owned[] = {s->mass,        s->free,       s->right.start,  s->right.unknown,
                           s->right.value, s->left.start, s->left.unknown, s->left.value,
                           s->w,           s->limit,      s->scale};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) scree_alloc_free(owned[k]);
    memset(s, 0, sizeof *s);
}
