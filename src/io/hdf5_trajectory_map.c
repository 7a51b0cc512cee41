/* SPDX-License-Identifier: BSD-3-Clause
 * Where the rows of a frame stand in the file, chunk by chunk. */
#include <string.h>

#include "hdf5_trajectory_write.h"
#include "scree/alloc.h"

static int64_t chunks_of(int64_t n_rows, int64_t chunk_rows)
{
    return (n_rows + chunk_rows - 1) / chunk_rows;
}

static bool find_chunk(hid_t set, const struct scree_trajectory_set *s, int64_t frame,
                       int64_t first_row, int64_t bytes, int64_t *at)
{
    const hsize_t corner[3] = {(hsize_t)frame, (hsize_t)first_row, 0};
    unsigned skipped_filters = 0;
    haddr_t place = HADDR_UNDEF;
    hsize_t size = 0;
    bool good = H5Dget_chunk_info_by_coord(set, corner + (s->has_frames ? 0 : 1), &skipped_filters,
                                           &place, &size) >= 0;
    *at = (int64_t)place;
    return good && place != HADDR_UNDEF && (int64_t)size == bytes;
}

static void add_blank(struct scree_trajectory_map *map, size_t *room, int64_t at, int64_t n)
{
    if (n <= 0) return;
    SCREE_GROW(map->blank, map->n_blank, *room, map->n_blank + 1);
    map->blank[map->n_blank++] = (struct scree_trajectory_piece){at, n};
}

/* Chunks are blank to their ends, so that only whole ones are new to frames before. */
static bool find_set(hid_t set, const struct scree_trajectory_append *a, int k,
                     const struct scree_trajectory_set *s, struct scree_trajectory_map *map,
                     size_t *room)
{
    int64_t rows = a->old.chunk_rows, bytes = rows * (int64_t)s->row_bytes;
    int64_t n = chunks_of(s->n_rows, rows), before = chunks_of(a->old.n_rows[s->kind], rows), at;
    bool good = true;
    for (int64_t i = 0; i < n && good; i++) {
        int64_t there = a->total[s->kind] - i * rows; /* rows of this frame from here on */
        there = there < 0 ? 0 : there > rows ? rows : there;
        good = find_chunk(set, s, a->old.frames, i * rows, bytes, &at);
        map->chunk[map->first[k] + i] = at;
        if (s->padded)
            add_blank(map, room, at + there * (int64_t)s->row_bytes,
                      (rows - there) * (int64_t)s->row_bytes);
        for (int64_t t = 0; s->padded && i >= before && t < a->old.frames && good; t++) {
            good = find_chunk(set, s, t, i * rows, bytes, &at);
            if (good) add_blank(map, room, at, bytes);
        }
    }
    return good;
}

bool scree_trajectory_map_find(hid_t file, const struct scree_trajectory_append *a,
                               struct scree_trajectory_map *map)
{
    struct scree_trajectory_set s;
    size_t room = 0;
    bool good = true;
    map->first[0] = 0;
    for (int k = 0; k < SCREE_N_SETS; k++) {
        bool wanted = scree_trajectory_find_set(a, k, &s);
        map->first[k + 1] = map->first[k] + (wanted ? chunks_of(s.n_rows, a->old.chunk_rows) : 0);
    }
    map->chunk = scree_alloc((size_t)map->first[SCREE_N_SETS], sizeof *map->chunk);
    for (int k = 0; k < SCREE_N_SETS && good; k++) {
        if (!scree_trajectory_find_set(a, k, &s)) continue;
        hid_t set = H5Dopen2(file, s.name, H5P_DEFAULT);
        good = set >= 0 && find_set(set, a, k, &s, map, &room);
        H5Dclose(set);
    }
    return good;
}

void scree_trajectory_map_share(struct scree_comm *comm, struct scree_trajectory_map *map)
{
    scree_comm_broadcast(comm, map->first, sizeof map->first, 0);
    scree_comm_broadcast(comm, &map->n_blank, sizeof map->n_blank, 0);
    size_t n_chunks = (size_t)map->first[SCREE_N_SETS], n_blank = (size_t)map->n_blank;
    if (comm->rank != 0) {
        map->chunk = scree_alloc(n_chunks, sizeof *map->chunk);
        map->blank = scree_alloc(n_blank, sizeof *map->blank);
    }
    scree_comm_broadcast(comm, map->chunk, n_chunks * sizeof *map->chunk, 0);
    scree_comm_broadcast(comm, map->blank, n_blank * sizeof *map->blank, 0);
}

void scree_trajectory_map_clear(struct scree_trajectory_map *map)
{
    scree_alloc_free(map->chunk);
    scree_alloc_free(map->blank);
    memset(map, 0, sizeof *map);
}
