/* SPDX-License-Identifier: BSD-3-Clause
 * A replica was wrong: what depended on it has been taken back and happens again. Grains that are
 * dirty have no future yet, all others have theirs up to the end of the window, so a dirty one
 * looks for meetings along the time lines of its neighbours, and takes back what they did since.
 * A replica follows its script, the history that its owner told, as far as that holds. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "pair.h"

/* The first event of i with one segment of j, which some event has ended (NULL: none has). */
static bool meet_segment(const struct scree_ed_engine *e, int32_t i, int32_t j, int code,
                         const struct scree_ed_state *s, const struct scree_ed_memory *m,
                         const struct scree_ed_key *end, struct scree_ed_key *key)
{
    const struct scree_ed_state *mine = &e->state[i];
    const double *shift = e->world->shift[code];
    struct scree_ed_view view = {.ti = mine->t, .tj = s->t};
    double reach = mine->radius + s->radius;
    if (scree_ed_just_met(e, i, e->grain[j].gid, s->t, m->last)) return false;
    for (int k = 0; k < 3; k++) {
        view.apart[k] = (s->x[k] - mine->x[k]) - shift[k];
        view.vi[k] = mine->v[k];
        view.vj[k] = s->v[k];
    }
    view.reach2 = reach * reach;
    double t = e->world->driven ? scree_ed_driven_meeting(&view, e->world)
                                : scree_ed_meeting(&view, e->world->gravity, true);
    if (!(t < INFINITY)) return false;
    *key = scree_ed_key_of(e, i, t, j, s->t, m->n);
    return end == NULL || !scree_ed_before(end, key);
}

/* Along the time line of j, from the segment on that was alive when the present one of i began. */
static void choose_along(const struct scree_ed_engine *e, int32_t i, int32_t j, int code,
                         struct scree_ed_choice *best)
{
    const struct scree_ed_key *began = e->head[i] >= 0 ? &e->node[e->head[i]].key : NULL;
    struct scree_ed_key key, found;
    bool any = meet_segment(e, i, j, code, &e->state[j], &e->memory[j], NULL, &found);
    for (int32_t at = e->head[j]; at >= 0; at = e->node[at].previous) {
        const struct scree_ed_node *node = &e->node[at];
        if (began != NULL && scree_ed_before(&node->key, began)) break;
        if (meet_segment(e, i, j, code, &node->state, &node->memory, &node->key, &key)) {
            found = key; /* earlier than any in the segments after this one */
            any = true;
        }
    }
    if (any) scree_ed_choose(best, &found, j, code);
}

/* The next event that the owner of a replica told, if it is known that no grain from here takes
 * part in it: such events must be found here. */
static const struct scree_ed_told *next_told(const struct scree_ed_engine *e, int32_t i)
{
    const struct scree_ed_script *script = &e->script[i];
    if (e->grain[i].role != SCREE_ED_REPLICA || script->dropped) return NULL;
    return e->n_window[i] < script->count ? &e->told[script->first + e->n_window[i]] : NULL;
}

static void choose_told(const struct scree_ed_engine *e, int32_t i, struct scree_ed_choice *best)
{
    const struct scree_ed_told *told = next_told(e, i);
    int64_t gid = e->grain[i].gid;
    if (told == NULL) return;
    int32_t j = told->partner >= 0 ? scree_ed_map_find(&e->map, told->partner) : -1;
    if (j >= 0 && e->grain[j].role == SCREE_ED_OWNED) return;
    struct scree_ed_key key = {told->t, told->partner < gid ? told->partner : gid,
                               told->partner < gid ? gid : told->partner, (int32_t)told->n};
    scree_ed_choose(best, &key, SCREE_ED_SCRIPT, 0);
}

/* Events of the window wait in a heap, later ones in the queue. */
static void push(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_present p = {e->next[i].key, i, e->next[i].stamp};
    size_t k = e->n_heap;
    SCREE_ED_APPEND(e->heap, e->n_heap, e->heap_capacity, p);
    for (; k > 0 && scree_ed_before(&p.key, &e->heap[(k - 1) / 2].key); k = (k - 1) / 2)
        e->heap[k] = e->heap[(k - 1) / 2];
    e->heap[k] = p;
}

static struct scree_ed_present pop(struct scree_ed_engine *e)
{
    struct scree_ed_present top = e->heap[0], last = e->heap[--e->n_heap];
    size_t k = 0, n = e->n_heap;
    for (;;) {
        size_t child = 2 * k + 1;
        if (child >= n) break;
        if (child + 1 < n && scree_ed_before(&e->heap[child + 1].key, &e->heap[child].key)) child++;
        if (!scree_ed_before(&e->heap[child].key, &last.key)) break;
        e->heap[k] = e->heap[child];
        k = child;
    }
    if (n > 0) e->heap[k] = last;
    return top;
}

static void find_future(struct scree_ed_engine *e, int32_t i)
{
    const uint32_t *entry = scree_ed_lists_entries(e, i);
    struct scree_ed_choice best = {{INFINITY, INT64_MAX, INT64_MAX, 0}, SCREE_ED_NOTHING, 0};
    for (uint32_t k = 0; k < e->list[i].count; k++)
        choose_along(e, i, (int32_t)(entry[k] >> SCREE_ED_CODE_BITS),
                     (int)(entry[k] & SCREE_ED_CODE_MASK), &best);
    if (e->grain[i].role == SCREE_ED_OWNED) scree_ed_choose_wall(e, i, &best);
    choose_told(e, i, &best);
    bool soon = best.key.t < e->end;
    scree_ed_settle(e, i, &best, !soon);
    if (soon) push(e, i);
}

static void find_futures(struct scree_ed_engine *e)
{
    while (e->n_dirty > 0) {
        int32_t i = e->dirty[--e->n_dirty];
        e->grain[i].dirty = false;
        find_future(e, i);
    }
}

/* A replica does what its owner said. */
static void follow(struct scree_ed_engine *e, int32_t i, const struct scree_ed_key *key)
{
    const struct scree_ed_told *told = &e->told[e->script[i].first + e->n_window[i]];
    struct scree_ed_state *s = &e->state[i];
    struct scree_ed_memory *m = &e->memory[i];
    scree_ed_log(e, i, SCREE_ED_SCRIPT, key);
    memcpy(s->x, told->x, sizeof s->x);
    memcpy(s->v, told->v, sizeof s->v);
    memcpy(m->spin, told->spin, sizeof m->spin);
    s->t = told->t;
    scree_ed_remember(e, i, told->partner, key, false);
}

/* A replica had an event of its own: did its owner tell the same? */
static void compare_script(struct scree_ed_engine *e, int32_t i, int64_t partner)
{
    struct scree_ed_script *script = &e->script[i];
    if (e->grain[i].role != SCREE_ED_REPLICA || script->dropped) return;
    int32_t k = e->n_window[i] - 1;
    script->dropped =
        k >= script->count || !scree_ed_is_as_told(&e->told[script->first + k], &e->state[i],
                                                   &e->memory[i], partner, e->memory[i].n);
}

static void happen(struct scree_ed_engine *e, int32_t i, const struct scree_ed_next *next)
{
    int32_t j = next->partner;
    e->n_redone += j != SCREE_ED_SCRIPT;
    if (j == SCREE_ED_SCRIPT) {
        follow(e, i, &next->key);
    } else {
        if (j >= 0) scree_ed_undo_from(e, j, &next->key);
        scree_ed_execute(e, i, j, next->code, &next->key);
        if (j >= 0) {
            compare_script(e, i, e->grain[j].gid);
            compare_script(e, j, e->grain[i].gid);
            scree_ed_mark_dirty(e, j);
        }
    }
    scree_ed_mark_dirty(e, i);
}

void scree_ed_redo(struct scree_ed_engine *e)
{
    int64_t left = SCREE_ED_MOST_REDONE * ((int64_t)e->n_slots + 100);
    find_futures(e);
    while (e->n_heap > 0 && !e->is_stuck && !e->exceeded) {
        struct scree_ed_present p = pop(e);
        const struct scree_ed_next next = e->next[p.slot];
        if (next.stamp != p.stamp) continue;
        if (next.partner >= 0 && e->grain[next.partner].version != next.partner_version)
            scree_ed_mark_dirty(e, p.slot);
        else
            happen(e, p.slot, &next);
        find_futures(e);
        if (--left < 0)
            SCREE_ABORT("events are redone without end near grain %lld",
                        (long long)e->grain[p.slot].gid);
    }
    e->n_heap = 0;
}
