/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 as all files of scree use it: types, parallel access, attributes. */
#ifndef SCREE_HDF5_BASICS_H
#define SCREE_HDF5_BASICS_H

#include <hdf5.h>
#include <stdbool.h>

#include "scree/checkpoint.h"
#include "scree/comm.h"

enum scree_hdf5_type { SCREE_HDF5_REAL, SCREE_HDF5_INT64, SCREE_HDF5_INT32, SCREE_HDF5_INT8 };

enum scree_hdf5_type scree_hdf5_type_of(enum scree_number type);
hid_t scree_hdf5_native(enum scree_hdf5_type type);
size_t scree_hdf5_size(enum scree_hdf5_type type);

/* Property list to open a file on all ranks; close it with H5Pclose. */
hid_t scree_hdf5_access(struct scree_comm *comm);
/* Open a file to read without MPI, or fail with a message that names it. Errors of HDF5 itself are
 * silent from now on. Local. */
enum scree_status scree_hdf5_open(const char *path, hid_t *file, double *n_bytes);

/* A new file on all ranks (nothing under the name survives) with room for `bytes` on disk, so that
 * a full disk shows before the work begins; `access` is closed. From here to scree_hdf5_finish()
 * every rank makes the same calls; a write that fails in between ends the job (see comm.h).
 * Collective. */
enum scree_status scree_hdf5_create(const char *path, struct scree_comm *comm, hid_t access,
                                    int64_t bytes, hid_t *file);
/* Close a file that was written; `good`: so far all went well. Collective, agreed status. */
enum scree_status scree_hdf5_finish(const char *path, struct scree_comm *comm, hid_t file,
                                    bool good);

/* Does the file have checksums over its structure (superblock version 2 or later, as scree writes
 * it)? Without them HDF5 may crash on a damaged file. Local. */
bool scree_hdf5_has_checksums(const char *path);

/* A group without the time of day: equal contents make equal files. */
hid_t scree_hdf5_make_group(hid_t place, const char *name);

/* Attributes are metadata: every rank must write the same. Values of n = 1 are scalars. */
bool scree_hdf5_write_attribute(hid_t place, const char *name, hid_t type, int n,
                                const void *values);
bool scree_hdf5_write_text(hid_t place, const char *name, const char *text);
/* A text of any length as a dataset; NULL: an empty one. Without the time of day. */
bool scree_hdf5_write_text_set(hid_t place, const char *name, const char *text);

/* Read `n` numbers of an attribute, converted to `native`. False if absent or of another shape. */
bool scree_hdf5_read_attribute(hid_t place, const char *name, H5T_class_t kind, hid_t native, int n,
                               void *values);
/* Texts of fixed length, as scree writes them, or of variable length, as h5py does. */
bool scree_hdf5_read_text(hid_t place, const char *name, char *text, size_t size);

/* Deflate packs at most about 1030 : 1, so a file cannot hold more than this many times its size:
 * keeps a damaged count from asking for all memory. */
#define SCREE_HDF5_MOST_PACKED 1100.0

#endif
