/* SPDX-License-Identifier: BSD-3-Clause
 * Which grains are wanted where: the list of copies from which ghosts are made. Private to domain.
 */
#ifndef SCREE_HALO_PLAN_H
#define SCREE_HALO_PLAN_H

#include "scree/domain.h"

struct scree_halo_copy {
    int32_t rank;    /* who needs it */
    scree_lid slot;  /* the grain here */
    int8_t shift[3]; /* periods to add to its position for that rank */
};

/* All copies of this rank's grains that other ranks, or this one through an image, need; ordered
 * by slot. Allocated here, owned by the caller. Local. */
struct scree_halo_copy *scree_halo_plan_find(const struct scree_domain *domain, int rank,
                                             const struct scree_particles *p, double reach,
                                             size_t *n_copies);

#endif
