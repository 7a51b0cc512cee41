/* SPDX-License-Identifier: BSD-3-Clause
 * Ghosts: copies of grains near this rank's bricks, from other ranks or through periodic images.
 * A periodic image is a ghost whose owner may be this rank: one code path for both. */
#ifndef SCREE_HALO_H
#define SCREE_HALO_H

#include "scree/comm.h"
#include "scree/domain.h"
#include "scree/particles.h"

struct scree_halo {
    int n_peers;          /* ranks that exchange ghosts with this one, itself not counted */
    int *peer;            /* their ranks, ascending */
    int *send_start;      /* [n_peers + 2] into send_slot; the last part is for this rank itself */
    scree_lid *send_slot; /* which grain ... */
    double (*send_shift)[3]; /* ... displaced by how much (m, a multiple of the period) */
    scree_lid *ghost_start;  /* [n_peers + 2] first ghost slot of each peer; last: own images */
    struct scree_channel *channel;
};

/* Ghosts from slot `first` on are images of grains owned here: ghost first + k shows origin[k].
 * Valid until ghosts are made anew. */
struct scree_images {
    scree_lid first;
    const scree_lid *origin; /* borrowed */
};
struct scree_images scree_halo_images(const struct scree_halo *halo);

void scree_halo_create(struct scree_halo **halo);
void scree_halo_destroy(struct scree_halo **halo);

/* Forget all ghosts and make new ones: on return every grain whose surface is closer than `skin` to
 * that of a grain owned here has a ghost here. Positions must be wrapped. Collective. */
void scree_halo_build(struct scree_halo *halo, const struct scree_domain *domain,
                      struct scree_comm *comm, struct scree_particles *p, double skin);

/* Refresh position, velocity and spin of all ghosts from their owners. `speed` (m/s): on begin the
 * largest speed of the grains owned here, on end the largest of this and all peers' ranks. Ghost
 * slots are undefined in between. Every rank with ghosts calls both. */
void scree_halo_begin_refresh(struct scree_halo *halo, struct scree_particles *p, double speed);
void scree_halo_poke(struct scree_halo *halo); /* now and then in between: messages move on */
double scree_halo_end_refresh(struct scree_halo *halo, struct scree_particles *p, double speed);

#endif
