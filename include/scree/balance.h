/* SPDX-License-Identifier: BSD-3-Clause
 * Load balance: when to give bricks to other ranks, and to whom. */
#ifndef SCREE_BALANCE_H
#define SCREE_BALANCE_H

#include <stdint.h>

#include "scree/comm.h"
#include "scree/domain.h"
#include "scree/particles.h"
#include "scree/partition.h"

struct scree_balance {
    const struct scree_partitioner *partitioner;
    double threshold;    /* balance when max/mean of measured work exceeds this */
    int64_t force_every; /* steps; > 0: balance then whatever is measured (for tests) */
    /* Since the last look */
    double busy_since; /* s of work of this rank when the present interval began */
    int64_t step_since;
    int64_t forced_at; /* step of the last forced balance */
    double last_cost;  /* s; what the last rebalance took, over all ranks */
    double pace;       /* s that this rank takes for a unit of estimated work; 0: not measured */
    double imbalance;  /* last measured, max/mean */
    int64_t n_done, n_declined;
};

/* Ask for a decision, at a list rebuild at this step. `busy` is the time (s) this rank has worked
 * since the start of the run, waiting not counted; contacts are counted from the column `records`.
 * If the answer is yes the owners in domain->bricks have changed and
 * grains must migrate; then call scree_balance_paid() with the time it took. Collective. */
enum scree_status scree_balance_decide(struct scree_balance *balance, struct scree_domain *domain,
                                       struct scree_comm *comm, const struct scree_particles *p,
                                       double busy, int64_t step, bool *moved);
/* Forced balances: is one due at this step, and when is the next after it? */
bool scree_balance_is_due(const struct scree_balance *balance, int64_t step);
int64_t scree_balance_next_due(const struct scree_balance *balance, int64_t step);
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

/* First split, by the number of grains in each brick, or by what is remembered (NULL: nothing): on
 * the same bricks and as many ranks the owners of then, otherwise a new split in which grains weigh
 * what they cost then. Collective. */
enum scree_status scree_balance_start(struct scree_balance *balance, struct scree_domain *domain,
                                      struct scree_comm *comm, const struct scree_particles *p,
                                      const struct scree_balance_memory *memory);

#endif
