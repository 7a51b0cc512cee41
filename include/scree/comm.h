/* SPDX-License-Identifier: BSD-3-Clause
 * The verbs that physics needs from the parallel machine. Outside src/comm only the adapters of
 * libraries that want a communicator (partitioner, files, PETSc) know about MPI. */
#ifndef SCREE_COMM_H
#define SCREE_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/exact.h"
#include "scree/status.h"

struct scree_comm {
    int rank, n_ranks;
    /* Since the loop over time began: sent by this rank to others; results of sums and the like
     * over all ranks. */
    int64_t n_messages, n_bytes, n_collectives, n_collective_bytes;
    int64_t n_exchanges; /* ever */
    void *mpi;           /* MPI_Comm *; for comm and the three adapters only */
};

/* Start and end the parallel machine. Collective. */
void scree_comm_create(struct scree_comm **comm, int *argc, char ***argv);
void scree_comm_destroy(struct scree_comm **comm);
/* What a library wants done before MPI ends; one library. */
void scree_comm_at_end(void (*end)(void));
/* This rank by itself, for what one rank does with functions for several. Local. */
void scree_comm_create_self(struct scree_comm **comm);
void scree_comm_destroy_self(struct scree_comm **comm);

/* Name the file that is being written through MPI; NULL: none. When such a write fails on a rank
 * the others may wait for it within HDF5 for ever, so the whole job ends, with code 1 and a message
 * that names this file. */
void scree_comm_name_file(const char *path);

/* The most severe status of any rank; when it is a failure, rank 0 (and every other rank) gets the
 * message of the lowest failing rank as its own, prefixed by "rank r: " if there is more than one
 * rank. Collective. */
enum scree_status scree_comm_agree(struct scree_comm *comm, enum scree_status status);

/* Count afresh from here. */
void scree_comm_clear_counts(struct scree_comm *comm);

/* Element-wise over ranks, result on all. Collective. */
void scree_comm_max(struct scree_comm *comm, double *values, int n);
void scree_comm_min(struct scree_comm *comm, double *values, int n);
void scree_comm_max_int(struct scree_comm *comm, int64_t *values, int n);
void scree_comm_sum_int(struct scree_comm *comm, int64_t *values, int n);
void scree_comm_sum_hash(struct scree_comm *comm, uint64_t *values, int n); /* modulo 2^64 */
void scree_comm_sum_exact(struct scree_comm *comm, struct scree_exact *sums, int n);
void scree_comm_sum_wide(struct scree_comm *comm, struct scree_wide *sums, int n);
void scree_comm_broadcast(struct scree_comm *comm, void *bytes, size_t size, int root);
void scree_comm_barrier(struct scree_comm *comm);
/* Concatenate blocks of `size` bytes of all ranks in rank order into `all` on every rank. */
void scree_comm_allgather(struct scree_comm *comm, const void *mine, size_t size, void *all);

/* Irregular exchange: send n_send[r] items of item_size bytes to each rank r, taken in rank order
 * from `send`. On return *receive (allocated here with scree_alloc, owned by the caller) holds the
 * items in rank order of their senders and n_receive[r] says how many. The part for this rank
 * itself is copied, not sent. Collective. */
void scree_comm_exchange(struct scree_comm *comm, const int *n_send, const void *send,
                         size_t item_size, int *n_receive, void **receive);

/* A vote of all ranks whose outcome is wanted later, so that nobody waits for the slowest: the
 * largest of what they said in the last begin; 0 if there was none. Begin and end are collective.
 */
struct scree_vote;
void scree_vote_create(struct scree_vote **vote, struct scree_comm *comm);
void scree_vote_destroy(struct scree_vote **vote);
void scree_vote_begin(struct scree_vote *vote, int mine);
int scree_vote_end(struct scree_vote *vote);

/* A standing appointment between neighbour ranks: the same message sizes step after step. */
struct scree_channel;
/* Talk to `n_peers` ranks (never to oneself): peer[k] gets n_send[k] bytes, sends n_receive[k].
 * Zero sizes are allowed and send nothing. Buffers are owned by the channel. Local: both sides
 * must describe the same sizes, and all ranks create their channels in the same order. */
void scree_channel_create(struct scree_channel **channel, struct scree_comm *comm, int n_peers,
                          const int *peer, const size_t *n_send, const size_t *n_receive);
void scree_channel_destroy(struct scree_channel **channel);
void *scree_channel_send_buffer(struct scree_channel *channel, int k);
const void *scree_channel_receive_buffer(struct scree_channel *channel, int k);
/* post (optional): be ready to receive, before the send buffers are filled. begin: send what is in
 * the send buffers. poke: let messages make progress during work in between. end: wait until all
 * has come and all send buffers may be written again. */
void scree_channel_post(struct scree_channel *channel);
void scree_channel_begin(struct scree_channel *channel);
void scree_channel_poke(struct scree_channel *channel);
void scree_channel_end(struct scree_channel *channel);

#endif
