/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapping grains pushed apart until they hardly overlap any more. */
#ifndef SCREE_RELAX_H
#define SCREE_RELAX_H

#include "crowd.h"
#include "slabs.h"

struct scree_relax {
    const struct scree_sample *sample; /* which walls push its grains */
    const struct scree_walls *walls;
    struct scree_crowd *crowd; /* over the slab of this rank: holds the grains that stay where they
                                * are; pairs may reach as far as `skin` beyond touching */
    const struct scree_region *region;
    struct scree_slabs *slabs; /* the grains to move */
    double largest;            /* m; radius */
    double skin;               /* m; pairs are listed up to this distance */
    double allowed;            /* largest overlap, as a share of the smaller radius */
    int64_t most;              /* steps */
    /* Results, the same on all ranks: the worst overlap, as such a share, and between whom; wall
     * >= 0: with this wall; else j = 0: with a face of the region, j < 0: with a grain of an
     * earlier sample */
    double worst;
    int64_t i, j, n_steps;
    int wall;
};

/* The same places on any number of ranks. True if the worst overlap is allowed. Collective. */
bool scree_relax_run(struct scree_relax *relax);

#endif
