/* SPDX-License-Identifier: BSD-3-Clause
 * The cells of one rank: life, sorting of grains, binning of ghosts. */
#include "scree/cell_grid.h"

#include <math.h>
#include <string.h>

#include "level.h"
#include "scree/alloc.h"

void scree_cell_grid_create(struct scree_cell_grid **cells)
{
    *cells = scree_alloc(1, sizeof **cells);
    memset(*cells, 0, sizeof **cells);
}

void scree_cell_grid_destroy(struct scree_cell_grid **cells)
{
    if (*cells == NULL) return;
    scree_alloc_free((*cells)->owned_start);
    scree_alloc_free((*cells)->ghost_start);
    scree_alloc_free((*cells)->ghost_slot);
    for (int l = 0; l < SCREE_MOST_LEVELS; l++) scree_level_clear(&(*cells)->level[l]);
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

static void lay_out(struct scree_cell_grid *cells, const struct scree_particles *p, double largest,
                    double skin)
{
    double low[3], high[3], bound[SCREE_MOST_LEVELS];
    scree_lid n_grains[SCREE_MOST_LEVELS];
    find_bounds(p, low, high);
    cells->n_levels = scree_level_classes(p, largest, bound, n_grains);
    cells->count = 0;
    for (int l = 0; l < cells->n_levels; l++) {
        struct scree_level *level = &cells->level[l];
        scree_level_lay_out(level, low, high, 2.0 * bound[l] + skin, n_grains[l]);
        level->largest = bound[l];
        level->first = cells->count;
        cells->count += level->count;
    }
    if ((size_t)cells->count + 1 > cells->capacity) {
        cells->capacity = scree_alloc_grown(cells->capacity, (size_t)cells->count + 1);
        scree_alloc_free(cells->owned_start);
        scree_alloc_free(cells->ghost_start);
        cells->owned_start = scree_alloc(cells->capacity, sizeof *cells->owned_start);
        cells->ghost_start = scree_alloc(cells->capacity, sizeof *cells->ghost_start);
    }
}

static int32_t find_cell(const struct scree_cell_grid *cells, const double pos[4])
{
    const struct scree_level *level = &cells->level[scree_cell_grid_level_of(cells, pos[3])];
    return scree_level_cell(level, scree_level_place(level, 0, pos[0]),
                            scree_level_place(level, 1, pos[1]),
                            scree_level_place(level, 2, pos[2]));
}

/* Counting sort of slots [first, first + n) by cell: start[] and, in slot[], the slots in order. */
static void sort_slots(const struct scree_cell_grid *cells, const struct scree_particles *p,
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

void scree_cell_grid_sort_owned(struct scree_cell_grid *cells, struct scree_particles *p,
                                double largest, double skin)
{
    lay_out(cells, p, largest, skin);
    scree_lid *order = scree_alloc((size_t)p->n_owned, sizeof *order);
    sort_slots(cells, p, 0, p->n_owned, cells->owned_start, order);
    scree_particles_reorder(p, order, p->n_owned);
    scree_alloc_free(order);
}

void scree_cell_grid_bin_ghosts(struct scree_cell_grid *cells, const struct scree_particles *p)
{
    if ((size_t)p->n_ghost > cells->ghost_capacity) {
        scree_alloc_free(cells->ghost_slot);
        cells->ghost_capacity = scree_alloc_grown(cells->ghost_capacity, (size_t)p->n_ghost);
        cells->ghost_slot = scree_alloc(cells->ghost_capacity, sizeof *cells->ghost_slot);
    }
    sort_slots(cells, p, p->n_owned, p->n_ghost, cells->ghost_start, cells->ghost_slot);
}
