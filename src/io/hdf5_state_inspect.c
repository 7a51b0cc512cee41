/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a state file before it is read: is all there, in the right shape and type. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "hdf5_state_impl.h"

/* Deflate packs at most about 1030 : 1, so a file cannot hold more than this many times its size:
 * keeps a damaged count from asking for all memory. */
static const double most_packed = 1100.0;

/* Read `n` numbers of an attribute, converted to `native`. False if absent or of another shape. */
static bool read_attribute(hid_t place, const char *name, H5T_class_t class, hid_t native, int n,
                           void *values)
{
    if (H5Aexists(place, name) <= 0) return false;
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool good = H5Tget_class(type) == class && H5Sget_simple_extent_npoints(space) == n &&
                H5Aread(attribute, native, values) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

static bool read_chars(hid_t attribute, hid_t type, char *text, size_t size)
{
    size_t length = H5Tget_size(type);
    if (H5Tis_variable_str(type) > 0) {
        char *found = NULL;
        hid_t native = H5Tcopy(type);
        bool good = H5Aread(attribute, native, &found) >= 0;
        if (good) snprintf(text, size, "%s", found == NULL ? "" : found);
        H5free_memory(found);
        H5Tclose(native);
        return good;
    }
    char buffer[4096] = {0};
    if (length == 0 || length >= sizeof buffer) return false;
    if (H5Aread(attribute, type, buffer) < 0) return false;
    snprintf(text, size, "%s", buffer);
    return true;
}

/* Texts of fixed length, as scree writes them, or of variable length, as h5py does. */
static bool read_text(hid_t place, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    if (H5Aexists(place, name) <= 0) return false;
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool good = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1 &&
                read_chars(attribute, type, text, size);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

static enum scree_status inspect_root(const char *path, hid_t file, struct scree_state_summary *s)
{
    char format[32];
    int32_t version = 0;
    SCREE_CHECK(
        read_text(file, "format", format, sizeof format) && strcmp(format, "scree-state") == 0,
        SCREE_IO, "%s: not a state file of scree (attribute 'format' is not 'scree-state')", path);
    SCREE_CHECK(read_attribute(file, "version", H5T_INTEGER, H5T_NATIVE_INT32, 1, &version),
                SCREE_IO, "%s: attribute 'version' is missing or damaged", path);
    SCREE_CHECK(version == SCREE_STATE_VERSION, SCREE_IO,
                "%s: state file of version %d; this scree reads version %d", path, version,
                SCREE_STATE_VERSION);
    SCREE_CHECK(read_text(file, "title", s->header.title, sizeof s->header.title), SCREE_IO,
                "%s: attribute 'title' is missing or damaged", path);
    SCREE_CHECK(read_attribute(file, "time", H5T_FLOAT, H5T_NATIVE_DOUBLE, 1, &s->header.time) &&
                    isfinite(s->header.time),
                SCREE_IO, "%s: attribute 'time' is missing or damaged", path);
    SCREE_CHECK(read_attribute(file, "step", H5T_INTEGER, H5T_NATIVE_INT64, 1, &s->header.step),
                SCREE_IO, "%s: attribute 'step' is missing or damaged", path);
    s->has_digest = H5Aexists(file, "digest") > 0;
    SCREE_CHECK(!s->has_digest ||
                    read_attribute(file, "digest", H5T_INTEGER, H5T_NATIVE_UINT64, 1, &s->digest),
                SCREE_IO, "%s: attribute 'digest' is damaged", path);
    return SCREE_OK;
}

static enum scree_status inspect_box(const char *path, hid_t file, struct scree_state_summary *s)
{
    signed char periodic[3] = {0};
    hid_t box = H5Lexists(file, "box", H5P_DEFAULT) > 0 ? H5Gopen2(file, "box", H5P_DEFAULT) : -1;
    SCREE_CHECK(box >= 0, SCREE_IO, "%s: group /box is missing", path);
    bool good = read_attribute(box, "low", H5T_FLOAT, H5T_NATIVE_DOUBLE, 3, s->header.low) &&
                read_attribute(box, "high", H5T_FLOAT, H5T_NATIVE_DOUBLE, 3, s->header.high) &&
                read_attribute(box, "periodic", H5T_INTEGER, H5T_NATIVE_SCHAR, 3, periodic);
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
    SCREE_CHECK(class == (field->type == SCREE_STATE_REAL ? H5T_FLOAT : H5T_INTEGER), SCREE_IO,
                "%s: /particles/%s must hold %s numbers", path, field->name,
                field->type == SCREE_STATE_REAL ? "floating-point" : "integer");
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
    SCREE_CHECK((double)s->n * 8.0 <= most_packed * n_bytes, SCREE_IO,
                "%s: claims %lld grains in a file of %.0f bytes", path, (long long)s->n, n_bytes);
    return SCREE_OK;
}

enum scree_status scree_state_inspect(const char *path, struct scree_state_summary *summary)
{
    struct stat info;
    memset(summary, 0, sizeof *summary);
    SCREE_CHECK(stat(path, &info) == 0, SCREE_IO, "%s: %s", path, strerror(errno));
    SCREE_CHECK(S_ISREG(info.st_mode), SCREE_IO, "%s: not a plain file", path);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    SCREE_CHECK(file >= 0, SCREE_IO,
                "%s: cannot be opened as HDF5: no permission, another format, damaged or cut short",
                path);
    enum scree_status status = inspect_file(path, file, (double)info.st_size, summary);
    H5Fclose(file);
    return status;
}
