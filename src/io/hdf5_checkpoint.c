/* SPDX-License-Identifier: BSD-3-Clause
 * Small parts of checkpoint files: types, digests, transfers. */
#include "hdf5_checkpoint.h"

#include <mpi.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/hash.h"

hid_t scree_checkpoint_native(enum scree_number type)
{
    switch (type) {
    case SCREE_NUMBER_REAL: return H5T_NATIVE_DOUBLE;
    case SCREE_NUMBER_INT64: return H5T_NATIVE_INT64;
    case SCREE_NUMBER_INT32: break;
    }
    return H5T_NATIVE_INT32;
}

size_t scree_checkpoint_row_bytes(const struct scree_table_column *column)
{
    return (size_t)column->width * (column->type == SCREE_NUMBER_INT32 ? 4 : 8);
}

uint64_t scree_checkpoint_digest(const struct scree_table *table)
{
    unsigned char row[SCREE_TABLE_COLUMNS * 64];
    uint64_t sum = 0;
    for (int64_t r = 0; r < table->n; r++) {
        size_t at = 0;
        for (int c = 0; c < table->n_columns; c++) {
            size_t bytes = scree_checkpoint_row_bytes(&table->column[c]);
            memcpy(row + at, (const unsigned char *)table->column[c].memory + (size_t)r * bytes,
                   bytes);
            at += bytes;
        }
        sum += scree_hash_record(row, at);
    }
    return sum;
}

/* Contents are written in few large pieces, aligned for parallel file systems. */
hid_t scree_checkpoint_access(struct scree_comm *comm)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, *(MPI_Comm *)comm->mpi, MPI_INFO_NULL);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    H5Pset_alignment(access, 1 << 20, 1 << 20);
    return access;
}

/* Independent: the rows of a rank are one run in the file, so gathering them first gains nothing.
 */
bool scree_checkpoint_transfer(hid_t set, const struct scree_table_column *column, int64_t first,
                               int64_t n, bool writes)
{
    hsize_t start[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)column->width};
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(2, count, NULL);
    hid_t type = scree_checkpoint_native(column->type), how = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_INDEPENDENT);
    if (n == 0) {
        H5Sselect_none(in_file);
        H5Sselect_none(in_memory);
    } else {
        H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    }
    herr_t done = writes ? H5Dwrite(set, type, in_memory, in_file, how, column->memory)
                         : H5Dread(set, type, in_memory, in_file, how, column->memory);
    H5Pclose(how);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return done >= 0;
}

void scree_checkpoint_place(struct scree_comm *comm, struct scree_table *table, int64_t *first)
{
    int64_t *n = scree_alloc((size_t)comm->n_ranks, sizeof *n);
    scree_comm_allgather(comm, &table->n, sizeof table->n, n);
    *first = table->n_total = 0;
    for (int r = 0; r < comm->n_ranks; r++) {
        *first += r < comm->rank ? n[r] : 0;
        table->n_total += n[r];
    }
    scree_alloc_free(n);
}
