/* SPDX-License-Identifier: BSD-3-Clause
 * What writing and reading of state files share. */
#ifndef SCREE_HDF5_STATE_IMPL_H
#define SCREE_HDF5_STATE_IMPL_H

#include "scree/hdf5_basics.h"
#include "scree/state.h"

enum { SCREE_STATE_VERSION = 1, SCREE_STATE_N_FIELDS = 8 };

/* One dataset of /particles and the member of struct scree_state_rows behind it. */
struct scree_state_field {
    const char *name;
    enum scree_hdf5_type type;
    int width;     /* 1: shape (N), else (N, width) */
    size_t offset; /* of the pointer in struct scree_state_rows */
};

extern const struct scree_state_field scree_state_fields[SCREE_STATE_N_FIELDS];

void *scree_state_column(const struct scree_state_rows *rows,
                         const struct scree_state_field *field);

/* Sum over these rows of the hashes of their bits. */
uint64_t scree_state_digest(const struct scree_state_rows *rows);

/* What inspect finds. Plain bytes: rank 0 sends it to all. */
struct scree_state_summary {
    struct scree_state_header header;
    int64_t n;
    uint64_t digest;
    bool has_digest;
};

/* Open without MPI and look at everything but the numbers: what is there, shapes, types. Local:
 * rank 0 does it before all ranks open the file together, so that a broken file strands nobody. */
enum scree_status scree_state_inspect(const char *path, struct scree_state_summary *summary);

/* Fill `rows`, which has its size, with the rows from `first` on; checks them as below. Local. */
enum scree_status scree_state_read_columns(const char *path, hid_t file, int64_t first,
                                           struct scree_state_rows *rows);

/* Finite numbers, positive radius and mass. */
enum scree_status scree_state_check_rows(const char *path, const struct scree_state_rows *rows);

#endif
