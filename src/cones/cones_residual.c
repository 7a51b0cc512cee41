/* SPDX-License-Identifier: BSD-3-Clause
 * How far impulses are from a solution, by three definitions of the natural map r - P(r - step u~),
 * where P is the projection on the cone and u~_n = u_n + mu |u_t| (and likewise for moments).
 *
 * FCLIB takes steps of 1 and compares with q; Siconos with the largest of q, r, u. scree takes the
 * inverse of each contact's largest eigenvalue of W for the step (moments: by themselves, at the
 * limits that the present normal impulse gives), weights with the diagonal of W, so that squares
 * are energies, and compares with the impulses: no choice of units changes it. */
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/cones.h"

const char *const scree_cones_measures[] = {"fclib", "siconos", "scree", NULL};

void scree_cones_velocity(const struct scree_cones *c, const double *r, double *u)
{
    const size_t dim = (size_t)c->dim;
    memcpy(u, c->q, c->n * dim * sizeof *u);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = c->start[i]; k < c->start[i + 1]; k++) {
            const double *block = c->block + k * dim * dim, *of = r + (size_t)c->column[k] * dim;
            for (size_t a = 0; a < dim; a++)
                for (size_t b = 0; b < dim; b++) u[i * dim + a] += block[a * dim + b] * of[b];
        }
}

static double square(const double *v, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += v[k] * v[k];
    return sum;
}

/* Square of the natural map with step 1. */
static double plain_part(int dim, const double *limit, const double *r, const double *u)
{
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    int n = scree_cones_parts(dim, first, count);
    double y[SCREE_CONES_DIM], sum = 0.0;
    for (int k = 0; k < dim; k++) y[k] = r[k] - u[k];
    for (int k = 0; k < n; k++) y[0] -= limit[k] * sqrt(square(u + first[k], count[k]));
    scree_cones_project(dim, limit, y);
    for (int k = 0; k < dim; k++) sum += (r[k] - y[k]) * (r[k] - y[k]);
    return sum;
}

/* Largest weight of a part of a contact. */
static double part_scale(const double *block, int dim, int first, int count)
{
    double largest = 0.0;
    for (int k = first; k < first + count; k++) largest = fmax(largest, block[k * dim + k]);
    return largest;
}

static double scaled_part(const struct scree_cones *c, size_t at, const double *r, const double *u)
{
    const int dim = c->dim, plain = dim < 3 ? dim : 3;
    const double *block = c->block + c->diagonal[at] * (size_t)(dim * dim), *limit = c->limit[at];
    int first[SCREE_CONES_LIMITS], count[SCREE_CONES_LIMITS];
    int n = scree_cones_parts(dim, first, count);
    double y[SCREE_CONES_DIM], sum = 0.0, step = 1.0 / c->scale[at];
    if (dim > plain) step = 1.0 / part_scale(block, dim, 0, plain);
    for (int k = 0; k < plain; k++) y[k] = r[k] - step * u[k];
    y[0] -= step * limit[0] * sqrt(square(u + 1, plain - 1));
    scree_cones_project(plain, limit, y);
    for (int k = 1; k < n; k++) { /* moments */
        double weight = part_scale(block, dim, first[k], count[k]);
        for (int m = first[k]; m < first[k] + count[k]; m++)
            y[m] = weight > 0.0 ? r[m] - u[m] / weight : r[m];
        double size = sqrt(square(y + first[k], count[k])), most = limit[k] * fmax(r[0], 0.0);
        for (int m = first[k]; m < first[k] + count[k] && size > most; m++) y[m] *= most / size;
    }
    for (int k = 0; k < dim; k++) sum += block[k * dim + k] * (r[k] - y[k]) * (r[k] - y[k]);
    return sum;
}

void scree_cones_measure(const struct scree_cones *c, const double *r, const double *u,
                         double residual[SCREE_CONES_MEASURES])
{
    const int dim = c->dim, size = dim * dim;
    double plain = 0.0, scaled = 0.0, energy = 0.0, of_r = 0.0, of_u = 0.0, of_q = 0.0;
    for (size_t k = 0; k < c->n; k++) {
        const size_t at = k * (size_t)dim;
        const double *block = c->block + c->diagonal[k] * (size_t)size;
        plain += plain_part(dim, c->limit[k], r + at, u + at);
        scaled += scaled_part(c, k, r + at, u + at);
        for (int m = 0; m < dim; m++)
            energy += block[m * dim + m] * r[at + (size_t)m] * r[at + (size_t)m];
        of_r += square(r + at, dim);
        of_u += square(u + at, dim);
        of_q += square(c->q + at, dim);
    }
    double largest = fmax(of_q, fmax(of_r, of_u));
    residual[SCREE_CONES_FCLIB] = plain > 0.0 ? sqrt(plain / of_q) : 0.0;
    residual[SCREE_CONES_SICONOS] = plain > 0.0 ? sqrt(plain / largest) : 0.0;
    residual[SCREE_CONES_SCREE] = scaled > 0.0 ? sqrt(scaled / fmax(energy, scaled)) : 0.0;
}
