/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a checkpoint: rank 0 inspects it without MPI first, so that a broken file strands nobody;
 * then all ranks read even shares and compare digests. */
#include <stdio.h>
#include <string.h>

#include "hdf5_basics.h"
#include "hdf5_checkpoint.h"
#include "scree/alloc.h"

enum { LONGEST_TEXT = 64 << 20 };

static bool has_format(hid_t file)
{
    char word[64] = "";
    return scree_hdf5_read_text(file, "format", word, sizeof word) &&
           strcmp(word, scree_checkpoint_format) == 0;
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
    if (!scree_hdf5_read_attribute(group, "rows", H5T_INTEGER, H5T_NATIVE_INT64, 1, &t->n_total) ||
        t->n_total < 0)
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
    else if (!scree_hdf5_read_attribute(file, "version", H5T_INTEGER, H5T_NATIVE_INT32, 1,
                                        &version) ||
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

/* Rows [first, first + n) of all columns into the memory of `t`. */
static bool read_columns(hid_t group, const struct scree_table *t, int64_t first, int64_t n)
{
    bool good = true;
    for (int c = 0; c < t->n_columns && t->n_total > 0; c++) {
        hid_t set = H5Dopen2(group, t->column[c].name, H5P_DEFAULT);
        good = scree_checkpoint_transfer(set, &t->column[c], first, n, false) && good;
        H5Dclose(set);
    }
    return good;
}

/* All rows of this rank into memory; digest of what was read. */
static bool read_whole(hid_t group, struct scree_table *t, int64_t first, uint64_t *digest)
{
    bool good = read_columns(group, t, first, t->n);
    *digest = good ? scree_checkpoint_digest(t) : 0;
    return good;
}

/* The same piece by piece through a small buffer: a second copy of the state need not fit. All
 * ranks go through the same number of pieces, since transfers are collective. */
static bool read_pieces(struct scree_comm *comm, hid_t group, struct scree_table *t, int64_t first,
                        uint64_t *digest)
{
    enum { MOST = 1 << 16 };
    const int64_t size = t->n_total < MOST ? t->n_total + 1 : MOST; /* the same on all ranks */
    struct scree_table piece = *t;
    int64_t n_pieces = (t->n + size - 1) / size;
    bool good = true;
    scree_comm_max_int(comm, &n_pieces, 1);
    for (int c = 0; c < t->n_columns; c++)
        piece.column[c].memory =
            scree_alloc((size_t)size, scree_checkpoint_row_bytes(&t->column[c]));
    *digest = 0;
    for (int64_t k = 0; k < n_pieces; k++) {
        int64_t left = t->n - k * size;
        piece.n = left < 0 ? 0 : left < size ? left : size;
        good = read_columns(group, &piece, first + k * size, piece.n) && good;
        *digest += scree_checkpoint_digest(&piece);
    }
    for (int c = 0; c < t->n_columns; c++) scree_alloc_free(piece.column[c].memory);
    return good;
}

static enum scree_status read_table(const char *path, struct scree_comm *comm, hid_t file,
                                    struct scree_table *t, bool keep)
{
    int64_t first;
    uint64_t stored = 0, digest = 0;
    scree_checkpoint_place(comm, t, &first);
    hid_t group = H5Gopen2(file, t->name, H5P_DEFAULT);
    bool good =
        scree_hdf5_read_attribute(group, "digest", H5T_INTEGER, H5T_NATIVE_UINT64, 1, &stored);
    if (keep)
        good = read_whole(group, t, first, &digest) && good;
    else
        good = read_pieces(comm, group, t, first, &digest) && good;
    H5Gclose(group);
    scree_comm_sum_hash(comm, &digest, 1);
    SCREE_CHECK(good, SCREE_IO, "%s: table /%s cannot be read: damaged or cut short", path,
                t->name);
    SCREE_CHECK(digest == stored, SCREE_IO, "%s: table /%s does not match its digest: damaged",
                path, t->name);
    return SCREE_OK;
}

static enum scree_status read_tables(const char *path, struct scree_comm *comm, int n_tables,
                                     struct scree_table *table, bool keep)
{
    hid_t access = scree_checkpoint_access(comm);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    enum scree_status status = SCREE_OK;
    if (file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened by all ranks", path);
    SCREE_TRY(scree_comm_agree(comm, status));
    for (int k = 0; k < n_tables; k++) {
        enum scree_status one = read_table(path, comm, file, &table[k], keep);
        if (status == SCREE_OK) status = one;
    }
    H5Fclose(file);
    return scree_comm_agree(comm, status);
}

enum scree_status scree_checkpoint_read(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table)
{
    return read_tables(path, comm, n_tables, table, true);
}

enum scree_status scree_checkpoint_verify(const char *path, struct scree_comm *comm, int n_tables,
                                          struct scree_table *table)
{
    return read_tables(path, comm, n_tables, table, false);
}
