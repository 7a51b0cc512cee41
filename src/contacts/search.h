/* SPDX-License-Identifier: BSD-3-Clause
 * One search for all pairs, and what its parts share: growing lists, the test of a candidate, the
 * cells of larger grains around a grain. Private to contacts. */
#ifndef SCREE_SEARCH_H
#define SCREE_SEARCH_H

#include "scree/neighbours.h"

/* Room for `more` candidates, all of which might be neighbours. */
void scree_search_reserve(struct scree_pairs *pairs, size_t more);

/* Write every candidate behind the list, advance only over those that are close: no branch. */
static inline size_t scree_search_append(const struct scree_particles *p, scree_lid i, scree_lid j,
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

/* A grain of one level can reach at most 3 cells per direction in each level of larger ones;
 * rounded edges may add one. */
enum { SCREE_SEARCH_COARSE = 64 * (SCREE_MOST_LEVELS - 1) };

/* Cells of the levels above `level` that hold partners within reach of the grain at pos; returns
 * their number. */
int scree_search_coarse_cells(const struct scree_cell_grid *cells, int level, const double pos[4],
                              double skin, int32_t cell[SCREE_SEARCH_COARSE]);

/* Pairs of a grain owned here with a ghost of a finer level, found from the ghost. */
struct scree_finer {
    scree_lid n_rows; /* grains of levels that can have such partners */
    uint32_t *start;  /* [n_rows + 1] */
    scree_lid *ghost; /* by row */
};
void scree_search_find_finer(struct scree_finer *finer, const struct scree_cell_grid *cells,
                             const struct scree_particles *p, double skin);
void scree_search_clear_finer(struct scree_finer *finer);

/* Cells with consecutive numbers: their grains stand together too. */
struct scree_search_run {
    int32_t first, end;
};

struct scree_search {
    const struct scree_cell_grid *cells;
    const struct scree_particles *p;
    struct scree_neighbours *list;
    struct scree_images images;
    const struct scree_wedge *wedge; /* NULL: none */
    int level;                       /* of the present cell */
    struct scree_search_run
        around[27]; /* cells around the present one; the first n_after come after it */
    int n_around, n_after;
    struct scree_search_run
        coarse[SCREE_SEARCH_COARSE]; /* cells of larger grains around the present grain */
    int n_coarse;
    scree_lid *candidate; /* grains in the cells after the present one; one row of four to spare */
    size_t n_candidates, candidate_capacity;
    struct scree_finer finer;
};

/* All grains, cells in the order of their numbers: rows must be filled in slot order
 * (search_cells.c). */
void scree_search_all(struct scree_search *s);
/* Move pairs of the last row, which is that of grain i, to lists of their own: image pairs out of
 * border pairs, and seam pairs out of all (search_sort.c). */
void scree_search_sort_out_images(struct scree_search *s, scree_lid i);
void scree_search_sort_out_seams(struct scree_search *s, scree_lid i);

#endif
