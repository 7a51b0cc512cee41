/* SPDX-License-Identifier: BSD-3-Clause
 * Start and end of the parallel machine, agreement on failures, sums and copies over all ranks. */
#define _POSIX_C_SOURCE 200809L
#include "scree/comm.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/signals.h"

enum { N_WIDE_PIECES = 4, N_EXACT_WORDS = SCREE_EXACT_LIMBS + 1 };

static MPI_Comm world_of(const struct scree_comm *comm)
{
    return *(const MPI_Comm *)comm->mpi;
}

/* Each takes as many messages as the logarithm of the number of ranks. */
static void count(struct scree_comm *comm, size_t bytes)
{
    comm->n_collectives++;
    comm->n_collective_bytes += (int64_t)bytes;
}

void scree_comm_clear_counts(struct scree_comm *comm)
{
    comm->n_messages = comm->n_bytes = comm->n_collectives = comm->n_collective_bytes = 0;
}

static void abort_all_ranks(int exit_code)
{
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

/* Open MPI opens files with a semaphore that is named after the last part of the path and outlives
 * its owner: once a job has been killed while it opened a file, every later one on that machine
 * that opens a file of that name waits for ever. Its other way into files, ROMIO, has none; where
 * ROMIO is not there, at least the semaphore is passed over. What the user has set stays. */
static void avoid_stale_semaphores(void)
{
    setenv("OMPI_MCA_io_romio321_priority", "100", 0);
    setenv("OMPI_MCA_io_romio341_priority", "100", 0);
    setenv("OMPI_MCA_sharedfp_sm_priority", "0", 0);
}

/* A rank that waits for another one lets others have its core: on a busy machine it might be the
 * other one that has none. Where cores are idle nobody takes it. What the user has set stays. */
static void yield_while_waiting(void)
{
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

static char file_name[4096];

/* Called by MPI on the rank where an operation on a file has failed. Failures to open, and all of
 * reading, are left to the caller. */
static void end_job_on_failed_write(MPI_File *file, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length, rank = 0;
    if (*file == MPI_FILE_NULL || file_name[0] == '\0') return;
    MPI_Error_string(*code, text, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    text[strcspn(text, "\n")] = '\0';
    fprintf(stderr, "error: rank %d: %s: cannot be written; is the disk full? (%s)\n", rank,
            file_name, text);
    MPI_Abort(MPI_COMM_WORLD, SCREE_EXIT_FAILED);
}

static void watch_files(void)
{
    MPI_Errhandler handler;
    MPI_File_create_errhandler(end_job_on_failed_write, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler); /* for all files opened from now on */
    MPI_Errhandler_free(&handler);
}

/* MPI was begun here, not by a program that uses the library. */
static bool is_mine;

void scree_comm_create(struct scree_comm **comm, int *argc, char ***argv)
{
    avoid_stale_semaphores();
    yield_while_waiting();
    scree_signals_hold(); /* the threads of MPI never see SIGTERM: it can be held back */
    int running;
    MPI_Initialized(&running);
    is_mine = running == 0;
    if (is_mine) MPI_Init(argc, argv);
    scree_signals_release();
    struct scree_comm *made = scree_alloc(1, sizeof *made);
    MPI_Comm *world = scree_alloc(1, sizeof *world);
    /* A communicator of our own: libraries that talk on MPI_COMM_WORLD cannot catch our tags. */
    MPI_Comm_dup(MPI_COMM_WORLD, world);
    *made = (struct scree_comm){.mpi = world};
    watch_files();
    MPI_Comm_rank(*world, &made->rank);
    MPI_Comm_size(*world, &made->n_ranks);
    scree_status_set_abort_hook(abort_all_ranks, made->rank);
    *comm = made;
}

static void (*at_end)(void);

void scree_comm_at_end(void (*end)(void))
{
    at_end = end;
}

void scree_comm_create_self(struct scree_comm **comm)
{
    MPI_Comm *self = scree_alloc(1, sizeof *self);
    MPI_Comm_dup(MPI_COMM_SELF, self);
    *comm = scree_alloc(1, sizeof **comm);
    **comm = (struct scree_comm){.rank = 0, .n_ranks = 1, .mpi = self};
}

void scree_comm_destroy_self(struct scree_comm **comm)
{
    MPI_Comm_free((*comm)->mpi);
    scree_alloc_free((*comm)->mpi);
    scree_alloc_free(*comm);
    *comm = NULL;
}

void scree_comm_destroy(struct scree_comm **comm)
{
    if (*comm == NULL) return;
    if (at_end != NULL) at_end();
    MPI_Comm_free((*comm)->mpi);
    scree_alloc_free((*comm)->mpi);
    scree_alloc_free(*comm);
    *comm = NULL;
    scree_status_set_abort_hook(NULL, 0); /* MPI_Abort is not allowed after the next line */
    if (is_mine) MPI_Finalize();
}

void scree_comm_name_file(const char *path)
{
    snprintf(file_name, sizeof file_name, "%s", path == NULL ? "" : path);
}

/* A failure as it travels from the rank that had it to all others. */
struct failure_report {
    char message[1100]; /* room for a full message of scree_status_fail and "rank r: " */
    char place[256];
};

/* Nested collective functions agree one after the other on the same failure; only the first time
 * does the message belong to one rank. */
static bool names_a_rank(const char *message)
{
    int rank, n_read = 0;
    return sscanf(message, "rank %d: %n", &rank, &n_read) == 1 && n_read > 0;
}

static void describe_failure(struct failure_report *report, int rank)
{
    const char *message = scree_status_message();
    bool prefixed = message[0] != '\0' && !names_a_rank(message);
    memset(report, 0, sizeof *report);
    if (prefixed)
        snprintf(report->message, sizeof report->message, "rank %d: %s", rank, message);
    else
        snprintf(report->message, sizeof report->message, "%s", message);
    snprintf(report->place, sizeof report->place, "%s", scree_status_place());
}

/* Raise the failure of another rank here, as if it had happened at the same source line. */
static void adopt_failure(struct failure_report *report, enum scree_status status)
{
    int line = 0;
    char *colon = strrchr(report->place, ':');
    if (colon != NULL) {
        line = (int)strtol(colon + 1, NULL, 10);
        *colon = '\0';
    }
    scree_status_clear();
    if (report->message[0] == '\0') return; /* e.g. stopped on request */
    scree_status_fail(status, report->place, line, "%s", report->message);
}

enum scree_status scree_comm_agree(struct scree_comm *comm, enum scree_status status)
{
    if (comm->n_ranks == 1) return status;
    struct {
        int status, rank;
    } worst = {(int)status, comm->rank};
    /* MAXLOC gives the lowest rank among equals. */
    count(comm, sizeof worst);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, world_of(comm));
    enum scree_status agreed = (enum scree_status)worst.status;
    if (agreed == SCREE_OK) return agreed;
    struct failure_report report;
    if (comm->rank == worst.rank) describe_failure(&report, comm->rank);
    MPI_Bcast(&report, (int)sizeof report, MPI_BYTE, worst.rank, world_of(comm));
    adopt_failure(&report, agreed);
    return agreed;
}

void scree_comm_max(struct scree_comm *comm, double *values, int n)
{
    count(comm, (size_t)n * sizeof *values);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, world_of(comm));
}

void scree_comm_min(struct scree_comm *comm, double *values, int n)
{
    count(comm, (size_t)n * sizeof *values);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MIN, world_of(comm));
}

void scree_comm_max_int(struct scree_comm *comm, int64_t *values, int n)
{
    count(comm, (size_t)n * sizeof *values);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_MAX, world_of(comm));
}

void scree_comm_sum_int(struct scree_comm *comm, int64_t *values, int n)
{
    count(comm, (size_t)n * sizeof *values);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_SUM, world_of(comm));
}

void scree_comm_sum_hash(struct scree_comm *comm, uint64_t *values, int n)
{
    count(comm, (size_t)n * sizeof *values);
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_UINT64_T, MPI_SUM, world_of(comm));
}

/* Normalised limbs have 32 bits, so the plain sum over ranks cannot overflow its 64. */
void scree_comm_sum_exact(struct scree_comm *comm, struct scree_exact *sums, int n)
{
    if (comm->n_ranks == 1) {
        for (int i = 0; i < n; i++) scree_exact_normalize(&sums[i]);
        return;
    }
    int64_t *words = scree_alloc((size_t)n, N_EXACT_WORDS * sizeof *words);
    for (int i = 0; i < n; i++) {
        int64_t *row = words + (ptrdiff_t)i * N_EXACT_WORDS;
        scree_exact_normalize(&sums[i]);
        memcpy(row, sums[i].limb, sizeof sums[i].limb);
        row[SCREE_EXACT_LIMBS] = sums[i].n_invalid;
    }
    scree_comm_sum_int(comm, words, n * N_EXACT_WORDS);
    for (int i = 0; i < n; i++) {
        const int64_t *row = words + (ptrdiff_t)i * N_EXACT_WORDS;
        memcpy(sums[i].limb, row, sizeof sums[i].limb);
        sums[i].n_invalid = row[SCREE_EXACT_LIMBS];
        sums[i].n_pending = comm->n_ranks; /* each rank's limbs count as one addition */
        scree_exact_normalize(&sums[i]);
    }
    scree_alloc_free(words);
}

/* 32 bits of each sum travel in 64, so that the carries of up to 2^31 ranks are kept; the highest
 * piece wraps modulo 2^32 as the 128-bit sum itself would. */
void scree_comm_sum_wide(struct scree_comm *comm, struct scree_wide *sums, int n)
{
    const uint64_t mask = UINT32_MAX;
    int64_t *pieces = scree_alloc((size_t)n, N_WIDE_PIECES * sizeof *pieces);
    for (int i = 0; i < n; i++) {
        int64_t *piece = pieces + (ptrdiff_t)i * N_WIDE_PIECES;
        uint64_t high = (uint64_t)sums[i].high;
        piece[0] = (int64_t)(sums[i].low & mask);
        piece[1] = (int64_t)(sums[i].low >> 32);
        piece[2] = (int64_t)(high & mask);
        piece[3] = (int64_t)(high >> 32);
    }
    scree_comm_sum_int(comm, pieces, n * N_WIDE_PIECES);
    for (int i = 0; i < n; i++) {
        const int64_t *piece = pieces + (ptrdiff_t)i * N_WIDE_PIECES;
        uint64_t carry[N_WIDE_PIECES], rest = 0;
        for (int k = 0; k < N_WIDE_PIECES; k++) {
            carry[k] = (uint64_t)piece[k] + rest;
            rest = carry[k] >> 32;
        }
        sums[i].low = (carry[0] & mask) | carry[1] << 32;
        sums[i].high = (int64_t)((carry[2] & mask) | carry[3] << 32);
    }
    scree_alloc_free(pieces);
}

void scree_comm_broadcast(struct scree_comm *comm, void *bytes, size_t size, int root)
{
    const size_t piece_max = (size_t)1 << 30; /* MPI counts are int */
    char *next = bytes;
    count(comm, size);
    while (size > 0) {
        size_t piece = size < piece_max ? size : piece_max;
        MPI_Bcast(next, (int)piece, MPI_BYTE, root, world_of(comm));
        next += piece;
        size -= piece;
    }
}

void scree_comm_barrier(struct scree_comm *comm)
{
    count(comm, 0);
    MPI_Barrier(world_of(comm));
}

void scree_comm_allgather(struct scree_comm *comm, const void *mine, size_t size, void *all)
{
    if (size == 0) return;
    if (size > INT_MAX) SCREE_ABORT("allgather of %zu bytes per rank is not supported", size);
    count(comm, size * (size_t)comm->n_ranks);
    /* One item per rank: the product of ranks and bytes need not fit an int. */
    MPI_Datatype block;
    MPI_Type_contiguous((int)size, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    MPI_Allgather(mine, 1, block, all, 1, block, world_of(comm));
    MPI_Type_free(&block);
}
