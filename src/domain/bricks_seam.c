/* SPDX-License-Identifier: BSD-3-Clause
 * Bricks that meet where the sides of a wedge do: the grid shows them far apart. */
#include <math.h>
#include <stdlib.h>

#include "scree/alloc.h"
#include "scree/bricks.h"

static int compare(const void *first, const void *second)
{
    const struct scree_brick_pair *a = first, *b = second;
    if (a->brick != b->brick) return a->brick < b->brick ? -1 : 1;
    return (a->other > b->other) - (a->other < b->other);
}

static bool share_face(const struct scree_bricks *bricks, int64_t first, int64_t second)
{
    int a[3], b[3], steps = 0;
    scree_bricks_coordinates(bricks, first, a);
    scree_bricks_coordinates(bricks, second, b);
    for (int k = 0; k < 3; k++) steps += abs(a[k] - b[k]);
    return steps <= 1;
}

/* Have both room for another neighbour, and do not know each other? */
static bool is_new(const struct scree_brick_pair *pairs, int64_t n, int64_t a, int64_t b)
{
    int n_a = 0, n_b = 0;
    for (int64_t k = 0; k < n; k++) {
        if (pairs[k].brick == a && pairs[k].other == b) return false;
        n_a += pairs[k].brick == a;
        n_b += pairs[k].brick == b;
    }
    return n_a < SCREE_BRICK_SEAM_MOST && n_b < SCREE_BRICK_SEAM_MOST;
}

/* Pairs in the lowest layer across the axis, found by points along the first side and where they
 * are on the last one. Allocated here. */
static struct scree_brick_pair *find_layer(const struct scree_bricks *bricks,
                                           const struct scree_box *box, int64_t *n)
{
    const struct scree_wedge *wedge = &box->wedge;
    int u = wedge->u, v = wedge->v;
    double step = 0.25 * fmin(bricks->edge[u], bricks->edge[v]);
    double end = hypot(fmax(fabs(box->low[u]), fabs(box->high[u])),
                       fmax(fabs(box->low[v]), fabs(box->high[v])));
    int64_t n_points = (int64_t)(end / step) + 1;
    struct scree_brick_pair *pairs = scree_alloc((size_t)n_points * 2, sizeof *pairs);
    *n = 0;
    for (int64_t k = 0; k < n_points; k++) {
        double first[3], last[3];
        first[u] = ((double)k + 0.5) * step;
        first[v] = 0.0;
        first[wedge->axis] = box->low[wedge->axis];
        scree_wedge_turn(wedge, 1 % wedge->n, first, last);
        int64_t a = scree_bricks_find(bricks, box, first), b = scree_bricks_find(bricks, box, last);
        if (share_face(bricks, a, b) || !is_new(pairs, *n, a, b)) continue;
        pairs[(*n)++] = (struct scree_brick_pair){a, b};
        pairs[(*n)++] = (struct scree_brick_pair){b, a};
    }
    return pairs;
}

void scree_bricks_find_seam(struct scree_bricks *bricks, const struct scree_box *box)
{
    bricks->seam = NULL;
    bricks->n_seam = 0;
    if (box->wedge.n == 0) return;
    int64_t n, stride = 1;
    struct scree_brick_pair *layer = find_layer(bricks, box, &n);
    int n_layers = bricks->n[box->wedge.axis];
    for (int a = 0; a < box->wedge.axis; a++) stride *= bricks->n[a];
    bricks->seam = scree_alloc((size_t)(n * n_layers), sizeof *bricks->seam);
    for (int l = 0; l < n_layers; l++)
        for (int64_t k = 0; k < n; k++)
            bricks->seam[bricks->n_seam++] =
                (struct scree_brick_pair){layer[k].brick + l * stride, layer[k].other + l * stride};
    qsort(bricks->seam, (size_t)bricks->n_seam, sizeof *bricks->seam, compare);
    scree_alloc_free(layer);
}
