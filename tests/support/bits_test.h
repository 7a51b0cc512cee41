/* SPDX-License-Identifier: BSD-3-Clause
 * Rank programs whose jobs must have the same bits on any number of ranks, and after a resume.
 * Include it first. */
#ifndef SCREE_BITS_TEST_H
#define SCREE_BITS_TEST_H

#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "job_test.h"

/* Opens a job, from a checkpoint if `from` is not NULL. */
typedef bool bits_opener(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                         const char *from, const void *context);

/* Alone without a break against all ranks with a checkpoint on the way. */
static inline void bits_check(struct mpi_test *t, bits_opener *open, const void *context,
                              int64_t half, int64_t end)
{
    char path[] = "/tmp/scree-bits-XXXXXX";
    int file = t->comm->rank == 0 ? mkstemp(path) : -1;
    if (file >= 0) close(file);
    scree_comm_broadcast(t->comm, path, sizeof path, 0);
    struct scree_comm alone = job_alone();
    struct scree_job job;
    if (!open(t, &job, &alone, NULL, context)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, end);
    uint64_t straight = scree_job_digest(&job);
    scree_job_clear(&job);

    if (!open(t, &job, t->comm, NULL, context)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, half);
    enum scree_status status = scree_job_save(&job, path);
    MPI_TEST(t, status == SCREE_OK, "save: %s", scree_status_message());
    job_advance(t, &job, end);
    MPI_TEST(t, scree_job_digest(&job) == straight, "another digest than on one rank");
    scree_job_clear(&job);

    for (int all = 0; all < 2; all++) {
        if (!open(t, &job, all ? t->comm : &alone, path, context)) return;
        if (!job_start(t, &job)) return;
        job_advance(t, &job, end);
        MPI_TEST(t, scree_job_digest(&job) == straight, "resumed on %s: another digest",
                 all ? "all ranks" : "one rank");
        scree_job_clear(&job);
    }
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0) unlink(path);
}

#endif
