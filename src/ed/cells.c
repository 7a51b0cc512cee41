/* SPDX-License-Identifier: BSD-3-Clause
 * Cells hold centres of lists, those of large grains other cells than those of small ones. A cell
 * is a chain of parts of four centres each, which a search reads as one line of memory. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* Grains of one level differ in size by less than this factor; the last one takes the rest. */
static const double level_ratio = 2.0;
enum { LEVELS = 8, PLACES = 4, NO_PART = -1 };

/* Four places for centres, in m; where nobody is, slot is -1 and x is far from everywhere. */
typedef float real __attribute__((vector_size(4 * PLACES)));
typedef int32_t whole __attribute__((vector_size(4 * PLACES)));
struct part {
    real x[3];
    whole slot;
};
static const float nowhere = 1e30F;
struct link {
    int64_t cell;
    int32_t following, taken; /* places of the part */
};

/* The cells of one level, found by hashing: memory grows with grains, not with space. */
struct level {
    double largest, edge[3]; /* m; radius of its largest grain */
    int64_t n[3];
    int32_t *first; /* [n_buckets] a part of the cells of each bucket; owned */
    size_t n_buckets;
    bool shared; /* there are more cells than buckets */
};
struct scree_ed_cells {
    int n;
    struct level level[LEVELS];
    struct part *part; /* owned, like the next */
    struct link *link;
    size_t n_parts, capacity;
    int32_t unused; /* first of a chain of parts */
    double margin;  /* m; that a distance of floats may be too large */
};

/* m; centres of grains that can touch, of the sum of whose radii this is, are closer. */
static double reach_of(const struct scree_ed_world *world, double radii)
{
    return radii * world->widen + 2.0 * world->delta;
}

static int level_of(const struct scree_ed_engine *e, double radius)
{
    int k = (int)(log(radius / e->world->radius[0]) / log(level_ratio));
    return e->cells->n == 1 || k < 0 ? 0 : k >= e->cells->n ? e->cells->n - 1 : k;
}

static void make_level(struct level *level, const struct scree_ed_world *world, int64_t n_grains)
{
    double edge = reach_of(world, 2.0 * level->largest);
    double count = 1.0, most = 2.0 * (double)n_grains + 64.0;
    for (int a = 0; a < 3; a++) {
        double length = world->box.length[a];
        double n = a < world->box.dimension ? floor(length / edge) : 1.0;
        level->n[a] = n < 1.0 ? 1 : n > 1e6 ? 1000000 : (int64_t)n;
        level->edge[a] = length / (double)level->n[a];
        count *= (double)level->n[a];
    }
    level->shared = count > most;
    level->n_buckets = (size_t)fmin(count, most);
    level->first = scree_alloc(level->n_buckets, sizeof *level->first);
    for (size_t k = 0; k < level->n_buckets; k++) level->first[k] = NO_PART;
}

void scree_ed_cells_create(struct scree_ed_engine *e)
{
    const struct scree_ed_world *world = e->world;
    struct scree_ed_cells *cells = scree_alloc(1, sizeof *cells);
    double bound = world->radius[0], farthest = 0.0;
    memset(cells, 0, sizeof *cells);
    cells->unused = NO_PART;
    do {
        struct level *level = &cells->level[cells->n++];
        bound *= level_ratio;
        level->largest = cells->n < LEVELS ? fmin(bound, world->radius[1]) : world->radius[1];
        make_level(level, world, e->n_slots);
    } while (cells->n < LEVELS && bound <= world->radius[1]);
    for (int a = 0; a < 3; a++) {
        farthest = fmax(farthest, fabs(world->box.low[a]));
        farthest = fmax(farthest, fmax(fabs(world->box.high[a]), world->box.length[a]));
    }
    cells->margin = 8.0 * (double)FLT_EPSILON * farthest;
    e->cells = cells;
}

void scree_ed_cells_destroy(struct scree_ed_engine *e)
{
    if (e->cells == NULL) return;
    for (int k = 0; k < e->cells->n; k++) scree_alloc_free(e->cells->level[k].first);
    scree_alloc_free(e->cells->part);
    scree_alloc_free(e->cells->link);
    scree_alloc_free(e->cells);
    e->cells = NULL;
}

size_t scree_ed_cells_bytes(const struct scree_ed_cells *cells)
{
    size_t bytes = cells->capacity * (sizeof *cells->part + sizeof *cells->link);
    for (int k = 0; k < cells->n; k++)
        bytes += cells->level[k].n_buckets * sizeof *cells->level[k].first;
    return bytes;
}

static int32_t *bucket_of(const struct level *level, int64_t cell)
{
    return &level->first[level->shared ? (size_t)cell % level->n_buckets : (size_t)cell];
}

/* A part without grains at the head of a cell. */
static int32_t add_part(struct scree_ed_cells *cells, int64_t cell, int32_t *first)
{
    int32_t k = cells->unused;
    if (k != NO_PART) {
        cells->unused = cells->link[k].following;
    } else {
        size_t n = cells->n_parts, room = cells->capacity;
        SCREE_ED_EXTEND(cells->part, n, room, n + 1);
        SCREE_ED_EXTEND(cells->link, n, cells->capacity, n + 1);
        k = (int32_t)cells->n_parts++;
    }
    struct part *part = &cells->part[k];
    for (int p = 0; p < PLACES; p++) {
        for (int a = 0; a < 3; a++) part->x[a][p] = nowhere;
        part->slot[p] = -1;
    }
    cells->link[k] = (struct link){cell, *first, 0};
    return *first = k;
}

void scree_ed_cells_enter(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_cells *cells = e->cells;
    struct scree_ed_list *list = &e->list[i];
    list->level = (uint8_t)level_of(e, e->state[i].radius);
    const struct level *level = &cells->level[list->level];
    int64_t cell = 0;
    for (int a = 2; a >= 0; a--) {
        double place = (list->centre[a] - e->world->box.low[a]) / level->edge[a];
        int64_t k = level->n[a] == 1 || !(place > 0.0) ? 0
                    : place >= (double)level->n[a]     ? level->n[a] - 1
                                                       : (int64_t)place;
        cell = cell * level->n[a] + k;
    }
    int32_t *first = bucket_of(level, cell), k = *first, p = 0;
    while (k != NO_PART && (cells->link[k].cell != cell || cells->link[k].taken == PLACES))
        k = cells->link[k].following;
    if (k == NO_PART) k = add_part(cells, cell, first);
    struct part *part = &cells->part[k];
    while (part->slot[p] >= 0) p++;
    for (int a = 0; a < 3; a++) part->x[a][p] = (float)list->centre[a];
    part->slot[p] = i;
    cells->link[k].taken++;
    list->part = k;
    list->place = (uint8_t)p;
}

void scree_ed_cells_leave(struct scree_ed_engine *e, int32_t i)
{
    struct scree_ed_cells *cells = e->cells;
    int32_t k = e->list[i].part, p = e->list[i].place;
    if (k == NO_PART) return;
    struct link *link = &cells->link[k];
    for (int a = 0; a < 3; a++) cells->part[k].x[a][p] = nowhere;
    cells->part[k].slot[p] = -1;
    e->list[i].part = NO_PART;
    if (--link->taken > 0) return;
    int32_t *at = bucket_of(&cells->level[e->list[i].level], link->cell);
    while (*at != k) at = &cells->link[*at].following;
    *at = link->following;
    link->following = cells->unused;
    cells->unused = k;
}

/* What a search compares with; of axes without a period `half` is infinite. */
struct aim {
    float x[3], half[3], length[3], reach2;
};

/* Those of a part that are near, as entries of a list; returns their number. */
static inline size_t find_in_part(const struct part *part, const struct aim *aim, uint32_t *entry)
{
    whole code = {SCREE_ED_CODE_HERE, SCREE_ED_CODE_HERE, SCREE_ED_CODE_HERE, SCREE_ED_CODE_HERE};
    real d2 = {0.0F, 0.0F, 0.0F, 0.0F};
    size_t n = 0;
    for (int a = 0, weight = 1; a < 3; a++, weight *= 3) {
        real d = part->x[a] - aim->x[a];
        whole periods = (d < -aim->half[a]) - (d > aim->half[a]); /* true is -1 */
        d -= __builtin_convertvector(periods, real) * aim->length[a];
        code += periods * weight;
        d2 += d * d;
    }
    whole found = part->slot * (1 << SCREE_ED_CODE_BITS) + code, near = d2 < aim->reach2;
    for (int p = 0; p < PLACES; p++) { /* without branches, which nobody could foresee */
        entry[n] = (uint32_t)found[p];
        n += (size_t)-near[p];
    }
    return n;
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

/* Only periodic ranges reach beyond the box, and by less than it. */
static int64_t wrap(int64_t k, int64_t n)
{
    return k < 0 ? k + n : k >= n ? k - n : k;
}

static size_t search_cell(struct scree_ed_engine *e, const struct level *level, int64_t cell,
                          const struct aim *aim, size_t n)
{
    const struct scree_ed_cells *cells = e->cells;
    for (int32_t k = *bucket_of(level, cell); k != NO_PART; k = cells->link[k].following) {
        if (level->shared && cells->link[k].cell != cell) continue;
        SCREE_GROW(e->near, n, e->near_capacity, n + PLACES);
        n += find_in_part(&cells->part[k], aim, e->near + n);
    }
    return n;
}

static size_t search_level(struct scree_ed_engine *e, int32_t i, const struct level *level,
                           size_t n)
{
    const struct scree_box *box = &e->world->box;
    double reach = reach_of(e->world, e->state[i].radius + level->largest);
    int64_t begin[3], count[3];
    struct aim aim;
    for (int a = 0; a < 3; a++) {
        count[a] = range_of(e, level, a, e->list[i].centre[a], reach, &begin[a]);
        aim.x[a] = (float)e->list[i].centre[a];
        aim.length[a] = (float)box->length[a];
        aim.half[a] = box->periodic[a] ? 0.5F * aim.length[a] : INFINITY;
    }
    aim.reach2 = (float)((reach + e->cells->margin) * (reach + e->cells->margin));
    for (int64_t z = begin[2]; z < begin[2] + count[2]; z++)
        for (int64_t y = begin[1]; y < begin[1] + count[1]; y++) {
            int64_t row = wrap(z, level->n[2]) * level->n[1] + wrap(y, level->n[1]);
            for (int64_t x = begin[0]; x < begin[0] + count[0]; x++)
                n = search_cell(e, level, row * level->n[0] + wrap(x, level->n[0]), &aim, n);
        }
    return n;
}

/* Of grains of one level some are smaller than its largest, and two replicas are not listed. */
static bool is_near(const struct scree_ed_engine *e, int32_t i, uint32_t entry)
{
    int32_t j = (int32_t)(entry >> SCREE_ED_CODE_BITS);
    const double *shift = e->world->shift[entry & SCREE_ED_CODE_MASK];
    double reach = reach_of(e->world, e->state[i].radius + e->state[j].radius), d2 = 0.0;
    for (int a = 0; a < 3; a++) {
        double d = (e->list[j].centre[a] - e->list[i].centre[a]) - shift[a];
        d2 += d * d;
    }
    return d2 < reach * reach &&
           !(e->grain[i].role == SCREE_ED_REPLICA && e->grain[j].role == SCREE_ED_REPLICA);
}

size_t scree_ed_cells_search(struct scree_ed_engine *e, int32_t i)
{
    size_t n = 0, kept = 0;
    for (int k = 0; k < e->cells->n; k++) n = search_level(e, i, &e->cells->level[k], n);
    if (e->grain[i].role != SCREE_ED_REPLICA && e->world->radius[0] == e->world->radius[1])
        return n;
    for (size_t k = 0; k < n; k++)
        if (is_near(e, i, e->near[k])) e->near[kept++] = e->near[k];
    return kept;
}
