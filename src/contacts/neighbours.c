/* SPDX-License-Identifier: BSD-3-Clause
 * Pair lists from the cell grid. */
#include "scree/neighbours.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/status.h"

void scree_neighbours_init(struct scree_neighbours *list, double skin)
{
    memset(list, 0, sizeof *list);
    list->skin = skin;
}

static void clear_pairs(struct scree_pairs *pairs)
{
    scree_alloc_free(pairs->start);
    scree_alloc_free(pairs->partner);
    memset(pairs, 0, sizeof *pairs);
}

void scree_neighbours_clear(struct scree_neighbours *list)
{
    clear_pairs(&list->interior);
    clear_pairs(&list->border);
}

static void reset_pairs(struct scree_pairs *pairs, size_t n_rows)
{
    if (n_rows + 1 > pairs->row_capacity) {
        scree_alloc_free(pairs->start);
        pairs->row_capacity = n_rows + n_rows / 8 + 64;
        pairs->start = scree_alloc(pairs->row_capacity, sizeof *pairs->start);
    }
    pairs->n = 0;
    pairs->n_rows = n_rows;
    pairs->start[0] = 0;
}

/* Room for `more` candidates, all of which might be neighbours. */
static void reserve_pairs(struct scree_pairs *pairs, size_t more)
{
    SCREE_GROW(pairs->partner, pairs->n, pairs->capacity, pairs->n + more);
    if (pairs->n + more >= UINT32_MAX) SCREE_ABORT("more than 2^32 pairs on one rank");
}

/* Write every candidate behind the list, advance only over those that are close: no branch. */
static inline size_t append_if_close(const struct scree_particles *p, scree_lid i, scree_lid j,
                                     double skin, scree_lid *partner, size_t n)
{
    const double *a = p->pos[i], *b = p->pos[j];
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    double reach = a[3] + b[3] + skin;
    int close = dx * dx + dy * dy + dz * dz < reach * reach;
    int mobile = p->vel[i][3] + p->vel[j][3] > 0.0;
    partner[n] = j;
    return n + (size_t)(close & mobile);
}

struct search {
    const struct scree_cells *cells;
    const struct scree_particles *p;
    struct scree_neighbours *list;
    int32_t around[27]; /* cells around the present one; the first n_after come after it */
    int n_around, n_after;
};

/* The cells around (x, y, z): those after it in the order z, y, x first, then itself, then the
 * rest. Interior pairs look only forward, so that each is found once. */
static void list_around(struct search *s, int x, int y, int z)
{
    const int *n = s->cells->n;
    s->n_around = 0;
    for (int sign = 1; sign >= -1; sign--) {
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int order = dz != 0 ? dz : dy != 0 ? dy : dx;
                    int cx = x + dx, cy = y + dy, cz = z + dz;
                    if (order != sign) continue;
                    if (cx < 0 || cy < 0 || cz < 0 || cx >= n[0] || cy >= n[1] || cz >= n[2])
                        continue;
                    s->around[s->n_around++] = scree_cells_index(s->cells, cx, cy, cz);
                }
        if (sign == 1) s->n_after = s->n_around;
    }
}

static void add_interior(struct search *s, scree_lid i, int32_t cell)
{
    struct scree_pairs *pairs = &s->list->interior;
    const int32_t *start = s->cells->owned_start;
    size_t most = (size_t)(start[cell + 1] - i);
    for (int k = 0; k < s->n_after; k++)
        most += (size_t)(start[s->around[k] + 1] - start[s->around[k]]);
    reserve_pairs(pairs, most);
    size_t n = pairs->n;
    for (scree_lid j = i + 1; j < start[cell + 1]; j++)
        n = append_if_close(s->p, i, j, s->list->skin, pairs->partner, n);
    for (int k = 0; k < s->n_after; k++)
        for (scree_lid j = start[s->around[k]]; j < start[s->around[k] + 1]; j++)
            n = append_if_close(s->p, i, j, s->list->skin, pairs->partner, n);
    pairs->n = n;
    pairs->start[i + 1] = (uint32_t)n;
}

static void add_border(struct search *s, scree_lid i)
{
    struct scree_pairs *pairs = &s->list->border;
    const int32_t *start = s->cells->ghost_start;
    size_t most = 0;
    for (int k = 0; k < s->n_around; k++)
        most += (size_t)(start[s->around[k] + 1] - start[s->around[k]]);
    reserve_pairs(pairs, most + 1);
    size_t n = pairs->n;
    for (int k = 0; k < s->n_around && most > 0; k++)
        for (int32_t g = start[s->around[k]]; g < start[s->around[k] + 1]; g++)
            n = append_if_close(s->p, i, s->cells->ghost_slot[g], s->list->skin, pairs->partner, n);
    pairs->n = n;
    pairs->start[i + 1] = (uint32_t)n;
}

static void search_cell(struct search *s, int x, int y, int z)
{
    int32_t cell = scree_cells_index(s->cells, x, y, z);
    scree_lid first = s->cells->owned_start[cell], end = s->cells->owned_start[cell + 1];
    if (first == end) return;
    list_around(s, x, y, z);
    for (scree_lid i = first; i < end; i++) {
        add_interior(s, i, cell);
        add_border(s, i);
    }
}

static void search_tile(struct search *s, int32_t tile)
{
    const struct scree_cells *c = s->cells;
    int x0 = tile % c->n_tiles[0] * c->tile[0];
    int y0 = tile / c->n_tiles[0] % c->n_tiles[1] * c->tile[1];
    int z0 = tile / c->n_tiles[0] / c->n_tiles[1] * c->tile[2];
    for (int z = z0; z < z0 + c->tile[2] && z < c->n[2]; z++)
        for (int y = y0; y < y0 + c->tile[1] && y < c->n[1]; y++)
            for (int x = x0; x < x0 + c->tile[0] && x < c->n[0]; x++) search_cell(s, x, y, z);
}

/* Cells in the order of their numbers: rows must be filled in slot order. */
static void search_all(struct search *s)
{
    const struct scree_cells *c = s->cells;
    int32_t n_tiles = c->n_tiles[0] * c->n_tiles[1] * c->n_tiles[2];
    for (int32_t rank = 0; rank < n_tiles; rank++) search_tile(s, c->tile_order[rank]);
}

void scree_neighbours_build(struct scree_neighbours *list, const struct scree_cells *cells,
                            struct scree_particles *p)
{
    reset_pairs(&list->interior, (size_t)p->n_owned);
    reset_pairs(&list->border, (size_t)p->n_owned);
    struct search search = {.cells = cells, .p = p, .list = list};
    search_all(&search);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) p->listed[i][a] = p->pos[i][a];
}

void scree_neighbours_moved(const struct scree_particles *p, double farthest[2], scree_lid *slot)
{
    double first = 0.0, second = 0.0;
    *slot = -1;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double dx = p->pos[i][0] - p->listed[i][0];
        double dy = p->pos[i][1] - p->listed[i][1];
        double dz = p->pos[i][2] - p->listed[i][2];
        double d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > first) {
            second = first;
            first = d2;
            *slot = i;
        } else if (d2 > second) {
            second = d2;
        }
    }
    farthest[0] = sqrt(first);
    farthest[1] = sqrt(second);
}
