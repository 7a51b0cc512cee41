/* SPDX-License-Identifier: BSD-3-Clause
 * What happened in the present window, as far as this rank knows, and how it is taken back. */
#include <string.h>

#include "engine.h"

static int32_t add_node(struct scree_ed_engine *e, int32_t i, const struct scree_ed_key *key)
{
    int32_t k = (int32_t)e->n_nodes;
    SCREE_GROW(e->node, e->n_nodes, e->node_capacity, e->n_nodes + 1);
    e->n_nodes++;
    if (e->head[i] < 0) SCREE_ED_APPEND(e->touched, e->n_touched, e->touched_capacity, i);
    struct scree_ed_node *node = &e->node[k];
    node->state = e->state[i];
    node->memory = e->memory[i];
    node->key = *key;
    node->previous = e->head[i];
    node->partner_node = -1;
    e->head[i] = k;
    e->n_window[i]++;
    return k;
}

int32_t scree_ed_log(struct scree_ed_engine *e, int32_t i, int32_t j,
                     const struct scree_ed_key *key)
{
    int32_t a = add_node(e, i, key), b = -1;
    if (j >= 0) {
        b = add_node(e, j, key);
        e->node[b].partner = i;
        e->node[b].partner_node = a;
    }
    e->node[a].partner = j;
    e->node[a].partner_node = b;
    return a;
}

void scree_ed_mark_dirty(struct scree_ed_engine *e, int32_t i)
{
    if (e->grain[i].dirty) return;
    SCREE_ED_APPEND(e->dirty, e->n_dirty, e->dirty_capacity, i);
    e->grain[i].dirty = true;
}

/* The segment that the last event ended goes on. */
static void restore(struct scree_ed_engine *e, int32_t i)
{
    const struct scree_ed_node *node = &e->node[e->head[i]];
    e->state[i] = node->state;
    e->memory[i] = node->memory;
    e->head[i] = node->previous;
    e->n_window[i]--;
    e->grain[i].version++;
    e->n_undone++;
    scree_ed_mark_dirty(e, i);
}

/* Take back the last event of a grain. Later events of its partner come first, and those of their
 * partners before them: a stack of grains, each waiting for the one above. */
static void undo_last(struct scree_ed_engine *e, int32_t i)
{
    size_t depth = 0;
    SCREE_ED_APPEND(e->undo, depth, e->undo_capacity, i);
    while (depth > 0) {
        int32_t a = e->undo[depth - 1];
        const struct scree_ed_node *node = &e->node[e->head[a]];
        int32_t b = node->partner_node >= 0 ? node->partner : -1;
        if (b >= 0 && e->head[b] != node->partner_node) {
            SCREE_ED_APPEND(e->undo, depth, e->undo_capacity, b);
            continue;
        }
        restore(e, a);
        if (b >= 0) restore(e, b);
        depth--;
    }
}

void scree_ed_undo(struct scree_ed_engine *e, int32_t i, int32_t n)
{
    while (e->n_window[i] > n) undo_last(e, i);
}

void scree_ed_undo_from(struct scree_ed_engine *e, int32_t i, const struct scree_ed_key *key)
{
    while (e->head[i] >= 0 && !scree_ed_before(&e->node[e->head[i]].key, key)) undo_last(e, i);
}

void scree_ed_undo_window(struct scree_ed_engine *e)
{
    for (size_t k = 0; k < e->n_touched; k++) scree_ed_undo(e, e->touched[k], 0);
    e->n_touched = e->n_nodes = 0;
}

void scree_ed_commit(struct scree_ed_engine *e)
{
    for (size_t k = 0; k < e->n_touched; k++) {
        int32_t i = e->touched[k];
        for (int32_t at = e->head[i]; at >= 0; at = e->node[at].previous) {
            const struct scree_ed_node *node = &e->node[at];
            int64_t gid = e->grain[i].gid;
            bool wall = scree_ed_wall_of(node->partner) >= 0;
            if (node->partner == SCREE_ED_SCRIPT || (!wall && node->key.lo != gid)) continue;
            scree_ed_tally_add(e, &node->key, &node->outcome, i, wall ? -1 : node->partner);
        }
        e->head[i] = -1;
        e->n_window[i] = 0;
    }
    e->n_touched = e->n_nodes = 0;
}

bool scree_ed_is_as_told(const struct scree_ed_told *told, const struct scree_ed_state *state,
                         const struct scree_ed_memory *memory, int64_t partner, int32_t n)
{
    bool same = told->t == state->t && told->n == n && told->partner == partner;
    for (int k = 0; k < 3; k++)
        same = same && told->x[k] == state->x[k] && told->v[k] == state->v[k] &&
               told->spin[k] == memory->spin[k];
    return same;
}
