/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the load balance share. Private to domain. */
#ifndef SCREE_BALANCE_IMPL_H
#define SCREE_BALANCE_IMPL_H

#include "scree/balance.h"

/* Of every brick, summed over ranks; owned. */
struct scree_balance_survey {
    double *cost, *cut, *bytes, *grains; /* cut: [n_bricks][3], the others [n_bricks] */
};

/* Estimated work of the grains of this rank, in units of its own. */
double scree_balance_work(const struct scree_particles *p);
/* Costs in s, if the pace is what this rank takes for a unit of work. Collective. */
struct scree_balance_survey scree_balance_survey_take(const struct scree_domain *domain,
                                                      struct scree_comm *comm,
                                                      const struct scree_particles *p, double pace);
void scree_balance_survey_clear(struct scree_balance_survey *survey);
/* The bricks with these weights, which are borrowed. */
struct scree_brick_graph scree_balance_graph(const struct scree_domain *domain,
                                             const struct scree_balance_survey *survey);

#endif
