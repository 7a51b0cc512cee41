/* SPDX-License-Identifier: BSD-3-Clause
 * Partitioner that cuts few contacts and moves few bricks: ParMETIS, adaptive repartitioning.
 * The library is optional: without it, and where it does not apply, the Hilbert split decides. */
#include "scree/partition.h"

extern const struct scree_partitioner scree_partitioner_hilbert;
extern const struct scree_partitioner scree_partitioner_parmetis;

#ifdef SCREE_HAVE_PARMETIS

#include <math.h>
#include <parmetis.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/signals.h"

enum { RANDOM_SEED = 271828, N_BRICKS_MAX = 100000000 };

/* idx_t may have 32 bits: sums of weights over all bricks stay below 10^9. */
static const double cost_sum = 1e8, cut_sum_max = 1e8;

/* The share of the brick graph that this rank hands to ParMETIS: bricks in plain order, the same
 * number on each rank, whoever owns them. */
struct share {
    const struct scree_brick_graph *graph;
    int64_t begin, end; /* bricks of this rank */
    idx_t *n_before;    /* [n_ranks + 1] bricks of lower ranks ("vtxdist") */
    idx_t *first_edge;  /* [n + 1] */
    idx_t *neighbour, *edge_weight;
    idx_t *weight, *size, *part; /* [n] cost, cost of moving, owner */
    double cut_scale;
};

static idx_t scaled(double value, double scale)
{
    double rounded = floor(value * scale + 0.5);
    return rounded > 1.0 ? (idx_t)rounded : 1; /* ParMETIS wants weights of at least 1 */
}

static void add_edges_of(struct share *share, idx_t *n_edges, int64_t brick)
{
    struct scree_brick_edge edges[SCREE_BRICK_NEIGHBOURS];
    int n = scree_partition_edges(share->graph, brick, edges);
    for (int k = 0; k < n; k++, ++*n_edges) {
        share->neighbour[*n_edges] = (idx_t)edges[k].to;
        share->edge_weight[*n_edges] = scaled(edges[k].cut, share->cut_scale);
    }
}

static double sum_of(const double *values, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += values[i];
    return sum;
}

/* Cost of each brick, and its size in the unit of the edges: the ratio that ParMETIS weighs them
 * with (itr) then compares all communication with a move of everything. */
static void fill_vertices(struct share *share, double cut_sum, const int32_t *owner)
{
    const struct scree_brick_graph *graph = share->graph;
    const double *bytes = graph->bytes == NULL ? graph->cost : graph->bytes;
    double cost = sum_of(graph->cost, graph->n_bricks), moved = sum_of(bytes, graph->n_bricks);
    double cost_scale = cost > 0.0 ? cost_sum / cost : 0.0;
    double size_scale = moved > 0.0 ? cut_sum * share->cut_scale / moved : 0.0;
    for (int64_t i = share->begin; i < share->end; i++) {
        share->weight[i - share->begin] = scaled(graph->cost[i], cost_scale);
        share->size[i - share->begin] = scaled(bytes[i], size_scale);
        share->part[i - share->begin] = owner[i];
    }
}

static void create_share(struct share *share, const struct scree_comm *comm,
                         const struct scree_brick_graph *graph, const int32_t *owner)
{
    *share = (struct share){.graph = graph};
    share->n_before = scree_alloc((size_t)comm->n_ranks + 1, sizeof *share->n_before);
    for (int r = 0; r <= comm->n_ranks; r++)
        share->n_before[r] = (idx_t)(graph->n_bricks * r / comm->n_ranks);
    share->begin = share->n_before[comm->rank];
    share->end = share->n_before[comm->rank + 1];
    size_t n = (size_t)(share->end - share->begin);
    share->first_edge = scree_alloc(n + 1, sizeof *share->first_edge);
    share->neighbour = scree_alloc(n * SCREE_BRICK_NEIGHBOURS, sizeof *share->neighbour);
    share->edge_weight = scree_alloc(n * SCREE_BRICK_NEIGHBOURS, sizeof *share->edge_weight);
    share->weight = scree_alloc(n, sizeof *share->weight);
    share->size = scree_alloc(n, sizeof *share->size);
    share->part = scree_alloc(n, sizeof *share->part);
    double cut_sum = graph->cut == NULL ? 3.0 * (double)graph->n_bricks
                                        : sum_of(graph->cut, 3 * graph->n_bricks);
    share->cut_scale = cut_sum > cut_sum_max ? cut_sum_max / cut_sum : 1.0;
    fill_vertices(share, cut_sum, owner);
    idx_t n_edges = 0;
    for (int64_t i = share->begin; i < share->end; i++) {
        share->first_edge[i - share->begin] = n_edges;
        add_edges_of(share, &n_edges, i);
    }
    share->first_edge[n] = n_edges;
}

static void destroy_share(struct share *share)
{
    scree_alloc_free(share->part);
    scree_alloc_free(share->size);
    scree_alloc_free(share->weight);
    scree_alloc_free(share->edge_weight);
    scree_alloc_free(share->neighbour);
    scree_alloc_free(share->first_edge);
    scree_alloc_free(share->n_before);
}

/* New parts of this rank's share; false if ParMETIS refused anywhere. Collective. */
static bool repartition(struct scree_comm *comm, struct share *share)
{
    idx_t both_weights = 3, count_from = 0, n_constraints = 1, n_parts = comm->n_ranks, n_cut = 0;
    /* Uncoupled: `part` says who owns a brick, not the rank that brings it along. */
    idx_t options[4] = {1, 0, RANDOM_SEED, PARMETIS_PSR_UNCOUPLED};
    real_t tolerance = (real_t)1.05;
    double ratio = share->graph->migration_ratio;
    real_t itr = (real_t)(ratio > 0.0 ? fmin(fmax(ratio, 0.001), 1e6) : 1000.0);
    real_t *target = scree_alloc((size_t)comm->n_ranks, sizeof *target);
    for (int r = 0; r < comm->n_ranks; r++) target[r] = (real_t)(1.0 / comm->n_ranks);
    scree_signals_hold();
    int outcome = ParMETIS_V3_AdaptiveRepart(
        share->n_before, share->first_edge, share->neighbour, share->weight, share->size,
        share->edge_weight, &both_weights, &count_from, &n_constraints, &n_parts, target,
        &tolerance, &itr, options, &n_cut, share->part, (MPI_Comm *)comm->mpi);
    scree_signals_release();
    scree_alloc_free(target);
    int64_t failed = outcome != METIS_OK;
    for (int64_t i = 0; i < share->end - share->begin; i++)
        if (share->part[i] < 0 || share->part[i] >= comm->n_ranks) failed = 1;
    scree_comm_max_int(comm, &failed, 1);
    return failed == 0;
}

/* Put together the parts of all shares on every rank. ParMETIS names parts after the rank that
 * brought the bricks along, so the names are matched with the owners until now. */
static void gather_owners(struct scree_comm *comm, const struct share *share, int32_t *owner)
{
    int *counts = scree_alloc((size_t)comm->n_ranks, sizeof *counts);
    int *starts = scree_alloc((size_t)comm->n_ranks, sizeof *starts);
    for (int r = 0; r < comm->n_ranks; r++) {
        starts[r] = (int)share->n_before[r];
        counts[r] = (int)(share->n_before[r + 1] - share->n_before[r]);
    }
    size_t size = (size_t)share->graph->n_bricks * sizeof *owner;
    int32_t *before = scree_alloc(size, 1);
    memcpy(before, owner, size);
    for (int64_t i = share->begin; i < share->end; i++)
        owner[i] = (int32_t)share->part[i - share->begin];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT32_T, owner, counts, starts, MPI_INT32_T,
                   *(const MPI_Comm *)comm->mpi);
    scree_partition_relabel(share->graph, before, owner, comm->n_ranks);
    scree_alloc_free(before);
    scree_alloc_free(starts);
    scree_alloc_free(counts);
}

static bool has_owners(const struct scree_brick_graph *graph, const int32_t *owner, int n_ranks)
{
    for (int64_t i = 0; i < graph->n_bricks; i++)
        if (owner[i] < 0 || owner[i] >= n_ranks) return false;
    return true;
}

static bool is_available(void)
{
    return true;
}

static enum scree_status split(struct scree_comm *comm, const struct scree_brick_graph *graph,
                               int32_t *owner)
{
    /* ParMETIS fails on one rank and on ranks without vertices, and is of no use for a few. */
    bool applies = comm->n_ranks > 1 && graph->n_bricks >= 2 * (int64_t)comm->n_ranks &&
                   graph->n_bricks <= N_BRICKS_MAX;
    int64_t n_busy = 0; /* bricks with work; with too few of them ParMETIS makes empty parts */
    for (int64_t b = 0; b < graph->n_bricks; b++) n_busy += graph->cost[b] > 0.0;
    applies = applies && n_busy >= 4 * (int64_t)comm->n_ranks;
    if (!applies) return scree_partitioner_hilbert.split(comm, graph, owner);
    if (!has_owners(graph, owner, comm->n_ranks))
        SCREE_TRY(scree_partitioner_hilbert.split(comm, graph, owner));
    struct share share;
    create_share(&share, comm, graph, owner);
    bool done = repartition(comm, &share);
    if (done) gather_owners(comm, &share, owner);
    destroy_share(&share);
    return done ? SCREE_OK : scree_partitioner_hilbert.split(comm, graph, owner);
}

#else

static bool is_available(void)
{
    return false;
}

static enum scree_status split(struct scree_comm *comm, const struct scree_brick_graph *graph,
                               int32_t *owner)
{
    return scree_partitioner_hilbert.split(comm, graph, owner);
}

#endif

const struct scree_partitioner scree_partitioner_parmetis = {
    .name = "parmetis",
    .summary = "graph partition by ParMETIS: few cut contacts, few bricks moved",
    .is_available = is_available,
    .split = split,
};
