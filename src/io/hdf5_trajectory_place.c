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

#include "hdf5_memory.h"
#include "hdf5_trajectory_write.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "trajectory_plan.h"

/* Local: rank 0. */
static enum scree_status make_file(struct scree_trajectory_draft *d)
{
    struct stat info;
    struct scree_hdf5_memory memory;
    SCREE_CHECK(stat(d->path, &info) == 0, SCREE_IO, "%s: %s", d->path, strerror(errno));
    SCREE_TRY(scree_file_hold(d->part, info.st_size + scree_trajectory_growth(d->a)));
    SCREE_TRY(scree_hdf5_memory_copy(&memory, d->path));
    bool good = scree_trajectory_extend(memory.hdf5, d->a) &&
                scree_trajectory_map_find(memory.hdf5, d->a, &d->map) &&
                scree_trajectory_mark(memory.hdf5, d->a->old.frames + 1);
    return scree_hdf5_memory_save(&memory, d->part, good);
}

static enum scree_status begin(struct scree_trajectory_draft *d)
{
    enum scree_status status = scree_comm_agree(d->comm, d->a->writes ? make_file(d) : SCREE_OK);
    if (status == SCREE_OK) {
        scree_trajectory_map_share(d->comm, &d->map);
        d->file = open(d->part, O_RDWR | O_CLOEXEC);
        if (d->file < 0)
            status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened: %s", d->part, strerror(errno));
        status = scree_comm_agree(d->comm, status);
        if (status != SCREE_OK && d->file >= 0) close(d->file);
    }
    if (status != SCREE_OK) scree_trajectory_map_clear(&d->map);
    return status;
}

static void put_bytes(struct scree_trajectory_draft *d, const void *bytes, int64_t n, int64_t at)
{
    if (d->error == 0) d->error = scree_file_put(d->file, bytes, (size_t)n, at);
}

/* Chunks usually follow one another: as many as do go at once. The disk begins with them while the
 * next column is made. */
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
        scree_file_hurry(d->file, at, (size_t)n);
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
static enum scree_status end(struct scree_trajectory_draft *d)
{
    enum scree_status status = SCREE_OK;
    put_blanks(d);
    if (d->error == 0 && fsync(d->file) != 0) d->error = errno;
    if (close(d->file) != 0 && d->error == 0) d->error = errno;
    scree_trajectory_map_clear(&d->map);
    if (d->error != 0)
        status = SCREE_FAIL(SCREE_IO, "%s: cannot be written: %s", d->part, strerror(d->error));
    return scree_comm_agree(d->comm, status);
}

const struct scree_trajectory_way scree_trajectory_placed = {begin, put, end};
