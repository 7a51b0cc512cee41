/* SPDX-License-Identifier: BSD-3-Clause
 * A new split of the bricks: as much as it takes, rather than everything.
 *
 * Partitioners look for the fewest cut contacts and may find another way to lay the parts each
 * time, whatever they are told of the cost of moving; then nearly all grains change hands for the
 * sake of a few. */
#include <string.h>

#include "scree/alloc.h"
#include "scree/partition.h"

/* What single bricks must reach: about what a partitioner does, and no ragged borders. */
static const double most_uneven = 1.05; /* max/mean */
static const double cut_more = 1.5;     /* times what the partitioner cuts, ... */
static const double cut_least = 0.02;   /* ... and this part of all contacts besides */

enum scree_status scree_partition_split(const struct scree_partitioner *partitioner,
                                        struct scree_comm *comm,
                                        const struct scree_brick_graph *graph, int32_t *owner)
{
    SCREE_TRY(partitioner->split(comm, graph, owner));
    scree_partition_refine(graph, owner, comm->n_ranks);
    return SCREE_OK;
}

/* Does the split by single bricks, `given`, serve as well as the new one, with less to move? */
static bool serves(const struct scree_brick_graph *graph, const int32_t *before,
                   const int32_t *given, const int32_t *anew, int n_ranks)
{
    return scree_partition_moved(graph, before, given) <
               scree_partition_moved(graph, before, anew) &&
           scree_partition_imbalance(graph, given, n_ranks) <= most_uneven &&
           scree_partition_cut(graph, given) <=
               cut_more * scree_partition_cut(graph, anew) + cut_least;
}

enum scree_status scree_partition_adapt(const struct scree_partitioner *partitioner,
                                        struct scree_comm *comm,
                                        const struct scree_brick_graph *graph, int32_t *owner,
                                        bool *few)
{
    size_t size = (size_t)graph->n_bricks * sizeof *owner;
    int32_t *given = scree_alloc(size, 1), *anew = scree_alloc(size, 1);
    memcpy(given, owner, size);
    memcpy(anew, owner, size);
    scree_partition_refine(graph, given, comm->n_ranks);
    enum scree_status status = scree_partition_split(partitioner, comm, graph, anew);
    *few = status == SCREE_OK && serves(graph, owner, given, anew, comm->n_ranks);
    if (status == SCREE_OK) memcpy(owner, *few ? given : anew, size);
    scree_alloc_free(anew);
    scree_alloc_free(given);
    return status;
}
