/* SPDX-License-Identifier: BSD-3-Clause
 * One contact solved exactly, whatever its block of W: open and sticking contacts are tried first,
 * which need no iteration; one that slides is a root of r - clip(r - step u), found by semismooth
 * Newton (Alart and Curnier, CMAME 92, 353 (1991)), or if that fails by a projected fixed point. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cones_solvers.h"
#include "dense.h"

enum { NEWTON = 30, FIXED_POINT = 200 };

static double size_of(const double *v, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += v[k] * v[k];
    return sqrt(sum);
}

static bool sticks(const struct scree_cones *c, size_t at, const double *b, double *r)
{
    const int dim = c->dim;
    const double *inverse = c->inverse + at * (size_t)(dim * dim);
    double found[SCREE_CONES_DIM] = {0.0}, cut[SCREE_CONES_DIM];
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) found[i] -= inverse[i * dim + j] * b[j];
    if (!(found[0] > 0.0)) return false;
    memcpy(cut, found, sizeof cut);
    scree_cones_clip(dim, c->limit[at], cut, NULL);
    if (memcmp(cut, found, (size_t)dim * sizeof *cut) != 0) return false;
    memcpy(r, found, (size_t)dim * sizeof *r);
    return true;
}

/* u of impulses r, and F = r - clip(r - step u), its size as that of a velocity over the step. */
static double residual(const struct scree_cones *c, size_t at, const double *b, const double *step,
                       const double *r, double *f, double *slope)
{
    const int dim = c->dim;
    const double *w = c->block + c->diagonal[at] * (size_t)(dim * dim);
    double y[SCREE_CONES_DIM], sum = 0.0;
    for (int i = 0; i < dim; i++) {
        double u = b[i];
        for (int j = 0; j < dim; j++) u += w[i * dim + j] * r[j];
        y[i] = r[i] - step[i] * u;
    }
    scree_cones_clip(dim, c->limit[at], y, slope);
    for (int i = 0; i < dim; i++) {
        f[i] = r[i] - y[i];
        sum += f[i] * f[i] / (step[i] * step[i]);
    }
    return sqrt(sum);
}

/* One step of Newton: (1 - J (1 - step W)) d = -F. */
static bool newton_step(const struct scree_cones *c, size_t at, const double *step,
                        const double *slope, const double *f, double *d)
{
    const int dim = c->dim;
    const double *w = c->block + c->diagonal[at] * (size_t)(dim * dim);
    double a[SCREE_CONES_DIM * SCREE_CONES_DIM];
    int pivot[SCREE_CONES_DIM];
    for (int i = 0; i < dim; i++) {
        d[i] = -f[i];
        for (int j = 0; j < dim; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < dim; k++)
                sum -= slope[i * dim + k] * ((k == j ? 1.0 : 0.0) - step[k] * w[k * dim + j]);
            a[i * dim + j] = sum;
        }
    }
    if (!scree_cones_factor(dim, a, pivot)) return false;
    scree_cones_substitute(dim, a, pivot, d);
    return true;
}

static bool newton(const struct scree_cones *c, size_t at, const double *b, const double *step,
                   double *r)
{
    const int dim = c->dim;
    double f[SCREE_CONES_DIM], slope[SCREE_CONES_DIM * SCREE_CONES_DIM], d[SCREE_CONES_DIM];
    double now = residual(c, at, b, step, r, f, slope), small = 8.0 * DBL_EPSILON * size_of(b, dim);
    for (int k = 0; k < NEWTON && now > small; k++) {
        double tried[SCREE_CONES_DIM], part = 1.0, then = INFINITY;
        if (!newton_step(c, at, step, slope, f, d)) return false;
        for (int half = 0; half < 8; half++, part *= 0.5) { /* down if it can be, on at last */
            for (int i = 0; i < dim; i++) tried[i] = r[i] + part * d[i];
            then = residual(c, at, b, step, tried, f, slope);
            if (then < now) break;
        }
        if (!(then < now)) break;
        memcpy(r, tried, (size_t)dim * sizeof *r);
        now = then;
    }
    return now <= 1e-10 * size_of(b, dim);
}

/* r <- P(r - u~/w) with the shift of u_n by the slip. */
static bool fixed_point(const struct scree_cones *c, size_t at, const double *b, double *r)
{
    const int dim = c->dim;
    const double *w = c->block + c->diagonal[at] * (size_t)(dim * dim), *limit = c->limit[at];
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    int n = scree_cones_parts(dim, first, count);
    for (int k = 0; k < FIXED_POINT; k++) {
        double y[SCREE_CONES_DIM], u[SCREE_CONES_DIM], change = 0.0;
        for (int i = 0; i < dim; i++) {
            u[i] = b[i];
            for (int j = 0; j < dim; j++) u[i] += w[i * dim + j] * r[j];
        }
        for (int m = 0; m < n; m++) u[0] += limit[m] * size_of(u + first[m], count[m]);
        for (int i = 0; i < dim; i++) y[i] = r[i] - u[i] / c->scale[at];
        scree_cones_project(dim, limit, y);
        for (int i = 0; i < dim; i++) {
            change += (y[i] - r[i]) * (y[i] - r[i]);
            r[i] = y[i];
        }
        if (change <= 1e-28 * (1e-300 + size_of(r, dim) * size_of(r, dim))) return true;
    }
    return false;
}

bool scree_cones_solve_contact(const struct scree_cones *c, size_t at, const double *b, double *r)
{
    const int dim = c->dim;
    const double *w = c->block + c->diagonal[at] * (size_t)(dim * dim);
    double step[SCREE_CONES_DIM], slides[SCREE_CONES_DIM];
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    if (b[0] >= 0.0) { /* opens by itself */
        memset(r, 0, (size_t)dim * sizeof *r);
        return true;
    }
    if (sticks(c, at, b, r)) return true;
    memcpy(slides, r, (size_t)dim * sizeof *r);
    if (!(slides[0] > 0.0)) slides[0] = -b[0] / w[0];
    step[0] = 1.0 / w[0];
    for (int n = scree_cones_parts(dim, first, count), k = 0; k < n; k++) {
        double largest = 0.0;
        for (int i = first[k]; i < first[k] + count[k]; i++)
            largest = fmax(largest, w[i * dim + i]);
        for (int i = first[k]; i < first[k] + count[k]; i++)
            step[i] = largest > 0.0 ? 1.0 / largest : step[0];
    }
    if (newton(c, at, b, step, slides)) {
        memcpy(r, slides, (size_t)dim * sizeof *r);
        return true;
    }
    return fixed_point(c, at, b, r);
}
