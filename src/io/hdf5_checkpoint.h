/* SPDX-License-Identifier: BSD-3-Clause
 * What writing and reading of checkpoints share. Private to io.
 *
 * Rank 0 alone speaks HDF5: it makes the file with room for all columns, and looks where they lie.
 * The rows themselves are moved by all ranks, straight from and to their memory. */
#ifndef SCREE_HDF5_CHECKPOINT_H
#define SCREE_HDF5_CHECKPOINT_H

#include <hdf5.h>
#include <stdbool.h>

#include "scree/checkpoint.h"

static const char scree_checkpoint_format[] = "scree-checkpoint";

/* Where the rows of a table are. Plain bytes: rank 0 sends it to all. */
struct scree_checkpoint_map {
    uint64_t digest;                     /* as the file says */
    int64_t offset[SCREE_TABLE_COLUMNS]; /* bytes from the start of the file; 0: no rows */
};

size_t scree_checkpoint_row_bytes(const struct scree_table_column *column);
/* Sum of the hashes of all rows of this rank, whatever their order. */
uint64_t scree_checkpoint_digest(const struct scree_table *table);
/* First row of this rank and total, from the numbers of all ranks. Collective. */
void scree_checkpoint_place(struct scree_comm *comm, int n_tables, struct scree_table *table,
                            int64_t *first);
/* Rank 0 looks at tables and texts, all know: n_total of the tables, where their rows are. Texts
 * are only on rank 0. Collective, agreed status. */
enum scree_status scree_checkpoint_inspect(const char *path, struct scree_comm *comm, int n_tables,
                                           struct scree_table *table,
                                           struct scree_checkpoint_map *map, int n_texts,
                                           struct scree_checkpoint_text *text);
/* Look at the file as it would be read, and compare the rows of this rank, which begin at row
 * first[k] of table k, with what it holds. Collective. */
enum scree_status scree_checkpoint_verify(const char *path, struct scree_comm *comm, int file,
                                          int n_tables, const struct scree_table *table,
                                          const int64_t *first, const uint64_t *digest);

#endif
