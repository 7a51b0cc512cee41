/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of measurements: one table of numbers, the same on all ranks. */
#include "restart_analysis.h"

#include <string.h>

#include "scree/alloc.h"

static struct scree_table describe(int64_t n, void *sums)
{
    return (struct scree_table){.name = "analysis",
                                .n = n,
                                .n_columns = 1,
                                .column = {{"sums", "", SCREE_NUMBER_REAL, 1, sums}}};
}

int scree_restart_describe_analyses(const struct scree_analyses *analyses,
                                    const struct scree_comm *comm, struct scree_table *table)
{
    if (analyses->n_state == 0) return 0;
    *table = describe(comm->rank == 0 ? analyses->n_state : 0, analyses->state);
    return 1;
}

/* Each rank reads its share in its place; where there is nothing but zeros all ranks add up, as
 * integers, so that no bit changes. */
static enum scree_status read_and_share(struct scree_analyses *analyses, struct scree_comm *comm,
                                        const char *path, struct scree_table *table, uint64_t *bits)
{
    int64_t n = analyses->n_state, first = 0;
    int64_t *share = scree_alloc((size_t)comm->n_ranks, sizeof *share);
    scree_comm_allgather(comm, &table->n, sizeof table->n, share);
    for (int r = 0; r < comm->rank; r++) first += share[r];
    scree_alloc_free(share);
    memset(bits, 0, (size_t)n * sizeof *bits);
    table->column[0].memory = bits + first;
    SCREE_TRY(scree_checkpoint_read(path, comm, 1, table));
    scree_comm_sum_hash(comm, bits, (int)n);
    memcpy(analyses->state, bits, (size_t)n * sizeof *bits);
    return SCREE_OK;
}

enum scree_status scree_restart_load_analyses(struct scree_analyses *analyses,
                                              struct scree_comm *comm, const char *path)
{
    if (analyses->n_state == 0) return SCREE_OK;
    struct scree_table table = describe(0, NULL);
    SCREE_TRY(scree_checkpoint_open(path, comm, 1, &table, 0, NULL));
    SCREE_CHECK(table.n_total == analyses->n_state, SCREE_INPUT,
                "%s holds other measurements than the section 'analysis' asks for", path);
    uint64_t *bits = scree_alloc((size_t)analyses->n_state, sizeof *bits);
    enum scree_status status = read_and_share(analyses, comm, path, &table, bits);
    scree_alloc_free(bits);
    return status;
}
