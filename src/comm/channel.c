/* SPDX-License-Identifier: BSD-3-Clause
 * Standing appointments between neighbour ranks, kept as persistent requests. */
#include <mpi.h>

#include "scree/alloc.h"
#include "scree/comm.h"
#include "scree/types.h"

enum { CHANNEL_TAG = 1 };
static const size_t piece_max = (size_t)1 << 30; /* MPI counts are int */

struct scree_channel {
    struct scree_comm *comm; /* borrowed; outlives the channel */
    int n_peers;
    bool is_under_way;      /* between begin and end */
    char *buffer;           /* all messages, each starting at a multiple of SCREE_ALIGNMENT */
    size_t *send, *receive; /* [n_peers] where each message starts in `buffer` */
    MPI_Request *requests;  /* [n_requests] receives first, so that they are posted first */
    int n_requests, n_receives;
    bool is_posted;              /* receives are waiting already */
    int64_t n_messages, n_bytes; /* sent per begin */
};

static size_t n_pieces(size_t size)
{
    return (size + piece_max - 1) / piece_max;
}

/* Lay out the messages one after the other; returns the end of the last. */
static size_t place_messages(const size_t *sizes, int n, size_t begin, size_t *starts)
{
    for (int k = 0; k < n; k++) {
        starts[k] = begin;
        begin += (sizes[k] + SCREE_ALIGNMENT - 1) / SCREE_ALIGNMENT * SCREE_ALIGNMENT;
    }
    return begin;
}

static void prepare_receive(struct scree_channel *channel, size_t start, size_t size, int peer)
{
    MPI_Comm world = *(const MPI_Comm *)channel->comm->mpi;
    for (size_t done = 0; done < size; done += piece_max) {
        size_t piece = size - done < piece_max ? size - done : piece_max;
        MPI_Recv_init(channel->buffer + start + done, (int)piece, MPI_BYTE, peer, CHANNEL_TAG,
                      world, &channel->requests[channel->n_requests++]);
    }
}

static void prepare_send(struct scree_channel *channel, size_t start, size_t size, int peer)
{
    MPI_Comm world = *(const MPI_Comm *)channel->comm->mpi;
    for (size_t done = 0; done < size; done += piece_max) {
        size_t piece = size - done < piece_max ? size - done : piece_max;
        MPI_Send_init(channel->buffer + start + done, (int)piece, MPI_BYTE, peer, CHANNEL_TAG,
                      world, &channel->requests[channel->n_requests++]);
        channel->n_messages++;
    }
    channel->n_bytes += (int64_t)size;
}

void scree_channel_create(struct scree_channel **channel, struct scree_comm *comm, int n_peers,
                          const int *peer, const size_t *n_send, const size_t *n_receive)
{
    struct scree_channel *made = scree_alloc(1, sizeof *made);
    *made = (struct scree_channel){.comm = comm, .n_peers = n_peers};
    size_t n_requests = 0;
    for (int k = 0; k < n_peers; k++) {
        if (peer[k] < 0 || peer[k] >= comm->n_ranks || peer[k] == comm->rank)
            SCREE_ABORT("channel to rank %d of %d", peer[k], comm->n_ranks);
        n_requests += n_pieces(n_send[k]) + n_pieces(n_receive[k]);
    }
    made->send = scree_alloc((size_t)n_peers, sizeof *made->send);
    made->receive = scree_alloc((size_t)n_peers, sizeof *made->receive);
    made->requests = scree_alloc(n_requests, sizeof *made->requests);
    size_t middle = place_messages(n_receive, n_peers, 0, made->receive);
    made->buffer = scree_alloc(place_messages(n_send, n_peers, middle, made->send), 1);
    for (int k = 0; k < n_peers; k++)
        prepare_receive(made, made->receive[k], n_receive[k], peer[k]);
    made->n_receives = made->n_requests;
    for (int k = 0; k < n_peers; k++) prepare_send(made, made->send[k], n_send[k], peer[k]);
    *channel = made;
}

void scree_channel_destroy(struct scree_channel **channel)
{
    if (*channel == NULL) return;
    struct scree_channel *c = *channel;
    if (c->is_under_way) SCREE_ABORT("channel destroyed between begin and end");
    for (int k = 0; k < c->n_requests; k++) MPI_Request_free(&c->requests[k]);
    scree_alloc_free(c->requests);
    scree_alloc_free(c->buffer);
    scree_alloc_free(c->receive);
    scree_alloc_free(c->send);
    scree_alloc_free(c);
    *channel = NULL;
}

void *scree_channel_send_buffer(struct scree_channel *channel, int k)
{
    SCREE_ASSERT(k >= 0 && k < channel->n_peers);
    return channel->buffer + channel->send[k];
}

const void *scree_channel_receive_buffer(struct scree_channel *channel, int k)
{
    SCREE_ASSERT(k >= 0 && k < channel->n_peers);
    return channel->buffer + channel->receive[k];
}

void scree_channel_post(struct scree_channel *channel)
{
    SCREE_ASSERT(!channel->is_under_way);
    channel->is_under_way = channel->is_posted = true;
    if (channel->n_receives > 0) MPI_Startall(channel->n_receives, channel->requests);
}

void scree_channel_begin(struct scree_channel *channel)
{
    if (!channel->is_posted) scree_channel_post(channel);
    channel->is_posted = false;
    int n_sends = channel->n_requests - channel->n_receives;
    if (n_sends > 0) MPI_Startall(n_sends, channel->requests + channel->n_receives);
    channel->comm->n_messages += channel->n_messages;
    channel->comm->n_bytes += channel->n_bytes;
}

void scree_channel_poke(struct scree_channel *channel)
{
    int done;
    if (channel->n_requests > 0)
        MPI_Testall(channel->n_requests, channel->requests, &done, MPI_STATUSES_IGNORE);
}

void scree_channel_end(struct scree_channel *channel)
{
    SCREE_ASSERT(channel->is_under_way);
    MPI_Waitall(channel->n_requests, channel->requests, MPI_STATUSES_IGNORE);
    channel->is_under_way = false;
}
