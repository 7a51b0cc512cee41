/* SPDX-License-Identifier: BSD-3-Clause
 * Frames of trajectories that are not compressed. Rank 0 alone speaks HDF5: it makes the file with
 * room for the rows, and looks where they are to stand. The rows are written by all ranks, straight
 * from their memory. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_trajectory_write.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "trajectory_plan.h"

enum { LARGE = 8 << 20 }; /* frames of so many bytes do not wait in memory */

/* Local: rank 0. */
static enum scree_status make_room(struct scree_trajectory_draft *d)
{
    struct stat info;
    int64_t growth = scree_trajectory_growth(d->a);
    if (d->n_frames > 0) return scree_file_reserve(d->part, growth);
    SCREE_CHECK(stat(d->path, &info) == 0, SCREE_IO, "%s: %s", d->path, strerror(errno));
    SCREE_TRY(scree_file_hold(d->part, info.st_size + growth));
    return scree_hdf5_memory_copy(&d->memory, d->path);
}

/* Local: rank 0. */
static enum scree_status extend(struct scree_trajectory_draft *d)
{
    hid_t hdf5 = d->memory.hdf5;
    bool good = scree_trajectory_extend(hdf5, d->a) &&
                scree_trajectory_map_find(hdf5, d->a, &d->map) &&
                scree_trajectory_mark(hdf5, d->a->old.frames + 1);
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be prepared in memory by HDF5", d->part);
    return SCREE_OK;
}

/* The structure to disk, and the file open on all ranks. */
static enum scree_status open_file(struct scree_trajectory_draft *d)
{
    enum scree_status status = SCREE_OK;
    if (d->comm->rank == 0) status = scree_hdf5_memory_save(&d->memory, d->part, true);
    SCREE_TRY(scree_comm_agree(d->comm, status));
    d->file = open(d->part, O_RDWR | O_CLOEXEC);
    if (d->file < 0)
        status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened: %s", d->part, strerror(errno));
    return scree_comm_agree(d->comm, status);
}

static enum scree_status begin(struct scree_trajectory_draft *d)
{
    bool first = d->comm->rank == 0;
    SCREE_TRY(scree_comm_agree(d->comm, first ? make_room(d) : SCREE_OK));
    d->touched = true;
    enum scree_status status = scree_comm_agree(d->comm, first ? extend(d) : SCREE_OK);
    if (status == SCREE_OK) scree_trajectory_map_share(d->comm, &d->map);
    if (status == SCREE_OK && d->n_frames == 0 && scree_trajectory_growth(d->a) > LARGE)
        status = open_file(d);
    if (status != SCREE_OK) scree_trajectory_map_clear(&d->map);
    return status;
}

static void wait_with(struct scree_trajectory_waiting *w, const void *bytes, int64_t n, int64_t at)
{
    SCREE_GROW(w->piece, w->n_pieces, w->piece_capacity, w->n_pieces + 1);
    SCREE_GROW(w->bytes, w->n_bytes, w->byte_capacity, w->n_bytes + (size_t)n);
    w->piece[w->n_pieces++] = (struct scree_trajectory_piece){at, n};
    memcpy(w->bytes + w->n_bytes, bytes, (size_t)n);
    w->n_bytes += (size_t)n;
}

/* The disk begins with the bytes while others are made. */
static void put_bytes(struct scree_trajectory_draft *d, const void *bytes, int64_t n, int64_t at)
{
    if (d->file < 0) {
        wait_with(&d->waiting, bytes, n, at);
        return;
    }
    if (d->error == 0) d->error = scree_file_put(d->file, bytes, (size_t)n, at);
    scree_file_hurry(d->file, at, (size_t)n);
}

/* Chunks usually follow one another: as many as do go at once. */
static void put(struct scree_trajectory_draft *d, int k, const void *rows)
{
    struct scree_trajectory_set s;
    if (!scree_trajectory_find_set(d->a, k, &s)) return;
    const int64_t *chunk = d->map.chunk + d->map.first[k];
    int64_t each = d->a->old.chunk_rows, bytes = (int64_t)s.row_bytes;
    int64_t row = d->a->first[s.kind], end = row + d->a->n[s.kind];
    const unsigned char *from = rows;
    while (row < end) {
        int64_t i = row / each, at = chunk[i] + (row - i * each) * bytes;
        while ((i + 1) * each < end && chunk[i + 1] == chunk[i] + each * bytes) i++;
        int64_t stop = (i + 1) * each < end ? (i + 1) * each : end, n = (stop - row) * bytes;
        put_bytes(d, from, n, at);
        from += n;
        row = stop;
    }
}

/* -1 in any type is all bits; ranks take turns. */
static void put_blanks(struct scree_trajectory_draft *d)
{
    const struct scree_trajectory_map *map = &d->map;
    int64_t most = 0;
    for (int64_t i = d->comm->rank; i < map->n_blank; i += d->comm->n_ranks)
        if (map->blank[i].n > most) most = map->blank[i].n;
    unsigned char *bytes = scree_alloc((size_t)most, 1);
    memset(bytes, 0xff, (size_t)most);
    for (int64_t i = d->comm->rank; i < map->n_blank; i += d->comm->n_ranks)
        put_bytes(d, bytes, map->blank[i].n, map->blank[i].at);
    scree_alloc_free(bytes);
}

/* Every rank brings its own rows to disk: its node may hold them for another. */
static enum scree_status close_file(struct scree_trajectory_draft *d)
{
    enum scree_status status = SCREE_OK;
    if (d->error == 0 && fsync(d->file) != 0) d->error = errno;
    if (close(d->file) != 0 && d->error == 0) d->error = errno;
    d->file = -1;
    d->written = true;
    if (d->error != 0)
        status = SCREE_FAIL(SCREE_IO, "%s: cannot be written: %s", d->part, strerror(d->error));
    return scree_comm_agree(d->comm, status);
}

static enum scree_status end(struct scree_trajectory_draft *d)
{
    put_blanks(d);
    scree_trajectory_map_clear(&d->map);
    return d->file >= 0 ? close_file(d) : SCREE_OK;
}

enum scree_status scree_trajectory_write_waiting(struct scree_trajectory_draft *d)
{
    const struct scree_trajectory_waiting *w = &d->waiting;
    const unsigned char *from = w->bytes;
    SCREE_TRY(open_file(d));
    for (size_t k = 0; k < w->n_pieces; k++) {
        put_bytes(d, from, w->piece[k].n, w->piece[k].at);
        from += w->piece[k].n;
    }
    return close_file(d);
}

const struct scree_trajectory_way scree_trajectory_placed = {begin, put, end};
