/* SPDX-License-Identifier: BSD-3-Clause
 * The engine: grains come and go, and events happen one after the other. */
#include "engine.h"

#include <math.h>
#include <string.h>

#include "pair.h"
#include "scree/vec.h"

/* Events that a fine bucket of the queue should hold. */
static const double bucket_events = 16.0;
/* Grains that a list should hold, about; and the most of the room, in diameters. */
static const double listed_grains = 14.0, most_room = 1.5, least_room = 0.05;

double scree_ed_choose_delta(const struct scree_box *box, int64_t n, const double radius[2])
{
    double volume = 1.0, diameter = radius[0] + radius[1], shortest = INFINITY;
    for (int a = 0; a < box->dimension; a++) {
        volume *= box->length[a];
        if (box->periodic[a]) shortest = fmin(shortest, box->length[a]);
    }
    double unit = box->dimension == 3 ? 4.0 / 3.0 * 3.141592653589793 : 3.141592653589793;
    double wanted = box->dimension == 3 ? listed_grains : 0.6 * listed_grains;
    double reach = pow(wanted * volume / ((double)n * unit), 1.0 / box->dimension);
    double room = fmin(fmax(0.5 * (reach - diameter), least_room * diameter), most_room * diameter);
    /* Half a period must hold two grains and their room. */
    return fmin(room, 0.24 * shortest - radius[1]);
}

void scree_ed_world_init(struct scree_ed_world *world)
{
    for (int code = 0; code < SCREE_ED_CODES; code++) {
        int at[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        for (int a = 0; a < 3; a++) world->shift[code][a] = at[a] * world->box.length[a];
    }
    for (int a = 0; a < 9; a++) world->shape[a / 3][a % 3] = world->back[a / 3][a % 3] = a % 4 == 0;
    world->widen = world->contract = 1.0;
}

void scree_ed_engine_create(struct scree_ed_engine **engine, const struct scree_ed_world *world,
                            struct scree_ed_tally *tally, bool in_windows)
{
    struct scree_ed_engine *e = *engine = scree_alloc(1, sizeof *e);
    memset(e, 0, sizeof *e);
    e->world = world;
    e->in_windows = in_windows;
    e->exit_radius = world->delta;
    e->speed_limit = INFINITY;
    e->tally = tally;
}

void scree_ed_engine_destroy(struct scree_ed_engine **engine)
{
    struct scree_ed_engine *e = *engine;
    if (e == NULL) return;
    scree_ed_lists_destroy(e);
    scree_ed_queue_clear(&e->queue);
    scree_ed_map_clear(&e->map);
    void *owned[] = {e->state,    e->memory, e->grain,     e->next,  e->list,   e->head,
                     e->n_window, e->script, e->touched,   e->later, e->told,   e->dirty,
                     e->undo,     e->node,   e->free_slot, e->heap,  e->replica};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) scree_alloc_free(owned[k]);
    scree_alloc_free(e);
    *engine = NULL;
}

size_t scree_ed_engine_bytes(const struct scree_ed_engine *e)
{
    size_t grain =
        sizeof *e->state + sizeof *e->memory + sizeof *e->grain + sizeof *e->next + sizeof *e->list;
    if (e->in_windows) grain += sizeof *e->head + sizeof *e->n_window + sizeof *e->script;
    size_t slots = e->free_capacity + e->replica_capacity + e->touched_capacity +
                   e->later_capacity + e->dirty_capacity + e->undo_capacity;
    return e->capacity * grain + slots * sizeof(int32_t) + e->node_capacity * sizeof *e->node +
           e->told_capacity * sizeof *e->told + e->heap_capacity * sizeof *e->heap +
           e->map.size * sizeof *e->map.place + scree_ed_lists_bytes(e) +
           scree_ed_queue_bytes(&e->queue);
}

void scree_ed_engine_reserve(struct scree_ed_engine *e, size_t n)
{
    size_t old = (size_t)e->n_slots, room = e->capacity + e->capacity / 8 + 64;
    if (n <= e->capacity) return;
    if (room < n || e->capacity == 0) room = n;
    e->state = scree_alloc_resize(e->state, old, room, sizeof *e->state);
    e->memory = scree_alloc_resize(e->memory, old, room, sizeof *e->memory);
    e->grain = scree_alloc_resize(e->grain, old, room, sizeof *e->grain);
    e->next = scree_alloc_resize(e->next, old, room, sizeof *e->next);
    e->list = scree_alloc_resize(e->list, old, room, sizeof *e->list);
    e->capacity = room;
    if (!e->in_windows) return;
    e->head = scree_alloc_resize(e->head, old, room, sizeof *e->head);
    e->n_window = scree_alloc_resize(e->n_window, old, room, sizeof *e->n_window);
    e->script = scree_alloc_resize(e->script, old, room, sizeof *e->script);
}

void scree_ed_engine_set_role(struct scree_ed_engine *e, int32_t i, enum scree_ed_role role)
{
    struct scree_ed_grain *g = &e->grain[i];
    e->n_owned += (role == SCREE_ED_OWNED) - (g->role == SCREE_ED_OWNED);
    if (g->role == SCREE_ED_REPLICA) { /* the last one takes its place */
        int32_t last = e->replica[--e->n_replicas];
        e->replica[g->place] = last;
        e->grain[last].place = g->place;
    }
    if (role == SCREE_ED_REPLICA) {
        g->place = (int32_t)e->n_replicas;
        SCREE_ED_APPEND(e->replica, e->n_replicas, e->replica_capacity, i);
    }
    g->role = (uint8_t)role;
}

int32_t scree_ed_engine_add(struct scree_ed_engine *e, const struct scree_ed_state *state,
                            const struct scree_ed_memory *memory,
                            const struct scree_ed_grain *grain)
{
    int32_t i;
    uint32_t stamp = 0, version = 0;
    if (e->n_free > 0) {
        i = e->free_slot[--e->n_free];
        stamp = e->next[i].stamp + 1; /* entries of the one that was here before are out of date */
        version = e->grain[i].version + 1;
    } else {
        scree_ed_engine_reserve(e, (size_t)e->n_slots + 1);
        i = e->n_slots++;
    }
    e->state[i] = *state;
    e->memory[i] = *memory;
    e->grain[i] = *grain;
    e->grain[i].version = version;
    e->grain[i].deferred = e->grain[i].dirty = false;
    e->next[i] = (struct scree_ed_next){.partner = SCREE_ED_NOTHING, .stamp = stamp};
    e->list[i] = (struct scree_ed_list){.part = -1, .size = SCREE_ED_NO_BLOCK};
    e->grain[i].role = SCREE_ED_FREE;
    scree_ed_engine_set_role(e, i, grain->role);
    if (!e->in_windows) return i;
    e->head[i] = -1;
    e->n_window[i] = 0;
    e->script[i] = (struct scree_ed_script){0, 0, false, false};
    scree_ed_map_put(&e->map, grain->gid, i);
    return i;
}

void scree_ed_engine_remove(struct scree_ed_engine *e, int32_t i)
{
    scree_ed_lists_leave(e, i);
    scree_ed_map_drop(&e->map, e->grain[i].gid);
    scree_ed_engine_set_role(e, i, SCREE_ED_FREE);
    e->grain[i].version++; /* those that were to meet it find somebody else */
    e->next[i].stamp++;
    SCREE_ED_APPEND(e->free_slot, e->n_free, e->free_capacity, i);
}

/* s; that a fine bucket should last, from the waits that were found: the mean wait for the next
 * event of all. */
static double choose_width(const struct scree_ed_engine *e, double t)
{
    double sum = 0.0, n = 0.0;
    for (int32_t i = 0; i < e->n_slots; i++) {
        double wait = e->next[i].key.t - t;
        if (e->grain[i].role == SCREE_ED_FREE || !(wait < INFINITY)) continue;
        sum += wait;
        n += 1.0;
    }
    return sum > 0.0 ? bucket_events * sum / (n * n) : 1.0;
}

void scree_ed_engine_refile(struct scree_ed_engine *e, double t)
{
    double width = choose_width(e, t);
    scree_ed_queue_reset(&e->queue, t, width);
    for (int32_t i = 0; i < e->n_slots; i++)
        if (e->grain[i].role != SCREE_ED_FREE && e->next[i].partner != SCREE_ED_NOTHING)
            scree_ed_queue_add(&e->queue, &e->next[i].key, i, e->next[i].stamp);
}

void scree_ed_engine_repredict(struct scree_ed_engine *e, double t)
{
    e->n_dirty = e->n_heap = 0;
    for (int32_t i = 0; i < e->n_slots; i++) {
        e->grain[i].dirty = false;
        if (e->grain[i].role != SCREE_ED_FREE) scree_ed_predict(e, i);
    }
    scree_ed_engine_refile(e, t);
}

void scree_ed_engine_begin(struct scree_ed_engine *e, double t)
{
    scree_ed_lists_create(e);
    scree_ed_queue_reset(&e->queue, t, 1.0);
    for (int32_t i = 0; i < e->n_slots; i++) scree_ed_lists_renew(e, i, t);
    scree_ed_engine_repredict(e, t);
}

/* The first entry of the present that is not out of date, if it is before `end`. */
static bool find_first(struct scree_ed_engine *e, double end, int32_t *slot)
{
    struct scree_ed_queue *q = &e->queue;
    for (;;) {
        while (q->n_present > 0) {
            const struct scree_ed_present *p = &q->present[q->n_present - 1];
            if (e->next[p->slot].stamp == p->stamp) {
                *slot = p->slot;
                return p->key.t < end;
            }
            q->n_present--;
        }
        if (!scree_ed_queue_open(q, end) && q->n_present == 0) return false;
        struct scree_ed_entry entry;
        while (scree_ed_queue_take(q, &entry))
            if (e->next[entry.slot].stamp == entry.stamp)
                scree_ed_queue_admit(q, &e->next[entry.slot].key, entry.slot, entry.stamp);
    }
}

static void leave_list(struct scree_ed_engine *e, int32_t i, double t)
{
    e->n_exits++;
    if (e->in_windows)
        scree_ed_defer(e, i);
    else
        scree_ed_lists_renew(e, i, t);
    scree_ed_predict(e, i);
}

void scree_ed_engine_run(struct scree_ed_engine *e)
{
    int32_t i;
    while (!e->is_stuck && !e->exceeded && find_first(e, e->end, &i)) {
        const struct scree_ed_next next = e->next[i];
        e->queue.n_present--;
        e->n_pops++;
        if (next.partner == SCREE_ED_EXIT) {
            leave_list(e, i, next.key.t);
        } else if (next.partner >= 0 && e->grain[next.partner].version != next.partner_version) {
            e->n_stale++;
            scree_ed_predict(e, i);
        } else {
            scree_ed_execute(e, i, next.partner, next.code, &next.key);
            scree_ed_predict(e, i);
            if (next.partner >= 0) scree_ed_predict(e, next.partner);
        }
    }
}
