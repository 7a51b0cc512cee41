/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the engines of all ranks; the link that is MPI. */
#include "link.h"

#include <string.h>

#include "scree/alloc.h"

static void exchange(struct scree_ed_link *link, const int *n_send, const void *send,
                     size_t item_size, int *n_receive, void **receive)
{
    struct scree_ed_line *line = link->owner;
    enum scree_phase before = scree_timer_switch(line->timer, SCREE_PHASE_WAIT);
    scree_comm_exchange(line->comm, n_send, send, item_size, n_receive, receive);
    scree_timer_switch(line->timer, before);
}

static void max(struct scree_ed_link *link, double *values, int n)
{
    struct scree_ed_line *line = link->owner;
    enum scree_phase before = scree_timer_switch(line->timer, SCREE_PHASE_WAIT);
    scree_comm_max(line->comm, values, n);
    scree_timer_switch(line->timer, before);
}

static void sum(struct scree_ed_link *link, int64_t *values, int n)
{
    struct scree_ed_line *line = link->owner;
    enum scree_phase before = scree_timer_switch(line->timer, SCREE_PHASE_WAIT);
    scree_comm_sum_int(line->comm, values, n);
    scree_timer_switch(line->timer, before);
}

void scree_ed_link_comm(struct scree_ed_link *link, struct scree_ed_line *line)
{
    *link = (struct scree_ed_link){line->comm->rank, line->comm->n_ranks, line, exchange, max, sum};
}

void scree_ed_mail_create(struct scree_ed_mail *mail, int n_ranks)
{
    *mail = (struct scree_ed_mail){.n_ranks = n_ranks};
    mail->to = scree_alloc((size_t)n_ranks, sizeof *mail->to);
    memset(mail->to, 0, (size_t)n_ranks * sizeof *mail->to);
}

void scree_ed_mail_clear(struct scree_ed_mail *mail)
{
    for (int r = 0; r < mail->n_ranks; r++) scree_alloc_free(mail->to[r].word);
    scree_alloc_free(mail->to);
    scree_alloc_free(mail->received);
    memset(mail, 0, sizeof *mail);
}

void scree_ed_mail_add(struct scree_ed_mail *mail, int rank, const void *bytes, size_t size)
{
    struct scree_ed_letter *letter = &mail->to[rank];
    size_t n = size / sizeof *letter->word;
    SCREE_GROW(letter->word, letter->n, letter->capacity, letter->n + n);
    memcpy(letter->word + letter->n, bytes, size);
    letter->n += n;
}

void scree_ed_mail_add_word(struct scree_ed_mail *mail, int rank, int64_t word)
{
    scree_ed_mail_add(mail, rank, &word, sizeof word);
}

void scree_ed_mail_exchange(struct scree_ed_mail *mail, struct scree_ed_link *link)
{
    size_t n = (size_t)mail->n_ranks, total = 0;
    int *n_send = scree_alloc(2 * n, sizeof *n_send), *n_receive = n_send + n;
    void *received;
    for (size_t r = 0; r < n; r++) total += mail->to[r].n;
    uint64_t *all = scree_alloc(total + 1, sizeof *all);
    total = 0;
    for (size_t r = 0; r < n; r++) {
        n_send[r] = (int)mail->to[r].n;
        if (mail->to[r].n > 0) memcpy(all + total, mail->to[r].word, mail->to[r].n * sizeof *all);
        total += mail->to[r].n;
        mail->to[r].n = 0;
    }
    link->exchange(link, n_send, all, sizeof *all, n_receive, &received);
    scree_alloc_free(mail->received);
    mail->received = received;
    mail->n_received = 0;
    for (size_t r = 0; r < n; r++) mail->n_received += (size_t)n_receive[r];
    scree_alloc_free(all);
    scree_alloc_free(n_send);
}
