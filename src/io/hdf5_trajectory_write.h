/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of writing a frame into a trajectory. Private to io. */
#ifndef SCREE_HDF5_TRAJECTORY_WRITE_H
#define SCREE_HDF5_TRAJECTORY_WRITE_H

#include "hdf5_memory.h"
#include "scree/hdf5_trajectory.h"

/* A dataset with rows of grains or contacts: the columns, and after them the numbers of rows. */
struct scree_trajectory_set {
    char name[96];
    enum scree_hdf5_type type;
    int n_dims, width;
    int kind;        /* rows are of grains (0) or contacts (1) */
    bool has_frames; /* its first dimension */
    bool padded;     /* absent rows read -1 */
    int64_t n_rows;  /* extent with the frame that is written */
    size_t row_bytes;
};

enum { SCREE_COLUMN_NUMBERS = SCREE_N_COLUMNS, SCREE_N_SETS };

/* Is this set written with this frame? If so, `set` is filled (NULL: not asked for). */
bool scree_trajectory_find_set(const struct scree_trajectory_append *a, int k,
                               struct scree_trajectory_set *set);

/* Groups and empty datasets for the first frame; what an interrupted first frame left is removed.
 * Every rank that has the file open does the same; false if anything failed. */
bool scree_trajectory_make_layout(hid_t file, const struct scree_trajectory_append *a,
                                  int64_t chunk_rows);
/* All of a frame but its rows: time, box, observables, extents; the layout with the first frame.
 * Every rank that has the file open does the same; false if anything failed. */
bool scree_trajectory_extend(hid_t file, const struct scree_trajectory_append *a);
/* So many frames are complete. */
bool scree_trajectory_mark(hid_t file, int64_t frames);
/* Write `count` from `start` on; a count of 0 takes part without data: transfers may be collective.
 */
bool scree_trajectory_write_slab(hid_t set, hid_t native, int n_dims, const hsize_t *start,
                                 const hsize_t *count, const void *values);

/* Bytes [at, at + n) of a file. */
struct scree_trajectory_piece {
    int64_t at, n;
};

/* Where the rows of a frame stand in a file that is not compressed. */
struct scree_trajectory_map {
    int64_t first[SCREE_N_SETS + 1]; /* index of the first chunk of a set; the last: of all */
    int64_t *chunk;                  /* bytes from the start of the file; owned */
    int64_t n_blank;
    struct scree_trajectory_piece *blank; /* absent rows that are to read -1; owned */
};

/* For `file`, which has been extended. Local: rank 0. */
bool scree_trajectory_map_find(hid_t file, const struct scree_trajectory_append *a,
                               struct scree_trajectory_map *map);
/* From rank 0 to all. Collective. */
void scree_trajectory_map_share(struct scree_comm *comm, struct scree_trajectory_map *map);
void scree_trajectory_map_clear(struct scree_trajectory_map *map);

/* Bytes that wait until the structure of a file is on disk. */
struct scree_trajectory_waiting {
    struct scree_trajectory_piece *piece; /* owned */
    unsigned char *bytes;                 /* of all pieces, one after the other; owned */
    size_t n_pieces, n_bytes, piece_capacity, byte_capacity;
};

struct scree_trajectory_draft {
    char *path, *part; /* the file; the name of the draft; owned */
    struct scree_comm *comm;
    int n_frames;                            /* added to the file so far */
    int64_t growth;                          /* bytes that they can make it longer */
    bool touched;                            /* by a frame that is not complete */
    bool written;                            /* all of it is in the file `part`, on disk */
    const struct scree_trajectory_append *a; /* the frame that is added now */
    hid_t hdf5;                              /* packed: open on all ranks */
    bool good;                               /* packed: so far */
    struct scree_hdf5_memory memory; /* placed, rank 0: the structure, from the first frame on */
    struct scree_trajectory_map map; /* placed: of the frame that is added now */
    int file, error;                 /* placed: open on all ranks or -1; first error number */
    struct scree_trajectory_waiting waiting; /* placed: rows of this rank */
};

/* One way to write rows. All are collective; `begin` and `end` give an agreed status, and
 * `end` is called if `begin` went well. Between them every rank puts its rows of every set once. */
struct scree_trajectory_way {
    enum scree_status (*begin)(struct scree_trajectory_draft *draft);
    void (*put)(struct scree_trajectory_draft *draft, int set, const void *rows);
    enum scree_status (*end)(struct scree_trajectory_draft *draft);
};

/* Placed: bring what waits to disk. Collective, agreed status. */
enum scree_status scree_trajectory_write_waiting(struct scree_trajectory_draft *draft);

extern const struct scree_trajectory_way scree_trajectory_packed, scree_trajectory_placed;

#endif
