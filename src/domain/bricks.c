/* SPDX-License-Identifier: BSD-3-Clause
 * The brick grid: how many bricks, which brick a point is in, how far a brick is from a point. */
#include "scree/bricks.h"

#include <math.h>
#include <stddef.h>

#include "scree/alloc.h"

/* How many bricks of this edge there are along an axis. */
static double count_along(const struct scree_box *box, int a, double edge, double min_edge)
{
    double n = a < box->dimension ? floor(box->length[a] / edge) : 1.0;
    /* An even number can be cut in halves. */
    if (n > 2.0 && fmod(n, 2.0) != 0.0 && box->length[a] / (n + 1.0) >= min_edge) n += 1.0;
    return n < 1.0 ? 1.0 : fmin(n, 1e6);
}

/* The edge of a cube that would do in a box of any shape is too short in a flat or thin one, where
 * the bricks are no cubes. */
static double lengthen(const struct scree_box *box, double edge, double min_edge, double most)
{
    for (;; edge *= 2.0) {
        double count = 1.0;
        for (int a = 0; a < 3; a++) count *= count_along(box, a, edge, min_edge);
        if (count <= most) return edge;
    }
}

void scree_bricks_init(struct scree_bricks *bricks, const struct scree_box *box, double min_edge,
                       int64_t wanted)
{
    if (wanted > SCREE_BRICKS_WANTED) wanted = SCREE_BRICKS_WANTED;
    double volume = 1.0;
    int n_axes = 0;
    for (int a = 0; a < box->dimension; a++)
        if (box->length[a] > 0.0) {
            volume *= box->length[a];
            n_axes++;
        }
    double edge = n_axes > 0 ? pow(volume / (double)wanted, 1.0 / n_axes) : min_edge;
    edge = lengthen(box, fmax(edge, min_edge), min_edge, 16.0 * (double)wanted);
    bricks->count = 1;
    for (int a = 0; a < 3; a++) {
        bricks->n[a] = (int)count_along(box, a, edge, min_edge);
        bricks->edge[a] = box->length[a] / bricks->n[a];
        bricks->count *= bricks->n[a];
    }
    bricks->owner = scree_alloc((size_t)bricks->count, sizeof *bricks->owner);
    for (int64_t b = 0; b < bricks->count; b++) bricks->owner[b] = -1;
    scree_bricks_find_seam(bricks, box);
}

void scree_bricks_clear(struct scree_bricks *bricks)
{
    scree_alloc_free(bricks->owner);
    bricks->owner = NULL;
    scree_alloc_free(bricks->seam);
    bricks->seam = NULL;
    bricks->n_seam = 0;
}

int64_t scree_bricks_find(const struct scree_bricks *bricks, const struct scree_box *box,
                          const double pos[3])
{
    int at[3];
    for (int a = 0; a < 3; a++) {
        double place = bricks->n[a] > 1 ? (pos[a] - box->low[a]) / bricks->edge[a] : 0.0;
        at[a] = place < 0.0 ? 0 : place >= bricks->n[a] ? bricks->n[a] - 1 : (int)place;
    }
    return scree_bricks_index(bricks, at);
}

int64_t scree_bricks_find_stored(const struct scree_bricks *bricks, const struct scree_box *box,
                                 const double pos[3])
{
    double wrapped[3] = {pos[0], pos[1], pos[2]};
    int32_t image[3];
    if (box->wedge.n > 0) scree_wedge_wrap(&box->wedge, wrapped, image);
    return scree_bricks_find(bricks, box, wrapped);
}

void scree_bricks_coordinates(const struct scree_bricks *bricks, int64_t brick, int at[3])
{
    at[0] = (int)(brick % bricks->n[0]);
    at[1] = (int)(brick / bricks->n[0] % bricks->n[1]);
    at[2] = (int)(brick / bricks->n[0] / bricks->n[1]);
}

double scree_bricks_distance2(const struct scree_bricks *bricks, const struct scree_box *box,
                              const int at[3], const int shift[3], const double pos[3])
{
    double d2 = 0.0;
    for (int a = 0; a < 3; a++) {
        double origin = box->low[a] + shift[a] * box->length[a];
        double low = origin + at[a] * bricks->edge[a];
        double high = origin + (at[a] + 1) * bricks->edge[a];
        /* Open outer faces reach to infinity. */
        if (!box->periodic[a] && at[a] == 0) low = -INFINITY;
        if (!box->periodic[a] && at[a] == bricks->n[a] - 1) high = INFINITY;
        double gap = pos[a] < low ? low - pos[a] : pos[a] > high ? pos[a] - high : 0.0;
        d2 += gap * gap;
    }
    return d2;
}
