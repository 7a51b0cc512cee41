/* SPDX-License-Identifier: BSD-3-Clause
 * Who is near. Each grain has a centre that it stays close to for a while; two grains are listed
 * with each other if, as long as both do, they could touch. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "pair.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* Where a new centre is: ahead of the grain, by so much of the room it has. */
static const double ahead = 0.5;
static const uint32_t no_block = UINT32_MAX;

void scree_ed_lists_create(struct scree_ed_engine *e)
{
    scree_ed_cells_create(e);
    for (int k = 0; k < SCREE_ED_BLOCK_SIZES; k++) e->pool.free_block[k] = no_block;
}

void scree_ed_lists_destroy(struct scree_ed_engine *e)
{
    scree_ed_cells_destroy(e);
    scree_alloc_free(e->pool.entry);
    scree_alloc_free(e->near);
}

size_t scree_ed_lists_bytes(const struct scree_ed_engine *e)
{
    return (e->pool.capacity + e->near_capacity) * sizeof *e->pool.entry +
           scree_ed_cells_bytes(e->cells);
}

/* Entries of a block of this size: 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, ... */
static uint32_t room_of(int size)
{
    return (uint32_t)(4 + size % 4) << (size / 4);
}

static uint32_t take_block(struct scree_ed_pool *pool, int size)
{
    uint32_t at = pool->free_block[size];
    if (at != no_block) {
        pool->free_block[size] = pool->entry[at];
        return at;
    }
    SCREE_ED_EXTEND(pool->entry, pool->used, pool->capacity, pool->used + room_of(size));
    if (pool->used + room_of(size) >= no_block)
        SCREE_ABORT("lists of events have too many entries");
    at = (uint32_t)pool->used;
    pool->used += room_of(size);
    return at;
}

static void give_block(struct scree_ed_pool *pool, struct scree_ed_list *list)
{
    if (list->size == SCREE_ED_NO_BLOCK) return;
    pool->entry[list->at] = pool->free_block[list->size];
    pool->free_block[list->size] = list->at;
    list->size = SCREE_ED_NO_BLOCK;
}

/* Room for n entries; those that are there remain. */
static void reserve(struct scree_ed_pool *pool, struct scree_ed_list *list, uint32_t n)
{
    int size = 0;
    if (list->size != SCREE_ED_NO_BLOCK && n <= room_of(list->size)) return;
    while (room_of(size) < n) size++;
    uint32_t at = take_block(pool, size);
    if (list->count > 0)
        memcpy(pool->entry + at, pool->entry + list->at, list->count * sizeof *pool->entry);
    give_block(pool, list);
    list->at = at;
    list->size = (uint8_t)size;
}

static void add_entry(struct scree_ed_pool *pool, struct scree_ed_list *list, uint32_t entry)
{
    reserve(pool, list, list->count + 1);
    pool->entry[list->at + list->count++] = entry;
}

static void drop_entry(struct scree_ed_pool *pool, struct scree_ed_list *list, int32_t slot)
{
    uint32_t *entry = pool->entry + list->at, k = 0;
    while (k < list->count && (int32_t)(entry[k] >> SCREE_ED_CODE_BITS) != slot) k++;
    if (k == list->count) SCREE_ABORT("a pair is listed on one side only");
    entry[k] = entry[--list->count];
}

static bool contains(const uint32_t *entry, size_t n, uint32_t which)
{
    uint32_t found = 0;
    for (size_t k = 0; k < n; k++) found |= entry[k] == which;
    return found != 0;
}

static int32_t slot_of(uint32_t entry)
{
    return (int32_t)(entry >> SCREE_ED_CODE_BITS);
}

/* The list of i becomes e->near[n]. Most of those that are near were so before: their lists stay
 * as they are. */
static void exchange(struct scree_ed_engine *e, int32_t i, size_t n)
{
    struct scree_ed_pool *pool = &e->pool;
    struct scree_ed_list *list = &e->list[i];
    uint32_t n_old = list->count;
    for (uint32_t k = 0; k < n_old; k++) {
        uint32_t old = pool->entry[list->at + k];
        if (!contains(e->near, n, old)) drop_entry(pool, &e->list[slot_of(old)], i);
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t near = e->near[k], turned = SCREE_ED_CODES - 1 - (near & SCREE_ED_CODE_MASK);
        if (contains(pool->entry + list->at, n_old, near)) continue;
        add_entry(pool, &e->list[slot_of(near)], (uint32_t)i << SCREE_ED_CODE_BITS | turned);
    }
    list->count = 0;
    if (list->size != SCREE_ED_NO_BLOCK && room_of(list->size) > n + n / 8) give_block(pool, list);
    reserve(pool, list, (uint32_t)n);
    list->count = (uint32_t)n;
    if (n > 0) memcpy(pool->entry + list->at, e->near, n * sizeof *e->near);
}

void scree_ed_lists_leave(struct scree_ed_engine *e, int32_t i)
{
    exchange(e, i, 0);
    give_block(&e->pool, &e->list[i]);
    scree_ed_cells_leave(e, i);
}

/* A new centre; x is shifted by whole periods, which changes no difference of places, so that the
 * centre is in the box. */
static void place_centre(struct scree_ed_engine *e, int32_t i, double t)
{
    const struct scree_box *box = &e->world->box;
    struct scree_ed_state *s = &e->state[i];
    double way[3], speed = scree_vec_norm(s->v), room = ahead * e->world->delta;
    scree_ed_way(e->world, s, t, way);
    for (int a = 0; a < 3; a++) {
        double centre = s->x[a] + way[a] + (speed > 0.0 ? room * (s->v[a] / speed) : 0.0);
        double periods = 0.0;
        if (box->periodic[a]) {
            while (centre - periods * box->length[a] >= box->high[a]) periods += 1.0;
            while (centre - periods * box->length[a] < box->low[a]) periods -= 1.0;
            centre -= periods * box->length[a];
            s->x[a] -= periods * box->length[a];
            e->grain[i].image[a] += (int32_t)periods;
        }
        if (periods != 0.0) e->grain[i].version++; /* images that others know are out of date */
        e->list[i].centre[a] = centre;
    }
    e->list[i].since = t;
}

void scree_ed_lists_renew(struct scree_ed_engine *e, int32_t i, double t)
{
    scree_ed_cells_leave(e, i);
    place_centre(e, i, t);
    exchange(e, i, scree_ed_cells_search(e, i));
    scree_ed_cells_enter(e, i);
}

bool scree_ed_lists_worst(const struct scree_ed_engine *e, double t, double *depth, int64_t gid[2])
{
    *depth = 0.0;
    for (int32_t i = 0; i < e->n_slots; i++) {
        const struct scree_ed_state *a = &e->state[i];
        const uint32_t *entry = scree_ed_lists_entries(e, i);
        double way[2][3];
        if (e->grain[i].role == SCREE_ED_FREE) continue;
        scree_ed_way(e->world, a, t, way[0]);
        for (uint32_t k = 0; k < e->list[i].count; k++) {
            int32_t j = (int32_t)(entry[k] >> SCREE_ED_CODE_BITS);
            const struct scree_ed_state *b = &e->state[j];
            const double *shift = e->world->shift[entry[k] & SCREE_ED_CODE_MASK];
            double apart[3], d[3], s = (a->radius + b->radius) * (1.0 + e->world->growth * t);
            if (e->grain[i].gid > e->grain[j].gid) continue;
            scree_ed_way(e->world, b, t, way[1]);
            for (int c = 0; c < 3; c++)
                apart[c] = ((b->x[c] - a->x[c]) - shift[c]) + (way[1][c] - way[0][c]);
            scree_ed_branch(e->world, apart, t, d);
            double overlap = 1.0 - scree_vec_norm(d) / s;
            if (!(overlap > *depth)) continue;
            *depth = overlap;
            gid[0] = e->grain[i].gid;
            gid[1] = e->grain[j].gid;
        }
    }
    return *depth > 0.0;
}
