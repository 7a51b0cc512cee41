/* SPDX-License-Identifier: BSD-3-Clause
 * One more frame for a trajectory. Rank 0 looks at the file and reserves room before all ranks open
 * it; from there every rank makes the same calls to the end, whatever fails. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_safety.h"
#include "hdf5_trajectory.h"
#include "scree/alloc.h"
#include "trajectory_plan.h"
#include "trajectory_sort.h"

/* Packed chunks must be put together by one rank; others are written by whoever has the rows. */
static H5FD_mpio_xfer_t transfer_mode(hid_t set)
{
    hid_t list = H5Dget_create_plist(set);
    bool packed = H5Pget_nfilters(list) > 0;
    H5Pclose(list);
    return packed ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT;
}

/* Write `count` from `start` on; a count of 0 takes part without data: transfers may be collective.
 */
static bool write_slab(hid_t set, hid_t native, int n_dims, const hsize_t *start,
                       const hsize_t *count, const void *values)
{
    bool none = count[0] == 0 || count[1] == 0;
    const hsize_t one[3] = {1, 1, 1};
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, transfer_mode(set));
    hid_t in_file = H5Dget_space(set);
    hid_t in_memory = H5Screate_simple(n_dims, none ? one : count, NULL);
    bool good = true;
    if (none)
        good = H5Sselect_none(in_file) >= 0 && H5Sselect_none(in_memory) >= 0;
    else
        good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    good = H5Dwrite(set, native, in_memory, in_file, transfer, values) >= 0 && good;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Pclose(transfer);
    return good;
}

static bool write_column(hid_t file, const struct scree_trajectory_append *a, int k)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int c = k >= SCREE_COLUMN_FIRST_CONTACT, width = column->width;
    int n_dims = width > 1 || k == SCREE_COLUMN_HISTORY ? 3 : 2;
    if (k == SCREE_COLUMN_HISTORY) width = a->n_history;
    hsize_t frame = (hsize_t)a->old.frames;
    hsize_t dims[3] = {frame + 1, (hsize_t)a->n_rows[c], (hsize_t)width};
    hsize_t start[3] = {frame, (hsize_t)a->first[c], 0};
    hsize_t count[3] = {1, (hsize_t)a->n[c], (hsize_t)width};
    char name[96];
    snprintf(name, sizeof name, "%s/value", column->path);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    bool good = set >= 0 && H5Dset_extent(set, dims) >= 0;
    good = set >= 0 && good &&
           write_slab(set, scree_hdf5_native(column->type), n_dims, start, count, a->column[k]);
    H5Dclose(set);
    return good;
}

/* One value (or short vector) per frame. */
static bool write_series(hid_t file, const struct scree_trajectory_append *a, const char *name,
                         hid_t native, int width, const void *values)
{
    hsize_t frame = (hsize_t)a->old.frames, n = a->writes ? 1 : 0;
    hsize_t dims[2] = {frame + 1, (hsize_t)width}, start[2] = {frame, 0};
    hsize_t count[2] = {n, (hsize_t)width};
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    bool good = set >= 0 && H5Dset_extent(set, dims) >= 0 &&
                write_slab(set, native, width > 1 ? 2 : 1, start, count, values);
    H5Dclose(set);
    return good;
}

static bool write_box(hid_t file, const struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    const hid_t real = H5T_NATIVE_DOUBLE;
    double edges[3];
    for (int k = 0; k < 3; k++) edges[k] = f->high[k] - f->low[k];
    bool good = write_series(file, a, "particles/grains/box/edges/value", real, 3, edges);
    return write_series(file, a, "particles/grains/box/offset/value", real, 3, f->low) && good;
}

static bool write_clock(hid_t file, const struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    const hid_t whole = H5T_NATIVE_INT64, real = H5T_NATIVE_DOUBLE;
    bool good = write_series(file, a, "particles/grains/position/step", whole, 1, &f->step);
    return write_series(file, a, "particles/grains/position/time", real, 1, &f->time) && good;
}

static bool write_observables(hid_t file, const struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    const hid_t whole = H5T_NATIVE_INT64;
    bool good = write_series(file, a, "observables/grain_count/value", whole, 1, &a->total[0]);
    if (f->has_contacts)
        good = write_series(file, a, "observables/contact_count/value", whole, 1, &a->total[1]) &&
               good;
    for (int k = 0; k < f->n_observables; k++) {
        char name[128];
        const struct scree_observable *o = &f->observable[k];
        snprintf(name, sizeof name, "observables/%.100s/value", o->name);
        good = write_series(file, a, name, H5T_NATIVE_DOUBLE, o->vector ? 3 : 1, o->value) && good;
    }
    return good;
}

/* More numbers of rows, if this frame has more than any before. */
static bool write_numbers(hid_t file, const struct scree_trajectory_append *a)
{
    if (scree_trajectory_n_numbers(file) >= a->total[0]) return true;
    hsize_t dims[2] = {(hsize_t)a->total[0], 1};
    hsize_t start[2] = {(hsize_t)a->first[0], 0}, count[2] = {(hsize_t)a->n[0], 1};
    int64_t *number = scree_alloc((size_t)a->n[0], sizeof *number);
    for (int64_t i = 0; i < a->n[0]; i++) number[i] = a->first[0] + i;
    hid_t set = H5Dopen2(file, SCREE_TRAJECTORY_NUMBERS, H5P_DEFAULT);
    bool good = set >= 0 && H5Dset_extent(set, dims) >= 0 &&
                write_slab(set, H5T_NATIVE_INT64, 1, start, count, number);
    H5Dclose(set);
    scree_alloc_free(number);
    return good;
}

/* The mark comes after everything else has left for the disk. */
static bool mark_complete(hid_t file, int64_t frames)
{
    hid_t mark = H5Aopen(file, "frames_complete", H5P_DEFAULT);
    bool good = mark >= 0 && H5Awrite(mark, H5T_NATIVE_INT64, &frames) >= 0;
    H5Aclose(mark);
    return good;
}

static enum scree_status write_frame(const char *path, struct scree_comm *comm,
                                     const struct scree_trajectory_append *a)
{
    enum scree_status status = SCREE_OK;
    hid_t list = scree_hdf5_access(comm);
    H5Pset_coll_metadata_write(list, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, list);
    H5Pclose(list);
    if (file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened for writing", path);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_comm_name_file(path);
    bool good = true;
    if (a->old.frames == 0) good = scree_trajectory_make_layout(file, a, a->old.chunk_rows);
    good = write_clock(file, a) && good;
    int disk = a->writes ? open(path, O_RDWR | O_CLOEXEC) : -1;
    for (int k = 0; k < SCREE_N_COLUMNS; k++) {
        if ((a->columns >> k & 1u) == 0) continue;
        good = write_column(file, a, k) && good;
        if (disk >= 0) scree_file_hurry(disk, 0, 0);
    }
    if (disk >= 0) close(disk);
    good = write_numbers(file, a) && good;
    good = write_box(file, a) && good;
    good = write_observables(file, a) && good;
    good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && good;
    if (!good) status = SCREE_FAIL(SCREE_IO, "%s: cannot be written; is the disk full?", path);
    status = scree_comm_agree(comm, status);
    if (status == SCREE_OK) good = mark_complete(file, a->old.frames + 1);
    return scree_hdf5_finish(path, comm, file, good);
}

/* Killed at any moment, a writer leaves the file as it was: HDF5 changes structure in place and in
 * any order, so the frame goes into a copy, which takes the name when it is complete. */
static enum scree_status append_to_copy(const char *path, struct scree_comm *comm,
                                        const struct scree_trajectory_append *a)
{
    char *part = scree_file_part_name(path);
    enum scree_status status = SCREE_OK;
    if (a->writes) status = scree_file_copy(path, part);
    if (a->writes && status == SCREE_OK) status = scree_trajectory_reserve(part, a);
    status = scree_comm_agree(comm, status);
    if (status == SCREE_OK) status = write_frame(part, comm, a);
    if (status == SCREE_OK)
        status = scree_comm_agree(comm, a->writes ? scree_file_publish(part, path) : SCREE_OK);
    if (status != SCREE_OK && a->writes) unlink(part);
    scree_alloc_free(part);
    return status;
}

enum scree_status scree_trajectory_append(const char *path, struct scree_comm *comm,
                                          const struct scree_frame *frame)
{
    struct scree_trajectory_append a;
    struct scree_trajectory_sorted sorted;
    int64_t(*row)[2] = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    SCREE_TRY(scree_trajectory_plan(path, comm, frame, &a));
    scree_trajectory_sort(comm, &a, &sorted);
    enum scree_status status = SCREE_OK;
    if (frame->has_contacts) {
        row = scree_alloc((size_t)frame->n_contacts, sizeof *row);
        a.column[SCREE_COLUMN_ROWS] = row;
        status = scree_trajectory_find_rows(path, comm, a.frame, a.first[0], row);
    }
    if (status == SCREE_OK) status = append_to_copy(path, comm, &a);
    scree_alloc_free(row);
    scree_trajectory_sorted_clear(&sorted);
    return status;
}
