/* SPDX-License-Identifier: BSD-3-Clause
 * The local form: W in blocks, with what solvers want of its diagonal. */
#include "scree/cones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "scree/alloc.h"

void scree_cones_matrix_add(struct scree_cones_matrix *m, int64_t row, int64_t column, double value)
{
    if (m->n == m->capacity) {
        size_t grown = scree_alloc_grown(m->capacity, m->n + 1);
        m->row = scree_alloc_resize(m->row, m->n, grown, sizeof *m->row);
        m->column = scree_alloc_resize(m->column, m->n, grown, sizeof *m->column);
        m->value = scree_alloc_resize(m->value, m->n, grown, sizeof *m->value);
        m->capacity = grown;
    }
    m->row[m->n] = (int32_t)row;
    m->column[m->n] = (int32_t)column;
    m->value[m->n++] = value;
}

void scree_cones_matrix_clear(struct scree_cones_matrix *m)
{
    scree_alloc_free(m->row);
    scree_alloc_free(m->column);
    scree_alloc_free(m->value);
    memset(m, 0, sizeof *m);
}

static int compare_columns(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Which blocks there are: columns of each row, each once, and always the diagonal. */
static void find_blocks(struct scree_cones *c, const struct scree_cones_matrix *w)
{
    size_t *fill = scree_alloc(c->n + 1, sizeof *fill);
    c->start = scree_alloc(c->n + 1, sizeof *c->start);
    for (size_t k = 0; k <= c->n; k++) c->start[k] = k; /* the diagonals */
    for (size_t k = 0; k < w->n; k++) c->start[w->row[k] / c->dim + 1]++;
    for (size_t k = 1; k <= c->n; k++) c->start[k] -= k - 1; /* now entries of a row by itself */
    for (size_t k = 0; k < c->n; k++) c->start[k + 1] += c->start[k];
    c->column = scree_alloc(c->start[c->n] + 1, sizeof *c->column);
    memcpy(fill, c->start, c->n * sizeof *fill);
    for (size_t k = 0; k < c->n; k++) c->column[fill[k]++] = (int32_t)k;
    for (size_t k = 0; k < w->n; k++) c->column[fill[w->row[k] / c->dim]++] = w->column[k] / c->dim;
    size_t to = 0;
    for (size_t k = 0; k < c->n; k++) {
        size_t first = c->start[k];
        if (fill[k] > first)
            qsort(c->column + first, fill[k] - first, sizeof *c->column, compare_columns);
        c->start[k] = to;
        for (size_t m = first; m < fill[k]; m++)
            if (m == first || c->column[m] != c->column[m - 1]) c->column[to++] = c->column[m];
    }
    c->start[c->n] = to;
    scree_alloc_free(fill);
}

static size_t find_block(const struct scree_cones *c, size_t row, int32_t column)
{
    size_t low = c->start[row], high = c->start[row + 1];
    while (high - low > 1) {
        size_t at = (low + high) / 2;
        if (c->column[at] <= column)
            low = at;
        else
            high = at;
    }
    return low;
}

static void fill_blocks(struct scree_cones *c, const struct scree_cones_matrix *w)
{
    const size_t dim = (size_t)c->dim, size = dim * dim;
    c->block = scree_alloc(c->start[c->n] * size + 1, sizeof *c->block);
    c->diagonal = scree_alloc(c->n + 1, sizeof *c->diagonal);
    memset(c->block, 0, c->start[c->n] * size * sizeof *c->block);
    for (size_t k = 0; k < w->n; k++) {
        size_t i = (size_t)w->row[k], j = (size_t)w->column[k];
        size_t at = find_block(c, i / dim, (int32_t)(j / dim));
        c->block[at * size + i % dim * dim + j % dim] += w->value[k];
    }
    for (size_t k = 0; k < c->n; k++) c->diagonal[k] = find_block(c, k, (int32_t)k);
}

/* Inverse of a diagonal block, and the size of its largest eigenvalue: that of the Frobenius norm,
 * or exactly if it is diagonal. */
static enum scree_status set_diagonal(struct scree_cones *c, size_t k)
{
    const int dim = c->dim;
    const double *d = c->block + c->diagonal[k] * (size_t)(dim * dim);
    double *inverse = c->inverse + k * (size_t)(dim * dim), across = 0.0, largest = 0.0;
    for (int i = 0; i < dim; i++) {
        SCREE_CHECK(d[i * dim + i] >= 0.0, SCREE_INPUT,
                    "contact %zu: W has %g on its diagonal, which must not be negative", k,
                    d[i * dim + i]);
        largest = fmax(largest, d[i * dim + i]);
        for (int j = 0; j < dim; j++)
            if (i != j) across += d[i * dim + j] * d[i * dim + j];
    }
    SCREE_CHECK(d[0] > 0.0, SCREE_INPUT,
                "contact %zu: an impulse along its normal moves nothing (W is 0 there)", k);
    c->scale[k] = largest + sqrt(across);
    if (!scree_cones_invert(dim, d, inverse))
        memset(inverse, 0, (size_t)(dim * dim) * sizeof *inverse);
    return SCREE_OK;
}

static enum scree_status check_numbers(const struct scree_cones *c)
{
    for (size_t k = 0; k < c->n * (size_t)c->dim; k++)
        SCREE_CHECK(isfinite(c->q[k]), SCREE_INPUT, "q[%zu] is not a finite number", k);
    for (size_t k = 0; k < c->n; k++)
        for (int m = 0; m < SCREE_CONES_LIMITS; m++)
            SCREE_CHECK(c->limit[k][m] >= 0.0 && c->limit[k][m] < 1e6, SCREE_INPUT,
                        "contact %zu: friction %g is not between 0 and 1e6", k, c->limit[k][m]);
    for (size_t k = 0; k < c->start[c->n] * (size_t)(c->dim * c->dim); k++)
        SCREE_CHECK(isfinite(c->block[k]), SCREE_INPUT, "W holds a number that is not finite");
    return SCREE_OK;
}

enum scree_status scree_cones_init(struct scree_cones *c, int dim, size_t n,
                                   const struct scree_cones_matrix *w, const double *q,
                                   const scree_cones_limits *limit)
{
    const size_t size = (size_t)dim * n;
    memset(c, 0, sizeof *c);
    c->dim = dim;
    c->n = n;
    c->q = scree_alloc(size + 1, sizeof *c->q);
    c->limit = scree_alloc(n + 1, sizeof *c->limit);
    c->inverse = scree_alloc(size * (size_t)dim + 1, sizeof *c->inverse);
    c->scale = scree_alloc(n + 1, sizeof *c->scale);
    memcpy(c->q, q, size * sizeof *q);
    memcpy(c->limit, limit, n * sizeof *limit);
    find_blocks(c, w);
    fill_blocks(c, w);
    enum scree_status status = check_numbers(c);
    for (size_t k = 0; k < n && status == SCREE_OK; k++) status = set_diagonal(c, k);
    if (status != SCREE_OK) scree_cones_clear(c);
    return status;
}

void scree_cones_clear(struct scree_cones *c)
{
    void *const owned[] = {c->q,     c->limit,    c->start,   c->column,
                           c->block, c->diagonal, c->inverse, c->scale};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) scree_alloc_free(owned[k]);
    memset(c, 0, sizeof *c);
}

void scree_cones_bodies_clear(struct scree_cones_bodies *b)
{
    scree_cones_matrix_clear(&b->m);
    scree_cones_matrix_clear(&b->h);
    scree_alloc_free(b->f);
    scree_alloc_free(b->w);
    scree_alloc_free(b->limit);
    memset(b, 0, sizeof *b);
}
