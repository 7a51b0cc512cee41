/* SPDX-License-Identifier: BSD-3-Clause
 * Triangles: their planes and edges, and the closest point of one. */
#include "mesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mesh_tree.h"
#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/vec.h"

/* Twice the area of a triangle, along its normal. */
static void find_area(const double corner[3][3], double area[3])
{
    double side[2][3];
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) side[s][k] = corner[s + 1][k] - corner[0][k];
    scree_vec_cross(side[0], side[1], area);
}

static double longest_side(const double corner[3][3])
{
    double longest = 0.0;
    for (int s = 0; s < 3; s++) {
        double side[3];
        for (int k = 0; k < 3; k++) side[k] = corner[(s + 1) % 3][k] - corner[s][k];
        longest = fmax(longest, scree_vec_norm(side));
    }
    return longest;
}

/* Triangles so thin that rounding decides where they face have no face that anybody could miss:
 * their sides are sides of others. */
static void leave_out_flat(struct scree_mesh *mesh)
{
    int32_t n = 0;
    for (int32_t t = 0; t < mesh->n; t++) {
        double area[3], side = longest_side((const double(*)[3])mesh->corner[t]);
        find_area((const double(*)[3])mesh->corner[t], area);
        double size = scree_vec_norm(area);
        if (!(size > (double)FLT_EPSILON * side * side)) continue;
        memmove(mesh->corner[n], mesh->corner[t], sizeof mesh->corner[n]);
        for (int k = 0; k < 3; k++) mesh->normal[n][k] = area[k] / size;
        mesh->area += 0.5 * size;
        n++;
    }
    mesh->n_flat = mesh->n - n;
    mesh->n = n;
}

void scree_mesh_create(struct scree_mesh **mesh, double (*corner)[3][3], int32_t n, double slack)
{
    struct scree_mesh *m = *mesh = scree_alloc(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->n = n;
    m->slack = slack;
    m->corner = corner;
    m->normal = scree_alloc((size_t)n, sizeof *m->normal);
    leave_out_flat(m);
    scree_mesh_grow_tree(m);
    for (int k = 0; k < 3; k++) {
        m->low[k] = m->n > 0 ? m->node[0].low[k] : 0.0;
        m->high[k] = m->n > 0 ? m->node[0].high[k] : 0.0;
    }
    m->print = scree_hash_bytes(m->corner, (size_t)m->n * sizeof *m->corner);
}

void scree_mesh_destroy(struct scree_mesh *mesh)
{
    if (mesh == NULL) return;
    scree_alloc_free(mesh->corner);
    scree_alloc_free(mesh->normal);
    scree_alloc_free(mesh->order);
    scree_alloc_free(mesh->node);
    scree_alloc_free(mesh);
}

static bool comes_after(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] > b[k];
    return false;
}

/* The way from the closest point of a side to a place; returns the square of its length. Both
 * triangles at the side find the same bits. */
static double way_from_side(const double p[3], const double q[3], const double x[3], double way[3])
{
    double along[3], d[3];
    if (comes_after(p, q)) return way_from_side(q, p, x, way);
    for (int k = 0; k < 3; k++) {
        along[k] = q[k] - p[k];
        d[k] = x[k] - p[k];
    }
    double share = scree_vec_dot(d, along) / scree_vec_dot(along, along);
    for (int k = 0; k < 3; k++)
        way[k] = share <= 0.0 ? d[k] : share >= 1.0 ? x[k] - q[k] : d[k] - share * along[k];
    return scree_vec_dot(way, way);
}

/* Beyond which sides a place is, seen along the normal: bit s for the side from corner s on. */
static unsigned beyond(const double corner[3][3], const double normal[3], const double x[3])
{
    unsigned sides = 0;
    for (int s = 0; s < 3; s++) {
        double along[3], d[3], turn[3];
        for (int k = 0; k < 3; k++) {
            along[k] = corner[(s + 1) % 3][k] - corner[s][k];
            d[k] = x[k] - corner[s][k];
        }
        scree_vec_cross(along, d, turn);
        if (scree_vec_dot(turn, normal) < 0.0) sides |= 1u << s;
    }
    return sides;
}

void scree_mesh_locate(const struct scree_mesh *mesh, int32_t t, const double pos[4],
                       struct scree_wall_point *found)
{
    const double(*corner)[3] = (const double(*)[3])mesh->corner[t];
    const double *n = mesh->normal[t];
    double d[3], nearest = INFINITY, way[3], to[3] = {0.0, 0.0, 0.0};
    unsigned sides = beyond(corner, n, pos);
    found->edge = sides != 0;
    if (!found->edge) {
        for (int k = 0; k < 3; k++) d[k] = pos[k] - corner[0][k];
        double height = scree_vec_dot(d, n);
        for (int k = 0; k < 3; k++) found->normal[k] = height < 0.0 ? -n[k] : n[k];
        found->gap = fabs(height) - pos[3];
        return;
    }
    for (int s = 0; s < 3; s++) {
        if ((sides >> s & 1u) == 0) continue;
        double square = way_from_side(corner[s], corner[(s + 1) % 3], pos, way);
        if (square < nearest) memcpy(to, way, sizeof to);
        nearest = fmin(nearest, square);
    }
    double distance = sqrt(nearest);
    for (int k = 0; k < 3; k++) found->normal[k] = distance > 0.0 ? to[k] / distance : n[k];
    found->gap = distance - pos[3];
}
