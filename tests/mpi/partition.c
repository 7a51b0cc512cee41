/* SPDX-License-Identifier: BSD-3-Clause
 * The list of partitioners, the Hilbert split and the names of parts. */
#include "scree/partition.h"

#include <math.h>

#include "brick_graph.h"

static void test_hilbert_curve(struct mpi_test *t)
{
    static int at[512][3];
    static bool visited[512];
    for (int i = 0; i < 512; i++) {
        int x = i % 8, y = i / 8 % 8, z = i / 64;
        uint64_t index = scree_hilbert_index(3, (uint32_t)x, (uint32_t)y, (uint32_t)z);
        if (!MPI_TEST(t, index < 512 && !visited[index], "cell %d", i)) return;
        visited[index] = true;
        at[index][0] = x;
        at[index][1] = y;
        at[index][2] = z;
    }
    for (int i = 1; i < 512; i++) {
        int step = 0;
        for (int k = 0; k < 3; k++) step += abs(at[i][k] - at[i - 1][k]);
        MPI_TEST(t, step == 1, "step %d has length %d", i, step);
    }
    MPI_TEST(t, scree_hilbert_index(0, 0, 0, 0) == 0, "the cube of one cell");
    uint64_t end = (uint64_t)1 << 63; /* 21 bits each: the largest cube */
    MPI_TEST(t, scree_hilbert_index(21, 0x1fffff, 77, 0x1fffff) < end, "largest cube");
}

/* Bricks that can be reached from the first brick of rank r through faces, staying on rank r. */
static int64_t n_reached(const struct scree_brick_graph *graph, int r, int64_t *n_owned)
{
    static int64_t stack[N_BRICKS_MAX];
    static bool seen[N_BRICKS_MAX];
    int64_t n_stack = 0, n_seen = 0;
    *n_owned = 0;
    for (int64_t i = 0; i < graph->n_bricks; i++) {
        seen[i] = owner[i] == r && (*n_owned)++ == 0;
        if (seen[i]) stack[n_stack++] = i;
    }
    while (n_stack > 0) {
        int64_t here = stack[--n_stack], stride = 1;
        n_seen++;
        for (int k = 0; k < 3; stride *= graph->n[k++])
            for (int step = -1; step <= 1; step += 2) {
                int64_t there = here / stride % graph->n[k] + step, next = here + step * stride;
                if (there < 0 || there >= graph->n[k] || seen[next] || owner[next] != r) continue;
                seen[next] = true;
                stack[n_stack++] = next;
            }
    }
    return n_seen;
}

/* The split only looks at the number of ranks, so any number can be tried on each rank. */
static void split_for(const struct scree_partitioner *p, const struct scree_brick_graph *graph,
                      int n_ranks)
{
    struct scree_comm pretended = {.rank = 0, .n_ranks = n_ranks};
    p->split(&pretended, graph, owner);
}

static void test_hilbert_sizes(struct mpi_test *t)
{
    static const int sizes[][3] = {{1, 1, 1},  {2, 1, 1}, {1, 1, 7},  {5, 3, 1},   {1, 9, 4},
                                   {3, 3, 3},  {7, 5, 6}, {16, 1, 1}, {16, 16, 1}, {20, 20, 20},
                                   {1, 40, 2}, {6, 2, 9}, {31, 3, 5}, {2, 2, 2},   {13, 11, 1}};
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 16, 37, 64, 150};
    const struct scree_partitioner *p = scree_partitioner_find("hilbert");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t k = 0; k < sizeof ranks / sizeof ranks[0]; k++)
            for (int kind = 0; kind < 3; kind++) {
                struct scree_brick_graph g = make_graph(sizes[s][0], sizes[s][1], sizes[s][2]);
                for (int64_t i = 0; i < g.n_bricks; i++)
                    cost[i] = kind == 0 ? 0.0 : kind == 1 ? 1.0 : i < g.n_bricks / 5 ? 9.0 : 0.0;
                split_for(p, &g, ranks[k]);
                if (!check_owners(t, &g, ranks[k])) return;
                if (kind != 1 || g.n_bricks < ranks[k]) continue;
                double mean = (double)g.n_bricks / ranks[k];
                double imbalance = scree_partition_imbalance(&g, owner, ranks[k]);
                MPI_TEST(t, imbalance * mean < ceil(mean) + 0.001, "%g of %g", imbalance, mean);
            }
}

/* Pieces hang together in even grids; in odd ones a diagonal step may cut off a little. */
static void test_hilbert_shape(struct mpi_test *t)
{
    static const int sizes[][3] = {{8, 8, 8}, {16, 16, 1}, {32, 8, 4}, {20, 10, 1}, {12, 18, 6}};
    const struct scree_partitioner *p = scree_partitioner_find("hilbert");
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int n_ranks = 2; n_ranks < 20; n_ranks++) {
            struct scree_brick_graph g = make_graph(sizes[s][0], sizes[s][1], sizes[s][2]);
            split_for(p, &g, n_ranks);
            for (int r = 0; r < n_ranks; r++) {
                int64_t n_owned, n_together = n_reached(&g, r, &n_owned);
                MPI_TEST(t, n_together == n_owned, "size %zu: rank %d of %d in parts", s, r,
                         n_ranks);
            }
        }
}

static void test_hilbert_balance(struct mpi_test *t)
{
    const struct scree_partitioner *p = scree_partitioner_find("hilbert");
    for (int n_ranks = 2; n_ranks <= 160; n_ranks += n_ranks / 3 + 1) {
        struct scree_brick_graph g = make_graph(20, 20, 20);
        for (int64_t i = 0; i < g.n_bricks; i++) cost[i] = pow(random_number(i), 2.0);
        split_for(p, &g, n_ranks);
        double imbalance = scree_partition_imbalance(&g, owner, n_ranks);
        MPI_TEST(t, imbalance <= 1.15, "%d ranks: imbalance %g", n_ranks, imbalance);
    }
    struct scree_brick_graph g = make_graph(4, 1, 1); /* 5 1 | 1 5 is the best cut in two */
    cost[0] = cost[3] = 5.0;
    split_for(p, &g, 2);
    MPI_TEST(t, owner[1] == 0 && owner[2] == 1, "cut at the wrong place");
    MPI_TEST(t, scree_partition_imbalance(&g, owner, 2) == 1.0, "imbalance of equal halves");
    cost[0] = 3.0;
    MPI_TEST(t, scree_partition_imbalance(&g, owner, 2) == 1.2, "imbalance of 4 and 6");
}

/* Single bricks change hands until loads are even, between neighbours only, and nothing moves where
 * nothing helps. */
static void test_refine(struct mpi_test *t)
{
    static int32_t before[N_BRICKS_MAX];
    for (int n_ranks = 2; n_ranks <= 16; n_ranks *= 2) {
        struct scree_brick_graph g = make_graph(48, 48, 1);
        split_for(scree_partitioner_find("hilbert"), &g, n_ranks);
        for (int64_t i = 0; i < g.n_bricks; i++)
            cost[i] = (0.5 + random_number(i)) * (double)(1 + i % 3);
        double first = scree_partition_imbalance(&g, owner, n_ranks);
        memcpy(before, owner, sizeof before);
        scree_partition_refine(&g, owner, n_ranks);
        double then = scree_partition_imbalance(&g, owner, n_ranks); /* to one costly brick */
        int64_t n_moved = 0;
        for (int64_t i = 0; i < g.n_bricks; i++) n_moved += owner[i] != before[i];
        MPI_TEST(t, then <= 1.01 + 4.5 / 2.0 * n_ranks / (double)g.n_bricks && then <= first,
                 "%d ranks: %g to %g", n_ranks, first, then);
        MPI_TEST(t, n_moved < g.n_bricks / 4, "%d ranks: %lld bricks moved", n_ranks,
                 (long long)n_moved);
        for (int r = 0; r < n_ranks; r++) {
            int64_t n_owned, n_together = n_reached(&g, r, &n_owned);
            MPI_TEST(t, n_together >= n_owned - n_owned / 10, "rank %d of %d in parts", r, n_ranks);
        }
    }
    struct scree_brick_graph coarse = make_graph(4, 1, 1); /* one gift helps, then none */
    for (int i = 0; i < 4; i++) owner[i] = i / 2;
    cost[0] = 4.0;
    cost[1] = 3.0;
    scree_partition_refine(&coarse, owner, 2);
    MPI_TEST(t, owner[1] == 1 && owner[0] == 0, "4 3 | 1 1 becomes 4 | 3 1 1");
    scree_partition_refine(&coarse, owner, 2);
    MPI_TEST(t, owner[1] == 1 && owner[2] == 1, "4 | 3 1 1 stays");
}

/* A brick and its neighbours across the seam of a wedge know each other. */
static void test_seam(struct mpi_test *t)
{
    static const struct scree_brick_pair seam[] = {{1, 8}, {2, 16}, {8, 1}, {16, 2}};
    struct scree_brick_graph g = make_graph(8, 8, 1);
    g.seam = seam;
    g.n_seam = 4;
    for (int64_t i = 0; i < g.n_bricks; i++) {
        struct scree_brick_edge edges[SCREE_BRICK_NEIGHBOURS], back[SCREE_BRICK_NEIGHBOURS];
        int n = scree_partition_edges(&g, i, edges), n_across = 0;
        for (int k = 0; k < n; k++) {
            int m = scree_partition_edges(&g, edges[k].to, back);
            bool mutual = false;
            for (int l = 0; l < m; l++) mutual |= back[l].to == i && back[l].cut == edges[k].cut;
            MPI_TEST(t, mutual, "%lld knows %lld only", (long long)i, (long long)edges[k].to);
            n_across += edges[k].to == i * 8 || edges[k].to * 8 == i;
        }
        bool across = i == 1 || i == 2 || i == 16;
        MPI_TEST(t, i == 8 || i == 0 || (n_across > 0) == across, "brick %lld", (long long)i);
    }
}

static void test_relabel(struct mpi_test *t)
{
    static int32_t before[N_BRICKS_MAX];
    struct scree_brick_graph g = make_graph(12, 12, 3);
    split_for(scree_partitioner_find("hilbert"), &g, 9);
    for (int64_t i = 0; i < g.n_bricks; i++) {
        before[i] = owner[i];
        owner[i] = (owner[i] * 5 + 2) % 9;
    }
    scree_partition_relabel(&g, before, owner, 11);
    size_t size = (size_t)g.n_bricks * sizeof *owner;
    MPI_TEST(t, memcmp(before, owner, size) == 0, "renamed parts are not recognised");
    for (int64_t i = 0; i < g.n_bricks; i++) before[i] = -1;
    scree_partition_relabel(&g, before, owner, 9);
    check_owners(t, &g, 9);
}

static void test_list(struct mpi_test *t)
{
    const char *const *names = scree_partitioner_names();
    int n = 0;
    for (; names[n] != NULL; n++)
        MPI_TEST(t, strcmp(scree_partitioner_find(names[n])->name, names[n]) == 0, "name %d", n);
    MPI_TEST(t, n == 2 && strcmp(names[0], "parmetis") == 0, "%d names", n);
    MPI_TEST(t, scree_partitioner_find("metis") == NULL, "an unknown name was found");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    test_list(&t);
    test_hilbert_curve(&t);
    test_hilbert_sizes(&t);
    test_hilbert_shape(&t);
    test_hilbert_balance(&t);
    test_refine(&t);
    test_seam(&t);
    test_relabel(&t);
    return mpi_test_end(&t);
}
