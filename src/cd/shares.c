/* SPDX-License-Identifier: BSD-3-Clause
 * Bodies in several blocks: whose increments are added to which, and what is sent for that.
 *
 * Every rank that has a copy of a body knows all of its blocks, so both sides of a message can tell
 * what is in it: for each body that they share, in the order of gids, the copies of the sender in
 * the order of blocks. */
#include <stdlib.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

static const struct scree_cd_body *sorted_bodies; /* of compare_gids; qsort has no context */

static int compare_gids(const void *a, const void *b)
{
    scree_gid x = sorted_bodies[*(const int32_t *)a].gid,
              y = sorted_bodies[*(const int32_t *)b].gid;
    return x < y ? -1 : x > y;
}

static size_t count_members(const struct scree_cd_problem *p, size_t body)
{
    return p->first_member[body + 1] - p->first_member[body];
}

/* Bodies with more than one block, by gid. */
static int32_t *find_shared(const struct scree_cd_problem *p, size_t *n)
{
    int32_t *shared = scree_alloc(p->n_bodies + 1, sizeof *shared);
    *n = 0;
    for (size_t b = 0; b < p->n_bodies; b++)
        if (count_members(p, b) > 1) shared[(*n)++] = (int32_t)b;
    sorted_bodies = p->body;
    qsort(shared, *n, sizeof *shared, compare_gids);
    return shared;
}

/* Growing list of copies to send, by rank. */
struct outbox {
    int32_t *copy;
    size_t n, capacity;
};

/* One body: where its copies are, and which of them go to whom. `n_from`: copies that come from
 * each rank so far. */
static void add_share(struct scree_cd_problem *p, const int *owner, size_t body, int me,
                      struct outbox *out, size_t *n_from, int32_t *from)
{
    size_t first = p->first_member[body], n = count_members(p, body);
    struct scree_cd_share *share = &p->share[p->n_shares];
    share->n = (int)n;
    share->first = p->n_shares > 0 ? share[-1].first + share[-1].n : 0;
    p->n_shares++;
    for (size_t k = 0; k < n; k++) {
        int rank = owner[first + k];
        int32_t *to = &p->share_copy[share->first + (int)k];
        from[share->first + (int)k] = rank;
        *to = rank == me ? scree_cd_find_copy(p, scree_cd_find_block(p, p->member[first + k]),
                                              p->body[body].gid)
                         : -1 - (int32_t)n_from[rank]++;
    }
    for (size_t k = 0; k < n; k++) {
        int rank = owner[first + k];
        bool told = rank == me;
        for (size_t m = 0; m < k; m++) told = told || owner[first + m] == rank;
        for (size_t m = 0; m < n && !told; m++) {
            if (owner[first + m] != me) continue;
            SCREE_GROW(out[rank].copy, out[rank].n, out[rank].capacity, out[rank].n + 1);
            out[rank].copy[out[rank].n++] = p->share_copy[share->first + (int)m];
        }
    }
}

/* Messages to and from every rank with which something is shared. */
static void make_channel(struct scree_cd_problem *p, struct outbox *out, const size_t *n_from)
{
    const int n_ranks = p->comm->n_ranks;
    size_t n_send = 0, n_receive = 0;
    p->peer = scree_alloc((size_t)n_ranks + 1, sizeof *p->peer);
    p->send_start = scree_alloc((size_t)n_ranks + 2, sizeof *p->send_start);
    p->receive_start = scree_alloc((size_t)n_ranks + 2, sizeof *p->receive_start);
    for (int r = 0; r < n_ranks; r++) {
        if (out[r].n == 0 && n_from[r] == 0) continue;
        p->send_start[p->n_peers] = n_send;
        p->receive_start[p->n_peers] = n_receive;
        p->peer[p->n_peers++] = r;
        n_send += out[r].n;
        n_receive += n_from[r];
    }
    p->send_start[p->n_peers] = n_send;
    p->receive_start[p->n_peers] = n_receive;
    p->send_copy = scree_alloc(n_send + 1, sizeof *p->send_copy);
    p->received = scree_alloc(n_receive + 1, sizeof *p->received);
    size_t *bytes = scree_alloc((size_t)p->n_peers * 2 + 1, sizeof *bytes),
           *in = bytes + p->n_peers;
    for (int k = 0; k < p->n_peers; k++) {
        const struct outbox *box = &out[p->peer[k]];
        if (box->n > 0)
            memcpy(p->send_copy + p->send_start[k], box->copy, box->n * sizeof *box->copy);
        bytes[k] = box->n * sizeof(double[6]);
        in[k] = n_from[p->peer[k]] * sizeof(double[6]);
    }
    if (n_ranks > 1) scree_channel_create(&p->channel, p->comm, p->n_peers, p->peer, bytes, in);
    scree_alloc_free(bytes);
}

/* Places among what one rank sends become places among all that is received. */
static void number_received(struct scree_cd_problem *p, const int32_t *from)
{
    size_t *first = scree_alloc((size_t)p->comm->n_ranks, sizeof *first);
    for (int k = 0; k < p->n_peers; k++) first[p->peer[k]] = p->receive_start[k];
    for (size_t s = 0; s < p->n_shares; s++)
        for (int k = p->share[s].first; k < p->share[s].first + p->share[s].n; k++)
            if (p->share_copy[k] < 0) p->share_copy[k] -= (int32_t)first[from[k]];
    scree_alloc_free(first);
}

/* Blocks from which something is sent come first. */
static void order_blocks(struct scree_cd_problem *p)
{
    const size_t n_send = p->send_start[p->n_peers];
    bool *is_sent = scree_alloc(p->n_copies + 1, sizeof *is_sent);
    bool *is_border = scree_alloc((size_t)p->n_blocks + 1, sizeof *is_border);
    int to = 0;
    memset(is_sent, 0, p->n_copies * sizeof *is_sent);
    memset(is_border, 0, (size_t)p->n_blocks * sizeof *is_border);
    for (size_t k = 0; k < n_send; k++) is_sent[p->send_copy[k]] = true;
    for (int b = 0; b < p->n_blocks; b++)
        for (int k = p->block_copies[b]; k < p->block_copies[b + 1]; k++)
            is_border[b] = is_border[b] || is_sent[k];
    p->sweep_order = scree_alloc((size_t)p->n_blocks + 1, sizeof *p->sweep_order);
    for (int border = 1; border >= 0; border--)
        for (int b = 0; b < p->n_blocks; b++)
            if (is_border[b] == (border == 1)) p->sweep_order[to++] = b;
    p->n_border = 0;
    for (int b = 0; b < p->n_blocks; b++) p->n_border += is_border[b];
    scree_alloc_free(is_border);
    scree_alloc_free(is_sent);
}

void scree_cd_find_shares(struct scree_cd_problem *p, const struct scree_cd *cd,
                          const struct scree_scene *scene)
{
    const size_t n_members = p->n_bodies > 0 ? p->first_member[p->n_bodies] : 0;
    const size_t n_ranks = (size_t)p->comm->n_ranks;
    size_t n;
    int32_t *shared = find_shared(p, &n), *from = scree_alloc(n_members + 1, sizeof *from);
    int *owner = scree_alloc(n_members + 1, sizeof *owner);
    struct outbox *out = scree_alloc(n_ranks, sizeof *out);
    size_t *n_from = scree_alloc(n_ranks, sizeof *n_from);
    memset(out, 0, n_ranks * sizeof *out);
    memset(n_from, 0, n_ranks * sizeof *n_from);
    p->share = scree_alloc(n + 1, sizeof *p->share);
    p->share_copy = scree_alloc(n_members + 1, sizeof *p->share_copy);
    for (size_t k = 0; k < n; k++) {
        size_t b = (size_t)shared[k];
        for (size_t m = p->first_member[b]; m < p->first_member[b + 1]; m++)
            owner[m] = scree_cd_block_owner(cd, scene, p->member[m]);
        add_share(p, owner, b, p->comm->rank, out, n_from, from);
    }
    make_channel(p, out, n_from);
    number_received(p, from);
    order_blocks(p);
    for (size_t r = 0; r < n_ranks; r++) scree_alloc_free(out[r].copy);
    scree_alloc_free(out);
    scree_alloc_free(n_from);
    scree_alloc_free(owner);
    scree_alloc_free(shared);
    scree_alloc_free(from);
}

/* What copies have gained since copy_before goes to other ranks. */
void scree_cd_begin_exchange(struct scree_cd_problem *p)
{
    if (p->channel == NULL) return;
    scree_channel_post(p->channel);
    for (int k = 0; k < p->n_peers; k++) {
        double(*to)[6] = scree_channel_send_buffer(p->channel, k);
        for (size_t m = p->send_start[k]; m < p->send_start[k + 1]; m++, to++) {
            const struct scree_cd_copy *copy = &p->copy[p->send_copy[m]];
            const double *before = p->copy_before[p->send_copy[m]];
            for (int a = 0; a < 3; a++) {
                (*to)[a] = copy->v[a] - before[a];
                (*to)[3 + a] = copy->w[a] - before[3 + a];
            }
        }
    }
    scree_channel_begin(p->channel);
}

void scree_cd_tell_copies(struct scree_cd_problem *p, const double *mine, double **theirs)
{
    *theirs = scree_alloc(p->receive_start[p->n_peers] + 1, sizeof **theirs);
    if (p->channel == NULL) return;
    for (int k = 0; k < p->n_peers; k++) {
        double(*to)[6] = scree_channel_send_buffer(p->channel, k);
        for (size_t m = p->send_start[k]; m < p->send_start[k + 1]; m++, to++)
            (*to)[0] = mine[p->send_copy[m]];
    }
    scree_channel_begin(p->channel);
    scree_channel_end(p->channel);
    for (int k = 0; k < p->n_peers; k++) {
        const double *from = scree_channel_receive_buffer(p->channel, k);
        for (size_t m = p->receive_start[k]; m < p->receive_start[k + 1]; m++, from += 6)
            (*theirs)[m] = from[0];
    }
}

static void receive_gains(struct scree_cd_problem *p)
{
    if (p->channel == NULL) return;
    scree_channel_end(p->channel);
    for (int k = 0; k < p->n_peers; k++) {
        size_t n = p->receive_start[k + 1] - p->receive_start[k];
        if (n == 0) continue;
        memcpy(p->received + p->receive_start[k], scree_channel_receive_buffer(p->channel, k),
               n * sizeof *p->received);
    }
}

/* Mass splitting: a block moves 1/k of a body's mass, so the body moves by the mean (Tonge et al.,
 * ACM Trans. Graph. 31, 105 (2012)). Sums run in the order of blocks, whoever owns them. */
void scree_cd_end_exchange(struct scree_cd_problem *p)
{
    scree_cd_exchange_rates(p);
    receive_gains(p);
    for (size_t s = 0; s < p->n_shares; s++) {
        const struct scree_cd_share *share = &p->share[s];
        const int32_t *at = p->share_copy + share->first;
        double sum[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        const double *before = NULL;
        for (int k = 0; k < share->n; k++) {
            if (at[k] < 0) {
                const double *gain = p->received[-1 - at[k]];
                for (int a = 0; a < 6; a++) sum[a] += gain[a];
                continue;
            }
            const struct scree_cd_copy *copy = &p->copy[at[k]];
            before = p->copy_before[at[k]];
            for (int a = 0; a < 3; a++) {
                sum[a] += copy->v[a] - before[a];
                sum[3 + a] += copy->w[a] - before[3 + a];
            }
        }
        for (int k = 0; k < share->n; k++) {
            if (at[k] < 0) continue;
            struct scree_cd_copy *copy = &p->copy[at[k]];
            for (int a = 0; a < 3; a++) {
                copy->v[a] = before[a] + sum[a] / share->n;
                copy->w[a] = before[3 + a] + sum[3 + a] / share->n;
            }
        }
    }
}
