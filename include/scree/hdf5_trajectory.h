/* SPDX-License-Identifier: BSD-3-Clause
 * What writing and reading of trajectories share. */
#ifndef SCREE_HDF5_TRAJECTORY_H
#define SCREE_HDF5_TRAJECTORY_H

#include "scree/hdf5_basics.h"
#include "scree/state.h"
#include "scree/trajectory.h"

/* Columns with a row per grain, then those with a row per contact. */
enum {
    SCREE_COLUMN_ID,
    SCREE_COLUMN_POSITION,
    SCREE_COLUMN_FIRST_CONTACT = 12,
    SCREE_COLUMN_PAIRS = SCREE_COLUMN_FIRST_CONTACT,
    SCREE_COLUMN_ROWS,
    SCREE_COLUMN_HISTORY = 17,
    SCREE_N_COLUMNS
};

struct scree_trajectory_column {
    const char *path; /* of the group */
    enum scree_hdf5_type type;
    int width; /* 1: shape (T, N), else (T, N, width); history: as the file says */
    const char *unit;
    size_t offset;   /* of the pointer in struct scree_frame */
    int state_field; /* number in scree_state_fields; -1: none */
    bool padded;     /* absent rows read -1 */
};

extern const struct scree_trajectory_column scree_trajectory_columns[SCREE_N_COLUMNS];

/* The numbers 0, 1, ... of rows, as many as any frame had: XDMF has no other way to make a point of
 * each. */
#define SCREE_TRAJECTORY_NUMBERS "parameters/row_numbers"
int64_t scree_trajectory_n_numbers(hid_t file); /* how many; 0 if they are not there */

/* What inspect finds. Plain bytes: rank 0 sends it to all. */
struct scree_trajectory_summary {
    char title[SCREE_STATE_TITLE];
    int64_t frames;    /* complete ones */
    unsigned columns;  /* bit k: column k is there */
    int64_t n_rows[2]; /* second extent of the columns of grains and of contacts */
    int64_t n_now[2];  /* grains and contacts in the last complete frame */
    int64_t first_step, last_step;
    double first_time, last_time; /* s */
    int64_t chunk_rows;           /* rows of a chunk of any column */
    int64_t n_numbers;            /* extent of SCREE_TRAJECTORY_NUMBERS */
    int n_history, n_observables, compress;
    bool periodic[3];
};

static inline bool scree_trajectory_has(const struct scree_trajectory_summary *s, int column)
{
    return (s->columns >> column & 1u) != 0;
}

/* Values per row of a column in this file. */
int scree_trajectory_width(const struct scree_trajectory_summary *summary, int column);

/* Open without MPI and look at shapes and types. Local. */
enum scree_status scree_trajectory_inspect(const char *path,
                                           struct scree_trajectory_summary *summary);
/* Look at shapes and types of a file already open; n_bytes is its size. */
enum scree_status scree_trajectory_inspect_file(const char *path, hid_t file, double n_bytes,
                                                struct scree_trajectory_summary *summary);
bool scree_trajectory_is(hid_t file); /* carries the marks of a trajectory of scree */

/* Elements [first, first + n) of the first dimension of a dataset with rows of `width`. */
bool scree_trajectory_read_series(hid_t file, const char *name, hid_t native, int64_t first,
                                  int64_t n, int width, void *values);

/* Edges of the box in frames [first, first + n), as vectors, one a row. */
bool scree_trajectory_read_edges(hid_t file, int64_t first, int64_t n, double (*edges)[3][3]);

/* Rows [first, first + n) of a column in one frame, as numbers of type `native`. */
struct scree_trajectory_part {
    int64_t frame, first, n;
};
bool scree_trajectory_read_rows(hid_t file, int column, int width, hid_t native,
                                const struct scree_trajectory_part *part, void *values);

/* Is there a link at every step of the path? */
bool scree_trajectory_exists(hid_t file, const char *path);

/* A frame on its way into the file; the same on all ranks but for `first`, `n` and `column`. */
struct scree_trajectory_append {
    const struct scree_frame *frame;
    struct scree_trajectory_summary old; /* the file before */
    bool writes;                         /* rank 0: it writes what is not split over ranks */
    bool grows_numbers;                  /* of rows: this frame has more than any before */
    unsigned columns;                    /* bit k: column k is wanted */
    int n_history;
    int64_t n[2], first[2], total[2]; /* rows of grains and of contacts: mine, before mine, all */
    int64_t n_rows[2];                /* second extents with this frame */
    const void *column[SCREE_N_COLUMNS]; /* borrowed */
};

#endif
