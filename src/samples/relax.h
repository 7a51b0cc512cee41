/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapping grains pushed apart until they hardly overlap any more. */
#ifndef SCREE_RELAX_H
#define SCREE_RELAX_H

#include "crowd.h"

struct scree_relax {
    const struct scree_sample *sample; /* which walls push its grains */
    const struct scree_walls *walls;
    struct scree_crowd *crowd; /* holds the grains that stay where they are; pairs may reach as far
                                * as `skin` beyond touching */
    const struct scree_region *region;
    int64_t n;
    double (*pos)[4]; /* m; [3] radius; moved */
    double skin;      /* m; pairs are listed up to this distance */
    double allowed;   /* largest overlap, as a share of the smaller radius */
    int64_t most;     /* steps */
    /* Results: the worst overlap, as such a share, and between whom; wall >= 0: with this wall;
     * else j = -1: with a face of the region, j <= -2: with grain -2 - j of the crowd */
    double worst;
    int64_t i, j, n_steps;
    int wall;
};

/* Every rank does all of it, with the same result. True if the worst overlap is allowed. */
bool scree_relax_run(struct scree_relax *relax);

#endif
