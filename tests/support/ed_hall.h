/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven engines of many ranks within one process: a thread for each rank, of which one runs
 * at a time and hands over when it waits for the others. So the order is always the same. */
#ifndef SCREE_ED_HALL_H
#define SCREE_ED_HALL_H

#include <string.h>
#include <threads.h>

#include "../../src/ed/ranks.h"

enum { ED_HALL_RANKS = 64 };

struct ed_hall {
    int n, turn;
    mtx_t lock;
    struct ed_desk {
        struct ed_hall *hall;
        cnd_t passed;
        struct scree_ed_link link;
        const int *n_send;
        const void *send;
        const double *reals;
        const int64_t *integers;
        thrd_t thread;
        void (*work)(struct scree_ed_link *link, void *context);
        void *context;
    } desk[ED_HALL_RANKS];
};

/* Let the next rank run until it comes here; returns when all others have. */
static inline void ed_hall_pass(struct ed_hall *hall, int rank)
{
    if (hall->n == 1) return;
    hall->turn = (rank + 1) % hall->n;
    cnd_signal(&hall->desk[hall->turn].passed);
    while (hall->turn != rank) cnd_wait(&hall->desk[rank].passed, &hall->lock);
}

static inline void ed_hall_exchange(struct scree_ed_link *link, const int *n_send, const void *send,
                                    size_t item_size, int *n_receive, void **receive)
{
    struct ed_desk *mine = link->owner;
    struct ed_hall *hall = mine->hall;
    size_t total = 0;
    mine->n_send = n_send;
    mine->send = send;
    ed_hall_pass(hall, link->rank);
    for (int r = 0; r < hall->n; r++)
        total += (size_t)(n_receive[r] = hall->desk[r].n_send[link->rank]);
    char *into = *receive = scree_alloc(total + 1, item_size);
    for (int r = 0; r < hall->n; r++) {
        const char *from = hall->desk[r].send;
        for (int k = 0; k < link->rank; k++) from += (size_t)hall->desk[r].n_send[k] * item_size;
        memcpy(into, from, (size_t)n_receive[r] * item_size);
        into += (size_t)n_receive[r] * item_size;
    }
    ed_hall_pass(hall, link->rank);
}

static inline void ed_hall_max(struct scree_ed_link *link, double *values, int n)
{
    struct ed_desk *mine = link->owner;
    double result[8];
    mine->reals = values;
    ed_hall_pass(mine->hall, link->rank);
    for (int k = 0; k < n; k++) {
        result[k] = values[k];
        for (int r = 0; r < link->n_ranks; r++)
            if (mine->hall->desk[r].reals[k] > result[k]) result[k] = mine->hall->desk[r].reals[k];
    }
    ed_hall_pass(mine->hall, link->rank);
    memcpy(values, result, (size_t)n * sizeof *values);
    ed_hall_pass(mine->hall, link->rank);
}

static inline void ed_hall_sum(struct scree_ed_link *link, int64_t *values, int n)
{
    struct ed_desk *mine = link->owner;
    int64_t result[8] = {0};
    mine->integers = values;
    ed_hall_pass(mine->hall, link->rank);
    for (int k = 0; k < n; k++)
        for (int r = 0; r < link->n_ranks; r++) result[k] += mine->hall->desk[r].integers[k];
    ed_hall_pass(mine->hall, link->rank);
    memcpy(values, result, (size_t)n * sizeof *values);
    ed_hall_pass(mine->hall, link->rank);
}

static inline int ed_hall_thread(void *argument)
{
    struct ed_desk *desk = argument;
    struct ed_hall *hall = desk->hall;
    mtx_lock(&hall->lock);
    while (hall->turn != desk->link.rank) cnd_wait(&desk->passed, &hall->lock);
    desk->work(&desk->link, desk->context);
    hall->turn = (desk->link.rank + 1) % hall->n;
    cnd_signal(&hall->desk[hall->turn].passed);
    mtx_unlock(&hall->lock);
    return 0;
}

/* Run `work` as each of n ranks. */
static inline void ed_hall_run(int n, void (*work)(struct scree_ed_link *link, void *context),
                               void *context)
{
    struct ed_hall *hall = scree_alloc(1, sizeof *hall);
    memset(hall, 0, sizeof *hall);
    hall->n = n;
    mtx_init(&hall->lock, mtx_plain);
    for (int r = 0; r < n; r++) {
        struct ed_desk *desk = &hall->desk[r];
        *desk = (struct ed_desk){.hall = hall, .work = work, .context = context};
        desk->link = (struct scree_ed_link){r, n, desk, ed_hall_exchange, ed_hall_max, ed_hall_sum};
        cnd_init(&desk->passed);
    }
    for (int r = 0; r < n; r++) thrd_create(&hall->desk[r].thread, ed_hall_thread, &hall->desk[r]);
    for (int r = 0; r < n; r++) thrd_join(hall->desk[r].thread, NULL);
    for (int r = 0; r < n; r++) cnd_destroy(&hall->desk[r].passed);
    mtx_destroy(&hall->lock);
    scree_alloc_free(hall);
}

#endif
