/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a trajectory without MPI: how many frames, which columns, are the shapes sound. */
#include <stdio.h>
#include <string.h>

#include "scree/hdf5_trajectory.h"

/* H5Lexists of a path asks for every group on the way. */
bool scree_trajectory_exists(hid_t file, const char *path)
{
    char part[128];
    for (size_t n = 0; n < strlen(path) && n + 1 < sizeof part; n++) {
        part[n] = path[n];
        part[n + 1] = '\0';
        if (path[n + 1] != '/' && path[n + 1] != '\0') continue;
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

bool scree_trajectory_is(hid_t file)
{
    char format[32];
    return scree_hdf5_read_text(file, "format", format, sizeof format) &&
           strcmp(format, "scree-trajectory") == 0;
}

/* Extents of a dataset, its class; false if it is not there or has other than n_dims. */
static bool shape_of(hid_t file, const char *name, int n_dims, hsize_t *dims, H5T_class_t *class)
{
    if (!scree_trajectory_exists(file, name)) return false;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    bool good = H5Sget_simple_extent_ndims(space) == n_dims;
    if (good) H5Sget_simple_extent_dims(space, dims, NULL);
    *class = H5Tget_class(type);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    return good;
}

int64_t scree_trajectory_n_numbers(hid_t file)
{
    hsize_t dims[1] = {0};
    H5T_class_t class;
    bool good = shape_of(file, SCREE_TRAJECTORY_NUMBERS, 1, dims, &class);
    return good && class == H5T_INTEGER ? (int64_t)dims[0] : 0;
}

bool scree_trajectory_read_series(hid_t file, const char *name, hid_t native, int64_t first,
                                  int64_t n, int width, void *values)
{
    hsize_t dims[2] = {0, 1}, start[2] = {(hsize_t)first, 0};
    hsize_t count[2] = {(hsize_t)n, (hsize_t)width};
    H5T_class_t class;
    int n_dims = width > 1 ? 2 : 1;
    if (!shape_of(file, name, n_dims, dims, &class)) return false;
    if (dims[0] < start[0] + count[0] || dims[1] != count[1]) return false;
    if (n == 0) return true;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), in_file = H5Dget_space(set);
    hid_t in_memory = H5Screate_simple(n_dims, count, NULL);
    bool good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, native, in_memory, in_file, H5P_DEFAULT, values) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Dclose(set);
    return good;
}

bool scree_trajectory_read_edges(hid_t file, int64_t first, int64_t n, double (*edges)[3][3])
{
    static const char name[] = "particles/grains/box/edges/value";
    hsize_t dims[3] = {0}, start[3] = {(hsize_t)first, 0, 0}, count[3] = {(hsize_t)n, 3, 3};
    H5T_class_t class;
    if (n == 0) return true;
    memset(edges, 0, (size_t)n * sizeof *edges);
    if (!shape_of(file, name, 3, dims, &class)) { /* a box with right angles: three lengths */
        double *length = &edges[0][0][0] + 6 * n; /* at the end: read, then spread forward */
        if (!scree_trajectory_read_series(file, name, H5T_NATIVE_DOUBLE, first, n, 3, length))
            return false;
        for (int64_t t = 0; t < n; t++) {
            double l[3] = {length[3 * t], length[3 * t + 1], length[3 * t + 2]};
            memset(edges[t], 0, sizeof *edges);
            for (int a = 0; a < 3; a++) edges[t][a][a] = l[a];
        }
        return true;
    }
    if (dims[0] < start[0] + count[0] || dims[1] != 3 || dims[2] != 3) return false;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), in_file = H5Dget_space(set);
    hid_t in_memory = H5Screate_simple(3, count, NULL);
    bool good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, edges) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Dclose(set);
    return good;
}

static enum scree_status inspect_column(const char *path, hid_t file, int k,
                                        struct scree_trajectory_summary *s)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    bool history = k == SCREE_COLUMN_HISTORY, contact = k >= SCREE_COLUMN_FIRST_CONTACT;
    hsize_t dims[3] = {0, 0, 1};
    H5T_class_t class;
    char name[96];
    if (!scree_trajectory_exists(file, column->path)) return SCREE_OK;
    snprintf(name, sizeof name, "%s/value", column->path);
    SCREE_CHECK(shape_of(file, name, column->width > 1 || history ? 3 : 2, dims, &class), SCREE_IO,
                "%s: dataset /%s is missing, damaged or of another shape", path, name);
    if (history) s->n_history = (int)(dims[2] < 1000 ? dims[2] : 0);
    int width = history ? s->n_history : column->width;
    bool first = k == SCREE_COLUMN_ID || k == SCREE_COLUMN_PAIRS;
    if (first) s->n_rows[contact] = (int64_t)dims[1];
    SCREE_CHECK(dims[0] >= (hsize_t)s->frames && dims[1] == (hsize_t)s->n_rows[contact] &&
                    dims[2] == (hsize_t)width && dims[1] < (hsize_t)1 << 44,
                SCREE_IO, "%s: dataset /%s has the wrong extents: damaged", path, name);
    SCREE_CHECK(class == (column->type == SCREE_HDF5_REAL ? H5T_FLOAT : H5T_INTEGER), SCREE_IO,
                "%s: dataset /%s has the wrong type", path, name);
    s->columns |= 1u << k;
    return SCREE_OK;
}

static enum scree_status inspect_columns(const char *path, hid_t file, double n_bytes,
                                         struct scree_trajectory_summary *s)
{
    double most = SCREE_HDF5_MOST_PACKED * n_bytes;
    for (int k = 0; k < SCREE_N_COLUMNS; k++) SCREE_TRY(inspect_column(path, file, k, s));
    SCREE_CHECK(scree_trajectory_has(s, SCREE_COLUMN_ID) &&
                    scree_trajectory_has(s, SCREE_COLUMN_POSITION),
                SCREE_IO, "%s: /particles/grains has no id or no position", path);
    for (int c = 0; c < 2; c++)
        SCREE_CHECK((double)s->frames * (double)s->n_rows[c] * 8.0 <= most, SCREE_IO,
                    "%s: claims %lld frames of %lld rows in a file of %.0f bytes", path,
                    (long long)s->frames, (long long)s->n_rows[c], n_bytes);
    return SCREE_OK;
}

static bool read_clock(hid_t file, struct scree_trajectory_summary *s)
{
    static const char step[] = "particles/grains/position/step";
    static const char time[] = "particles/grains/position/time";
    hid_t whole = H5T_NATIVE_INT64, real = H5T_NATIVE_DOUBLE;
    return scree_trajectory_read_series(file, step, whole, 0, 1, 1, &s->first_step) &&
           scree_trajectory_read_series(file, time, real, 0, 1, 1, &s->first_time) &&
           scree_trajectory_read_series(file, step, whole, s->frames - 1, 1, 1, &s->last_step) &&
           scree_trajectory_read_series(file, time, real, s->frames - 1, 1, 1, &s->last_time);
}

static bool read_box(hid_t file, struct scree_trajectory_summary *s)
{
    int32_t periodic[3] = {0};
    hid_t box = H5Gopen2(file, "particles/grains/box", H5P_DEFAULT);
    bool good =
        box >= 0 &&
        scree_hdf5_read_attribute(box, "periodic", H5T_INTEGER, H5T_NATIVE_INT32, 3, periodic) &&
        scree_hdf5_read_attribute(box, "chunk_rows", H5T_INTEGER, H5T_NATIVE_INT64, 1,
                                  &s->chunk_rows);
    if (box >= 0) H5Gclose(box);
    for (int a = 0; a < 3; a++) s->periodic[a] = periodic[a] != 0;
    return good && s->chunk_rows > 0;
}

static enum scree_status inspect_counts(const char *path, hid_t file,
                                        struct scree_trajectory_summary *s)
{
    static const char *const names[2] = {"observables/grain_count/value",
                                         "observables/contact_count/value"};
    int n = scree_trajectory_has(s, SCREE_COLUMN_PAIRS) ? 2 : 1;
    for (int c = 0; c < n; c++) {
        bool good = scree_trajectory_read_series(file, names[c], H5T_NATIVE_INT64, s->frames - 1, 1,
                                                 1, &s->n_now[c]);
        SCREE_CHECK(good && s->n_now[c] >= 0 && s->n_now[c] <= s->n_rows[c], SCREE_IO,
                    "%s: dataset /%s is missing or damaged", path, names[c]);
    }
    H5G_info_t info = {0};
    hid_t group = H5Gopen2(file, "observables", H5P_DEFAULT);
    if (group >= 0) H5Gget_info(group, &info);
    if (group >= 0) H5Gclose(group);
    s->n_observables = (int)info.nlinks - n;
    return SCREE_OK;
}

enum scree_status scree_trajectory_inspect_file(const char *path, hid_t file, double n_bytes,
                                                struct scree_trajectory_summary *s)
{
    int32_t compress = 0;
    memset(s, 0, sizeof *s);
    SCREE_CHECK(scree_trajectory_is(file), SCREE_IO,
                "%s: not a trajectory of scree (attribute 'format' is not 'scree-trajectory')",
                path);
    SCREE_CHECK(scree_hdf5_read_attribute(file, "frames_complete", H5T_INTEGER, H5T_NATIVE_INT64, 1,
                                          &s->frames) &&
                    s->frames >= 0,
                SCREE_IO, "%s: attribute 'frames_complete' is missing or damaged", path);
    scree_hdf5_read_text(file, "title", s->title, sizeof s->title);
    hid_t place = H5Gopen2(file, "parameters", H5P_DEFAULT);
    if (place >= 0)
        scree_hdf5_read_attribute(place, "compress", H5T_INTEGER, H5T_NATIVE_INT32, 1, &compress);
    if (place >= 0) H5Gclose(place);
    s->compress = compress < 0 ? 0 : compress > 9 ? 9 : compress;
    if (s->frames == 0) return SCREE_OK;
    SCREE_TRY(inspect_columns(path, file, n_bytes, s));
    SCREE_CHECK(read_clock(file, s), SCREE_IO, "%s: step or time is missing or damaged", path);
    SCREE_CHECK(read_box(file, s), SCREE_IO, "%s: /particles/grains/box is missing or damaged",
                path);
    s->n_numbers = scree_trajectory_n_numbers(file);
    return inspect_counts(path, file, s);
}

enum scree_status scree_trajectory_inspect(const char *path, struct scree_trajectory_summary *s)
{
    hid_t file;
    double n_bytes;
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = scree_trajectory_inspect_file(path, file, n_bytes, s);
    H5Fclose(file);
    return status;
}
