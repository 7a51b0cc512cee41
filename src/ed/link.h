/* SPDX-License-Identifier: BSD-3-Clause
 * What the engines of several ranks need of whatever connects them: MPI, or a test that runs all of
 * them within one process. */
#ifndef SCREE_ED_LINK_H
#define SCREE_ED_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "scree/comm.h"
#include "scree/timer.h"

/* As the functions of struct scree_comm. All are collective. */
struct scree_ed_link {
    int rank, n_ranks;
    void *owner;
    void (*exchange)(struct scree_ed_link *link, const int *n_send, const void *send,
                     size_t item_size, int *n_receive, void **receive);
    void (*max)(struct scree_ed_link *link, double *values, int n);
    void (*sum)(struct scree_ed_link *link, int64_t *values, int n);
};

/* MPI; waiting is told to the timer. */
struct scree_ed_line {
    struct scree_comm *comm;   /* borrowed */
    struct scree_timer *timer; /* borrowed */
};
void scree_ed_link_comm(struct scree_ed_link *link, struct scree_ed_line *line);

/* Messages to every rank, made of 8-byte words. */
struct scree_ed_mail {
    struct scree_ed_letter {
        uint64_t *word; /* owned */
        size_t n, capacity;
    } * to; /* [n_ranks]; owned */
    int n_ranks;
    uint64_t *received; /* owned; what all ranks sent, in their order */
    size_t n_received;
};
void scree_ed_mail_create(struct scree_ed_mail *mail, int n_ranks);
void scree_ed_mail_clear(struct scree_ed_mail *mail);
/* Whole words. */
void scree_ed_mail_add(struct scree_ed_mail *mail, int rank, const void *bytes, size_t size);
void scree_ed_mail_add_word(struct scree_ed_mail *mail, int rank, int64_t word);
/* Send all, and forget what was sent. Collective. */
void scree_ed_mail_exchange(struct scree_ed_mail *mail, struct scree_ed_link *link);

#endif
