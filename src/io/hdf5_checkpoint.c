/* SPDX-License-Identifier: BSD-3-Clause
 * Small parts of checkpoint files: digests, and which rows are whose. */
#include "hdf5_checkpoint.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/hdf5_basics.h"

enum { BLOCK = 128 }; /* rows put together at a time, to stay in the cache */

size_t scree_checkpoint_row_bytes(const struct scree_table_column *column)
{
    return (size_t)column->width * scree_hdf5_size(scree_hdf5_type_of(column->type));
}

/* n items into rows that are `stride` apart. A copy of constant size is a few moves. */
static void spread(unsigned char *into, size_t stride, const unsigned char *from, size_t bytes,
                   int64_t n)
{
#define CASE(size)                                                                \
    case size:                                                                    \
        for (int64_t r = 0; r < n; r++)                                           \
            memcpy(into + (size_t)r * stride, from + (size_t)r * (size), (size)); \
        break
    switch (bytes) {
        CASE(4);
        CASE(8);
        CASE(12);
        CASE(16);
        CASE(32);
        CASE(64);
    default:
        for (int64_t r = 0; r < n; r++)
            memcpy(into + (size_t)r * stride, from + (size_t)r * bytes, bytes);
    }
#undef CASE
}

uint64_t scree_checkpoint_digest(const struct scree_table *table)
{
    size_t stride = 0, at;
    uint64_t sum = 0;
    for (int c = 0; c < table->n_columns; c++)
        stride += scree_checkpoint_row_bytes(&table->column[c]);
    unsigned char *rows = scree_alloc(BLOCK, stride);
    for (int64_t first = 0; first < table->n; first += BLOCK) {
        int64_t n = table->n - first < BLOCK ? table->n - first : BLOCK;
        at = 0;
        for (int c = 0; c < table->n_columns; c++) {
            size_t bytes = scree_checkpoint_row_bytes(&table->column[c]);
            const unsigned char *column = table->column[c].memory;
            spread(rows + at, stride, column + (size_t)first * bytes, bytes, n);
            at += bytes;
        }
        for (int64_t r = 0; r < n; r++) sum += scree_hash_bytes(rows + (size_t)r * stride, stride);
    }
    scree_alloc_free(rows);
    return sum;
}

void scree_checkpoint_place(struct scree_comm *comm, int n_tables, struct scree_table *table,
                            int64_t *first)
{
    int64_t *mine = scree_alloc((size_t)n_tables, sizeof *mine);
    int64_t *n = scree_alloc((size_t)comm->n_ranks * (size_t)n_tables, sizeof *n);
    for (int k = 0; k < n_tables; k++) mine[k] = table[k].n;
    scree_comm_allgather(comm, mine, (size_t)n_tables * sizeof *mine, n);
    for (int k = 0; k < n_tables; k++) {
        first[k] = table[k].n_total = 0;
        for (int r = 0; r < comm->n_ranks; r++) {
            first[k] += r < comm->rank ? n[r * n_tables + k] : 0;
            table[k].n_total += n[r * n_tables + k];
        }
    }
    scree_alloc_free(n);
    scree_alloc_free(mine);
}
