/* SPDX-License-Identifier: BSD-3-Clause
 * Bringing files to disk and giving them their names. */
#define _GNU_SOURCE /* sync_file_range, fallocate, SEEK_DATA */
#include "scree/file_safety.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scree/alloc.h"

/* Linux moves at most 2 GiB a call, and some file systems less. */
enum { MOST_BYTES = 1 << 30 };

int scree_file_put(int file, const void *bytes, size_t n, int64_t at)
{
    const unsigned char *from = bytes;
    while (n > 0) {
        ssize_t done = pwrite(file, from, n < MOST_BYTES ? n : MOST_BYTES, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : ENOSPC;
        from += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

int scree_file_get(int file, void *bytes, size_t n, int64_t at)
{
    unsigned char *into = bytes;
    while (n > 0) {
        ssize_t done = pread(file, into, n < MOST_BYTES ? n : MOST_BYTES, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : ENODATA;
        into += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

void scree_file_hurry(int file, int64_t at, size_t n)
{
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(file, (off_t)at, (off_t)n, SYNC_FILE_RANGE_WRITE);
#else
    (void)file, (void)at, (void)n;
#endif
}

static enum scree_status sync_path(const char *path, int flags)
{
    int file = open(path, flags);
    int good = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0) close(file);
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be brought to disk: %s", path, strerror(error));
    return SCREE_OK;
}

char *scree_file_part_name(const char *path)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = scree_alloc(size, 1);
    snprintf(part, size, "%s.part", path);
    return part;
}

/* Bytes [at, end); 0 or the error number. */
static int copy_range(int from, int to, int64_t at, int64_t end)
{
    enum { PIECE = 1 << 20 };
    char *bytes = scree_alloc(PIECE, 1);
    int error = 0;
    for (; at < end && error == 0; at += PIECE) {
        size_t n = end - at < PIECE ? (size_t)(end - at) : PIECE;
        error = scree_file_get(from, bytes, n, at);
        if (error == 0) error = scree_file_put(to, bytes, n, at);
    }
    scree_alloc_free(bytes);
    return error;
}

/* All bytes but those of holes, into a file that is empty or zero. */
static int copy_bytes(int from, int to)
{
    struct stat info;
    if (fstat(from, &info) != 0) return errno;
    int error = 0;
    for (off_t at = 0, end; error == 0 && at < info.st_size; at = end) {
        at = lseek(from, at, SEEK_DATA);
        if (at < 0 && errno == ENXIO) break; /* nothing but a hole up to the end */
        end = at < 0 ? -1 : lseek(from, at, SEEK_HOLE);
        error = end < 0 ? errno : copy_range(from, to, at, end);
    }
    return error == 0 && ftruncate(to, info.st_size) != 0 ? errno : error;
}

enum scree_status scree_file_fill(int from, const char *to)
{
    int target = open(to, O_WRONLY | O_CREAT, 0666);
    int error = target < 0 ? errno : copy_bytes(from, target);
    if (target >= 0 && close(target) != 0 && error == 0) error = errno;
    SCREE_CHECK(error == 0, SCREE_IO, "%s: cannot be written: %s", to, strerror(error));
    return SCREE_OK;
}

enum scree_status scree_file_copy(const char *from, const char *to)
{
    int source = open(from, O_RDONLY);
    SCREE_CHECK(source >= 0, SCREE_IO, "%s: cannot be read: %s", from, strerror(errno));
    unlink(to);
    enum scree_status status = scree_file_fill(source, to);
    close(source);
    return status;
}

/* Not posix_fallocate(): where the file system cannot reserve, it would write every block. */
static int reserve_here(int file, off_t size, int64_t bytes)
{
    if (fallocate(file, 0, size, (off_t)bytes) == 0) return 0;
    int error = errno;
    if (error == EINVAL || error == EOPNOTSUPP || error == ENOSYS || error == EINTR) return 0;
    return ftruncate(file, size) == 0 ? error : errno;
}

enum scree_status scree_file_reserve(const char *path, int64_t bytes)
{
    struct stat info;
    int file = open(path, O_RDWR | O_CREAT, 0666);
    SCREE_CHECK(file >= 0, SCREE_IO, "%s: cannot be opened for writing: %s", path, strerror(errno));
    int error = fstat(file, &info) != 0 ? errno : reserve_here(file, info.st_size, bytes);
    close(file);
    SCREE_CHECK(error == 0, SCREE_IO, "%s: no room for another %.3g MB: %s", path,
                1e-6 * (double)bytes, strerror(error));
    return SCREE_OK;
}

enum scree_status scree_file_hold(const char *part, int64_t bytes)
{
    unlink(part);
    return scree_file_reserve(part, bytes);
}

enum scree_status scree_file_publish(const char *part, const char *path)
{
    SCREE_TRY(sync_path(part, O_RDWR));
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
