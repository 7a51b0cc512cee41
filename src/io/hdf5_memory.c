/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 files that lie in memory until their structure is whole. */
#define _GNU_SOURCE /* memfd_create */
#include "hdf5_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scree/file_safety.h"

/* The usual driver looks for the real path, and this file has none. */
static hid_t access_list(int64_t alignment)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST); /* with checksums */
    H5Pset_alignment(access, (hsize_t)alignment, (hsize_t)alignment);
    H5Pset_fapl_stdio(access);
    return access;
}

static enum scree_status make_storage(struct scree_hdf5_memory *m, const char *path, char *name,
                                      size_t size)
{
    m->hdf5 = -1;
    m->storage = memfd_create("scree", MFD_CLOEXEC);
    SCREE_CHECK(m->storage >= 0, SCREE_IO, "%s: cannot be prepared: %s", path, strerror(errno));
    snprintf(name, size, "/proc/self/fd/%d", m->storage);
    return SCREE_OK;
}

static enum scree_status check_open(struct scree_hdf5_memory *m, const char *path, const char *what)
{
    if (m->hdf5 >= 0) return SCREE_OK;
    close(m->storage);
    return SCREE_FAIL(SCREE_IO, "%s: cannot be %s in memory by HDF5", path, what);
}

enum scree_status scree_hdf5_memory_create(struct scree_hdf5_memory *m, const char *path,
                                           int64_t alignment)
{
    char name[64];
    SCREE_TRY(make_storage(m, path, name, sizeof name));
    hid_t access = access_list(alignment), list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(list, false); /* equal contents can make equal files */
    m->hdf5 = H5Fcreate(name, H5F_ACC_TRUNC, list, access);
    H5Pclose(list);
    H5Pclose(access);
    return check_open(m, path, "made");
}

enum scree_status scree_hdf5_memory_copy(struct scree_hdf5_memory *m, const char *path)
{
    char name[64];
    SCREE_TRY(make_storage(m, path, name, sizeof name));
    int source = open(path, O_RDONLY | O_CLOEXEC);
    enum scree_status status =
        source >= 0 ? scree_file_fill(source, name)
                    : SCREE_FAIL(SCREE_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (source >= 0) close(source);
    if (status != SCREE_OK) close(m->storage);
    SCREE_TRY(status);
    hid_t access = access_list(1);
    m->hdf5 = H5Fopen(name, H5F_ACC_RDWR, access);
    H5Pclose(access);
    return check_open(m, path, "opened");
}

enum scree_status scree_hdf5_memory_save(struct scree_hdf5_memory *m, const char *part, bool good)
{
    good = H5Fclose(m->hdf5) >= 0 && good;
    m->hdf5 = -1;
    enum scree_status status =
        good ? scree_file_fill(m->storage, part)
             : SCREE_FAIL(SCREE_IO, "%s: cannot be prepared in memory by HDF5", part);
    close(m->storage);
    return status;
}

void scree_hdf5_memory_drop(struct scree_hdf5_memory *m)
{
    if (m->hdf5 < 0) return;
    H5Fclose(m->hdf5);
    close(m->storage);
    m->hdf5 = -1;
}
