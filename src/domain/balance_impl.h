/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the load balance share. Private to domain. */
#ifndef SCREE_BALANCE_IMPL_H
#define SCREE_BALANCE_IMPL_H

#include "scree/balance.h"

/* Of every brick, summed over ranks; owned. */
struct scree_balance_survey {
    double *cost, *cut, *bytes, *grains; /* cut: [n_bricks][3], the others [n_bricks] */
};

/* Work of the grains of this rank, in units of its own: grains, and contacts. */
void scree_balance_work(const struct scree_particles *p, double work[SCREE_BALANCE_KINDS]);
/* Costs in s, if the paces are what this rank takes for units of work. Collective. */
struct scree_balance_survey scree_balance_survey_take(const struct scree_domain *domain,
                                                      struct scree_comm *comm,
                                                      const struct scree_particles *p,
                                                      const double pace[SCREE_BALANCE_KINDS]);
void scree_balance_survey_clear(struct scree_balance_survey *survey);
/* The bricks with these weights, which are borrowed. */
struct scree_brick_graph scree_balance_graph(const struct scree_domain *domain,
                                             const struct scree_balance_survey *survey);

#endif
