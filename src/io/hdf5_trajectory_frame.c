/* SPDX-License-Identifier: BSD-3-Clause
 * What a frame has besides rows: its time, box and observables, and room for the rows. */
#include <stdio.h>

#include "hdf5_trajectory_write.h"

/* Packed chunks must be put together by one rank; others are written by whoever has the rows. */
static H5FD_mpio_xfer_t transfer_mode(hid_t set)
{
    hid_t list = H5Dget_create_plist(set);
    bool packed = H5Pget_nfilters(list) > 0;
    H5Pclose(list);
    return packed ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT;
}

bool scree_trajectory_write_slab(hid_t set, hid_t native, int n_dims, const hsize_t *start,
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

/* One value (or short vector) per frame. */
static bool write_series(hid_t file, const struct scree_trajectory_append *a, const char *name,
                         hid_t native, int width, const void *values)
{
    hsize_t frame = (hsize_t)a->old.frames, n = a->writes ? 1 : 0;
    hsize_t dims[2] = {frame + 1, (hsize_t)width}, start[2] = {frame, 0};
    hsize_t count[2] = {n, (hsize_t)width};
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    bool good = set >= 0 && H5Dset_extent(set, dims) >= 0 &&
                scree_trajectory_write_slab(set, native, width > 1 ? 2 : 1, start, count, values);
    H5Dclose(set);
    return good;
}

/* The edges as vectors, one a row. */
static bool write_edges(hid_t file, const struct scree_trajectory_append *a, const double length[3])
{
    hsize_t frame = (hsize_t)a->old.frames, dims[3] = {frame + 1, 3, 3}, start[3] = {frame, 0, 0};
    hsize_t count[3] = {a->writes ? 1 : 0, 3, 3};
    const double *tilt = a->frame->tilt;
    const double edges[3][3] = {
        {length[0], 0.0, 0.0}, {tilt[0], length[1], 0.0}, {tilt[1], tilt[2], length[2]}};
    hid_t set = H5Dopen2(file, "particles/grains/box/edges/value", H5P_DEFAULT);
    bool good = set >= 0 && H5Dset_extent(set, dims) >= 0 &&
                scree_trajectory_write_slab(set, H5T_NATIVE_DOUBLE, 3, start, count, edges);
    H5Dclose(set);
    return good;
}

static bool write_box(hid_t file, const struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    const hid_t real = H5T_NATIVE_DOUBLE;
    double edges[3];
    for (int k = 0; k < 3; k++) edges[k] = f->high[k] - f->low[k];
    bool good = f->leans
                    ? write_edges(file, a, edges)
                    : write_series(file, a, "particles/grains/box/edges/value", real, 3, edges);
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

bool scree_trajectory_find_set(const struct scree_trajectory_append *a, int k,
                               struct scree_trajectory_set *set)
{
    if (k == SCREE_COLUMN_NUMBERS) {
        *set = (struct scree_trajectory_set){.name = SCREE_TRAJECTORY_NUMBERS,
                                             .type = SCREE_HDF5_INT64,
                                             .n_dims = 1,
                                             .width = 1,
                                             .n_rows = a->total[0],
                                             .row_bytes = sizeof(int64_t)};
        return a->grows_numbers;
    }
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    bool history = k == SCREE_COLUMN_HISTORY;
    int kind = k >= SCREE_COLUMN_FIRST_CONTACT, width = history ? a->n_history : column->width;
    *set =
        (struct scree_trajectory_set){.type = column->type,
                                      .n_dims = column->width > 1 || history ? 3 : 2,
                                      .width = width,
                                      .kind = kind,
                                      .has_frames = true,
                                      .padded = column->padded,
                                      .n_rows = a->n_rows[kind],
                                      .row_bytes = (size_t)width * scree_hdf5_size(column->type)};
    snprintf(set->name, sizeof set->name, "%s/value", column->path);
    return (a->columns >> k & 1u) != 0;
}

/* Room for the rows of this frame. */
static bool extend_sets(hid_t file, const struct scree_trajectory_append *a)
{
    bool good = true;
    struct scree_trajectory_set s;
    for (int k = 0; k < SCREE_N_SETS; k++) {
        if (!scree_trajectory_find_set(a, k, &s)) continue;
        const hsize_t dims[3] = {(hsize_t)a->old.frames + 1, (hsize_t)s.n_rows, (hsize_t)s.width};
        hid_t set = H5Dopen2(file, s.name, H5P_DEFAULT);
        good = set >= 0 && H5Dset_extent(set, dims + (s.has_frames ? 0 : 1)) >= 0 && good;
        H5Dclose(set);
    }
    return good;
}

bool scree_trajectory_extend(hid_t file, const struct scree_trajectory_append *a)
{
    bool good = a->old.frames > 0 || scree_trajectory_make_layout(file, a, a->old.chunk_rows);
    good = write_clock(file, a) && good;
    good = extend_sets(file, a) && good;
    good = write_box(file, a) && good;
    return write_observables(file, a) && good;
}

bool scree_trajectory_mark(hid_t file, int64_t frames)
{
    hid_t mark = H5Aopen(file, "frames_complete", H5P_DEFAULT);
    bool good = mark >= 0 && H5Awrite(mark, H5T_NATIVE_INT64, &frames) >= 0;
    H5Aclose(mark);
    return good;
}
