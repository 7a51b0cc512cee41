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

static void put(struct scree_md_evaluation *e, size_t k)
{
    const struct scree_near *near = e->near;
    const struct scree_laws *laws = e->scene->laws;
    const int32_t *species = e->scene->particles->species;
    bool wall = e->kind == SCREE_NEAR_WALL;
    int other = wall ? e->scene->walls->wall[near->j[k]].species : species[near->j[k]];
    int pair = laws->table[species[near->i[k]] * laws->n_materials + other];
    if (!has_release(&laws->pair[pair])) return;
    struct scree_md_queue *queue = &e->md->queue[pair];
    queue->near[queue->n++] = (uint32_t)k;
    if (queue->n == SCREE_MD_QUEUE) release_queue(e, &laws->pair[pair], queue);
}

enum { BLOCK = 128 }; /* pairs looked at together; most have nothing to release */

/* Of a fixed length, for the compiler. */
static bool block_has(const int32_t *touched, int32_t epoch)
{
    int32_t any = 0;
    for (int m = 0; m < BLOCK; m++) any |= touched[m] == epoch;
    return any != 0;
}

void scree_md_release_opened(struct scree_md_evaluation *e)
{
    const struct scree_laws *laws = e->scene->laws;
    const int32_t *touched = e->near->touched, before = e->epoch - 1;
    const size_t n = e->near->n;
    int64_t opened = 0;
    for (size_t k = 0; k < n; k += BLOCK) {
        const size_t end = k + BLOCK < n ? k + BLOCK : n;
        if (end == k + BLOCK && !block_has(touched + k, before)) continue;
        for (size_t m = k; m < end; m++) {
            if (touched[m] != before) continue;
            opened++;
            put(e, m);
        }
    }
    for (int q = 0; q < laws->n_pairs; q++)
        if (e->md->queue[q].n > 0) release_queue(e, &laws->pair[q], &e->md->queue[q]);
    e->md->half_ended += opened * (scree_near_is_cut(e->kind) ? 1 : 2);
}
