/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts that open while their springs are loaded: the energy is lost but for what the last force
 * still did until now, and booked. */
#include <string.h>

#include "evaluation.h"

static bool has_release(const struct scree_pair_law *law)
{
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (law->law[part]->release != NULL) return true;
    return false;
}

static void release_queue(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          struct scree_md_queue *queue)
{
    struct scree_batch *b = &e->md->batch->b;
    scree_md_gather_opened(e, law, queue);
    for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        if (law->shape.losses >> c & 1u) memset(b->loss[c], 0, sizeof b->loss[c]);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (law->law[part]->release != NULL)
            law->law[part]->release(b, law->values[part], law->at[part]);
    scree_md_book_losses(e, law);
    queue->n = 0;
}

/* Pair k has opened. It is forgotten when its history is no more needed. */
static void end(struct scree_md_evaluation *e, size_t k)
{
    const struct scree_near *near = e->near;
    const struct scree_laws *laws = e->scene->laws;
    const int32_t *species = e->scene->particles->species;
    bool wall = e->kind == SCREE_NEAR_WALL;
    int other = wall ? e->scene->walls->wall[near->j[k]].species : species[near->j[k]];
    int pair = laws->table[species[near->i[k]] * laws->n_materials + other];
    if (!SCREE_LEDGER || e->dt == 0.0 || !has_release(&laws->pair[pair])) {
        near->touched[k] = 0;
        return;
    }
    struct scree_md_queue *queue = &e->md->queue[pair];
    queue->near[queue->n++] = (uint32_t)k;
    if (queue->n == SCREE_MD_QUEUE) release_queue(e, &laws->pair[pair], queue);
}

enum { BLOCK = 256 }; /* pairs looked at together; most have not opened */

/* Of a fixed length, for the compiler. */
static bool block_has(const uint8_t *touched, uint8_t epoch)
{
    uint8_t any = 0;
    for (int m = 0; m < BLOCK; m++) any |= touched[m] == epoch;
    return any != 0;
}

/* Returns how many of the pairs first ... last - 1 have opened. */
static int64_t end_between(struct scree_md_evaluation *e, size_t first, size_t last)
{
    int64_t opened = 0;
    for (size_t k = first; k < last; k++) {
        if (e->near->touched[k] != e->before) continue;
        end(e, k);
        opened++;
    }
    return opened;
}

void scree_md_end_opened(struct scree_md_evaluation *e)
{
    const struct scree_laws *laws = e->scene->laws;
    const size_t n = e->near->n;
    size_t k = 0;
    int64_t opened = 0;
    for (; k + BLOCK <= n; k += BLOCK)
        if (block_has(e->near->touched + k, e->before)) opened += end_between(e, k, k + BLOCK);
    opened += end_between(e, k, n);
    for (int q = 0; q < laws->n_pairs; q++)
        if (e->md->queue[q].n > 0) release_queue(e, &laws->pair[q], &e->md->queue[q]);
    if (e->dt > 0.0) e->md->half_ended += opened * (scree_near_is_cut(e->kind) ? 1 : 2);
}
