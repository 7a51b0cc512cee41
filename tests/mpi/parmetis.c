/* SPDX-License-Identifier: BSD-3-Clause
 * ParMETIS: valid, balanced, few moves, the same on every rank. */
#include <math.h>

#include "brick_graph.h"

static double cut[3 * N_BRICKS_MAX];

static bool is_same_everywhere(struct mpi_test *t, const struct scree_brick_graph *graph)
{
    static int32_t first[N_BRICKS_MAX]; /* owners as rank 0 sees them */
    size_t size = (size_t)graph->n_bricks * sizeof *first;
    memcpy(first, owner, size);
    scree_comm_broadcast(t->comm, first, size, 0);
    return memcmp(first, owner, size) == 0;
}

/* Split, move the load to one side, split again from where the bricks are now. */
static void test_adaptive(struct mpi_test *t, const struct scree_partitioner *p,
                          struct scree_brick_graph graph)
{
    int n_ranks = t->comm->n_ranks;
    for (int round = 0; round < 4; round++) {
        for (int64_t i = 0; i < graph.n_bricks; i++) {
            int64_t x = i % graph.n[0];
            bool is_heavy = round % 2 == 0 ? x < graph.n[0] / 2 : x >= graph.n[0] / 2;
            cost[i] = is_heavy ? 5.0 + random_number(i) : 0.25;
            for (int k = 0; k < 3; k++) cut[3 * i + k] = floor(20.0 * random_number(3 * i + k));
        }
        graph.cut = round < 2 ? NULL : cut;
        graph.migration_ratio = round < 3 ? 0.0 : 50.0;
        MPI_TEST(t, p->split(t->comm, &graph, owner) == SCREE_OK, "split");
        if (!MPI_TEST(t, is_valid(&graph, n_ranks), "owners out of range")) return;
        MPI_TEST(t, is_same_everywhere(t, &graph), "ranks disagree");
        double imbalance = scree_partition_imbalance(&graph, owner, n_ranks);
        MPI_TEST(t, imbalance <= 1.10, "%s, %dx%dx%d, round %d: imbalance %g", p->name, graph.n[0],
                 graph.n[1], graph.n[2], round, imbalance);
    }
}

static void test_parmetis(struct mpi_test *t)
{
    const struct scree_partitioner *p = scree_partitioner_find("parmetis");
    test_adaptive(t, p, make_graph(16, 16, 1));
    struct scree_brick_graph periodic = make_graph(16, 16, 2);
    periodic.periodic[0] = periodic.periodic[1] = periodic.periodic[2] = true;
    test_adaptive(t, p, periodic);
    test_adaptive(t, p, make_graph(10, 9, 8));
    struct scree_brick_graph flat = make_graph(300, 1, 1);
    flat.periodic[0] = flat.periodic[1] = true;
    test_adaptive(t, p, flat);
    struct scree_brick_graph few = make_graph(3, 1, 1); /* too few: the Hilbert split decides */
    MPI_TEST(t, p->split(t->comm, &few, owner) == SCREE_OK, "few bricks");
    check_owners(t, &few, t->comm->n_ranks);
}

/* When the load changes a little, most bricks stay where they are. */
static void test_parmetis_moves(struct mpi_test *t)
{
    static int32_t before[N_BRICKS_MAX];
    struct scree_brick_graph g = make_graph(20, 20, 10);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < g.n_bricks; i++)
            cost[i] = i / 400 < 5.0 + 0.3 * (i % 20 - 10 + round) ? 1.0 : 0.02;
        memcpy(before, owner, sizeof before);
        scree_partitioner_find("parmetis")->split(t->comm, &g, owner);
        int n_moved = 0;
        for (int i = 0; i < g.n_bricks; i++) n_moved += before[i] != owner[i];
        MPI_TEST(t, round == 0 || n_moved < g.n_bricks / 2, "%d bricks moved", n_moved);
    }
}

static void test_parmetis_start(struct mpi_test *t)
{
    const struct scree_partitioner *p = scree_partitioner_find("parmetis");
    struct scree_brick_graph crowded = make_graph(16, 16, 2);
    for (int64_t i = 0; i < crowded.n_bricks; i++) owner[i] = 0; /* others start with nothing */
    test_adaptive(t, p, crowded);
    struct scree_brick_graph empty = make_graph(8, 8, 1);
    for (int64_t i = 0; i < empty.n_bricks; i++) cost[i] = 0.0;
    MPI_TEST(t, p->split(t->comm, &empty, owner) == SCREE_OK, "no cost anywhere");
    check_owners(t, &empty, t->comm->n_ranks);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    if (scree_partitioner_find("parmetis")->is_available()) {
        test_parmetis(&t);
        test_parmetis_start(&t);
        test_parmetis_moves(&t);
    } else {
        mpi_test_skip(&t, "parmetis: not in this build");
    }
    return mpi_test_end(&t);
}
