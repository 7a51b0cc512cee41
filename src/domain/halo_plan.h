/* SPDX-License-Identifier: BSD-3-Clause
 * Which grains are wanted where: the list of copies from which ghosts are made. Private to domain.
 *
 * Two grains on different ranks each need a ghost on the other's rank. A grain is copied to all
 * bricks in which a grain up to a few times its own size could touch it. Should grains differ more
 * in size than that, a larger one claims the smaller ones in its reach: its rank tells the others
 * of it, and they add copies of their grains that are close to it. So the layer of small ghosts is
 * thin where there is no large grain. */
#ifndef SCREE_HALO_PLAN_H
#define SCREE_HALO_PLAN_H

#include "scree/domain.h"

struct scree_halo_copy {
    int32_t rank;    /* who needs it */
    scree_lid slot;  /* the grain here */
    int8_t shift[3]; /* periods to add to its position for that rank; along u of a wedge: sectors
                      * by which it is turned */
};

/* m; by which a ghost is displaced along a direction. A turn is none: in its home frame a ghost is
 * where the grain is. */
static inline double scree_halo_plan_displacement(const struct scree_box *box,
                                                  const struct scree_halo_copy *copy, int a)
{
    return box->wedge.n > 0 && a == box->wedge.u ? 0.0 : copy->shift[a] * box->length[a];
}
/* Displace and turn a position while lists are built. */
static inline void scree_halo_plan_shift(const struct scree_box *box,
                                         const struct scree_halo_copy *copy, double pos[3])
{
    for (int a = 0; a < 3; a++) pos[a] += scree_halo_plan_displacement(box, copy, a);
    if (box->wedge.n > 0) scree_wedge_turn_by(&box->wedge, copy->shift[box->wedge.u], pos);
}

/* How far from a grain others must know of it. The same on all ranks. */
struct scree_halo_reach {
    double skin;              /* m; pairs are wanted whose surfaces are closer than this */
    double smallest, largest; /* m; radii over all ranks */
};

/* A large grain of another rank, or an image of one of ours. */
struct scree_halo_claim {
    double pos[4];   /* m; as seen from this rank; [3] radius */
    int32_t rank;    /* its owner */
    int8_t shift[3]; /* periods added to its position */
};

/* Claims by brick of this rank, the largest first. */
struct scree_halo_claims {
    struct scree_halo_claim *claim; /* owned */
    struct scree_halo_claimed {
        int64_t brick;
        double radius;
        size_t claim;
    } * claimed; /* [n] sorted; owned */
    size_t n;
};

/* Radii over all ranks. Collective. */
struct scree_halo_reach scree_halo_plan_reach(struct scree_comm *comm,
                                              const struct scree_particles *p, double skin);

/* All copies of this rank's grains that other ranks, or this one through an image, need; sorted by
 * rank, n_to[r] for rank r. Allocated here, owned by the caller. Collective. */
struct scree_halo_copy *scree_halo_plan_find(const struct scree_domain *domain,
                                             struct scree_comm *comm,
                                             const struct scree_particles *p,
                                             const struct scree_halo_reach *reach, int *n_to);

/* How far from its centre a grain of this radius claims smaller ones (m). */
double scree_halo_plan_claim_reach(double radius, double skin);
/* Sort the claims that have come (taken over) by the bricks here that they reach. Local. */
void scree_halo_claims_init(struct scree_halo_claims *claims, struct scree_halo_claim *claim,
                            size_t n_claims, const struct scree_domain *domain, int rank,
                            double skin);
void scree_halo_claims_clear(struct scree_halo_claims *claims);
/* First entry of a brick in `claimed`, or n. */
size_t scree_halo_claims_first(const struct scree_halo_claims *claims, int64_t brick);

#endif
