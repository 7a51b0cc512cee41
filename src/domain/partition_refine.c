/* SPDX-License-Identifier: BSD-3-Clause
 * The last hundredths of a split: the busiest rank gives bricks at its border to neighbours. */
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/partition.h"

static const double good_enough = 1.01; /* max/mean */

/* A split with its loads, and the bricks of each rank in lists. */
struct split {
    const struct scree_brick_graph *graph;
    int32_t *owner; /* borrowed */
    double *load;   /* [n_ranks] */
    int64_t *first; /* [n_ranks] bricks of a rank; -1: no more */
    int64_t *next;  /* [n_bricks] */
};

struct gift {
    int64_t brick;
    int32_t to;
    double worse; /* contacts cut by it, less those it joins */
};

static void create_split(struct split *s, const struct scree_brick_graph *graph, int32_t *owner,
                         int n_ranks)
{
    *s = (struct split){.graph = graph, .owner = owner};
    s->load = scree_alloc((size_t)n_ranks, sizeof *s->load);
    s->first = scree_alloc((size_t)n_ranks, sizeof *s->first);
    s->next = scree_alloc((size_t)graph->n_bricks, sizeof *s->next);
    for (int r = 0; r < n_ranks; r++) {
        s->load[r] = 0.0;
        s->first[r] = -1;
    }
    for (int64_t b = 0; b < graph->n_bricks; b++) {
        s->load[owner[b]] += graph->cost[b];
        s->next[b] = s->first[owner[b]];
        s->first[owner[b]] = b;
    }
}

static void destroy_split(struct split *s)
{
    scree_alloc_free(s->next);
    scree_alloc_free(s->first);
    scree_alloc_free(s->load);
}

/* What a rank gains in neighbourhood by a brick: the contacts it would no longer share. */
static double joined(const struct split *s, const struct scree_brick_edge *edges, int n, int32_t r)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        if (s->owner[edges[k].to] == r) sum += edges[k].cut;
    return sum;
}

/* The best gift of rank r. The receiver must stay below what r had, so that the sum of squares of
 * all loads falls with every gift and the gifts come to an end; those that leave it below the mean
 * come before those that have to be passed on. */
static bool find_gift(const struct split *s, int32_t r, double mean, struct gift *best)
{
    bool found = false, best_stays = false;
    for (int64_t b = s->first[r]; b >= 0; b = s->next[b]) {
        double cost = s->graph->cost[b];
        if (cost <= 0.0) continue;
        struct scree_brick_edge edges[SCREE_BRICK_NEIGHBOURS];
        int n = scree_partition_edges(s->graph, b, edges);
        double kept = joined(s, edges, n, r);
        for (int k = 0; k < n; k++) {
            int32_t to = s->owner[edges[k].to];
            if (to == r || s->load[to] + cost >= s->load[r] * (1.0 - 1e-9)) continue;
            bool stays = s->load[to] + cost <= good_enough * mean;
            double worse = kept - joined(s, edges, n, to);
            if (found && (best_stays > stays || (best_stays == stays && worse >= best->worse)))
                continue;
            *best = (struct gift){b, to, worse};
            best_stays = stays;
            found = true;
        }
    }
    return found;
}

static void give(struct split *s, const struct gift *gift)
{
    int32_t from = s->owner[gift->brick];
    int64_t *link = &s->first[from];
    while (*link != gift->brick) link = &s->next[*link];
    *link = s->next[gift->brick];
    s->next[gift->brick] = s->first[gift->to];
    s->first[gift->to] = gift->brick;
    s->load[from] -= s->graph->cost[gift->brick];
    s->load[gift->to] += s->graph->cost[gift->brick];
    s->owner[gift->brick] = gift->to;
}

void scree_partition_refine(const struct scree_brick_graph *graph, int32_t *owner, int n_ranks)
{
    struct split s;
    create_split(&s, graph, owner, n_ranks);
    double mean = 0.0;
    for (int r = 0; r < n_ranks; r++) mean += s.load[r] / n_ranks;
    for (int64_t n_gifts = 0; n_gifts < graph->n_bricks; n_gifts++) {
        int32_t busiest = 0;
        for (int32_t r = 1; r < n_ranks; r++)
            if (s.load[r] > s.load[busiest]) busiest = r;
        struct gift gift;
        if (s.load[busiest] <= good_enough * mean || !find_gift(&s, busiest, mean, &gift)) break;
        give(&s, &gift);
    }
    destroy_split(&s);
}
