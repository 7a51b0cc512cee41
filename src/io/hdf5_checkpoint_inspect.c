/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a checkpoint before it is read: is all there, in the right shape and type, and where.
 */
#include <stdio.h>
#include <string.h>

#include "hdf5_checkpoint.h"
#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/hdf5_basics.h"

enum { LONGEST_TEXT = 64 << 20 };

static bool has_format(hid_t file)
{
    char word[64] = "";
    return scree_hdf5_read_text(file, "format", word, sizeof word) &&
           strcmp(word, scree_checkpoint_format) == 0;
}

/* Shape and type as they should be, in one piece that is wholly there. */
static enum scree_status inspect_column(const char *path, hid_t group, const struct scree_table *t,
                                        const struct scree_table_column *column, double n_bytes,
                                        int64_t *offset)
{
    hsize_t dims[2] = {0, 0};
    hid_t set = H5Dopen2(group, column->name, H5P_DEFAULT);
    SCREE_CHECK(set >= 0, SCREE_IO, "%s: no dataset /%s/%s", path, t->name, column->name);
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    bool good = H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, dims, NULL) == 2 &&
                H5Tequal(type, scree_hdf5_native(scree_hdf5_type_of(column->type))) > 0 &&
                dims[0] == (hsize_t)t->n_total && dims[1] == (hsize_t)column->width;
    haddr_t place = t->n_total > 0 ? H5Dget_offset(set) : 0; /* undefined if in several pieces */
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    SCREE_CHECK(good, SCREE_IO,
                "%s: dataset /%s/%s has another shape or type than it should: damaged?", path,
                t->name, column->name);
    double end = (double)place + (double)t->n_total * (double)scree_checkpoint_row_bytes(column);
    SCREE_CHECK(place != HADDR_UNDEF && end <= n_bytes, SCREE_IO,
                "%s: dataset /%s/%s is not there as one piece: cut short, or written anew by "
                "another program?",
                path, t->name, column->name);
    *offset = (int64_t)place;
    return SCREE_OK;
}

static enum scree_status inspect_table(const char *path, hid_t file, double n_bytes,
                                       struct scree_table *t, struct scree_checkpoint_map *map)
{
    hid_t group = H5Gopen2(file, t->name, H5P_DEFAULT);
    SCREE_CHECK(group >= 0, SCREE_IO, "%s: no table /%s", path, t->name);
    enum scree_status status = SCREE_OK;
    if (!scree_hdf5_read_attribute(group, "rows", H5T_INTEGER, H5T_NATIVE_INT64, 1, &t->n_total) ||
        t->n_total < 0 ||
        !scree_hdf5_read_attribute(group, "digest", H5T_INTEGER, H5T_NATIVE_UINT64, 1,
                                   &map->digest))
        status =
            SCREE_FAIL(SCREE_IO, "%s: table /%s does not say how many rows it has, or their digest",
                       path, t->name);
    for (int c = 0; c < t->n_columns && status == SCREE_OK; c++)
        status = inspect_column(path, group, t, &t->column[c], n_bytes, &map->offset[c]);
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
        uint64_t stored = 0;
        good =
            good &&
            scree_hdf5_read_attribute(set, "digest", H5T_INTEGER, H5T_NATIVE_UINT64, 1, &stored) &&
            scree_hash_record(text->text, n[0]) == stored;
        text->text[n[0] - 1] = '\0';
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    SCREE_CHECK(good, SCREE_IO, "%s: the text '%s' cannot be read: damaged?", path, text->name);
    return SCREE_OK;
}

static enum scree_status inspect(const char *path, int n_tables, struct scree_table *table,
                                 struct scree_checkpoint_map *map, int n_texts,
                                 struct scree_checkpoint_text *text)
{
    int32_t version = 0;
    double n_bytes;
    hid_t file;
    SCREE_CHECK(scree_hdf5_has_checksums(path), SCREE_IO,
                "%s: missing, cut short or not an HDF5 file of scree", path);
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
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
        status = inspect_table(path, file, n_bytes, &table[k], &map[k]);
    H5Fclose(file);
    return status;
}

enum scree_status scree_checkpoint_inspect(const char *path, struct scree_comm *comm, int n_tables,
                                           struct scree_table *table,
                                           struct scree_checkpoint_map *map, int n_texts,
                                           struct scree_checkpoint_text *text)
{
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = inspect(path, n_tables, table, map, n_texts, text);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_comm_broadcast(comm, map, (size_t)n_tables * sizeof *map, 0);
    for (int k = 0; k < n_tables; k++)
        scree_comm_broadcast(comm, &table[k].n_total, sizeof table[k].n_total, 0);
    return SCREE_OK;
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
    struct scree_checkpoint_map *map = scree_alloc((size_t)n_tables, sizeof *map);
    for (int k = 0; k < n_texts; k++) text[k].text = NULL;
    enum scree_status status =
        scree_checkpoint_inspect(path, comm, n_tables, table, map, n_texts, text);
    scree_alloc_free(map);
    if (status != SCREE_OK) {
        for (int k = 0; k < n_texts; k++) scree_alloc_free(text[k].text);
        for (int k = 0; k < n_texts; k++) text[k].text = NULL;
        return status;
    }
    for (int k = 0; k < n_texts; k++) share_text(comm, &text[k]);
    for (int k = 0; k < n_tables; k++) {
        struct scree_table *t = &table[k];
        t->n = t->n_total / comm->n_ranks + (comm->rank < t->n_total % comm->n_ranks ? 1 : 0);
    }
    return SCREE_OK;
}

bool scree_checkpoint_peek(const char *path, const char *name, char *text, size_t size)
{
    struct scree_checkpoint_text whole = {name, NULL};
    bool good = inspect(path, 0, NULL, NULL, 1, &whole) == SCREE_OK;
    snprintf(text, size, "%s", good ? whole.text : "");
    scree_alloc_free(whole.text);
    if (!good) scree_status_clear();
    return good;
}
