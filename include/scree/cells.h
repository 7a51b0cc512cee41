/* SPDX-License-Identifier: BSD-3-Clause
 * A grid of cells over the grains of one rank, for sorting them and for finding neighbours. */
#ifndef SCREE_CELLS_H
#define SCREE_CELLS_H

#include <stdint.h>

#include "scree/particles.h"

/* Cells are numbered tile by tile (4 x 4 x 4 cells) and tiles along a Hilbert curve, so that grains
 * sorted by cell number have their neighbours close in memory in every direction. Points outside
 * belong to the outermost cells. */
struct scree_cells {
    int n[3];    /* cells per direction */
    int tile[3]; /* cells per tile and direction: 4 or 1 */
    int n_tiles[3];
    int32_t *tile_rank;  /* place of a tile (x fastest) along the curve */
    int32_t *tile_order; /* the tile at a place */
    int ranked[3];       /* numbers of tiles that the two are for */
    double low[3], inverse_edge[3];
    int32_t count;        /* including the unused cells of partial tiles */
    int32_t *owned_start; /* [count + 1] owned slots of a cell, once grains are sorted */
    int32_t *ghost_start; /* [count + 1] into ghost_slot */
    scree_lid *ghost_slot;
    size_t capacity, ghost_capacity;
};

void scree_cells_create(struct scree_cells **cells);
void scree_cells_destroy(struct scree_cells **cells);

/* Lay the grid over the owned grains with edges of at least `edge` (m) and sort the grains by
 * cell. Slots change, ghosts are forgotten. */
void scree_cells_sort_owned(struct scree_cells *cells, struct scree_particles *p, double edge);
/* Put the ghosts into the same grid. */
void scree_cells_bin_ghosts(struct scree_cells *cells, const struct scree_particles *p);

static inline int32_t scree_cells_index(const struct scree_cells *c, int x, int y, int z)
{
    int tx = x / c->tile[0], ty = y / c->tile[1], tz = z / c->tile[2];
    int lx = x % c->tile[0], ly = y % c->tile[1], lz = z % c->tile[2];
    int tile = c->tile_rank[(tz * c->n_tiles[1] + ty) * c->n_tiles[0] + tx];
    return ((tile * c->tile[2] + lz) * c->tile[1] + ly) * c->tile[0] + lx;
}

#endif
