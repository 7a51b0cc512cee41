/* SPDX-License-Identifier: BSD-3-Clause
 * Pairs across levels of the cell grid, always found from the smaller grain. */
#include "search.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/status.h"

void scree_search_reserve(struct scree_pairs *pairs, size_t more)
{
    SCREE_GROW(pairs->partner, pairs->n, pairs->capacity, pairs->n + more);
    if (pairs->n + more >= UINT32_MAX) SCREE_ABORT("more than 2^32 pairs on one rank");
}

static int add_cells_of(const struct scree_cell_grid *cells, const struct scree_level *level,
                        const double pos[4], double skin, int32_t *cell)
{
    int from[3], to[3], n = 0;
    /* A hair wider, since places are rounded. */
    double reach = (pos[3] + level->largest + skin) * (1.0 + 1e-9);
    for (int a = 0; a < 3; a++) {
        from[a] = scree_level_place(level, a, pos[a] - reach);
        to[a] = scree_level_place(level, a, pos[a] + reach);
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int x = from[0]; x <= to[0]; x++) {
                int32_t c = cell[n] = scree_level_cell(level, x, y, z);
                n += cells->owned_start[c + 1] > cells->owned_start[c] ||
                     cells->ghost_start[c + 1] > cells->ghost_start[c];
            }
    return n;
}

int scree_search_coarse_cells(const struct scree_cell_grid *cells, int level, const double pos[4],
                              double skin, int32_t cell[SCREE_SEARCH_COARSE])
{
    int n = 0;
    for (int l = 0; l < level; l++) n += add_cells_of(cells, &cells->level[l], pos, skin, cell + n);
    return n;
}

struct found {
    scree_lid *pair; /* [n][2] owned grain, ghost */
    size_t n, capacity;
};

static void look_from(struct found *found, const struct scree_cell_grid *cells,
                      const struct scree_particles *p, scree_lid ghost, double skin)
{
    int32_t cell[SCREE_SEARCH_COARSE];
    int level = scree_cell_grid_level_of(cells, p->pos[ghost][3]);
    int n_cells = scree_search_coarse_cells(cells, level, p->pos[ghost], skin, cell);
    for (int k = 0; k < n_cells; k++)
        for (scree_lid i = cells->owned_start[cell[k]]; i < cells->owned_start[cell[k] + 1]; i++) {
            scree_lid close[1];
            if (scree_search_append(p, i, ghost, skin, close, 0) == 0) continue;
            SCREE_GROW(found->pair, 2 * found->n, found->capacity, 2 * found->n + 2);
            found->pair[2 * found->n] = i;
            found->pair[2 * found->n++ + 1] = ghost;
        }
}

/* Counting sort by owned grain. */
static void sort_rows(struct scree_finer *finer, const struct found *found)
{
    size_t n_rows = (size_t)finer->n_rows;
    finer->start = scree_alloc(n_rows + 2, sizeof *finer->start);
    finer->ghost = scree_alloc(found->n, sizeof *finer->ghost);
    memset(finer->start, 0, (n_rows + 2) * sizeof *finer->start);
    for (size_t k = 0; k < found->n; k++) finer->start[found->pair[2 * k] + 2]++;
    for (size_t row = 2; row < n_rows + 2; row++) finer->start[row] += finer->start[row - 1];
    for (size_t k = 0; k < found->n; k++)
        finer->ghost[finer->start[found->pair[2 * k] + 1]++] = found->pair[2 * k + 1];
}

void scree_search_find_finer(struct scree_finer *finer, const struct scree_cell_grid *cells,
                             const struct scree_particles *p, double skin)
{
    memset(finer, 0, sizeof *finer);
    int last = cells->n_levels - 1;
    if (last == 0 || p->n_ghost == 0) return;
    struct found found = {0};
    for (scree_lid g = p->n_owned; g < p->n_owned + p->n_ghost; g++)
        look_from(&found, cells, p, g, skin);
    finer->n_rows = cells->owned_start[cells->level[last].first];
    sort_rows(finer, &found);
    scree_alloc_free(found.pair);
}

void scree_search_clear_finer(struct scree_finer *finer)
{
    scree_alloc_free(finer->start);
    scree_alloc_free(finer->ghost);
}
