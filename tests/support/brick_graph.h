/* SPDX-License-Identifier: BSD-3-Clause
 * A brick grid to be partitioned, for the tests of partitioners. */
#ifndef SCREE_BRICK_GRAPH_TEST_H
#define SCREE_BRICK_GRAPH_TEST_H

#include "mpi_test.h"
#include "scree/partition.h"
#include "scree/rng.h"

enum { N_BRICKS_MAX = 8000, N_RANKS_MAX = 200 };

static double cost[N_BRICKS_MAX];
static int32_t owner[N_BRICKS_MAX];

static inline double random_number(int64_t i)
{
    struct scree_rng_key key = {.seed = 3, .gid = i, .purpose = SCREE_RNG_POSITION, .step = 0};
    return scree_rng_uniform(&key, 0);
}

/* Unit costs, no owners yet. */
static inline struct scree_brick_graph make_graph(int nx, int ny, int nz)
{
    struct scree_brick_graph graph = {.n = {nx, ny, nz}, .cost = cost};
    graph.n_bricks = (int64_t)nx * ny * nz;
    for (int64_t i = 0; i < graph.n_bricks; i++) {
        cost[i] = 1.0;
        owner[i] = -1;
    }
    return graph;
}

static inline bool is_valid(const struct scree_brick_graph *graph, int n_ranks)
{
    for (int64_t i = 0; i < graph->n_bricks; i++)
        if (owner[i] < 0 || owner[i] >= n_ranks) return false;
    return true;
}

/* Every brick has an owner and, if there are enough bricks, every rank has one. */
static inline bool check_owners(struct mpi_test *t, const struct scree_brick_graph *graph,
                                int n_ranks)
{
    int n_owned[N_RANKS_MAX] = {0}, n_without = 0;
    if (!MPI_TEST(t, is_valid(graph, n_ranks), "owners out of range")) return false;
    for (int64_t i = 0; i < graph->n_bricks; i++) n_owned[owner[i]]++;
    for (int r = 0; r < n_ranks; r++) n_without += n_owned[r] == 0;
    int n_spare = (int)(n_ranks > graph->n_bricks ? n_ranks - graph->n_bricks : 0);
    return MPI_TEST(t, n_without == n_spare, "%dx%dx%d on %d ranks: %d without bricks", graph->n[0],
                    graph->n[1], graph->n[2], n_ranks, n_without);
}

#endif
