/* SPDX-License-Identifier: BSD-3-Clause
 * The brick grid as a graph: which bricks share a face, and what cutting there costs. */
#include "scree/partition.h"

/* The brick one step (+1 or -1) along direction k; -1 if there is none. */
static int64_t neighbour_of(const struct scree_brick_graph *graph, int64_t brick, int k, int step)
{
    int64_t stride = 1;
    for (int m = 0; m < k; m++) stride *= graph->n[m];
    int64_t n = graph->n[k], here = brick / stride % n, there = here + step;
    if (there < 0 || there >= n) {
        if (!graph->periodic[k]) return -1;
        there = (there + n) % n;
    }
    return there == here ? -1 : brick + (there - here) * stride;
}

static double cut_above(const struct scree_brick_graph *graph, int64_t brick, int k)
{
    return graph->cut == NULL ? 1.0 : graph->cut[3 * brick + k];
}

/* Where the pairs of a brick begin among those across the seam. */
static int64_t first_across(const struct scree_brick_graph *graph, int64_t brick)
{
    int64_t low = 0, high = graph->n_seam;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (graph->seam[middle].brick < brick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int scree_partition_edges(const struct scree_brick_graph *graph, int64_t brick,
                          struct scree_brick_edge edges[SCREE_BRICK_NEIGHBOURS])
{
    int n = 0;
    for (int k = 0; k < 3; k++) {
        int64_t above = neighbour_of(graph, brick, k, 1);
        int64_t below = neighbour_of(graph, brick, k, -1);
        double up = above < 0 ? 0.0 : cut_above(graph, brick, k);
        double down = below < 0 ? 0.0 : cut_above(graph, below, k);
        if (above >= 0 && above == below) { /* two bricks round a period: one edge, two faces */
            edges[n++] = (struct scree_brick_edge){above, up + down};
            continue;
        }
        if (above >= 0) edges[n++] = (struct scree_brick_edge){above, up};
        if (below >= 0) edges[n++] = (struct scree_brick_edge){below, down};
    }
    for (int64_t k = first_across(graph, brick); k < graph->n_seam; k++) {
        if (graph->seam[k].brick != brick) break;
        int64_t other = graph->seam[k].other;
        double cut = 0.5 * (cut_above(graph, brick, 0) + cut_above(graph, other, 0));
        edges[n++] = (struct scree_brick_edge){other, cut};
    }
    return n;
}
