/* SPDX-License-Identifier: BSD-3-Clause
 * Levels of the cell grid: classes of radii, and the layout of one grid. */
#include "level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/partition.h"

/* Radii of one class differ by less than this factor: with a larger one a cell holds many of the
 * smallest grains of its class, with a smaller one there are more levels to look through. */
static const double class_width = 2.0;

int scree_level_classes(const struct scree_particles *p, double largest,
                        double bound[SCREE_MOST_LEVELS], scree_lid n_grains[SCREE_MOST_LEVELS])
{
    int n = 0;
    scree_lid n_smaller = p->n_owned; /* than the classes so far */
    bound[0] = largest;
    for (;;) {
        double limit = bound[n] / class_width, next = 0.0;
        scree_lid n_left = 0;
        for (scree_lid i = 0; i < p->n_owned; i++) {
            double r = p->pos[i][3];
            n_left += r <= limit;
            next = r <= limit && r > next ? r : next;
        }
        n_grains[n++] = n_smaller - n_left;
        if (n_left == 0) return n;
        if (n == SCREE_MOST_LEVELS) break;
        bound[n] = next;
        n_smaller = n_left;
    }
    n_grains[n - 1] = n_smaller;
    return n;
}

/* Numbers of cells for this edge; returns their product with partial tiles filled up. */
static double count_cells(struct scree_level *level, const double extent[3], double edge)
{
    double total = 1.0;
    for (int a = 0; a < 3; a++) {
        double n = floor(extent[a] / edge);
        level->n[a] = n < 1.0 ? 1 : (int)fmin(n, 1 << 20);
        int shift = level->tile_shift[a] = level->n[a] >= 4 ? 2 : 0, tile = 1 << shift;
        level->n_tiles[a] = (level->n[a] + tile - 1) >> shift;
        total *= (double)level->n_tiles[a] * tile;
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
static void rank_tiles(struct scree_level *level)
{
    const int *n = level->n_tiles;
    if (memcmp(level->ranked, n, sizeof level->ranked) == 0) return;
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
    scree_alloc_free(level->tile_rank);
    scree_alloc_free(level->tile_order);
    level->tile_rank = scree_alloc(count, sizeof *level->tile_rank);
    level->tile_order = scree_alloc(count, sizeof *level->tile_order);
    for (size_t r = 0; r < count; r++) {
        level->tile_order[r] = key[r].tile;
        level->tile_rank[key[r].tile] = (int32_t)r;
    }
    scree_alloc_free(key);
    memcpy(level->ranked, n, sizeof level->ranked);
}

void scree_level_lay_out(struct scree_level *level, const double low[3], const double high[3],
                         double edge, scree_lid n_grains)
{
    double extent[3];
    for (int a = 0; a < 3; a++) extent[a] = high[a] - low[a];
    /* A thin gas in a large box must not ask for more cells than it has grains. */
    double most = 4.0 * n_grains + 512.0;
    while (count_cells(level, extent, edge) > most) edge *= 1.25;
    for (int a = 0; a < 3; a++) {
        double width = extent[a] / level->n[a];
        level->low[a] = low[a];
        level->inverse_edge[a] = width > 0.0 ? 1.0 / width : 0.0;
    }
    level->count = (int32_t)count_cells(level, extent, edge);
    rank_tiles(level);
}

void scree_level_clear(struct scree_level *level)
{
    scree_alloc_free(level->tile_rank);
    scree_alloc_free(level->tile_order);
}
