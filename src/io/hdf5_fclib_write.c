/* SPDX-License-Identifier: BSD-3-Clause
 * Writing contact problems in the format FCLIB, matrices as triplets. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "hdf5_memory.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "scree/hdf5_basics.h"
#include "scree/hdf5_fclib.h"

static bool write_set(hid_t group, const char *name, hid_t type, size_t n, const void *values)
{
    hsize_t dims[1] = {n};
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, dims, NULL);
    H5Pset_obj_track_times(list, false);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return good;
}

static bool write_reals(hid_t group, const char *name, size_t n, const double *values)
{
    return write_set(group, name, H5T_NATIVE_DOUBLE, n, values);
}

static bool write_integer(hid_t group, const char *name, int64_t value)
{
    const int32_t number = (int32_t)value;
    return write_set(group, name, H5T_NATIVE_INT32, 1, &number);
}

static bool write_matrix(hid_t root, const char *name, const struct scree_cones_matrix *m)
{
    hid_t group = scree_hdf5_make_group(root, name);
    bool good = group >= 0 && write_integer(group, "m", m->n_rows) &&
                write_integer(group, "n", m->n_columns) &&
                write_integer(group, "nz", (int64_t)m->n) &&
                write_integer(group, "nzmax", (int64_t)m->n) &&
                write_set(group, "p", H5T_NATIVE_INT32, m->n, m->column) &&
                write_set(group, "i", H5T_NATIVE_INT32, m->n, m->row) &&
                write_reals(group, "x", m->n, m->value);
    H5Gclose(group);
    return good;
}

static bool write_limits(hid_t vectors, const struct scree_fclib *file)
{
    double *values = scree_alloc(file->n + 1, sizeof *values);
    for (size_t k = 0; k < file->n; k++) values[k] = file->limit[k][0];
    bool good = write_reals(vectors, "mu", file->n, values);
    for (size_t k = 0; k < file->n; k++) values[k] = file->limit[k][1];
    if (file->dim == 5) good = good && write_reals(vectors, "mu_r", file->n, values);
    scree_alloc_free(values);
    return good;
}

static bool write_problem(hid_t root, const struct scree_fclib *file)
{
    const struct scree_cones_bodies *b = &file->bodies;
    const size_t n = file->n * (size_t)file->dim;
    char name[64];
    snprintf(name, sizeof name, "fclib_%s%s", file->is_local ? "local" : "global",
             file->dim == 5 ? "_rolling" : "");
    hid_t group = scree_hdf5_make_group(root, name),
          vectors = scree_hdf5_make_group(group, "vectors");
    hid_t info = scree_hdf5_make_group(group, "info");
    bool good = info >= 0 && write_integer(group, "spacedim", file->dim) &&
                write_limits(vectors, file) &&
                scree_hdf5_write_text_set(info, "title", file->title) &&
                scree_hdf5_write_text_set(info, "description", file->description) &&
                scree_hdf5_write_text_set(info, "math_info", "");
    if (file->is_local)
        good = good && write_matrix(group, "W", &file->w) && write_reals(vectors, "q", n, file->q);
    else
        good = good && write_matrix(group, "M", &b->m) && write_matrix(group, "H", &b->h) &&
               write_reals(vectors, "f", (size_t)b->m.n_rows, b->f) &&
               write_reals(vectors, "w", n, b->w);
    H5Gclose(info);
    H5Gclose(vectors);
    H5Gclose(group);
    return good;
}

static bool write_solution(hid_t root, const struct scree_fclib *file, const double *r,
                           const double *u, const double *v)
{
    const size_t n = file->n * (size_t)file->dim;
    hid_t group = scree_hdf5_make_group(root, "solution");
    bool good = group >= 0 && write_reals(group, "r", n, r) && write_reals(group, "u", n, u);
    if (v != NULL) good = good && write_reals(group, "v", (size_t)file->bodies.m.n_rows, v);
    H5Gclose(group);
    return good;
}

enum scree_status scree_fclib_write(const char *path, const struct scree_fclib *file,
                                    const double *r, const double *u, const double *v)
{
    struct scree_hdf5_memory memory;
    SCREE_CHECK(file->dim != 6, SCREE_INPUT,
                "%s: contacts have torsion friction, for which the format FCLIB has no place",
                path);
    SCREE_CHECK(file->n > 0, SCREE_INPUT, "%s: there are no contacts to write", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    char *part = scree_file_part_name(path);
    unlink(part); /* of a run that was killed */
    enum scree_status status = scree_hdf5_memory_create(&memory, path, 1);
    if (status == SCREE_OK) {
        bool good = write_problem(memory.hdf5, file) &&
                    (r == NULL || write_solution(memory.hdf5, file, r, u, v));
        status = scree_hdf5_memory_save(&memory, part, good);
    }
    if (status == SCREE_OK) status = scree_file_publish(part, path);
    if (status != SCREE_OK) unlink(part);
    scree_alloc_free(part);
    return status;
}
