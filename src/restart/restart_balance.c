/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of the load balance: two tables, filled by rank 0. */
#include "scree/restart_balance.h"

#include <string.h>

void scree_restart_describe_balance(struct scree_balance_memory *m, bool whole,
                                    struct scree_table table[SCREE_BALANCE_TABLES])
{
    table[0] =
        (struct scree_table){.name = "balance",
                             .n = whole ? 1 : 0,
                             .n_columns = 4,
                             .column = {{"bricks", "", SCREE_NUMBER_INT64, 3, m->n},
                                        {"ranks", "", SCREE_NUMBER_INT64, 1, &m->n_ranks},
                                        {"times", "", SCREE_NUMBER_INT64, 1, &m->n_done},
                                        {"last_cost", "s", SCREE_NUMBER_REAL, 1, &m->last_cost}}};
    table[1] = (struct scree_table){.name = "bricks",
                                    .n = whole ? m->n_bricks : 0,
                                    .n_columns = 3,
                                    .column = {{"cost", "s", SCREE_NUMBER_REAL, 1, m->cost},
                                               {"grains", "", SCREE_NUMBER_INT64, 1, m->grains},
                                               {"owner", "", SCREE_NUMBER_INT64, 1, m->owner}}};
}

static enum scree_status check(const struct scree_balance_memory *m, const char *path)
{
    int64_t count = 1;
    for (int a = 0; a < 3; a++) {
        SCREE_CHECK(m->n[a] >= 1 && m->n[a] <= m->n_bricks, SCREE_IO,
                    "%s: table /balance has impossible values", path);
        count *= m->n[a];
        if (count > m->n_bricks) break;
    }
    SCREE_CHECK(count == m->n_bricks, SCREE_IO, "%s: tables /balance and /bricks do not fit", path);
    for (int64_t b = 0; b < m->n_bricks; b++)
        SCREE_CHECK(m->cost[b] >= 0.0 && m->cost[b] - m->cost[b] == 0.0 && m->grains[b] >= 0,
                    SCREE_IO, "%s: table /bricks has impossible values", path);
    return SCREE_OK;
}

/* Each rank reads its share in its place; where there is nothing but zeros all ranks add up. */
static enum scree_status read_and_share(struct scree_comm *comm, const char *path,
                                        struct scree_table table[SCREE_BALANCE_TABLES],
                                        struct scree_balance_memory *m)
{
    int64_t n = m->n_bricks, each = n / comm->n_ranks, rest = n % comm->n_ranks, r = comm->rank;
    int64_t first = each * r + (r < rest ? r : rest), mine = each + (r < rest ? 1 : 0);
    memset(m->cost, 0, (size_t)n * sizeof *m->cost);
    memset(m->grains, 0, (size_t)n * sizeof *m->grains);
    memset(m->owner, 0, (size_t)n * sizeof *m->owner);
    scree_restart_describe_balance(m, r == 0, table);
    table[1].n = mine;
    table[1].column[0].memory = m->cost + first;
    table[1].column[1].memory = m->grains + first;
    table[1].column[2].memory = m->owner + first;
    SCREE_TRY(scree_checkpoint_read(path, comm, SCREE_BALANCE_TABLES, table));
    scree_comm_max(comm, m->cost, (int)n);
    scree_comm_sum_int(comm, m->grains, (int)n);
    scree_comm_sum_int(comm, m->owner, (int)n);
    scree_comm_broadcast(comm, m->n, sizeof m->n, 0);
    scree_comm_broadcast(comm, &m->n_ranks, sizeof m->n_ranks, 0);
    scree_comm_broadcast(comm, &m->n_done, sizeof m->n_done, 0);
    scree_comm_broadcast(comm, &m->last_cost, sizeof m->last_cost, 0);
    return SCREE_OK;
}

enum scree_status scree_restart_load_balance(struct scree_comm *comm, const char *path,
                                             struct scree_balance_memory *m)
{
    struct scree_table table[SCREE_BALANCE_TABLES];
    memset(m, 0, sizeof *m);
    scree_restart_describe_balance(m, false, table);
    SCREE_TRY(scree_checkpoint_open(path, comm, SCREE_BALANCE_TABLES, table, 0, NULL));
    SCREE_CHECK(table[0].n_total == 1 && table[1].n_total >= 1 &&
                    table[1].n_total <= SCREE_BRICKS_MOST,
                SCREE_IO, "%s: tables /balance and /bricks do not fit", path);
    scree_balance_memory_init(m, table[1].n_total);
    enum scree_status status = read_and_share(comm, path, table, m);
    if (status == SCREE_OK) status = check(m, path);
    if (status != SCREE_OK) scree_balance_memory_clear(m);
    return status;
}
