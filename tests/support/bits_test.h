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

/* The digest at step `end` of a job that rank 0 does alone. */
static inline uint64_t bits_alone(struct mpi_test *t, bits_opener *open, const void *context,
                                  const char *from, int64_t end)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    uint64_t digest = 0;
    if (t->comm->rank == 0 && open(t, &job, &alone, from, context)) {
        if (job_start(t, &job)) job_advance(t, &job, end);
        digest = scree_digest_compute(&job.run);
        scree_job_clear(&job);
    }
    mpi_test_tell(t, &digest, sizeof digest);
    return digest;
}

/* Alone without a break against all ranks with a checkpoint on the way. */
static inline void bits_check(struct mpi_test *t, bits_opener *open, const void *context,
                              int64_t half, int64_t end)
{
    char path[] = "/tmp/scree-bits-XXXXXX";
    int file = t->comm->rank == 0 ? mkstemp(path) : -1;
    if (file >= 0) close(file);
    scree_comm_broadcast(t->comm, path, sizeof path, 0);
    struct scree_job job;
    uint64_t straight = bits_alone(t, open, context, NULL, end);
    if (!open(t, &job, t->comm, NULL, context)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, half);
    enum scree_status status = scree_restart_save(&job.restart, path);
    MPI_TEST(t, status == SCREE_OK, "save: %s", scree_status_message());
    job_advance(t, &job, end);
    MPI_TEST(t, scree_digest_compute(&job.run) == straight, "another digest than on one rank");
    scree_job_clear(&job);

    MPI_TEST(t, bits_alone(t, open, context, path, end) == straight,
             "resumed on one rank: another digest");
    if (!open(t, &job, t->comm, path, context)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, end);
    MPI_TEST(t, scree_digest_compute(&job.run) == straight, "resumed on all ranks: another digest");
    scree_job_clear(&job);
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0) unlink(path);
}

#endif
