/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts that open are forgotten; what their springs still stored is lost. */
#include <string.h>

#include "evaluation.h"

/* The channel to which each part of a law loses what it stores. A normal law stores nothing when a
 * contact opens. */
static const enum scree_loss channel[SCREE_N_LAW_KINDS] = {SCREE_LOSS_PLASTIC, SCREE_LOSS_SLIDING,
                                                           SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION};

static bool stores(const struct scree_pair_law *law)
{
    for (int part = SCREE_LAW_TANGENTIAL; part < SCREE_N_LAW_KINDS; part++)
        if (law->law[part]->inspect != NULL) return true;
    return false;
}

static void lose_springs(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         struct scree_md_queue *queue)
{
    const struct scree_md_batch *batch = e->md->batch;
    struct scree_law_view view;
    scree_md_load_opened(e, queue);
    for (int part = SCREE_LAW_TANGENTIAL; part < SCREE_N_LAW_KINDS; part++) {
        if (law->law[part]->inspect == NULL) continue;
        memset(&view, 0, sizeof view);
        law->law[part]->inspect(&batch->b, law->values[part], law->at[part], &view);
        scree_md_add_losses(e, channel[part], view.energy);
    }
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
    near->touched[k] = 0;
    if (e->dt == 0.0 || !stores(&laws->pair[pair])) return;
    struct scree_md_queue *queue = &e->md->queue[pair];
    queue->near[queue->n++] = (uint32_t)k;
    if (queue->n == SCREE_MD_QUEUE) lose_springs(e, &laws->pair[pair], queue);
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
        if (e->md->queue[q].n > 0) lose_springs(e, &laws->pair[q], &e->md->queue[q]);
    if (e->dt > 0.0) e->md->half_ended += opened * (scree_near_is_cut(e->kind) ? 1 : 2);
}
