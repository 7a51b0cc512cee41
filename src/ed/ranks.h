/* SPDX-License-Identifier: BSD-3-Clause
 * Several ranks simulate windows of time together: each its own grains, and replicas of others that
 * they could meet. */
#ifndef SCREE_ED_RANKS_H
#define SCREE_ED_RANKS_H

#include "engine.h"
#include "link.h"
#include "scree/bricks.h"

/* An owned grain and another rank that has a replica of it. */
struct scree_ed_share {
    int32_t slot, rank;
    uint32_t sent; /* version of the grain whose history that rank knows */
};

/* Bricks near a brick, with the image through which they are near. */
struct scree_ed_near_brick {
    int64_t brick;
    int8_t shift[3];
};
struct scree_ed_surroundings {
    struct scree_ed_near_brick *near; /* owned; NULL: not found yet */
    int n;
};

struct scree_ed_ranks {
    struct scree_ed_link *link;        /* borrowed */
    struct scree_ed_engine *engine;    /* borrowed */
    const struct scree_bricks *bricks; /* borrowed; owners do not change while this lives */
    struct scree_ed_mail mail;
    /* Windows */
    double time, length;   /* s; present end of the last window; length of the next one */
    double fastest;        /* m/s; a bound for all grains of all ranks */
    double wanted;         /* collisions per grain in a window */
    int64_t n_grains;      /* of all ranks */
    double rate;           /* 1/s; collisions of all grains; 0: unknown */
    int64_t events_before; /* of the engine, when the window began */
    int32_t *scripted;     /* replicas with scripts; owned */
    size_t n_scripts, script_capacity;
    /* Members */
    struct scree_ed_share *share; /* owned */
    size_t n_shares, share_capacity;
    int32_t *candidate; /* owned grains near a border; owned */
    size_t n_candidates, candidate_capacity;
    double strayed; /* m; that grains may have gone since candidates were chosen, */
    double roamed;  /* and since replicas were */
    struct scree_ed_surroundings *around; /* [bricks->count]; owned */
    int64_t n_windows, n_rounds, n_cut;   /* figures of work */
    bool moved;                           /* a grain changed its owner since this was made */
};

/* Engines whose grains are all with their owners, before scree_ed_engine_begin(), at time t.
 * Collective. */
void scree_ed_ranks_create(struct scree_ed_ranks **ranks, struct scree_ed_engine *engine,
                           struct scree_ed_link *link, const struct scree_bricks *bricks, double t,
                           double wanted);
void scree_ed_ranks_destroy(struct scree_ed_ranks **ranks);
/* All events before time t. Collective. */
enum scree_status scree_ed_ranks_advance(struct scree_ed_ranks *ranks, double t);

/* members.c: replicas where they are needed, grains with their owners; at the start, and at
 * ranks->time when one more window could bring grains farther than a way (m) since the last time.
 * Collective. */
void scree_ed_members_begin(struct scree_ed_ranks *ranks);
void scree_ed_members_update(struct scree_ed_ranks *ranks);
double scree_ed_members_room(const struct scree_ed_ranks *ranks);
/* Lists of grains that are about to leave theirs, after a window. */
void scree_ed_members_renew(struct scree_ed_ranks *ranks);

#endif
