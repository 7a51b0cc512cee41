/* SPDX-License-Identifier: BSD-3-Clause
 * Pair lists: all pairs of grains whose surfaces are closer than reach and skin, each once. */
#ifndef SCREE_NEIGHBOURS_H
#define SCREE_NEIGHBOURS_H

#include <stdint.h>

#include "scree/cell_grid.h"
#include "scree/deformation.h"
#include "scree/halo.h"
#include "scree/particles.h"
#include "scree/wedge.h"

/* Row i: partners partner[start[i]] ... partner[start[i + 1] - 1] of the owned grain i. */
struct scree_pairs {
    uint32_t *start; /* [n_rows + 1] */
    scree_lid *partner;
    size_t n, capacity, n_rows, row_capacity;
};

/* Interior pairs (both grains owned here) can be computed while ghosts are on their way, and so can
 * image pairs, whose partner is an image of a grain owned here; border pairs have a ghost of
 * another rank as partner and are computed on both sides, so nothing is sent back. Two driven
 * grains (1/mass = 0 for both) are never listed: nothing could move them. */
struct scree_neighbours {
    double skin;   /* m; the lists hold until two grains have together moved this far ... */
    double reach;  /* m; ... if only gaps smaller than this matter */
    double search; /* m; gap up to which positions are searched: reach and skin, more while a box is
                    * deformed */
    struct scree_pairs interior, image, border;
    struct scree_pairs seam, seam_border; /* of the above, those whose home frames differ */
};

void scree_neighbours_init(struct scree_neighbours *list, double skin);
void scree_neighbours_clear(struct scree_neighbours *list);
/* Grains must be sorted and ghosts binned in `cells`. Remembers positions in column `listed`.
 * `wedge` may be NULL. */
void scree_neighbours_build(struct scree_neighbours *list, const struct scree_cell_grid *cells,
                            struct scree_particles *p, struct scree_images images,
                            const struct scree_wedge *wedge);
/* Take out pairs whose places in a deformed cell are farther apart than reach and skin. */
void scree_neighbours_tighten(struct scree_neighbours *list, const struct scree_deformation *cell,
                              const struct scree_particles *p);
/* The largest distance (m) that an owned grain has moved since the lists were built, and its slot
 * (-1: nobody has moved). */
double scree_neighbours_moved(const struct scree_particles *p, scree_lid *slot);

#endif
