/* SPDX-License-Identifier: BSD-3-Clause
 * Who is near. Each grain has a centre that it stays close to for a while; two grains are listed
 * with each other if, as long as both do, they could touch. Cells hold centres, those of large
 * grains other cells than those of small ones. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "pair.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* Where a new centre is: ahead of the grain, by so much of the room it has. */
static const double ahead = 0.5;
/* Grains of one level differ in size by less than this factor; the last one takes the rest. */
static const double level_ratio = 2.0;
enum { LEVELS = 8, LEAST_BITS = 4, N_BITS = 32 };
static const uint32_t no_block = UINT32_MAX;

/* The cells of one level, found by hashing: memory grows with grains, not with space. */
struct level {
    double largest, edge[3]; /* m; radius of its largest grain */
    int64_t n[3];
    int32_t *first; /* [n_buckets] a grain of the cells of each bucket; owned */
    size_t n_buckets;
};
struct scree_ed_levels {
    int n;
    struct level level[LEVELS];
    /* Entries of all lists, in blocks of 2^k words; the first word of a free one names the next */
    uint32_t *pool; /* owned */
    size_t used, capacity;
    uint32_t free_block[N_BITS];
};

static int level_of(const struct scree_ed_engine *e, double radius)
{
    int k = (int)(log(radius / e->world->radius[0]) / log(level_ratio));
    return k < 0 ? 0 : k >= e->levels->n ? e->levels->n - 1 : k;
}

static void make_cells(struct level *level, const struct scree_ed_world *world, int64_t n_grains)
{
    double edge = 2.0 * (level->largest * world->widen + world->delta);
    double count = 1.0, most = 2.0 * (double)n_grains + 64.0;
    for (int a = 0; a < 3; a++) {
        double length = world->box.length[a];
        double n = a < world->box.dimension ? floor(length / edge) : 1.0;
        level->n[a] = n < 1.0 ? 1 : n > 1e6 ? 1000000 : (int64_t)n;
        level->edge[a] = length / (double)level->n[a];
        count *= (double)level->n[a];
    }
    level->n_buckets = (size_t)fmin(count, most);
    level->first = scree_alloc(level->n_buckets, sizeof *level->first);
    for (size_t k = 0; k < level->n_buckets; k++) level->first[k] = -1;
}

void scree_ed_lists_create(struct scree_ed_engine *e)
{
    const struct scree_ed_world *world = e->world;
    struct scree_ed_levels *levels = scree_alloc(1, sizeof *levels);
    memset(levels, 0, sizeof *levels);
    double bound = world->radius[0];
    do {
        struct level *level = &levels->level[levels->n++];
        bound *= level_ratio;
        level->largest = levels->n < LEVELS ? fmin(bound, world->radius[1]) : world->radius[1];
        make_cells(level, world, e->n_slots);
    } while (levels->n < LEVELS && bound <= world->radius[1]);
    for (int k = 0; k < N_BITS; k++) levels->free_block[k] = no_block;
    e->levels = levels;
}

void scree_ed_lists_destroy(struct scree_ed_engine *e)
{
    if (e->levels == NULL) return;
    for (int k = 0; k < e->levels->n; k++) scree_alloc_free(e->levels->level[k].first);
    scree_alloc_free(e->levels->pool);
    scree_alloc_free(e->levels);
    e->levels = NULL;
}

size_t scree_ed_lists_bytes(const struct scree_ed_engine *e)
{
    const struct scree_ed_levels *levels = e->levels;
    size_t bytes = levels->capacity * sizeof *levels->pool;
    for (int k = 0; k < levels->n; k++)
        bytes += levels->level[k].n_buckets * sizeof *levels->level[k].first;
    return bytes;
}

const uint32_t *scree_ed_lists_entries(const struct scree_ed_engine *e, int32_t i)
{
    return e->levels->pool + e->list[i].at;
}

static uint32_t take_block(struct scree_ed_levels *l, int bits)
{
    uint32_t at = l->free_block[bits];
    if (at != no_block) {
        l->free_block[bits] = l->pool[at];
        return at;
    }
    size_t size = (size_t)1 << bits;
    SCREE_GROW(l->pool, l->used, l->capacity, l->used + size);
    if (l->used + size >= no_block) SCREE_ABORT("lists of events have too many entries");
    at = (uint32_t)l->used;
    l->used += size;
    return at;
}

static void give_block(struct scree_ed_levels *l, struct scree_ed_list *list)
{
    if (list->bits == 0) return;
    l->pool[list->at] = l->free_block[list->bits];
    l->free_block[list->bits] = list->at;
    list->bits = 0;
}

static void append(struct scree_ed_levels *l, struct scree_ed_list *list, uint32_t entry)
{
    if (list->bits == 0 || list->count == (uint32_t)1 << list->bits) {
        int bits = list->bits == 0 ? LEAST_BITS : list->bits + 1;
        uint32_t at = take_block(l, bits), count = list->count;
        memcpy(l->pool + at, l->pool + list->at, count * sizeof *l->pool);
        give_block(l, list);
        list->at = at;
        list->bits = (uint8_t)bits;
    }
    l->pool[list->at + list->count++] = entry;
}

static void drop_entry(struct scree_ed_levels *l, struct scree_ed_list *list, int32_t slot)
{
    uint32_t *entry = l->pool + list->at, k = 0;
    while (k < list->count && (int32_t)(entry[k] >> SCREE_ED_CODE_BITS) != slot) k++;
    if (k == list->count) SCREE_ABORT("a pair is listed on one side only");
    entry[k] = entry[--list->count];
}

static void leave_cell(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_list *list = &e->list[i];
    if (list->cell < 0) return;
    struct level *level = &e->levels->level[list->level];
    if (list->previous >= 0)
        e->list[list->previous].following = list->following;
    else
        level->first[(size_t)list->cell % level->n_buckets] = list->following;
    if (list->following >= 0) e->list[list->following].previous = list->previous;
    list->cell = -1;
}

static void enter_cell(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_list *list = &e->list[i];
    list->level = (uint8_t)level_of(e, e->state[i].radius);
    struct level *level = &e->levels->level[list->level];
    int64_t cell = 0;
    for (int a = 2; a >= 0; a--) {
        double place = (list->centre[a] - e->world->box.low[a]) / level->edge[a];
        int64_t k = level->n[a] == 1 || !(place > 0.0) ? 0
                    : place >= (double)level->n[a]     ? level->n[a] - 1
                                                       : (int64_t)place;
        cell = cell * level->n[a] + k;
    }
    int32_t *first = &level->first[(size_t)cell % level->n_buckets];
    list->cell = cell;
    list->previous = -1;
    list->following = *first;
    if (*first >= 0) e->list[*first].previous = i;
    *first = i;
}

void scree_ed_lists_leave(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_list *list = &e->list[i];
    for (uint32_t k = 0; k < list->count; k++)
        drop_entry(e->levels, &e->list[e->levels->pool[list->at + k] >> SCREE_ED_CODE_BITS], i);
    list->count = 0;
    leave_cell(e, i);
    give_block(e->levels, list);
}

/* List i and j with each other if they could touch. */
static void examine(struct scree_ed_engine *e, int32_t i, int32_t j)
{
    const struct scree_box *box = &e->world->box;
    const bool replicas =
        e->grain[i].role == SCREE_ED_REPLICA && e->grain[j].role == SCREE_ED_REPLICA;
    double reach = e->state[i].radius + e->state[j].radius, d2 = 0.0;
    reach = reach * e->world->widen + 2.0 * e->world->delta;
    uint32_t code = 0, turned = SCREE_ED_CODES - 1, weight = 1;
    for (int a = 0; a < 3; a++, weight *= 3) {
        double d = e->list[j].centre[a] - e->list[i].centre[a], half = 0.5 * box->length[a];
        uint32_t k = !box->periodic[a] ? 1u : d > half ? 2u : d < -half ? 0u : 1u;
        d -= ((double)k - 1.0) * box->length[a];
        code += k * weight;
        d2 += d * d;
    }
    if (!(d2 < reach * reach) || replicas) return;
    append(e->levels, &e->list[i], (uint32_t)j << SCREE_ED_CODE_BITS | code);
    append(e->levels, &e->list[j], (uint32_t)i << SCREE_ED_CODE_BITS | (turned - code));
}

/* Numbers of the cells of a level along an axis that come within `reach` of x: n from `begin`. */
static int64_t range_of(const struct scree_ed_engine *e, const struct level *level, int a, double x,
                        double reach, int64_t *begin)
{
    const struct scree_box *box = &e->world->box;
    double low = floor((x - reach - box->low[a]) / level->edge[a]);
    double high = floor((x + reach - box->low[a]) / level->edge[a]);
    double last = (double)level->n[a] - 1.0;
    *begin = 0;
    if (level->n[a] == 1 || (box->periodic[a] && high - low >= last)) return level->n[a];
    if (!box->periodic[a]) {
        low = fmin(fmax(low, 0.0), last);
        high = fmin(fmax(high, 0.0), last);
    }
    *begin = (int64_t)low;
    return (int64_t)(high - low) + 1;
}

static void search_level(struct scree_ed_engine *e, int32_t i, const struct level *level)
{
    double reach = (e->state[i].radius + level->largest) * e->world->widen + 2.0 * e->world->delta;
    int64_t begin[3], n[3], at[3];
    for (int a = 0; a < 3; a++)
        n[a] = range_of(e, level, a, e->list[i].centre[a], reach, &begin[a]);
    for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
        at[0] = begin[0] + k % n[0];
        at[1] = begin[1] + k / n[0] % n[1];
        at[2] = begin[2] + k / (n[0] * n[1]);
        for (int a = 0; a < 3; a++) /* only periodic ranges reach beyond the box, by less than it */
            at[a] += at[a] < 0 ? level->n[a] : at[a] >= level->n[a] ? -level->n[a] : 0;
        int64_t cell = (at[2] * level->n[1] + at[1]) * level->n[0] + at[0];
        int32_t j = level->first[(size_t)cell % level->n_buckets];
        for (; j >= 0; j = e->list[j].following)
            if (e->list[j].cell == cell && j != i) examine(e, i, j);
    }
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
    scree_ed_lists_leave(e, i);
    place_centre(e, i, t);
    for (int k = 0; k < e->levels->n; k++) search_level(e, i, &e->levels->level[k]);
    enter_cell(e, i);
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
            const double *shift = e->world->shift[entry[k] & (32 - 1)];
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
