/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a checkpoint, and reading it back: rank 0 tells all where the rows are, and every rank
 * reads its share. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_checkpoint.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"

/* Rows [first, first + t->n) of all columns into the memory of `t`; 0 or the error number. */
static int get_rows(int file, const struct scree_table *t, const struct scree_checkpoint_map *map,
                    int64_t first)
{
    int error = 0;
    for (int c = 0; c < t->n_columns && error == 0; c++) {
        int64_t bytes = (int64_t)scree_checkpoint_row_bytes(&t->column[c]);
        error = scree_file_get(file, t->column[c].memory, (size_t)(t->n * bytes),
                               map->offset[c] + first * bytes);
    }
    return error;
}

static enum scree_status check_error(const char *path, const struct scree_table *t, int error)
{
    SCREE_CHECK(error == 0, SCREE_IO, "%s: table /%s cannot be read: %s", path, t->name,
                error == ENODATA ? "cut short" : strerror(error));
    return SCREE_OK;
}

/* Ranks get the shares of the rows that `table` says; digests over all rows must agree. */
static enum scree_status get_tables(const char *path, struct scree_comm *comm, int file,
                                    int n_tables, struct scree_table *table,
                                    struct scree_checkpoint_map *map)
{
    int64_t *first = scree_alloc((size_t)n_tables, sizeof *first);
    uint64_t *digest = scree_alloc((size_t)n_tables, sizeof *digest);
    enum scree_status status = SCREE_OK;
    memset(digest, 0, (size_t)n_tables * sizeof *digest);
    scree_checkpoint_place(comm, n_tables, table, first);
    for (int k = 0; k < n_tables && status == SCREE_OK; k++) {
        status = check_error(path, &table[k], get_rows(file, &table[k], &map[k], first[k]));
        if (status == SCREE_OK) digest[k] = scree_checkpoint_digest(&table[k]);
    }
    status = scree_comm_agree(comm, status);
    scree_comm_sum_hash(comm, digest, n_tables);
    for (int k = 0; k < n_tables && status == SCREE_OK; k++)
        if (digest[k] != map[k].digest)
            status = SCREE_FAIL(SCREE_IO, "%s: table /%s does not match its digest: damaged", path,
                                table[k].name);
    scree_alloc_free(digest);
    scree_alloc_free(first);
    return status;
}

enum scree_status scree_checkpoint_read(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table)
{
    struct scree_checkpoint_map *map = scree_alloc((size_t)n_tables, sizeof *map);
    enum scree_status status = scree_checkpoint_inspect(path, comm, n_tables, table, map, 0, NULL);
    if (status == SCREE_OK) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened: %s", path, strerror(errno));
        status = scree_comm_agree(comm, status);
        if (status == SCREE_OK) status = get_tables(path, comm, file, n_tables, table, map);
        if (file >= 0) close(file);
    }
    scree_alloc_free(map);
    return status;
}

/* Do these bytes of the file equal those in memory? Through a buffer that stays in the cache. */
static int compare_bytes(int file, const unsigned char *memory, size_t n, int64_t at, bool *equal)
{
    enum { PIECE = 1 << 18 };
    static unsigned char buffer[PIECE];
    int error = 0;
    for (size_t done = 0, size; done < n && error == 0 && *equal; done += size) {
        size = n - done < PIECE ? n - done : PIECE;
        error = scree_file_get(file, buffer, size, at + (int64_t)done);
        *equal = error != 0 || memcmp(buffer, memory + done, size) == 0;
    }
    return error;
}

static enum scree_status compare_table(const char *path, int file, const struct scree_table *t,
                                       const struct scree_checkpoint_map *map, int64_t first)
{
    bool equal = true;
    int error = 0;
    for (int c = 0; c < t->n_columns && error == 0 && equal; c++) {
        int64_t bytes = (int64_t)scree_checkpoint_row_bytes(&t->column[c]);
        error = compare_bytes(file, t->column[c].memory, (size_t)(t->n * bytes),
                              map->offset[c] + first * bytes, &equal);
    }
    SCREE_TRY(check_error(path, t, error));
    SCREE_CHECK(equal, SCREE_IO, "%s: table /%s reads back otherwise than it was written", path,
                t->name);
    return SCREE_OK;
}

enum scree_status scree_checkpoint_verify(const char *path, struct scree_comm *comm, int file,
                                          int n_tables, const struct scree_table *table,
                                          const int64_t *first, const uint64_t *digest)
{
    struct scree_table *found = scree_alloc((size_t)n_tables, sizeof *found);
    struct scree_checkpoint_map *map = scree_alloc((size_t)n_tables, sizeof *map);
    memcpy(found, table, (size_t)n_tables * sizeof *found);
    enum scree_status status = scree_checkpoint_inspect(path, comm, n_tables, found, map, 0, NULL);
    if (status == SCREE_OK) {
        for (int k = 0; k < n_tables && status == SCREE_OK; k++) {
            status = compare_table(path, file, &table[k], &map[k], first[k]);
            if (found[k].n_total != table[k].n_total || map[k].digest != digest[k])
                status = SCREE_FAIL(SCREE_IO, "%s: table /%s reads back with other numbers", path,
                                    table[k].name);
        }
        status = scree_comm_agree(comm, status);
    }
    scree_alloc_free(map);
    scree_alloc_free(found);
    return status;
}
