/* SPDX-License-Identifier: BSD-3-Clause
 * Bringing files to disk and giving them their names. */
#define _POSIX_C_SOURCE 200809L
#include "file_safety.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"

static enum scree_status sync_path(const char *path, int flags)
{
    int file = open(path, flags);
    int good = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0) close(file);
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be brought to disk: %s", path, strerror(error));
    return SCREE_OK;
}

enum scree_status scree_file_sync(const char *path)
{
    return sync_path(path, O_RDWR);
}

enum scree_status scree_file_publish(const char *part, const char *path)
{
    SCREE_TRY(scree_file_sync(part));
    SCREE_CHECK(rename(part, path) == 0, SCREE_IO, "%s: cannot be renamed to %s: %s", part, path,
                strerror(errno));
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = scree_alloc(length + 2, 1);
    snprintf(folder, length + 2, "%.*s", (int)(length > 0 ? length : 1), length > 0 ? path : ".");
    enum scree_status status = sync_path(folder, O_RDONLY);
    scree_alloc_free(folder);
    return status;
}
