/* SPDX-License-Identifier: BSD-3-Clause
 * The lock of a folder of results: a file `lock`, locked by rank 0. */
#define _POSIX_C_SOURCE 200809L
#include "scree/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scree/log.h"

/* Is what was opened still what has the name? The owner before may have deleted it meanwhile. */
static bool is_current(const struct scree_lock *lock)
{
    struct stat mine, named;
    return fstat(lock->file, &mine) == 0 && stat(lock->path, &named) == 0 &&
           mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

static enum scree_status refuse(struct scree_lock *lock, const char *folder)
{
    char owner[200] = "";
    ssize_t n = pread(lock->file, owner, sizeof owner - 1, 0);
    owner[n > 0 ? n : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    close(lock->file);
    lock->file = -1;
    return SCREE_FAIL(SCREE_IO, "the folder %s is in use by a job that is still running%s%s%s",
                      folder, owner[0] != '\0' ? " (" : "", owner, owner[0] != '\0' ? ")" : "");
}

static void sign(const struct scree_lock *lock)
{
    char host[128] = "", text[200];
    gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    /* only for the message above: no harm if it cannot be written */
    if (ftruncate(lock->file, 0) == 0 && pwrite(lock->file, text, (size_t)n, 0) != n) errno = 0;
}

static enum scree_status take_here(struct scree_lock *lock, const char *folder)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    snprintf(lock->path, sizeof lock->path, "%.4000s/lock", folder);
    for (;;) {
        lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        SCREE_CHECK(lock->file >= 0, SCREE_IO, "cannot write in the folder %s: %s", folder,
                    strerror(errno));
        if (fcntl(lock->file, F_SETLK, &whole) != 0) {
            if (errno == EACCES || errno == EAGAIN) return refuse(lock, folder);
            scree_log(SCREE_LOG_WARNING,
                      "%s cannot be locked (%s): see to it that no other job "
                      "writes there",
                      folder, strerror(errno));
            break;
        }
        if (is_current(lock)) break;
        close(lock->file);
    }
    sign(lock);
    return SCREE_OK;
}

enum scree_status scree_lock_acquire(struct scree_lock *lock, struct scree_comm *comm,
                                     const char *folder)
{
    lock->file = -1;
    return scree_comm_agree(comm, comm->rank == 0 ? take_here(lock, folder) : SCREE_OK);
}

void scree_lock_release(struct scree_lock *lock)
{
    if (lock->file < 0) return;
    unlink(lock->path);
    close(lock->file);
    lock->file = -1;
}
