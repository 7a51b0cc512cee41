/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a checkpoint: rank 0 inspects it without MPI first, so that a broken file strands nobody;
 * then all ranks read even shares and compare digests. */
#include <stdio.h>
#include <string.h>

#include "hdf5_checkpoint.h"
#include "scree/alloc.h"

enum { LONGEST_TEXT = 64 << 20 };

/* One fixed-size attribute of a known class. */
static bool read_scalar(hid_t place, const char *name, H5T_class_t kind, hid_t type, void *value)
{
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool good = H5Tget_class(stored) == kind && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, type, value) >= 0;
    H5Sclose(space);
    H5Tclose(stored);
    H5Aclose(attribute);
    return good;
}

static bool has_format(hid_t file)
{
    char word[64] = "";
    hid_t attribute = H5Aopen(file, "format", H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute);
    if (H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) &&
        H5Tget_size(type) < sizeof word)
        H5Aread(attribute, type, word);
    H5Tclose(type);
    H5Aclose(attribute);
    return strcmp(word, scree_checkpoint_format) == 0;
}

static enum scree_status inspect_column(const char *path, hid_t group, const struct scree_table *t,
                                        const struct scree_table_column *column)
{
    hsize_t dims[2] = {0, 0};
    hid_t set = H5Dopen2(group, column->name, H5P_DEFAULT);
    SCREE_CHECK(set >= 0, SCREE_IO, "%s: no dataset /%s/%s", path, t->name, column->name);
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    bool real = column->type == SCREE_NUMBER_REAL;
    bool good = H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, dims, NULL) == 2 &&
                H5Tget_class(type) == (real ? H5T_FLOAT : H5T_INTEGER) &&
                H5Tget_size(type) == (column->type == SCREE_NUMBER_INT32 ? 4u : 8u);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    SCREE_CHECK(good && dims[0] == (hsize_t)t->n_total && dims[1] == (hsize_t)column->width,
                SCREE_IO, "%s: dataset /%s/%s has another shape or type than it should: damaged?",
                path, t->name, column->name);
    return SCREE_OK;
}

static enum scree_status inspect_table(const char *path, hid_t file, struct scree_table *t)
{
    hid_t group = H5Gopen2(file, t->name, H5P_DEFAULT);
    SCREE_CHECK(group >= 0, SCREE_IO, "%s: no table /%s", path, t->name);
    enum scree_status status = SCREE_OK;
    if (!read_scalar(group, "rows", H5T_INTEGER, H5T_NATIVE_INT64, &t->n_total) || t->n_total < 0)
        status =
            SCREE_FAIL(SCREE_IO, "%s: table /%s does not say how many rows it has", path, t->name);
    for (int c = 0; c < t->n_columns && status == SCREE_OK; c++)
        status = inspect_column(path, group, t, &t->column[c]);
    H5Gclose(group);
    return status;
}

static enum scree_status read_text(const char *path, hid_t file, struct scree_checkpoint_text *text)
{
    hsize_t n[1] = {0};
    hid_t set = H5Dopen2(file, text->name, H5P_DEFAULT);
    SCREE_CHECK(set >= 0, SCREE_IO, "%s: no text '%s'", path, text->name);
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    bool good = H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_dims(space, n, NULL) == 1 && n[0] > 0 &&
                n[0] <= LONGEST_TEXT && H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) == 1;
    if (good) {
        text->text = scree_alloc(n[0], 1);
        good = H5Dread(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text->text) >= 0;
        text->text[n[0] - 1] = '\0';
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    SCREE_CHECK(good, SCREE_IO, "%s: the text '%s' cannot be read: damaged?", path, text->name);
    return SCREE_OK;
}

static enum scree_status inspect(const char *path, int n_tables, struct scree_table *table,
                                 int n_texts, struct scree_checkpoint_text *text)
{
    int32_t version = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    SCREE_CHECK(file >= 0, SCREE_IO, "%s: missing, cut short or not an HDF5 file", path);
    enum scree_status status = SCREE_OK;
    if (!has_format(file))
        status = SCREE_FAIL(SCREE_IO, "%s: not a scree checkpoint", path);
    else if (!read_scalar(file, "version", H5T_INTEGER, H5T_NATIVE_INT32, &version) ||
             version != SCREE_CHECKPOINT_VERSION)
        status = SCREE_FAIL(SCREE_IO, "%s: checkpoint version %d, this program reads %d", path,
                            (int)version, SCREE_CHECKPOINT_VERSION);
    for (int k = 0; k < n_texts && status == SCREE_OK; k++)
        status = read_text(path, file, &text[k]);
    for (int k = 0; k < n_tables && status == SCREE_OK; k++)
        status = inspect_table(path, file, &table[k]);
    H5Fclose(file);
    return status;
}

static void share_text(struct scree_comm *comm, struct scree_checkpoint_text *text)
{
    size_t size = comm->rank == 0 ? strlen(text->text) + 1 : 0;
    scree_comm_broadcast(comm, &size, sizeof size, 0);
    if (comm->rank != 0) text->text = scree_alloc(size, 1);
    scree_comm_broadcast(comm, text->text, size, 0);
}

enum scree_status scree_checkpoint_open(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table, int n_texts,
                                        struct scree_checkpoint_text *text)
{
    enum scree_status status = SCREE_OK;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    for (int k = 0; k < n_texts; k++) text[k].text = NULL;
    if (comm->rank == 0) status = inspect(path, n_tables, table, n_texts, text);
    status = scree_comm_agree(comm, status);
    if (status != SCREE_OK) {
        for (int k = 0; k < n_texts; k++) scree_alloc_free(text[k].text);
        for (int k = 0; k < n_texts; k++) text[k].text = NULL;
        return status;
    }
    for (int k = 0; k < n_texts; k++) share_text(comm, &text[k]);
    for (int k = 0; k < n_tables; k++) {
        struct scree_table *t = &table[k];
        scree_comm_broadcast(comm, &t->n_total, sizeof t->n_total, 0);
        t->n = t->n_total / comm->n_ranks + (comm->rank < t->n_total % comm->n_ranks ? 1 : 0);
    }
    return SCREE_OK;
}

static bool read_table(struct scree_comm *comm, hid_t file, struct scree_table *t, uint64_t *stored)
{
    int64_t first;
    bool good = true;
    scree_checkpoint_place(comm, t, &first);
    hid_t group = H5Gopen2(file, t->name, H5P_DEFAULT);
    good = read_scalar(group, "digest", H5T_INTEGER, H5T_NATIVE_UINT64, stored) && good;
    for (int c = 0; c < t->n_columns && t->n_total > 0; c++) {
        hid_t set = H5Dopen2(group, t->column[c].name, H5P_DEFAULT);
        good = scree_checkpoint_transfer(set, &t->column[c], first, t->n, false) && good;
        H5Dclose(set);
    }
    H5Gclose(group);
    return good;
}

enum scree_status scree_checkpoint_read(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table)
{
    hid_t access = scree_checkpoint_access(comm);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    enum scree_status status = SCREE_OK;
    if (file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened by all ranks", path);
    SCREE_TRY(scree_comm_agree(comm, status));
    for (int k = 0; k < n_tables; k++) {
        uint64_t stored = 0;
        bool good = read_table(comm, file, &table[k], &stored);
        uint64_t digest = good ? scree_checkpoint_digest(&table[k]) : 0;
        scree_comm_sum_hash(comm, &digest, 1);
        if (!good && status == SCREE_OK)
            status = SCREE_FAIL(SCREE_IO, "%s: table /%s cannot be read: damaged or cut short",
                                path, table[k].name);
        if (digest != stored && status == SCREE_OK)
            status = SCREE_FAIL(SCREE_IO, "%s: table /%s does not match its digest: damaged", path,
                                table[k].name);
    }
    H5Fclose(file);
    return scree_comm_agree(comm, status);
}
