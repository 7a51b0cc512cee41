/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 as all files of scree use it: types, parallel access, attributes. */
#define _POSIX_C_SOURCE 200809L
#include "scree/hdf5_basics.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_trial.h"
#include "scree/file_safety.h"

enum scree_hdf5_type scree_hdf5_type_of(enum scree_number type)
{
    switch (type) {
    case SCREE_NUMBER_REAL: return SCREE_HDF5_REAL;
    case SCREE_NUMBER_INT64: return SCREE_HDF5_INT64;
    case SCREE_NUMBER_INT32: break;
    }
    return SCREE_HDF5_INT32;
}

hid_t scree_hdf5_native(enum scree_hdf5_type type)
{
    switch (type) {
    case SCREE_HDF5_REAL: return H5T_NATIVE_DOUBLE;
    case SCREE_HDF5_INT64: return H5T_NATIVE_INT64;
    case SCREE_HDF5_INT32: return H5T_NATIVE_INT32;
    case SCREE_HDF5_INT8: break;
    }
    return H5T_NATIVE_INT8;
}

size_t scree_hdf5_size(enum scree_hdf5_type type)
{
    return type == SCREE_HDF5_INT8 ? 1 : type == SCREE_HDF5_INT32 ? 4 : 8;
}

/* Files of format 1.8 and later have checksums over their structure. */
hid_t scree_hdf5_access(struct scree_comm *comm)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, *(MPI_Comm *)comm->mpi, MPI_INFO_NULL);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    return access;
}

enum scree_status scree_hdf5_open(const char *path, hid_t *file, double *n_bytes)
{
    struct stat info;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    *file = -1;
    SCREE_CHECK(stat(path, &info) == 0, SCREE_IO, "%s: %s", path, strerror(errno));
    SCREE_CHECK(S_ISREG(info.st_mode), SCREE_IO, "%s: not a plain file", path);
    *n_bytes = (double)info.st_size;
    if (!scree_hdf5_has_checksums(path)) SCREE_TRY(scree_hdf5_trial(path));
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    /* It may have vanished meanwhile. */
    SCREE_CHECK(*file >= 0 || stat(path, &info) == 0, SCREE_IO, "%s: %s", path, strerror(errno));
    SCREE_CHECK(*file >= 0, SCREE_IO,
                "%s: cannot be opened as HDF5: no permission, another format, damaged or cut short",
                path);
    return SCREE_OK;
}

enum scree_status scree_hdf5_create(const char *path, struct scree_comm *comm, hid_t access,
                                    int64_t bytes, hid_t *file)
{
    enum scree_status status = SCREE_OK;
    bool first = comm->rank == 0;
    if (first) unlink(path); /* the last rank of a killed job may still be writing there */
    status = scree_comm_agree(comm, first ? scree_file_reserve(path, bytes) : SCREE_OK);
    *file = status == SCREE_OK ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    H5Pclose(access);
    SCREE_TRY(status);
    if (*file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be created", path);
    SCREE_TRY(scree_comm_agree(comm, status));
    /* HDF5 has given the room back; it cuts off what is too much in the end */
    status = scree_comm_agree(comm, first ? scree_file_reserve(path, bytes) : SCREE_OK);
    if (status != SCREE_OK) H5Fclose(*file);
    SCREE_TRY(status);
    scree_comm_name_file(path);
    return SCREE_OK;
}

enum scree_status scree_hdf5_finish(const char *path, struct scree_comm *comm, hid_t file,
                                    bool good)
{
    enum scree_status status = SCREE_OK;
    good = H5Fclose(file) >= 0 && good;
    scree_comm_name_file(NULL);
    if (!good) status = SCREE_FAIL(SCREE_IO, "%s: cannot be written; is the disk full?", path);
    return scree_comm_agree(comm, status);
}

bool scree_hdf5_has_checksums(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[9] = {0};
    FILE *f = fopen(path, "rb");
    size_t n = f == NULL ? 0 : fread(head, 1, sizeof head, f);
    if (f != NULL) fclose(f);
    return n == sizeof head && memcmp(head, signature, sizeof signature) == 0 && head[8] >= 2;
}

hid_t scree_hdf5_make_group(hid_t place, const char *name)
{
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(list, false);
    hid_t group = H5Gcreate2(place, name, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    return group;
}

bool scree_hdf5_write_attribute(hid_t place, const char *name, hid_t type, int n,
                                const void *values)
{
    hsize_t dims[1] = {(hsize_t)n};
    hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, dims, NULL);
    hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, values) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

static hid_t text_type(const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

bool scree_hdf5_write_text(hid_t place, const char *name, const char *text)
{
    hid_t type = text_type(text);
    bool good = scree_hdf5_write_attribute(place, name, type, 1, text);
    H5Tclose(type);
    return good;
}

bool scree_hdf5_write_text_set(hid_t place, const char *name, const char *text)
{
    if (text == NULL) text = "";
    hid_t type = text_type(text), space = H5Screate(H5S_SCALAR);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    hid_t set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

bool scree_hdf5_read_attribute(hid_t place, const char *name, H5T_class_t class, hid_t native,
                               int n, void *values)
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

bool scree_hdf5_read_text(hid_t place, const char *name, char *text, size_t size)
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
