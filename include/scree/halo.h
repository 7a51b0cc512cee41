/* SPDX-License-Identifier: BSD-3-Clause
 * Ghosts: copies of grains near this rank's bricks, from other ranks or through periodic images.
 * A periodic image is a ghost whose owner may be this rank: one code path for both. */
#ifndef SCREE_HALO_H
#define SCREE_HALO_H

#include "scree/comm.h"
#include "scree/domain.h"
#include "scree/particles.h"

/* What of a ghost may be refreshed: three numbers each, those of the columns of these names. */
enum scree_halo_columns {
    SCREE_HALO_POS = 1 << 0,
    SCREE_HALO_VEL = 1 << 1,
    SCREE_HALO_SPIN = 1 << 2,
    SCREE_HALO_MEAN_VEL = 1 << 3,
    SCREE_HALO_MEAN_SPIN = 1 << 4,
    SCREE_HALO_NOW_VEL = 1 << 5,
    SCREE_HALO_NOW_SPIN = 1 << 6,
    SCREE_HALO_SETS = 1 << 7 /* sets of columns that there are */
};

struct scree_halo {
    struct scree_comm *comm; /* borrowed */
    int n_peers;             /* ranks that exchange ghosts with this one, itself not counted */
    int *peer;               /* their ranks, ascending */
    int *send_start;      /* [n_peers + 2] into send_slot; the last part is for this rank itself */
    scree_lid *send_slot; /* which grain ... */
    double (*send_shift)[3]; /* ... displaced by how much (m, a multiple of the period) */
    scree_lid *ghost_start;  /* [n_peers + 2] first ghost slot of each peer; last: own images */
    struct scree_channel *channel[SCREE_HALO_SETS]; /* by set; made when first asked for */
    unsigned under_way; /* set of columns of the refresh between begin and end; 0: none */
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

/* Refresh a set of columns (bits of enum scree_halo_columns) of all ghosts from their owners, in
 * one message to each peer; the rest of a ghost stays as it is. `speed` (m/s): on begin the largest
 * speed of the grains owned here, on end the largest of this and all peers' ranks. Ghost slots are
 * undefined in between, and these columns of owned grains must not change before the end. Every
 * rank with ghosts calls both, with the same set. */
void scree_halo_begin_refresh(struct scree_halo *halo, struct scree_particles *p, unsigned columns,
                              double speed);
void scree_halo_poke(struct scree_halo *halo); /* now and then in between: messages move on */
double scree_halo_end_refresh(struct scree_halo *halo, struct scree_particles *p, double speed);

#endif
