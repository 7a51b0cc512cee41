/* SPDX-License-Identifier: BSD-3-Clause
 * The cell grid of one rank: layout, sorting of grains, binning of ghosts. */
#include "scree/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/partition.h"

void scree_cells_create(struct scree_cells **cells)
{
    *cells = scree_alloc(1, sizeof **cells);
    memset(*cells, 0, sizeof **cells);
}

void scree_cells_destroy(struct scree_cells **cells)
{
    if (*cells == NULL) return;
    scree_alloc_free((*cells)->owned_start);
    scree_alloc_free((*cells)->ghost_start);
    scree_alloc_free((*cells)->ghost_slot);
    scree_alloc_free((*cells)->tile_rank);
    scree_alloc_free((*cells)->tile_order);
    scree_alloc_free(*cells);
    *cells = NULL;
}

static void find_bounds(const struct scree_particles *p, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = p->n_owned > 0 ? INFINITY : 0.0;
        high[a] = p->n_owned > 0 ? -INFINITY : 0.0;
    }
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], p->pos[i][a]);
            high[a] = fmax(high[a], p->pos[i][a]);
        }
}

/* Numbers of cells for this edge; returns their product with partial tiles filled up. */
static double count_cells(struct scree_cells *cells, const double extent[3], double edge)
{
    double total = 1.0;
    for (int a = 0; a < 3; a++) {
        double n = floor(extent[a] / edge);
        cells->n[a] = n < 1.0 ? 1 : (int)fmin(n, 1 << 20);
        cells->tile[a] = cells->n[a] >= 4 ? 4 : 1;
        cells->n_tiles[a] = (cells->n[a] + cells->tile[a] - 1) / cells->tile[a];
        total *= (double)cells->n_tiles[a] * cells->tile[a];
    }
    return total;
}

struct tile_key {
    uint64_t key;
    int32_t tile;
};

static int compare_keys(const void *a, const void *b)
{
    const struct tile_key *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Rank the tiles along a Hilbert curve; nothing to do while their numbers stay. */
static void rank_tiles(struct scree_cells *cells)
{
    const int *n = cells->n_tiles;
    if (memcmp(cells->ranked, n, sizeof cells->ranked) == 0) return;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2], k = 0;
    int most = n[0] > n[1] ? n[0] : n[1], bits = 1;
    most = most > n[2] ? most : n[2];
    while ((1 << bits) < most) bits++;
    struct tile_key *key = scree_alloc(count, sizeof *key);
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, k++)
                key[k] = (struct tile_key){
                    scree_hilbert_index(bits, (uint32_t)x, (uint32_t)y, (uint32_t)z), (int32_t)k};
    qsort(key, count, sizeof *key, compare_keys);
    scree_alloc_free(cells->tile_rank);
    scree_alloc_free(cells->tile_order);
    cells->tile_rank = scree_alloc(count, sizeof *cells->tile_rank);
    cells->tile_order = scree_alloc(count, sizeof *cells->tile_order);
    for (size_t r = 0; r < count; r++) {
        cells->tile_order[r] = key[r].tile;
        cells->tile_rank[key[r].tile] = (int32_t)r;
    }
    scree_alloc_free(key);
    memcpy(cells->ranked, n, sizeof cells->ranked);
}

static void lay_out(struct scree_cells *cells, const struct scree_particles *p, double edge)
{
    double high[3], extent[3];
    find_bounds(p, cells->low, high);
    for (int a = 0; a < 3; a++) extent[a] = high[a] - cells->low[a];
    /* A thin gas in a large box must not ask for more cells than it has grains. */
    double most = 4.0 * p->n_owned + 512.0;
    while (count_cells(cells, extent, edge) > most) edge *= 1.25;
    for (int a = 0; a < 3; a++) {
        double width = extent[a] / cells->n[a];
        cells->inverse_edge[a] = width > 0.0 ? 1.0 / width : 0.0;
    }
    cells->count = (int32_t)count_cells(cells, extent, edge);
    rank_tiles(cells);
    if ((size_t)cells->count + 1 > cells->capacity) {
        cells->capacity = scree_alloc_grown(cells->capacity, (size_t)cells->count + 1);
        scree_alloc_free(cells->owned_start);
        scree_alloc_free(cells->ghost_start);
        cells->owned_start = scree_alloc(cells->capacity, sizeof *cells->owned_start);
        cells->ghost_start = scree_alloc(cells->capacity, sizeof *cells->ghost_start);
    }
}

static int32_t find_cell(const struct scree_cells *cells, const double pos[3])
{
    int at[3];
    for (int a = 0; a < 3; a++) {
        double place = (pos[a] - cells->low[a]) * cells->inverse_edge[a];
        at[a] = !(place > 0.0) ? 0 : place >= cells->n[a] ? cells->n[a] - 1 : (int)place;
    }
    return scree_cells_index(cells, at[0], at[1], at[2]);
}

/* Counting sort of slots [first, first + n) by cell: start[] and, in slot[], the slots in order. */
static void sort_slots(const struct scree_cells *cells, const struct scree_particles *p,
                       scree_lid first, scree_lid n, int32_t *start, scree_lid *slot)
{
    int32_t *cell = scree_alloc((size_t)n, sizeof *cell);
    memset(start, 0, ((size_t)cells->count + 1) * sizeof *start);
    for (scree_lid k = 0; k < n; k++) {
        cell[k] = find_cell(cells, p->pos[first + k]);
        start[cell[k]]++;
    }
    int32_t sum = 0;
    for (int32_t c = 0; c <= cells->count; c++) {
        int32_t here = c < cells->count ? start[c] : 0;
        start[c] = sum;
        sum += here;
    }
    for (scree_lid k = 0; k < n; k++) slot[start[cell[k]]++] = first + k;
    for (int32_t c = cells->count; c > 0; c--) start[c] = start[c - 1];
    start[0] = 0;
    scree_alloc_free(cell);
}

void scree_cells_sort_owned(struct scree_cells *cells, struct scree_particles *p, double edge)
{
    lay_out(cells, p, edge);
    scree_lid *order = scree_alloc((size_t)p->n_owned, sizeof *order);
    sort_slots(cells, p, 0, p->n_owned, cells->owned_start, order);
    scree_particles_reorder(p, order, p->n_owned);
    scree_alloc_free(order);
}

void scree_cells_bin_ghosts(struct scree_cells *cells, const struct scree_particles *p)
{
    if ((size_t)p->n_ghost > cells->ghost_capacity) {
        scree_alloc_free(cells->ghost_slot);
        cells->ghost_capacity = scree_alloc_grown(cells->ghost_capacity, (size_t)p->n_ghost);
        cells->ghost_slot = scree_alloc(cells->ghost_capacity, sizeof *cells->ghost_slot);
    }
    sort_slots(cells, p, p->n_owned, p->n_ghost, cells->ghost_start, cells->ghost_slot);
}
