/* SPDX-License-Identifier: BSD-3-Clause
 * W = H^T M^-1 H. M falls into parts that are not coupled, usually a body each: each is factored by
 * itself, and every contact is solved for on the parts that it touches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "scree/alloc.h"
#include "scree/cones.h"

enum { LARGEST_PART = 2000 }; /* degrees of freedom that hang together; factors are dense */

/* M as uncoupled parts. */
struct parts {
    int n;
    int32_t *of, *place; /* [n_rows] part of each row, and its place there */
    int32_t *row;        /* rows by part */
    int *start;          /* [n + 1] */
    size_t *factors;     /* [n] where the factors of each begin */
    double *factor;
    int *pivot; /* [n_rows] by part */
};

static int32_t find_root(int32_t *parent, int32_t k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

/* Numbers parts by their first rows. */
static void find_parts(const struct scree_cones_matrix *m, struct parts *p)
{
    const size_t n = (size_t)m->n_rows;
    int32_t *parent = scree_alloc(n + 1, sizeof *parent), *number;
    number = scree_alloc(n + 1, sizeof *number);
    p->of = scree_alloc(n + 1, sizeof *p->of);
    p->place = scree_alloc(n + 1, sizeof *p->place);
    p->row = scree_alloc(n + 1, sizeof *p->row);
    p->pivot = scree_alloc(n + 1, sizeof *p->pivot);
    for (size_t k = 0; k < n; k++) parent[k] = (int32_t)k, number[k] = -1;
    for (size_t k = 0; k < m->n; k++)
        if (m->value[k] != 0.0)
            parent[find_root(parent, m->row[k])] = find_root(parent, m->column[k]);
    for (size_t k = 0; k < n; k++) {
        int32_t root = find_root(parent, (int32_t)k);
        if (number[root] < 0) number[root] = p->n++;
        p->of[k] = number[root];
    }
    p->start = scree_alloc((size_t)p->n + 1, sizeof *p->start);
    p->factors = scree_alloc((size_t)p->n + 1, sizeof *p->factors);
    memset(p->start, 0, ((size_t)p->n + 1) * sizeof *p->start);
    for (size_t k = 0; k < n; k++) p->place[k] = p->start[p->of[k] + 1]++;
    for (int k = 0; k < p->n; k++) p->start[k + 1] += p->start[k];
    for (size_t k = 0; k < n; k++) p->row[p->start[p->of[k]] + p->place[k]] = (int32_t)k;
    scree_alloc_free(parent);
    scree_alloc_free(number);
}

static int size_of(const struct parts *p, int part)
{
    return p->start[part + 1] - p->start[part];
}

static enum scree_status factor_parts(const struct scree_cones_matrix *m, struct parts *p)
{
    size_t total = 0;
    for (int k = 0; k < p->n; k++) {
        SCREE_CHECK(size_of(p, k) <= LARGEST_PART, SCREE_INPUT,
                    "M couples %d degrees of freedom; up to %d can be solved", size_of(p, k),
                    (int)LARGEST_PART);
        p->factors[k] = total;
        total += (size_t)size_of(p, k) * (size_t)size_of(p, k);
    }
    p->factor = scree_alloc(total + 1, sizeof *p->factor);
    memset(p->factor, 0, total * sizeof *p->factor);
    for (size_t k = 0; k < m->n; k++) {
        int part = p->of[m->row[k]];
        if (m->value[k] == 0.0) continue;
        SCREE_CHECK(isfinite(m->value[k]), SCREE_INPUT, "M holds a number that is not finite");
        p->factor[p->factors[part] + (size_t)p->place[m->row[k]] * (size_t)size_of(p, part) +
                  (size_t)p->place[m->column[k]]] += m->value[k];
    }
    for (int k = 0; k < p->n; k++)
        SCREE_CHECK(
            scree_cones_factor(size_of(p, k), p->factor + p->factors[k], p->pivot + p->start[k]),
            SCREE_INPUT, "M is singular at row %d", p->row[p->start[k]]);
    return SCREE_OK;
}

static void clear_parts(struct parts *p)
{
    void *const owned[] = {p->of, p->place, p->row, p->start, p->factors, p->factor, p->pivot};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) scree_alloc_free(owned[k]);
}

static void solve_part(const struct parts *p, int part, double *x)
{
    scree_cones_substitute(size_of(p, part), p->factor + p->factors[part],
                           p->pivot + p->start[part], x);
}

/* x = M^-1 x, in the order of rows. */
static void solve_all(const struct parts *p, double *x)
{
    int longest = 1;
    for (int k = 0; k < p->n; k++) longest = size_of(p, k) > longest ? size_of(p, k) : longest;
    double *part = scree_alloc((size_t)longest, sizeof *part);
    for (int k = 0; k < p->n; k++) {
        for (int m = p->start[k]; m < p->start[k + 1]; m++) part[m - p->start[k]] = x[p->row[m]];
        solve_part(p, k, part);
        for (int m = p->start[k]; m < p->start[k + 1]; m++) x[p->row[m]] = part[m - p->start[k]];
    }
    scree_alloc_free(part);
}

/* The columns of H of one contact on one part. */
struct touch {
    int32_t contact, part;
    size_t at; /* of the values: H, then M^-1 H, each [dim][size] */
};

static int compare_touches(const void *a, const void *b)
{
    const struct touch *x = a, *y = b;
    if (x->contact != y->contact) return x->contact < y->contact ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

struct touches {
    struct touch *touch; /* by contact, then part */
    size_t n;
    double *value;
};

static size_t find_touch(const struct touches *t, struct touch key)
{
    const struct touch *found = bsearch(&key, t->touch, t->n, sizeof *t->touch, compare_touches);
    return (size_t)(found - t->touch);
}

static void find_touches(const struct scree_cones_matrix *h, int dim, const struct parts *p,
                         struct touches *t)
{
    size_t n = 0, total = 0;
    t->touch = scree_alloc(h->n + 1, sizeof *t->touch);
    for (size_t k = 0; k < h->n; k++)
        if (h->value[k] != 0.0)
            t->touch[n++] = (struct touch){h->column[k] / dim, p->of[h->row[k]], 0};
    if (n > 0) qsort(t->touch, n, sizeof *t->touch, compare_touches);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || compare_touches(&t->touch[k], &t->touch[k - 1]) != 0)
            t->touch[t->n++] = t->touch[k];
    for (size_t k = 0; k < t->n; k++) {
        t->touch[k].at = total;
        total += 2 * (size_t)dim * (size_t)size_of(p, t->touch[k].part);
    }
    t->value = scree_alloc(total + 1, sizeof *t->value);
    memset(t->value, 0, total * sizeof *t->value);
    for (size_t k = 0; k < h->n; k++) {
        if (h->value[k] == 0.0) continue;
        int part = p->of[h->row[k]], size = size_of(p, part);
        size_t at = find_touch(t, (struct touch){h->column[k] / dim, part, 0});
        t->value[t->touch[at].at + (size_t)(h->column[k] % dim * size + p->place[h->row[k]])] +=
            h->value[k];
    }
    for (size_t k = 0; k < t->n; k++) {
        int size = size_of(p, t->touch[k].part);
        double *of = t->value + t->touch[k].at, *solved = of + dim * size;
        memcpy(solved, of, (size_t)(dim * size) * sizeof *of);
        for (int a = 0; a < dim; a++) solve_part(p, t->touch[k].part, solved + a * size);
    }
}

/* Every pair of contacts on the same part. */
static void multiply(const struct touches *t, int dim, const struct parts *p,
                     struct scree_cones_matrix *w)
{
    size_t *first = scree_alloc((size_t)p->n + 1, sizeof *first);
    size_t *by_part = scree_alloc(t->n + 1, sizeof *by_part);
    memset(first, 0, ((size_t)p->n + 1) * sizeof *first);
    for (size_t k = 0; k < t->n; k++) first[t->touch[k].part + 1]++;
    for (int k = 0; k < p->n; k++) first[k + 1] += first[k];
    for (size_t k = 0; k < t->n; k++) by_part[first[t->touch[k].part]++] = k;
    for (int k = p->n; k > 0; k--) first[k] = first[k - 1];
    first[0] = 0;
    for (int part = 0; part < p->n; part++)
        for (size_t x = first[part]; x < first[part + 1]; x++)
            for (size_t y = first[part]; y < first[part + 1]; y++) {
                const struct touch *i = &t->touch[by_part[x]], *j = &t->touch[by_part[y]];
                const int size = size_of(p, part);
                const double *left = t->value + i->at, *right = t->value + j->at + dim * size;
                for (int a = 0; a < dim; a++)
                    for (int b = 0; b < dim; b++) {
                        double sum = 0.0;
                        for (int k = 0; k < size; k++)
                            sum += left[a * size + k] * right[b * size + k];
                        scree_cones_matrix_add(w, i->contact * dim + a, j->contact * dim + b, sum);
                    }
            }
    scree_alloc_free(first);
    scree_alloc_free(by_part);
}

enum scree_status scree_cones_velocities(const struct scree_cones_bodies *b, const double *r,
                                         double *v)
{
    struct parts parts = {0};
    find_parts(&b->m, &parts);
    enum scree_status status = factor_parts(&b->m, &parts);
    memcpy(v, b->f, (size_t)b->m.n_rows * sizeof *v);
    for (size_t k = 0; k < b->h.n; k++) v[b->h.row[k]] += b->h.value[k] * r[b->h.column[k]];
    if (status == SCREE_OK) solve_all(&parts, v);
    clear_parts(&parts);
    return status;
}

enum scree_status scree_cones_from_bodies(struct scree_cones *cones,
                                          const struct scree_cones_bodies *b,
                                          double **free_velocity)
{
    const size_t n = b->n * (size_t)b->dim, n_rows = (size_t)b->m.n_rows;
    struct parts parts = {0};
    struct touches touches = {0};
    struct scree_cones_matrix w = {.n_rows = (int64_t)n, .n_columns = (int64_t)n};
    memset(cones, 0, sizeof *cones);
    find_parts(&b->m, &parts);
    enum scree_status status = factor_parts(&b->m, &parts);
    double *v = *free_velocity = scree_alloc(n_rows + 1, sizeof *v);
    if (status == SCREE_OK) {
        double *q = scree_alloc(n + 1, sizeof *q);
        memcpy(v, b->f, n_rows * sizeof *v);
        solve_all(&parts, v);
        memcpy(q, b->w, n * sizeof *q);
        for (size_t k = 0; k < b->h.n; k++) q[b->h.column[k]] += b->h.value[k] * v[b->h.row[k]];
        find_touches(&b->h, b->dim, &parts, &touches);
        multiply(&touches, b->dim, &parts, &w);
        status = scree_cones_init(cones, b->dim, b->n, &w, q, (const scree_cones_limits *)b->limit);
        scree_alloc_free(q);
    }
    scree_cones_matrix_clear(&w);
    scree_alloc_free(touches.touch);
    scree_alloc_free(touches.value);
    clear_parts(&parts);
    return status;
}
