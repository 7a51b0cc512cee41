/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 files that lie in memory until their structure is whole: HDF5 crashes at the end of the
 * program (seen with 1.10.8) if a disk did not take what it had to write. Numbers that others put
 * into the file later are holes until then. Private to io. */
#ifndef SCREE_HDF5_MEMORY_H
#define SCREE_HDF5_MEMORY_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "scree/status.h"

struct scree_hdf5_memory {
    hid_t hdf5;  /* open for writing */
    int storage; /* of the bytes */
};

/* A new file; contents from `alignment` bytes on begin at multiples of that (1: no matter). `path`
 * is for messages. Local. */
enum scree_status scree_hdf5_memory_create(struct scree_hdf5_memory *m, const char *path,
                                           int64_t alignment);
/* A copy of the file `path`. Local. */
enum scree_status scree_hdf5_memory_copy(struct scree_hdf5_memory *m, const char *path);
/* Close it and, if all went well so far (`good`), write it to `part`, which is new or holds nothing
 * but zeros: room on disk is reserved first, see file_safety.h. Local. */
enum scree_status scree_hdf5_memory_save(struct scree_hdf5_memory *m, const char *part, bool good);
/* Close it without a trace; nothing happens if it is closed (hdf5 < 0). Local. */
void scree_hdf5_memory_drop(struct scree_hdf5_memory *m);

#endif
