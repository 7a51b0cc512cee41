/* SPDX-License-Identifier: BSD-3-Clause
 * Load balance: when to give bricks to other ranks, and to whom. */
#ifndef SCREE_BALANCE_H
#define SCREE_BALANCE_H

#include <stdint.h>

#include "scree/comm.h"
#include "scree/domain.h"
#include "scree/particles.h"
#include "scree/partition.h"

/* Work that goes with grains (moving them, keeping lists of who is near) and work that goes with
 * contacts; which one dominates changes as a flow comes to rest. */
enum scree_balance_kind { SCREE_BALANCE_GRAINS, SCREE_BALANCE_CONTACTS, SCREE_BALANCE_KINDS };

struct scree_balance {
    const struct scree_partitioner *partitioner;
    double threshold;    /* balance when max/mean of the work exceeds this */
    int64_t force_every; /* steps; > 0: balance then whatever is measured (for tests) */
    /* Since the last look */
    double busy_since[SCREE_BALANCE_KINDS]; /* s of work of this rank when the interval began */
    int64_t step_since;
    double last_cost; /* s; what a rebalance takes, over all ranks */
    double lost;      /* s that the mean rank has waited for the busiest since the last decision */
    double pace[SCREE_BALANCE_KINDS]; /* s that this rank takes for a unit of work; 0: unknown */
    double imbalance;                 /* last measured, max/mean */
    double sum_most, sum_mean; /* s; work between two looks, of the busiest rank and of the mean */
    int64_t n_done, n_declined;
};

/* max/mean of the work over the whole run, up to the last look; 1 without one. */
double scree_balance_overall(const struct scree_balance *balance);

/* Ask for a decision, at a list rebuild at this step. `busy` is the time (s) this rank has worked
 * since the start of the run, waiting not counted; contacts are counted from the column `records`.
 * If the answer is yes the owners in domain->bricks have changed and grains must migrate; then call
 * scree_balance_paid() with the time it took. Collective. */
enum scree_status scree_balance_decide(struct scree_balance *balance, struct scree_domain *domain,
                                       struct scree_comm *comm, const struct scree_particles *p,
                                       const double busy[SCREE_BALANCE_KINDS], int64_t step,
                                       bool *moved);
/* Is a forced balance due at this step? */
bool scree_balance_is_due(const struct scree_balance *balance, int64_t step);
void scree_balance_paid(struct scree_balance *balance, struct scree_comm *comm, double seconds);

/* What a checkpoint keeps, so that a resumed run begins balanced. The same on all ranks. */
struct scree_balance_memory {
    int64_t n[3], n_bricks; /* the bricks, and their product */
    int64_t n_ranks;        /* among which they were split */
    double *cost;           /* [n_bricks] measured work, s or any unit; owned */
    int64_t *grains;        /* [n_bricks] among which the work is shared; owned */
    int64_t *owner;         /* [n_bricks]; owned */
    int64_t n_done;
    double last_cost; /* s */
};
void scree_balance_memory_init(struct scree_balance_memory *memory, int64_t n_bricks);
void scree_balance_memory_clear(struct scree_balance_memory *memory);
/* Fill it from the present state; clear it in the end. Collective. */
void scree_balance_remember(const struct scree_balance *balance, const struct scree_domain *domain,
                            struct scree_comm *comm, const struct scree_particles *p,
                            struct scree_balance_memory *memory);

/* About `wanted` bricks that hold grains, so that there is something to choose from where grains
 * fill a small part of the box; fewer if grains are few or large, and the bricks that are
 * remembered (NULL: nothing) if they could have been chosen now. Edges are at least `min_edge`.
 * Collective. */
void scree_balance_choose_bricks(struct scree_domain *domain, struct scree_comm *comm,
                                 const struct scree_particles *p, double min_edge, int64_t wanted,
                                 const struct scree_balance_memory *memory);
/* First split, by the number of grains in each brick, or by what is remembered (NULL: nothing): on
 * the same bricks and as many ranks the owners of then, otherwise a new split in which grains weigh
 * what they cost then. Collective. */
enum scree_status scree_balance_start(struct scree_balance *balance, struct scree_domain *domain,
                                      struct scree_comm *comm, const struct scree_particles *p,
                                      const struct scree_balance_memory *memory);

#endif
