/* SPDX-License-Identifier: BSD-3-Clause
 * Irregular exchange of items between any ranks. Nobody knows from whom something will come, and to
 * ask all would take as many messages as there are ranks. So messages are sent in a way that tells
 * the sender of their arrival; who knows that all of its own have arrived comes to a barrier, and
 * goes on taking what comes until everybody has come there (T. Hoefler et al., PPoPP 2010). */
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/comm.h"

/* Not those of channels, which may be under way meanwhile. There are two, used in turns: a rank may
 * begin the next exchange while others do not yet know that this one has ended. */
enum { EXCHANGE_TAG = 2, NEXT_EXCHANGE_TAG = 3 };

struct arrival {
    int rank, n_items;
    char *items;
};

struct transfer {
    struct scree_comm *comm;
    MPI_Comm world;
    MPI_Datatype item; /* counts are items, so that messages may exceed 2 GiB */
    size_t item_size;
    int tag;
    MPI_Request *sends;
    int n_sends;
    struct arrival *arrivals; /* in any order */
    size_t n_arrivals, capacity;
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

static bool is_for_others(const struct transfer *t, const int *n_send, int r)
{
    return n_send[r] > 0 && r != t->comm->rank;
}

static void begin_sends(struct transfer *t, const int *n_send, const char *send)
{
    size_t n = 0;
    for (int r = 0; r < t->comm->n_ranks; r++) n += is_for_others(t, n_send, r);
    t->sends = scree_alloc(n, sizeof *t->sends);
    for (int r = 0; r < t->comm->n_ranks; r++) {
        size_t size = (size_t)n_send[r] * t->item_size;
        if (is_for_others(t, n_send, r)) {
            MPI_Issend(send, n_send[r], t->item, r, t->tag, t->world, &t->sends[t->n_sends++]);
            t->comm->n_messages++;
            t->comm->n_bytes += (int64_t)size;
        }
        send += size;
    }
}

static void take_what_has_come(struct transfer *t)
{
    for (;;) {
        MPI_Status status;
        int is_there = 0, n = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, t->tag, t->world, &is_there, &status);
        if (!is_there) return;
        MPI_Get_count(&status, t->item, &n);
        SCREE_GROW(t->arrivals, t->n_arrivals, t->capacity, t->n_arrivals + 1);
        struct arrival *a = &t->arrivals[t->n_arrivals++];
        *a = (struct arrival){status.MPI_SOURCE, n, scree_alloc((size_t)n, t->item_size)};
        MPI_Recv(a->items, n, t->item, a->rank, t->tag, t->world, MPI_STATUS_IGNORE);
    }
}

static void wait_for_all(struct transfer *t)
{
    MPI_Request barrier;
    int mine_arrived = 0, all_arrived = 0;
    while (!mine_arrived) {
        take_what_has_come(t);
        MPI_Testall(t->n_sends, t->sends, &mine_arrived, MPI_STATUSES_IGNORE);
    }
    t->comm->n_collectives++;
    MPI_Ibarrier(t->world, &barrier);
    while (!all_arrived) {
        take_what_has_come(t);
        MPI_Test(&barrier, &all_arrived, MPI_STATUS_IGNORE);
    }
}

/* Items of all ranks in rank order; `own` are those that stay here. Frees the arrivals. */
static char *put_in_order(struct transfer *t, int *n_receive, const char *own, int n_own)
{
    const int n_ranks = t->comm->n_ranks;
    size_t *first = scree_alloc((size_t)n_ranks, sizeof *first), total = 0;
    memset(n_receive, 0, (size_t)n_ranks * sizeof *n_receive);
    n_receive[t->comm->rank] = n_own;
    for (size_t k = 0; k < t->n_arrivals; k++)
        n_receive[t->arrivals[k].rank] = t->arrivals[k].n_items;
    for (int r = 0; r < n_ranks; r++) {
        first[r] = total * t->item_size;
        total += (size_t)n_receive[r];
    }
    char *all = scree_alloc(total, t->item_size);
    if (n_own > 0) memcpy(all + first[t->comm->rank], own, (size_t)n_own * t->item_size);
    for (size_t k = 0; k < t->n_arrivals; k++) {
        const struct arrival *a = &t->arrivals[k];
        memcpy(all + first[a->rank], a->items, (size_t)a->n_items * t->item_size);
        scree_alloc_free(a->items);
    }
    scree_alloc_free(first);
    scree_alloc_free(t->arrivals);
    return all;
}

void scree_comm_exchange(struct scree_comm *comm, const int *n_send, const void *send,
                         size_t item_size, int *n_receive, void **receive)
{
    if (item_size == 0 || item_size > INT_MAX) SCREE_ABORT("items of %zu bytes", item_size);
    struct transfer t = {.comm = comm, .item_size = item_size};
    t.world = *(const MPI_Comm *)comm->mpi;
    t.tag = comm->n_exchanges++ % 2 == 0 ? EXCHANGE_TAG : NEXT_EXCHANGE_TAG;
    total_items(n_send, comm->n_ranks); /* refuses negative counts */
    if (comm->n_ranks > 1) {
        MPI_Type_contiguous((int)item_size, MPI_BYTE, &t.item);
        MPI_Type_commit(&t.item);
        begin_sends(&t, n_send, send);
        wait_for_all(&t);
        MPI_Type_free(&t.item);
    }
    const char *own = send;
    if (own != NULL) own += total_items(n_send, comm->rank) * item_size;
    *receive = put_in_order(&t, n_receive, own, n_send[comm->rank]);
    scree_alloc_free(t.sends);
}
