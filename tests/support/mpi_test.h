/* SPDX-License-Identifier: BSD-3-Clause
 * Checks for programs that run on several ranks.
 *
 *     struct mpi_test t;
 *     mpi_test_begin(&t, &argc, &argv);
 *     MPI_TEST(&t, n == 3, "n is %d", n);      any rank, any number of times
 *     return mpi_test_end(&t);                  collective; t.comm is closed
 *
 * Failures are kept on their rank and printed by rank 0 at the end, one line each, then the line
 * "1 passed, 0 failed" or "0 passed, 1 failed", for a program is one test, with the number of
 * comparisons of all ranks beside it. The exit code is the same on every rank.
 * With SCREE_TEST_LOUD in the environment each rank also prints its failures at once: for tests
 * that hang.
 *
 * Every program runs on 1, 2, 3 and 4 ranks. What one rank does by itself is done once:
 *
 *     if (mpi_test_serial(&t)) check_formula(&t);            a part that needs no other rank
 *     if (t.comm->rank == 0) digest = run_alone(&t);         a result with which all compare theirs
 *     mpi_test_tell(&t, &digest, sizeof digest); */
#ifndef SCREE_MPI_TEST_H
#define SCREE_MPI_TEST_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "scree/alloc.h"
#include "scree/comm.h"

#ifdef __SANITIZE_ADDRESS__
enum { MPI_TEST_SANITIZED = 1 }; /* several times slower */
#else
enum { MPI_TEST_SANITIZED = 0 };
#endif

enum { MPI_TEST_LINES = 20, MPI_TEST_WIDTH = 200 }; /* further failures are only counted */

struct mpi_test {
    struct scree_comm *comm;
    int64_t n_passed, n_failed; /* on this rank */
    int n_serial;               /* parts so far that need one rank */
    char lines[MPI_TEST_LINES][MPI_TEST_WIDTH];
};

#define MPI_TEST(t, ok, ...) mpi_test_check((t), (ok), __FILE__, __LINE__, __VA_ARGS__)

static inline void mpi_test_begin(struct mpi_test *t, int *argc, char ***argv)
{
    memset(t, 0, sizeof *t);
    scree_comm_create(&t->comm, argc, argv);
}

/* Returns `ok`, to leave a loop at its first failure. */
__attribute__((format(printf, 5, 6))) static inline bool
mpi_test_check(struct mpi_test *t, bool ok, const char *file, int line, const char *format, ...)
{
    if (ok) {
        t->n_passed++;
        return true;
    }
    if (t->n_failed < MPI_TEST_LINES) {
        char text[MPI_TEST_WIDTH / 2];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        char *into = t->lines[t->n_failed];
        snprintf(into, MPI_TEST_WIDTH, "%s:%d: rank %d of %d: %s", file, line, t->comm->rank,
                 t->comm->n_ranks, text);
        if (getenv("SCREE_TEST_LOUD") != NULL) fprintf(stderr, "%s\n", into);
    }
    t->n_failed++;
    return false;
}

/* Is the next part that needs no other rank for the calling one? On 1 rank alone; sanitized
 * programs, which nobody runs on 1 rank, share such parts out among their ranks. All ranks must
 * ask. */
static inline bool mpi_test_serial(struct mpi_test *t)
{
    bool once = MPI_TEST_SANITIZED || t->comm->n_ranks == 1;
    return once && t->n_serial++ % t->comm->n_ranks == t->comm->rank;
}

/* Wait for all ranks, asleep: another rank may need the core for long. */
static inline void mpi_test_meet(struct mpi_test *t)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(*(MPI_Comm *)t->comm->mpi, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        thrd_sleep(&nap, NULL);
}

/* What rank 0 has found by itself. */
static inline void mpi_test_tell(struct mpi_test *t, void *found, size_t n_bytes)
{
    mpi_test_meet(t);
    scree_comm_broadcast(t->comm, found, n_bytes, 0);
}

/* A part of the test that cannot run here; said once. */
static inline void mpi_test_skip(struct mpi_test *t, const char *why)
{
    if (t->comm->rank == 0) printf("skipped: %s\n", why);
}

static inline int mpi_test_end(struct mpi_test *t)
{
    struct scree_comm *comm = t->comm;
    size_t n_ranks = (size_t)comm->n_ranks;
    int *n_send = scree_alloc(n_ranks, sizeof *n_send);
    int *n_receive = scree_alloc(n_ranks, sizeof *n_receive);
    for (int r = 0; r < comm->n_ranks; r++) n_send[r] = 0;
    mpi_test_meet(t);
    n_send[0] = (int)(t->n_failed < MPI_TEST_LINES ? t->n_failed : MPI_TEST_LINES);
    void *lines;
    scree_comm_exchange(comm, n_send, t->lines, MPI_TEST_WIDTH, n_receive, &lines);
    int64_t counts[2] = {t->n_passed, t->n_failed};
    scree_comm_sum_int(comm, counts, 2);
    if (comm->rank == 0) {
        int n_lines = 0;
        for (int r = 0; r < comm->n_ranks; r++) n_lines += n_receive[r];
        for (int k = 0; k < n_lines; k++) printf("%s\n", (char *)lines + k * MPI_TEST_WIDTH);
        printf("%d passed, %d failed (%lld comparisons, %lld wrong)\n",
               counts[0] > 0 && counts[1] == 0, counts[1] > 0, (long long)(counts[0] + counts[1]),
               (long long)counts[1]);
        fflush(stdout);
    }
    scree_alloc_free(lines);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
    scree_comm_destroy(&t->comm);
    return counts[1] > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
