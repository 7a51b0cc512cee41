/* SPDX-License-Identifier: BSD-3-Clause
 * The list of partitioners, and what is common to their results: balance and names of parts. */
#include "scree/partition.h"

#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

#define SCREE_PARTITIONER(name) extern const struct scree_partitioner scree_partitioner_##name;
#include "scree/partitioners.def"
#undef SCREE_PARTITIONER

#define SCREE_PARTITIONER(name) &scree_partitioner_##name,
static const struct scree_partitioner *const table[] = {
#include "scree/partitioners.def"
};
#undef SCREE_PARTITIONER

#define SCREE_PARTITIONER(name) #name,
static const char *const names[] = {
#include "scree/partitioners.def"
    NULL};
#undef SCREE_PARTITIONER

const struct scree_partitioner *scree_partitioner_find(const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
        if (strcmp(table[k]->name, name) == 0) return table[k];
    return NULL;
}

const char *const *scree_partitioner_names(void)
{
    return names;
}

double scree_partition_imbalance(const struct scree_brick_graph *graph, const int32_t *owner,
                                 int n_ranks)
{
    double *load = scree_alloc((size_t)n_ranks, sizeof *load);
    for (int r = 0; r < n_ranks; r++) load[r] = 0.0;
    for (int64_t i = 0; i < graph->n_bricks; i++) load[owner[i]] += graph->cost[i];
    double total = 0.0, largest = 0.0;
    for (int r = 0; r < n_ranks; r++) {
        total += load[r];
        if (load[r] > largest) largest = load[r];
    }
    scree_alloc_free(load);
    return total > 0.0 ? largest * n_ranks / total : 1.0;
}

/* What part `now` holds of the former bricks of rank `then`. */
struct overlap {
    int32_t then, now;
    int64_t brick; /* the first one of it */
    double bytes;
};

/* Down to the brick: sums are then made in the same order by every C library. */
static int compare_pairs(const void *first, const void *second)
{
    const struct overlap *a = first, *b = second;
    if (a->then != b->then) return a->then < b->then ? -1 : 1;
    if (a->now != b->now) return a->now < b->now ? -1 : 1;
    return (a->brick > b->brick) - (a->brick < b->brick);
}

static int compare_bytes(const void *first, const void *second)
{
    const struct overlap *a = first, *b = second;
    if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
    return compare_pairs(first, second); /* the same order on every rank */
}

/* All overlaps, the largest first; returns how many. Room for one a brick. */
static int64_t find_overlaps(const struct scree_brick_graph *graph, const int32_t *before,
                             const int32_t *owner, struct overlap *overlaps)
{
    const double *bytes = graph->bytes == NULL ? graph->cost : graph->bytes;
    int64_t n = 0;
    for (int64_t i = 0; i < graph->n_bricks; i++)
        overlaps[i] = (struct overlap){before[i], owner[i], i, bytes[i]};
    qsort(overlaps, (size_t)graph->n_bricks, sizeof *overlaps, compare_pairs);
    for (int64_t i = 0; i < graph->n_bricks; i++) {
        struct overlap *last = n > 0 ? &overlaps[n - 1] : NULL;
        if (last != NULL && last->then == overlaps[i].then && last->now == overlaps[i].now)
            last->bytes += overlaps[i].bytes;
        else
            overlaps[n++] = overlaps[i];
    }
    qsort(overlaps, (size_t)n, sizeof *overlaps, compare_bytes);
    return n;
}

void scree_partition_relabel(const struct scree_brick_graph *graph, const int32_t *before,
                             int32_t *owner, int n_ranks)
{
    struct overlap *overlaps = scree_alloc((size_t)graph->n_bricks, sizeof *overlaps);
    int32_t *name = scree_alloc((size_t)n_ranks, sizeof *name); /* of each part; -1: none yet */
    bool *is_taken = scree_alloc((size_t)n_ranks, sizeof *is_taken);
    for (int r = 0; r < n_ranks; r++) {
        name[r] = -1;
        is_taken[r] = false;
    }
    int64_t n = find_overlaps(graph, before, owner, overlaps);
    for (int64_t k = 0; k < n; k++) {
        int32_t then = overlaps[k].then, now = overlaps[k].now;
        if (then < 0 || then >= n_ranks || is_taken[then] || name[now] >= 0) continue;
        name[now] = then;
        is_taken[then] = true;
    }
    int32_t next = 0; /* parts without an overlap take the names that are left */
    for (int r = 0; r < n_ranks; r++) {
        if (name[r] >= 0) continue;
        while (is_taken[next]) next++;
        name[r] = next++;
    }
    for (int64_t i = 0; i < graph->n_bricks; i++) owner[i] = name[owner[i]];
    scree_alloc_free(is_taken);
    scree_alloc_free(name);
    scree_alloc_free(overlaps);
}
