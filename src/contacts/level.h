/* SPDX-License-Identifier: BSD-3-Clause
 * Levels of the cell grid: which there are, and the layout of one. Private to contacts. */
#ifndef SCREE_LEVEL_H
#define SCREE_LEVEL_H

#include "scree/cell_grid.h"

/* Classes of radii for the grains owned here: `bound` gets the largest radius of each, descending,
 * and `n_grains` how many are in it. Returns their number. */
int scree_level_classes(const struct scree_particles *p, double largest,
                        double bound[SCREE_MOST_LEVELS], scree_lid n_grains[SCREE_MOST_LEVELS]);

/* A grid from `low` to `high` with edges of at least `edge`, for about n_grains grains. */
void scree_level_lay_out(struct scree_level *level, const double low[3], const double high[3],
                         double edge, scree_lid n_grains);
void scree_level_clear(struct scree_level *level);

#endif
