/* SPDX-License-Identifier: BSD-3-Clause
 * Finding triangles: a tree of boxes, each cut in the middle of its longest side. What is found
 * does not depend on the tree. */
#include "mesh_tree.h"

#include <math.h>
#include <stdlib.h>

#include "scree/alloc.h"

enum { LEAF = 4 }; /* triangles that are not worth another box */

/* Distances are computed with rounding; boxes are passed over only when farther than this. */
static const double widening = 1.0 + 1e-12;

static double middle_of(const struct scree_mesh *mesh, int32_t t, int axis)
{
    const double(*c)[3] = (const double(*)[3])mesh->corner[t];
    double low = fmin(c[0][axis], fmin(c[1][axis], c[2][axis]));
    double high = fmax(c[0][axis], fmax(c[1][axis], c[2][axis]));
    return 0.5 * (low + high);
}

static void bound(const struct scree_mesh *mesh, int32_t first, int32_t n,
                  struct scree_mesh_node *node)
{
    for (int k = 0; k < 3; k++) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
    }
    for (int32_t m = first; m < first + n; m++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                double x = mesh->corner[mesh->order[m]][c][k];
                node->low[k] = fmin(node->low[k], x);
                node->high[k] = fmax(node->high[k], x);
            }
}

/* Those whose middle is below `cut` come first; returns how many. */
static int32_t part(struct scree_mesh *mesh, int32_t first, int32_t n, int axis, double cut)
{
    int32_t *order = mesh->order + first, below = 0;
    for (int32_t m = 0; m < n; m++) {
        int32_t t = order[m];
        if (!(middle_of(mesh, t, axis) < cut)) continue;
        order[m] = order[below];
        order[below++] = t;
    }
    return below;
}

/* Between the middles that are farthest apart; halves by number if all are at one place. */
static int32_t cut(struct scree_mesh *mesh, int32_t first, int32_t n)
{
    double widest = 0.0, at = 0.0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t m = first; m < first + n; m++) {
            double x = middle_of(mesh, mesh->order[m], k);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low <= widest) continue;
        widest = high - low;
        at = 0.5 * (low + high);
        axis = k;
    }
    int32_t below = widest > 0.0 ? part(mesh, first, n, axis, at) : 0;
    return below > 0 && below < n ? below : n / 2;
}

static void grow(struct scree_mesh *mesh, int32_t first, int32_t n)
{
    int32_t mine = mesh->n_nodes++;
    struct scree_mesh_node *node = &mesh->node[mine];
    bound(mesh, first, n, node);
    node->first = first;
    node->n = n <= LEAF ? n : 0;
    if (n <= LEAF) return;
    int32_t below = cut(mesh, first, n);
    grow(mesh, first, below);
    node->right = mesh->n_nodes;
    grow(mesh, first + below, n - below);
}

void scree_mesh_grow_tree(struct scree_mesh *mesh)
{
    mesh->order = scree_alloc((size_t)mesh->n, sizeof *mesh->order);
    mesh->node = scree_alloc(2 * (size_t)mesh->n, sizeof *mesh->node);
    for (int32_t t = 0; t < mesh->n; t++) mesh->order[t] = t;
    if (mesh->n > 0) grow(mesh, 0, mesh->n);
}

static double distance_to(const struct scree_mesh_node *node, const double x[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double out = fmax(0.0, fmax(node->low[k] - x[k], x[k] - node->high[k]));
        square += out * out;
    }
    return sqrt(square);
}

/* The closest so far and the number of its triangle. */
struct nearest {
    struct scree_wall_point point;
    int32_t triangle;
};

static void look_nearest(const struct scree_mesh *mesh, int32_t at, const double pos[4],
                         struct nearest *nearest)
{
    const struct scree_mesh_node *node = &mesh->node[at];
    if (distance_to(node, pos) > widening * (nearest->point.gap + pos[3])) return;
    for (int32_t m = node->first; m < node->first + node->n; m++) {
        struct nearest next = {.triangle = mesh->order[m]};
        scree_mesh_locate(mesh, next.triangle, pos, &next.point);
        double closer = nearest->point.gap - next.point.gap;
        if (closer > 0.0 || (closer == 0.0 && next.triangle < nearest->triangle)) *nearest = next;
    }
    if (node->n > 0) return;
    const int32_t half[2] = {at + 1, node->right};
    bool second = distance_to(&mesh->node[half[1]], pos) < distance_to(&mesh->node[half[0]], pos);
    look_nearest(mesh, half[second ? 1 : 0], pos, nearest);
    look_nearest(mesh, half[second ? 0 : 1], pos, nearest);
}

void scree_mesh_locate_nearest(const struct scree_mesh *mesh, const double pos[4],
                               struct scree_wall_point *found)
{
    struct nearest nearest = {.point = {.gap = INFINITY}, .triangle = INT32_MAX};
    look_nearest(mesh, 0, pos, &nearest);
    *found = nearest.point;
}

static void look_within(const struct scree_mesh *mesh, int32_t at, const double pos[4], double gap,
                        struct scree_wall_found *found)
{
    const struct scree_mesh_node *node = &mesh->node[at];
    if (distance_to(node, pos) > widening * (gap + pos[3])) return;
    for (int32_t m = node->first; m < node->first + node->n; m++) {
        struct scree_wall_point point;
        scree_mesh_locate(mesh, mesh->order[m], pos, &point);
        if (point.gap >= gap) continue;
        SCREE_GROW(found->part, found->n, found->capacity, found->n + 1);
        found->part[found->n++] = mesh->order[m];
    }
    if (node->n > 0) return;
    look_within(mesh, at + 1, pos, gap, found);
    look_within(mesh, node->right, pos, gap, found);
}

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void scree_mesh_find(const struct scree_mesh *mesh, const double pos[4], double gap,
                     struct scree_wall_found *found)
{
    found->n = 0;
    look_within(mesh, 0, pos, gap, found);
    if (found->n > 1) qsort(found->part, found->n, sizeof *found->part, compare);
}
