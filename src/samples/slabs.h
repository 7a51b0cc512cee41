/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of a sample that is being made, each on the rank of its slab of the region, with copies of
 * those that are near in the slabs on both sides. */
#ifndef SCREE_SLABS_H
#define SCREE_SLABS_H

#include "samples_impl.h"

struct scree_slabs {
    struct scree_comm *comm;           /* borrowed */
    const struct scree_box *box;       /* borrowed */
    const struct scree_region *region; /* borrowed */
    double range;                      /* m; copies are of all grains so close to a slab */
    int axis, n;                       /* slabs are across it; those of ranks 0 to n - 1 */
    struct scree_region mine;          /* with the bounds of this rank's slab and its copies */
    /* Those of this rank, then copies. All owned */
    int64_t n_own, n_all;
    size_t capacity;
    double (*pos)[4]; /* m; [3] radius */
    double (*way)[3]; /* m; in the last step */
    scree_gid *gid;
    /* What is copied to others, by rank */
    int32_t *sent; /* owned */
    double *shift; /* m; owned: along the axis, as the other rank sees it */
    size_t n_sent, sent_capacity;
    struct scree_channel *channel; /* owned */
    int n_peers;
    int peer[2];
    int64_t n_to[2], n_from[2];
};

/* As many slabs as there are ranks, but none thinner than four times `range` (m). */
void scree_slabs_create(struct scree_slabs *slabs, struct scree_comm *comm,
                        const struct scree_box *box, const struct scree_region *region,
                        double range);
void scree_slabs_clear(struct scree_slabs *slabs);
/* A grain that may go to another rank at once. */
void scree_slabs_add(struct scree_slabs *slabs, scree_gid gid, const double pos[4]);
/* Grains, which are in the box, go to the ranks of their slabs; copies are made. Collective. */
void scree_slabs_renew(struct scree_slabs *slabs);
/* Copies are where the grains are. Collective. */
void scree_slabs_refresh(struct scree_slabs *slabs);

#endif
