/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a state file before it is read: is all there, in the right shape and type. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hdf5_state_impl.h"

static enum scree_status inspect_root(const char *path, hid_t file, struct scree_state_summary *s)
{
    char format[32];
    int32_t version = 0;
    SCREE_CHECK(scree_hdf5_read_text(file, "format", format, sizeof format) &&
                    strcmp(format, "scree-state") == 0,
                SCREE_IO, "%s: not a state file of scree (attribute 'format' is not 'scree-state')",
                path);
    SCREE_CHECK(
        scree_hdf5_read_attribute(file, "version", H5T_INTEGER, H5T_NATIVE_INT32, 1, &version),
        SCREE_IO, "%s: attribute 'version' is missing or damaged", path);
    SCREE_CHECK(version == SCREE_STATE_VERSION, SCREE_IO,
                "%s: state file of version %d; this scree reads version %d", path, version,
                SCREE_STATE_VERSION);
    SCREE_CHECK(scree_hdf5_read_text(file, "title", s->header.title, sizeof s->header.title),
                SCREE_IO, "%s: attribute 'title' is missing or damaged", path);
    SCREE_CHECK(
        scree_hdf5_read_attribute(file, "time", H5T_FLOAT, H5T_NATIVE_DOUBLE, 1, &s->header.time) &&
            isfinite(s->header.time),
        SCREE_IO, "%s: attribute 'time' is missing or damaged", path);
    SCREE_CHECK(
        scree_hdf5_read_attribute(file, "step", H5T_INTEGER, H5T_NATIVE_INT64, 1, &s->header.step),
        SCREE_IO, "%s: attribute 'step' is missing or damaged", path);
    s->has_digest = H5Aexists(file, "digest") > 0;
    SCREE_CHECK(!s->has_digest || scree_hdf5_read_attribute(file, "digest", H5T_INTEGER,
                                                            H5T_NATIVE_UINT64, 1, &s->digest),
                SCREE_IO, "%s: attribute 'digest' is damaged", path);
    return SCREE_OK;
}

static enum scree_status inspect_box(const char *path, hid_t file, struct scree_state_summary *s)
{
    signed char periodic[3] = {0};
    hid_t box = H5Lexists(file, "box", H5P_DEFAULT) > 0 ? H5Gopen2(file, "box", H5P_DEFAULT) : -1;
    SCREE_CHECK(box >= 0, SCREE_IO, "%s: group /box is missing", path);
    bool good =
        scree_hdf5_read_attribute(box, "low", H5T_FLOAT, H5T_NATIVE_DOUBLE, 3, s->header.low) &&
        scree_hdf5_read_attribute(box, "high", H5T_FLOAT, H5T_NATIVE_DOUBLE, 3, s->header.high) &&
        scree_hdf5_read_attribute(box, "periodic", H5T_INTEGER, H5T_NATIVE_SCHAR, 3, periodic);
    if (box >= 0 && H5Aexists(box, "tilt") > 0)
        good = good && scree_hdf5_read_attribute(box, "tilt", H5T_FLOAT, H5T_NATIVE_DOUBLE, 3,
                                                 s->header.tilt);
    H5Gclose(box);
    for (int a = 0; a < 3 && good; a++) {
        s->header.periodic[a] = periodic[a] != 0;
        good = isfinite(s->header.low[a]) && isfinite(s->header.high[a]);
    }
    SCREE_CHECK(good, SCREE_IO, "%s: /box: 'low', 'high' or 'periodic' is missing or damaged",
                path);
    return SCREE_OK;
}

/* Fails unless the dataset has the shape (n) or (n, width); n < 0: any, and set. */
static enum scree_status inspect_shape(const char *path, hid_t set,
                                       const struct scree_state_field *field, int64_t *n)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    int rank = H5Sget_simple_extent_ndims(space);
    hsize_t dims[2] = {0, 1};
    if (rank >= 1 && rank <= 2) H5Sget_simple_extent_dims(space, dims, NULL);
    H5T_class_t class = H5Tget_class(type);
    H5Sclose(space);
    H5Tclose(type);
    SCREE_CHECK(
        rank == (field->width > 1 ? 2 : 1) && dims[1] == (hsize_t)field->width &&
                dims[0]<(hsize_t)1 << 44, SCREE_IO, "%s: /particles/%s must have the shape (N%s)",
                        path, field->name, field->width> 1
            ? ", 3"
            : "");
    SCREE_CHECK(class == (field->type == SCREE_HDF5_REAL ? H5T_FLOAT : H5T_INTEGER), SCREE_IO,
                "%s: /particles/%s must hold %s numbers", path, field->name,
                field->type == SCREE_HDF5_REAL ? "floating-point" : "integer");
    if (*n < 0) *n = (int64_t)dims[0];
    SCREE_CHECK((int64_t)dims[0] == *n, SCREE_IO,
                "%s: /particles/%s has %lld rows, /particles/%s has %lld", path, field->name,
                (long long)dims[0], scree_state_fields[0].name, (long long)*n);
    return SCREE_OK;
}

static enum scree_status inspect_particles(const char *path, hid_t file,
                                           struct scree_state_summary *s)
{
    SCREE_CHECK(H5Lexists(file, "particles", H5P_DEFAULT) > 0, SCREE_IO,
                "%s: group /particles is missing", path);
    s->n = -1;
    for (int k = 0; k < SCREE_STATE_N_FIELDS; k++) {
        const struct scree_state_field *field = &scree_state_fields[k];
        char name[64];
        snprintf(name, sizeof name, "particles/%s", field->name);
        hid_t set = -1;
        if (H5Lexists(file, name, H5P_DEFAULT) > 0) set = H5Dopen2(file, name, H5P_DEFAULT);
        SCREE_CHECK(set >= 0, SCREE_IO, "%s: dataset /%s is missing or damaged", path, name);
        enum scree_status status = inspect_shape(path, set, field, &s->n);
        H5Dclose(set);
        SCREE_TRY(status);
    }
    return SCREE_OK;
}

static enum scree_status inspect_file(const char *path, hid_t file, double n_bytes,
                                      struct scree_state_summary *s)
{
    SCREE_TRY(inspect_root(path, file, s));
    SCREE_TRY(inspect_box(path, file, s));
    SCREE_TRY(inspect_particles(path, file, s));
    SCREE_CHECK((double)s->n * 8.0 <= SCREE_HDF5_MOST_PACKED * n_bytes, SCREE_IO,
                "%s: claims %lld grains in a file of %.0f bytes", path, (long long)s->n, n_bytes);
    return SCREE_OK;
}

enum scree_status scree_state_inspect(const char *path, struct scree_state_summary *summary)
{
    hid_t file;
    double n_bytes;
    memset(summary, 0, sizeof *summary);
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = inspect_file(path, file, n_bytes, summary);
    H5Fclose(file);
    return status;
}
