/* SPDX-License-Identifier: BSD-3-Clause
 * Writing a checkpoint: temporary name, to disk, verified, renamed. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_safety.h"
#include "hdf5_basics.h"
#include "hdf5_checkpoint.h"
#include "scree/alloc.h"

/* Texts as byte arrays: no limit on their length, no variable-length types in parallel. */
static bool write_text(hid_t file, const struct scree_checkpoint_text *text)
{
    hsize_t n[1] = {strlen(text->text) + 1};
    hid_t space = H5Screate_simple(1, n, NULL);
    hid_t set =
        H5Dcreate2(file, text->name, H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good =
        set >= 0 && H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text->text) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    return good;
}

static bool write_column(hid_t group, const struct scree_table *table,
                         const struct scree_table_column *column, int64_t first)
{
    hsize_t dims[2] = {(hsize_t)table->n_total, (hsize_t)column->width};
    hid_t space = H5Screate_simple(2, dims, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    hid_t set = H5Dcreate2(group, column->name, scree_checkpoint_native(column->type), space,
                           H5P_DEFAULT, how, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && table->n_total > 0)
        good = scree_checkpoint_transfer(set, column, first, table->n, true);
    if (set >= 0) good = scree_hdf5_write_text(set, "unit", column->unit) && good;
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return good;
}

static bool write_table(struct scree_comm *comm, hid_t file, struct scree_table *table)
{
    int64_t first;
    scree_checkpoint_place(comm, table, &first);
    uint64_t digest = scree_checkpoint_digest(table);
    scree_comm_sum_hash(comm, &digest, 1);
    hid_t group = H5Gcreate2(file, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = scree_hdf5_write_attribute(group, "rows", H5T_NATIVE_INT64, 1, &table->n_total);
    good = scree_hdf5_write_attribute(group, "digest", H5T_NATIVE_UINT64, 1, &digest) && good;
    for (int c = 0; c < table->n_columns; c++)
        good = write_column(group, table, &table->column[c], first) && good;
    H5Gclose(group);
    return good;
}

static enum scree_status write_part(const char *part, struct scree_comm *comm, int n_tables,
                                    struct scree_table *table, int n_texts,
                                    const struct scree_checkpoint_text *text)
{
    const int32_t version = SCREE_CHECKPOINT_VERSION;
    hid_t access = scree_checkpoint_access(comm);
    hid_t file = H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    enum scree_status status = SCREE_OK;
    if (file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be created", part);
    SCREE_TRY(scree_comm_agree(comm, status));
    bool good = scree_hdf5_write_text(file, "format", scree_checkpoint_format);
    good = scree_hdf5_write_attribute(file, "version", H5T_NATIVE_INT32, 1, &version) && good;
    for (int k = 0; k < n_texts; k++) good = write_text(file, &text[k]) && good;
    for (int k = 0; k < n_tables; k++) good = write_table(comm, file, &table[k]) && good;
    good = H5Fclose(file) >= 0 && good;
    if (!good) status = SCREE_FAIL(SCREE_IO, "%s: cannot be written; is the disk full?", part);
    return scree_comm_agree(comm, status);
}

/* Read back what was written, each rank a share of its own, and compare digests. */
static enum scree_status verify(const char *part, struct scree_comm *comm, int n_tables,
                                const struct scree_table *table)
{
    struct scree_table *copy = scree_alloc((size_t)n_tables, sizeof *copy);
    memcpy(copy, table, (size_t)n_tables * sizeof *copy);
    enum scree_status status = scree_checkpoint_open(part, comm, n_tables, copy, 0, NULL);
    if (status == SCREE_OK) status = scree_checkpoint_verify(part, comm, n_tables, copy);
    scree_alloc_free(copy);
    return status;
}

enum scree_status scree_checkpoint_write(const char *path, struct scree_comm *comm, int n_tables,
                                         struct scree_table *table, int n_texts,
                                         const struct scree_checkpoint_text *text)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = scree_alloc(size, 1);
    snprintf(part, size, "%s.part", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    enum scree_status status = write_part(part, comm, n_tables, table, n_texts, text);
    if (status == SCREE_OK)
        status = scree_comm_agree(comm, comm->rank == 0 ? scree_file_sync(part) : SCREE_OK);
    if (status == SCREE_OK) status = verify(part, comm, n_tables, table);
    if (status == SCREE_OK)
        status =
            scree_comm_agree(comm, comm->rank == 0 ? scree_file_publish(part, path) : SCREE_OK);
    if (status != SCREE_OK && comm->rank == 0) unlink(part);
    scree_alloc_free(part);
    return status;
}
