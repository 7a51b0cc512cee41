/* SPDX-License-Identifier: BSD-3-Clause
 * Grids of cells over the grains of one rank, for sorting them and for finding neighbours: one grid
 * (level) per class of radii, so that cells are never much larger than the grains in them. */
#ifndef SCREE_CELL_GRID_H
#define SCREE_CELL_GRID_H

#include <stdint.h>

#include "scree/particles.h"

enum { SCREE_MOST_LEVELS = 16 };

/* Cells are numbered tile by tile (4 x 4 x 4 cells) and tiles along a Hilbert curve, so that grains
 * sorted by cell number have their neighbours close in memory in every direction. Points outside
 * belong to the outermost cells. */
struct scree_level {
    double largest;    /* m; radii are at most this, and larger than those of the next level */
    int n[3];          /* cells per direction */
    int tile_shift[3]; /* cells per tile and direction as power of two: 2 or 0 */
    int n_tiles[3];
    int32_t *tile_rank;  /* place of a tile (x fastest) along the curve */
    int32_t *tile_order; /* the tile at a place */
    int ranked[3];       /* numbers of tiles that the two are for */
    double low[3], inverse_edge[3];
    int32_t first; /* number of the first cell; the cells of all levels are numbered through */
    int32_t count; /* including the unused cells of partial tiles */
};

/* Level 0 has the largest grains. Edges of a level are at least twice its largest radius plus the
 * skin: a grain finds all partners of its own level in the cells around its own, and those of a
 * level of larger grains in a few cells there. Equal grains have one level. */
struct scree_cell_grid {
    int n_levels;
    struct scree_level level[SCREE_MOST_LEVELS];
    int32_t count;        /* cells of all levels */
    int32_t *owned_start; /* [count + 1] owned slots of a cell, once grains are sorted */
    int32_t *ghost_start; /* [count + 1] into ghost_slot */
    scree_lid *ghost_slot;
    size_t capacity, ghost_capacity;
};

void scree_cell_grid_create(struct scree_cell_grid **cells);
void scree_cell_grid_destroy(struct scree_cell_grid **cells);

/* Choose levels, lay their grids over the owned grains and sort the grains by level and cell. Slots
 * change, ghosts are forgotten. `largest`: of all radii, those of ghosts to come included. */
void scree_cell_grid_sort_owned(struct scree_cell_grid *cells, struct scree_particles *p,
                                double largest, double skin);
/* Put the ghosts into the same grids. */
void scree_cell_grid_bin_ghosts(struct scree_cell_grid *cells, const struct scree_particles *p);

static inline int scree_cell_grid_level_of(const struct scree_cell_grid *cells, double radius)
{
    int l = 0;
    while (l + 1 < cells->n_levels && radius <= cells->level[l + 1].largest) l++;
    return l;
}

static inline int scree_level_place(const struct scree_level *level, int axis, double x)
{
    double place = (x - level->low[axis]) * level->inverse_edge[axis];
    int n = level->n[axis];
    return !(place > 0.0) ? 0 : place >= n ? n - 1 : (int)place;
}

/* Number of the cell at these places. */
static inline int32_t scree_level_cell(const struct scree_level *level, int x, int y, int z)
{
    const int *shift = level->tile_shift;
    int tx = x >> shift[0], ty = y >> shift[1], tz = z >> shift[2];
    int lx = x - (tx << shift[0]), ly = y - (ty << shift[1]), lz = z - (tz << shift[2]);
    int tile = level->tile_rank[(tz * level->n_tiles[1] + ty) * level->n_tiles[0] + tx];
    int line = (((tile << shift[2]) + lz) << shift[1]) + ly;
    return level->first + (line << shift[0]) + lx;
}

#endif
