/* SPDX-License-Identifier: BSD-3-Clause
 * Groups and datasets of a trajectory, made with its first frame. */
#include <stdio.h>
#include <string.h>

#include "hdf5_trajectory_write.h"

static const char clock_path[] = "particles/grains/position";
enum { SERIES_CHUNK = 128 }; /* frames in a chunk of what has one value per frame */

static hid_t make_path(hid_t file, const char *path)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(list, 1);
    hid_t group = H5Gcreate2(file, path, list, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(list);
    return group;
}

/* Of variable length, unlike our other texts: MDAnalysis knows no other units. */
static bool write_unit(hid_t set, const char *unit)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    bool good = scree_hdf5_write_attribute(set, "unit", type, 1, &unit);
    H5Tclose(type);
    return good;
}

/* An extendable dataset that is empty so far. `list` says chunks, fill value and filters. */
static bool make_set(hid_t group, const char *name, hid_t type, int n_dims, const hsize_t *dims,
                     hid_t list, const char *unit)
{
    hsize_t most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, dims[2]};
    if (n_dims == 2 && dims[1] > 0) most[1] = dims[1]; /* a series of vectors */
    hid_t space = H5Screate_simple(n_dims, dims, most);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && unit[0] != '\0') good = write_unit(set, unit);
    H5Dclose(set);
    H5Sclose(space);
    return good;
}

static bool make_series(hid_t group, const char *name, hid_t type, int width, const char *unit)
{
    hsize_t dims[3] = {0, (hsize_t)width, 1}, chunk[2] = {SERIES_CHUNK, (hsize_t)width};
    int n_dims = width > 1 ? 2 : 1;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, n_dims, chunk);
    bool good = make_set(group, name, type, n_dims, dims, list, unit);
    H5Pclose(list);
    return good;
}

/* All elements have the same frames, so they share one step and one time. */
static bool share_clock(hid_t file, hid_t group)
{
    char name[64];
    bool good = true;
    for (int k = 0; k < 2; k++) {
        const char *last = k == 0 ? "step" : "time";
        snprintf(name, sizeof name, "%s/%s", clock_path, last);
        good = H5Lcreate_hard(file, name, group, last, H5P_DEFAULT, H5P_DEFAULT) >= 0 && good;
    }
    return good;
}

/* Element with one value (or a short vector) per frame. */
static bool make_observable(hid_t file, const char *path, hid_t type, int width, const char *unit)
{
    hid_t group = make_path(file, path);
    bool good = group >= 0 && make_series(group, "value", type, width, unit);
    good = share_clock(file, group) && good;
    H5Gclose(group);
    return good;
}

/* Edges of a box that leans: three vectors per frame. */
static bool make_edges(hid_t file)
{
    const hsize_t dims[3] = {0, 3, 3}, chunk[3] = {SERIES_CHUNK, 3, 3};
    hid_t group = make_path(file, "particles/grains/box/edges");
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 3, chunk);
    bool good = group >= 0 && make_set(group, "value", H5T_NATIVE_DOUBLE, 3, dims, list, "m");
    good = share_clock(file, group) && good;
    H5Pclose(list);
    H5Gclose(group);
    return good;
}

/* Fill values are said, for readers, but not written by HDF5: every rank writes rows where they
 * are to stand, see hdf5_trajectory_place.c. Packed chunks are HDF5's own. */
static hid_t column_list(const struct scree_trajectory_append *a, bool padded, int n_dims,
                         const hsize_t *chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const int64_t absent = -1;
    bool packed = a->old.compress > 0;
    H5Pset_chunk(list, n_dims, chunk);
    if (padded) H5Pset_fill_value(list, H5T_NATIVE_INT64, &absent);
    if (!padded || !packed) H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    if (packed) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, (unsigned)a->old.compress);
    } else {
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    }
    return list;
}

static bool make_column(hid_t file, const struct scree_trajectory_append *a, int k,
                        int64_t chunk_rows)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int width = k == SCREE_COLUMN_HISTORY ? a->n_history : column->width;
    int n_dims = column->width > 1 || k == SCREE_COLUMN_HISTORY ? 3 : 2;
    hsize_t dims[3] = {0, 0, (hsize_t)width}, chunk[3] = {1, (hsize_t)chunk_rows, (hsize_t)width};
    hid_t list = column_list(a, column->padded, n_dims, chunk),
          group = make_path(file, column->path);
    bool good = group >= 0;
    if (k == SCREE_COLUMN_POSITION) {
        good = make_series(group, "step", H5T_NATIVE_INT64, 1, "") && good;
        good = make_series(group, "time", H5T_NATIVE_DOUBLE, 1, "s") && good;
    } else {
        good = share_clock(file, group) && good;
    }
    hid_t type = scree_hdf5_native(column->type);
    good = make_set(group, "value", type, n_dims, dims, list, column->unit) && good;
    H5Gclose(group);
    H5Pclose(list);
    return good;
}

/* Grows with the frames. */
static bool make_numbers(hid_t file, const struct scree_trajectory_append *a, int64_t chunk_rows)
{
    const hsize_t none[1] = {0}, most[1] = {H5S_UNLIMITED}, chunk[1] = {(hsize_t)chunk_rows};
    hid_t list = column_list(a, false, 1, chunk), space = H5Screate_simple(1, none, most);
    hid_t set = H5Dcreate2(file, SCREE_TRAJECTORY_NUMBERS, H5T_NATIVE_INT64, space, H5P_DEFAULT,
                           list, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
    return set >= 0;
}

static bool make_box(hid_t file, const struct scree_trajectory_append *a, int64_t chunk_rows)
{
    const struct scree_frame *f = a->frame;
    const int32_t dimension = 3;
    const int32_t periodic[3] = {f->periodic[0], f->periodic[1], f->periodic[2]};
    char boundary[3][9];
    for (int k = 0; k < 3; k++) {
        memset(boundary[k], 0, sizeof boundary[k]);
        strcpy(boundary[k], f->periodic[k] ? "periodic" : "none");
    }
    hid_t word = H5Tcopy(H5T_C_S1), box = make_path(file, "particles/grains/box");
    H5Tset_size(word, sizeof boundary[0]);
    bool good = scree_hdf5_write_attribute(box, "dimension", H5T_NATIVE_INT32, 1, &dimension);
    good = scree_hdf5_write_attribute(box, "boundary", word, 3, boundary) && good;
    good = scree_hdf5_write_attribute(box, "periodic", H5T_NATIVE_INT32, 3, periodic) && good;
    if (f->wedge[0] > 0)
        good = scree_hdf5_write_attribute(box, "wedge", H5T_NATIVE_INT32, 2, f->wedge) && good;
    good = scree_hdf5_write_attribute(box, "chunk_rows", H5T_NATIVE_INT64, 1, &chunk_rows) && good;
    H5Gclose(box);
    H5Tclose(word);
    const hid_t real = H5T_NATIVE_DOUBLE;
    good = (f->leans ? make_edges(file)
                     : make_observable(file, "particles/grains/box/edges", real, 3, "m")) &&
           good;
    return make_observable(file, "particles/grains/box/offset", real, 3, "m") && good;
}

/* H5MD: pairs carry a reference to the group whose ids they name. */
static bool refer_to_grains(hid_t file)
{
    hobj_ref_t reference;
    hid_t set = H5Gopen2(file, scree_trajectory_columns[SCREE_COLUMN_PAIRS].path, H5P_DEFAULT);
    bool good = H5Rcreate(&reference, file, "particles/grains", H5R_OBJECT, -1) >= 0;
    good =
        good && scree_hdf5_write_attribute(set, "particles_group", H5T_STD_REF_OBJ, 1, &reference);
    H5Gclose(set);
    return good;
}

bool scree_trajectory_make_layout(hid_t file, const struct scree_trajectory_append *a,
                                  int64_t chunk_rows)
{
    static const char *const left[] = {"particles", "connectivity", "observables",
                                       SCREE_TRAJECTORY_NUMBERS};
    bool good = true;
    for (int k = 0; k < 4; k++)
        if (scree_trajectory_exists(file, left[k]))
            good = H5Ldelete(file, left[k], H5P_DEFAULT) >= 0 && good;
    good = make_column(file, a, SCREE_COLUMN_POSITION, chunk_rows) && good;
    for (int k = 0; k < SCREE_N_COLUMNS; k++)
        if ((a->columns >> k & 1u) != 0 && k != SCREE_COLUMN_POSITION)
            good = make_column(file, a, k, chunk_rows) && good;
    good = make_numbers(file, a, chunk_rows) && good;
    good = make_box(file, a, chunk_rows) && good;
    good = make_observable(file, "observables/grain_count", H5T_NATIVE_INT64, 1, "") && good;
    if (a->frame->has_contacts) {
        good = refer_to_grains(file) && good;
        good = make_observable(file, "observables/contact_count", H5T_NATIVE_INT64, 1, "") && good;
    }
    for (int k = 0; k < a->frame->n_observables; k++) {
        const struct scree_observable *o = &a->frame->observable[k];
        char path[128];
        snprintf(path, sizeof path, "observables/%.100s", o->name);
        good = make_observable(file, path, H5T_NATIVE_DOUBLE, o->vector ? 3 : 1, o->unit) && good;
    }
    return good;
}
