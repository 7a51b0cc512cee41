/* SPDX-License-Identifier: BSD-3-Clause
 * Records of contacts: their way to the ranks that own their blocks, and the order in which each
 * block has them, a function of the state alone. */
#include <stdlib.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

void scree_cd_gather_records(struct scree_cd *cd, const struct scree_scene *scene)
{
    struct scree_comm *comm = scene->comm;
    const int n_ranks = comm->n_ranks;
    int *count = scree_alloc((size_t)n_ranks * 2, sizeof *count), *n_received = count + n_ranks;
    int *owner = scree_alloc(cd->n_records + 1, sizeof *owner);
    memset(count, 0, (size_t)n_ranks * 2 * sizeof *count);
    int64_t last = -1;
    int last_owner = 0;
    for (size_t k = 0; k < cd->n_records; k++) {
        if (cd->record[k].block != last || k == 0) {
            last = cd->record[k].block;
            last_owner = scree_cd_block_owner(cd, scene, last);
        }
        owner[k] = last_owner;
        count[owner[k]]++;
    }
    size_t *at = scree_alloc((size_t)n_ranks + 1, sizeof *at);
    at[0] = 0;
    for (int r = 0; r < n_ranks; r++) at[r + 1] = at[r] + (size_t)count[r];
    struct scree_cd_record *sent = scree_alloc(cd->n_records + 1, sizeof *sent), *received;
    for (size_t k = 0; k < cd->n_records; k++) sent[at[owner[k]]++] = cd->record[k];
    scree_comm_exchange(comm, count, sent, sizeof *sent, n_received, (void **)&received);
    cd->n_all = 0;
    for (int r = 0; r < n_ranks; r++) cd->n_all += (size_t)n_received[r];
    scree_alloc_free(cd->all);
    cd->all = received;
    scree_alloc_free(sent);
    scree_alloc_free(at);
    scree_alloc_free(owner);
    scree_alloc_free(count);
}

static int compare_ranked(const void *a, const void *b)
{
    const struct scree_cd_ranked *x = a, *y = b;
    const struct scree_cd_record *r = x->record, *s = y->record;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    if (r->first != s->first) return r->first < s->first ? -1 : 1;
    if (r->second != s->second) return r->second < s->second ? -1 : 1;
    for (int a3 = 0; a3 < 3; a3++)
        if (r->image[a3] != s->image[a3]) return r->image[a3] < s->image[a3] ? -1 : 1;
    return r->holder - s->holder;
}

static int compare_backwards(const void *a, const void *b)
{
    return -compare_ranked(a, b);
}

void scree_cd_sort_records(const struct scree_cd *cd, const struct scree_cd_problem *p,
                           struct scree_cd_ranked *ranked, size_t *start)
{
    const int order = cd->values->order;
    int *block = scree_alloc(cd->n_all + 1, sizeof *block);
    memset(start, 0, ((size_t)p->n_blocks + 1) * sizeof *start);
    for (size_t k = 0; k < cd->n_all; k++) {
        block[k] = scree_cd_find_block(p, cd->all[k].block);
        start[block[k] + 1]++;
    }
    for (int b = 0; b < p->n_blocks; b++) start[b + 1] += start[b];
    size_t *fill = scree_alloc((size_t)p->n_blocks + 1, sizeof *fill);
    memcpy(fill, start, ((size_t)p->n_blocks + 1) * sizeof *fill);
    bool by_ids = order == SCREE_CD_ORDER_FIXED || order == SCREE_CD_ORDER_REVERSE;
    for (size_t k = 0; k < cd->n_all; k++)
        ranked[fill[block[k]]++] =
            (struct scree_cd_ranked){by_ids ? 0 : cd->all[k].order, &cd->all[k]};
    for (int b = 0; b < p->n_blocks; b++)
        qsort(ranked + start[b], start[b + 1] - start[b], sizeof *ranked,
              order == SCREE_CD_ORDER_REVERSE ? compare_backwards : compare_ranked);
    scree_alloc_free(fill);
    scree_alloc_free(block);
}
