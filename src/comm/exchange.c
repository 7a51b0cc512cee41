/* SPDX-License-Identifier: BSD-3-Clause
 * Irregular exchange of items between any ranks: counts first, then only the non-empty pairs. */
#include <limits.h>
#include <mpi.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/comm.h"

enum { EXCHANGE_TAG = 2 }; /* not the one of channels: they may be under way meanwhile */

struct transfer {
    struct scree_comm *comm;
    MPI_Comm world;
    MPI_Datatype item; /* counts are items, so that messages may exceed 2 GiB */
    size_t item_size;
    MPI_Request *requests;
    int n_requests;
};

static size_t total_items(const int *n_items, int n_ranks)
{
    size_t total = 0;
    for (int r = 0; r < n_ranks; r++) {
        if (n_items[r] < 0) SCREE_ABORT("exchange of %d items with rank %d", n_items[r], r);
        total += (size_t)n_items[r];
    }
    return total;
}

static void post_receives(struct transfer *t, const int *n_receive, char *receive)
{
    for (int r = 0; r < t->comm->n_ranks; r++) {
        if (n_receive[r] > 0 && r != t->comm->rank)
            MPI_Irecv(receive, n_receive[r], t->item, r, EXCHANGE_TAG, t->world,
                      &t->requests[t->n_requests++]);
        receive += (size_t)n_receive[r] * t->item_size;
    }
}

/* `own` is where the items that stay on this rank go. */
static void post_sends(struct transfer *t, const int *n_send, const char *send, char *own)
{
    for (int r = 0; r < t->comm->n_ranks; r++) {
        size_t size = (size_t)n_send[r] * t->item_size;
        if (size == 0) continue;
        if (r == t->comm->rank) {
            memcpy(own, send, size);
        } else {
            MPI_Isend(send, n_send[r], t->item, r, EXCHANGE_TAG, t->world,
                      &t->requests[t->n_requests++]);
            t->comm->n_messages++;
            t->comm->n_bytes += (int64_t)size;
        }
        send += size;
    }
}

void scree_comm_exchange(struct scree_comm *comm, const int *n_send, const void *send,
                         size_t item_size, int *n_receive, void **receive)
{
    if (item_size == 0 || item_size > INT_MAX) SCREE_ABORT("items of %zu bytes", item_size);
    struct transfer t = {.comm = comm, .item_size = item_size};
    t.world = *(const MPI_Comm *)comm->mpi;
    MPI_Alltoall(n_send, 1, MPI_INT, n_receive, 1, MPI_INT, t.world);
    total_items(n_send, comm->n_ranks); /* refuses negative counts */
    char *into = scree_alloc(total_items(n_receive, comm->n_ranks), item_size);
    char *own = into + total_items(n_receive, comm->rank) * item_size;
    t.requests = scree_alloc(2 * (size_t)comm->n_ranks, sizeof *t.requests);
    MPI_Type_contiguous((int)item_size, MPI_BYTE, &t.item);
    MPI_Type_commit(&t.item);
    post_receives(&t, n_receive, into);
    post_sends(&t, n_send, send, own);
    MPI_Waitall(t.n_requests, t.requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&t.item);
    scree_alloc_free(t.requests);
    *receive = into;
}
