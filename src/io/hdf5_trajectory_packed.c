/* SPDX-License-Identifier: BSD-3-Clause
 * Frames of compressed trajectories: chunks are as long as they turn out to be, so that HDF5 has to
 * write them, on all ranks together. From opening to closing every rank makes the same calls,
 * whatever fails. */
#include "hdf5_trajectory_write.h"
#include "scree/file_safety.h"
#include "trajectory_plan.h"

static enum scree_status begin(struct scree_trajectory_draft *d)
{
    enum scree_status status = SCREE_OK;
    if (d->a->writes) status = scree_file_copy(d->path, d->part);
    if (d->a->writes && status == SCREE_OK)
        status = scree_file_reserve(d->part, scree_trajectory_growth(d->a));
    SCREE_TRY(scree_comm_agree(d->comm, status));
    d->touched = true;
    hid_t list = scree_hdf5_access(d->comm);
    H5Pset_coll_metadata_write(list, true);
    d->hdf5 = H5Fopen(d->part, H5F_ACC_RDWR, list);
    H5Pclose(list);
    if (d->hdf5 < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened for writing", d->part);
    SCREE_TRY(scree_comm_agree(d->comm, status));
    scree_comm_name_file(d->part);
    d->good = scree_trajectory_extend(d->hdf5, d->a);
    return SCREE_OK;
}

static void put(struct scree_trajectory_draft *d, int k, const void *rows)
{
    struct scree_trajectory_set s;
    if (!scree_trajectory_find_set(d->a, k, &s)) return;
    const hsize_t start[3] = {(hsize_t)d->a->old.frames, (hsize_t)d->a->first[s.kind], 0};
    const hsize_t count[3] = {1, (hsize_t)d->a->n[s.kind], (hsize_t)s.width};
    int skip = s.has_frames ? 0 : 1;
    hid_t set = H5Dopen2(d->hdf5, s.name, H5P_DEFAULT);
    d->good = set >= 0 &&
              scree_trajectory_write_slab(set, scree_hdf5_native(s.type), s.n_dims, start + skip,
                                          count + skip, rows) &&
              d->good;
    H5Dclose(set);
}

/* The mark comes after everything else has left for the disk. */
static enum scree_status end(struct scree_trajectory_draft *d)
{
    enum scree_status status = SCREE_OK;
    bool good = H5Fflush(d->hdf5, H5F_SCOPE_GLOBAL) >= 0 && d->good;
    if (!good) status = SCREE_FAIL(SCREE_IO, "%s: cannot be written; is the disk full?", d->part);
    status = scree_comm_agree(d->comm, status);
    if (status == SCREE_OK) good = scree_trajectory_mark(d->hdf5, d->a->old.frames + 1);
    d->written = true;
    return scree_hdf5_finish(d->part, d->comm, d->hdf5, good);
}

const struct scree_trajectory_way scree_trajectory_packed = {begin, put, end};
