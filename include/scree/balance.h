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

/* First split, by the number of grains in each brick. Collective. */
enum scree_status scree_balance_start(struct scree_balance *balance, struct scree_domain *domain,
                                      struct scree_comm *comm, const struct scree_particles *p);

#endif
