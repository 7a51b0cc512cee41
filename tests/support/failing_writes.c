/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into the program: writes to files whose path contains FAIL_PATH fail with "no space
 * left on device" once FAIL_AFTER of them have gone well; with FAIL_SYNC=1 only fsync() fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_meant(int file)
{
    char link[64], path[4096];
    const char *part = getenv("FAIL_PATH");
    if (part == NULL) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = '\0';
    return strstr(path, part) != NULL;
}

static int must_fail(int file)
{
    static long n_done;
    const char *after = getenv("FAIL_AFTER");
    if (after == NULL || !is_meant(file)) return 0;
    return n_done++ >= atol(after);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE()        \
    do {                \
        errno = ENOSPC; \
        return -1;      \
    } while (0)

ssize_t write(int file, const void *bytes, size_t n)
{
    if (must_fail(file)) REFUSE();
    return REAL(write)(file, bytes, n);
}

ssize_t pwrite(int file, const void *bytes, size_t n, off_t at)
{
    if (must_fail(file)) REFUSE();
    return REAL(pwrite)(file, bytes, n, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at)
{
    if (must_fail(file)) REFUSE();
    return REAL(pwrite64)(file, bytes, n, at);
}

ssize_t writev(int file, const struct iovec *pieces, int n)
{
    if (must_fail(file)) REFUSE();
    return REAL(writev)(file, pieces, n);
}

ssize_t pwritev(int file, const struct iovec *pieces, int n, off_t at)
{
    if (must_fail(file)) REFUSE();
    return REAL(pwritev)(file, pieces, n, at);
}

ssize_t pwritev64(int file, const struct iovec *pieces, int n, off64_t at)
{
    if (must_fail(file)) REFUSE();
    return REAL(pwritev64)(file, pieces, n, at);
}

int fsync(int file)
{
    if (getenv("FAIL_SYNC") != NULL && is_meant(file)) REFUSE();
    return REAL(fsync)(file);
}
