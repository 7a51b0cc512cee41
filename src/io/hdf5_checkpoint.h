/* SPDX-License-Identifier: BSD-3-Clause
 * What writing and reading of checkpoints share. Private to io. */
#ifndef SCREE_HDF5_CHECKPOINT_H
#define SCREE_HDF5_CHECKPOINT_H

#include <hdf5.h>
#include <stdbool.h>

#include "scree/checkpoint.h"

static const char scree_checkpoint_format[] = "scree-checkpoint";

hid_t scree_checkpoint_native(enum scree_number type);
size_t scree_checkpoint_row_bytes(const struct scree_table_column *column);
/* Sum of the hashes of all rows of this rank, whatever their order. */
uint64_t scree_checkpoint_digest(const struct scree_table *table);
hid_t scree_checkpoint_access(struct scree_comm *comm);
/* Rows [first, first + n) of dataset /table/column. */
bool scree_checkpoint_transfer(hid_t set, const struct scree_table_column *column, int64_t first,
                               int64_t n, bool writes);
/* Read the rows of an opened file piece by piece, keeping none, and compare digests. Collective. */
enum scree_status scree_checkpoint_verify(const char *path, struct scree_comm *comm, int n_tables,
                                          struct scree_table *table);
/* First row of this rank and total, from the numbers of all ranks. Collective. */
void scree_checkpoint_place(struct scree_comm *comm, struct scree_table *table, int64_t *first);

#endif
