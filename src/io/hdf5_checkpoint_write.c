/* SPDX-License-Identifier: BSD-3-Clause
 * Writing a checkpoint: temporary name, verified, to disk, renamed. Rank 0 makes the file with all
 * but the rows, then every rank puts its rows in their places. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_checkpoint.h"
#include "hdf5_memory.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "scree/hash.h"
#include "scree/hdf5_basics.h"
#include "scree/timer.h"

enum { SPARE_BYTES = 1 << 20 }; /* for texts and structure; a sixteenth more for alignment */

static struct scree_checkpoint_times times;

struct scree_checkpoint_times scree_checkpoint_times(void)
{
    return times;
}

/* Texts as byte arrays: no limit on their length. */
static bool write_text(hid_t file, const struct scree_checkpoint_text *text)
{
    hsize_t n[1] = {strlen(text->text) + 1};
    hid_t space = H5Screate_simple(1, n, NULL);
    hid_t set =
        H5Dcreate2(file, text->name, H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good =
        set >= 0 && H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text->text) >= 0;
    uint64_t digest = scree_hash_record(text->text, n[0]);
    good = set >= 0 && scree_hdf5_write_attribute(set, "digest", H5T_NATIVE_UINT64, 1, &digest) &&
           good;
    H5Dclose(set);
    H5Sclose(space);
    return good;
}

/* One piece of the file, given its place now and filled by all ranks later. */
static bool make_column(hid_t group, const struct scree_table *table,
                        const struct scree_table_column *column, int64_t *offset)
{
    hsize_t dims[2] = {(hsize_t)table->n_total, (hsize_t)column->width};
    hid_t space = H5Screate_simple(2, dims, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    hid_t type = scree_hdf5_native(scree_hdf5_type_of(column->type));
    hid_t set = H5Dcreate2(group, column->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    haddr_t place = set >= 0 && table->n_total > 0 ? H5Dget_offset(set) : 0;
    bool good = set >= 0 && place != HADDR_UNDEF;
    *offset = (int64_t)place;
    if (set >= 0) good = scree_hdf5_write_text(set, "unit", column->unit) && good;
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return good;
}

static bool make_table(hid_t file, const struct scree_table *table,
                       struct scree_checkpoint_map *map)
{
    hid_t group = H5Gcreate2(file, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = scree_hdf5_write_attribute(group, "rows", H5T_NATIVE_INT64, 1, &table->n_total);
    good = scree_hdf5_write_attribute(group, "digest", H5T_NATIVE_UINT64, 1, &map->digest) && good;
    for (int c = 0; c < table->n_columns; c++)
        good = make_column(group, table, &table->column[c], &map->offset[c]) && good;
    H5Gclose(group);
    return good;
}

/* Room for the whole file in a new one, or a message that says why there is none. */
static enum scree_status hold_room(const char *part, int n_tables, const struct scree_table *table)
{
    int64_t bytes = 0;
    for (int k = 0; k < n_tables; k++)
        for (int c = 0; c < table[k].n_columns; c++)
            bytes += table[k].n_total * (int64_t)scree_checkpoint_row_bytes(&table[k].column[c]);
    return scree_file_hold(part, bytes + bytes / 16 + SPARE_BYTES);
}

/* The whole file but for its rows. Contents are aligned for parallel file systems. Local: rank 0 */
static enum scree_status make_file(const char *part, int n_tables, const struct scree_table *table,
                                   int n_texts, const struct scree_checkpoint_text *text,
                                   struct scree_checkpoint_map *map)
{
    const int32_t version = SCREE_CHECKPOINT_VERSION;
    struct scree_hdf5_memory memory;
    SCREE_TRY(hold_room(part, n_tables, table));
    SCREE_TRY(scree_hdf5_memory_create(&memory, part, 1 << 20));
    hid_t file = memory.hdf5;
    bool good = scree_hdf5_write_text(file, "format", scree_checkpoint_format);
    good = scree_hdf5_write_attribute(file, "version", H5T_NATIVE_INT32, 1, &version) && good;
    for (int k = 0; k < n_texts; k++) good = write_text(file, &text[k]) && good;
    for (int k = 0; k < n_tables; k++) good = make_table(file, &table[k], &map[k]) && good;
    return scree_hdf5_memory_save(&memory, part, good);
}

/* The rows of this rank. The disk begins with what is there while the next column is copied. */
static enum scree_status put_rows(const char *part, int file, int n_tables,
                                  const struct scree_table *table, const int64_t *first,
                                  const struct scree_checkpoint_map *map)
{
    for (int k = 0; k < n_tables; k++)
        for (int c = 0; c < table[k].n_columns && table[k].n > 0; c++) {
            int64_t bytes = (int64_t)scree_checkpoint_row_bytes(&table[k].column[c]);
            int64_t at = map[k].offset[c] + first[k] * bytes;
            size_t n = (size_t)(table[k].n * bytes);
            int error = scree_file_put(file, table[k].column[c].memory, n, at);
            SCREE_CHECK(error == 0, SCREE_IO, "%s: cannot be written: %s", part, strerror(error));
            scree_file_hurry(file, at, n);
        }
    return SCREE_OK;
}

/* A checkpoint on its way to disk. */
struct draft {
    const char *part;
    struct scree_comm *comm;
    int n_tables;
    struct scree_table *table;
    int64_t *first;   /* row of this rank in each table */
    uint64_t *digest; /* of each table, over all ranks */
    int file;         /* -1: not open */
};

static void begin_draft(struct draft *d)
{
    d->first = scree_alloc((size_t)d->n_tables, sizeof *d->first);
    d->digest = scree_alloc((size_t)d->n_tables, sizeof *d->digest);
    d->file = -1;
    scree_checkpoint_place(d->comm, d->n_tables, d->table, d->first);
    for (int k = 0; k < d->n_tables; k++) d->digest[k] = scree_checkpoint_digest(&d->table[k]);
    scree_comm_sum_hash(d->comm, d->digest, d->n_tables);
}

static void end_draft(struct draft *d)
{
    if (d->file >= 0) close(d->file);
    scree_alloc_free(d->first);
    scree_alloc_free(d->digest);
}

static enum scree_status write_draft(struct draft *d, int n_texts,
                                     const struct scree_checkpoint_text *text)
{
    enum scree_status status = SCREE_OK;
    struct scree_checkpoint_map *map = scree_alloc((size_t)d->n_tables, sizeof *map);
    memset(map, 0, (size_t)d->n_tables * sizeof *map);
    for (int k = 0; k < d->n_tables; k++) map[k].digest = d->digest[k];
    if (d->comm->rank == 0) status = make_file(d->part, d->n_tables, d->table, n_texts, text, map);
    status = scree_comm_agree(d->comm, status);
    if (status == SCREE_OK) {
        scree_comm_broadcast(d->comm, map, (size_t)d->n_tables * sizeof *map, 0);
        d->file = open(d->part, O_RDWR | O_CLOEXEC);
        if (d->file < 0)
            status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened: %s", d->part, strerror(errno));
        else
            status = put_rows(d->part, d->file, d->n_tables, d->table, d->first, map);
        status = scree_comm_agree(d->comm, status);
    }
    scree_alloc_free(map);
    return status;
}

/* Every rank brings its own rows to disk: its node may hold them for another. */
static enum scree_status sync_rows(const char *part, int file)
{
    SCREE_CHECK(fsync(file) == 0, SCREE_IO, "%s: cannot be brought to disk: %s", part,
                strerror(errno));
    return SCREE_OK;
}

enum scree_status scree_checkpoint_write(const char *path, struct scree_comm *comm, int n_tables,
                                         struct scree_table *table, int n_texts,
                                         const struct scree_checkpoint_text *text)
{
    char *part = scree_file_part_name(path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    struct draft draft = {.part = part, .comm = comm, .n_tables = n_tables, .table = table};
    double began = scree_timer_now();
    begin_draft(&draft);
    enum scree_status status = write_draft(&draft, n_texts, text);
    double written = scree_timer_now();
    if (status == SCREE_OK)
        status = scree_checkpoint_verify(part, comm, draft.file, n_tables, table, draft.first,
                                         draft.digest);
    double verified = scree_timer_now();
    if (status == SCREE_OK) status = scree_comm_agree(comm, sync_rows(part, draft.file));
    end_draft(&draft);
    if (status == SCREE_OK)
        status =
            scree_comm_agree(comm, comm->rank == 0 ? scree_file_publish(part, path) : SCREE_OK);
    if (status != SCREE_OK && comm->rank == 0) unlink(part);
    scree_alloc_free(part);
    times = (struct scree_checkpoint_times){written - began, verified - written,
                                            scree_timer_now() - verified};
    return status;
}
