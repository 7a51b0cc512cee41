/* SPDX-License-Identifier: BSD-3-Clause
 * When to rebalance, from measured work, predicted gain and the cost of the last time. */
#include "balance_impl.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"

enum { LEAST_STEPS = 100 }; /* shorter intervals measure noise */

/* max and mean over ranks of the work since the last look */
static void measure(struct scree_comm *comm, double busy, double *most, double *mean)
{
    struct scree_exact sum;
    scree_exact_clear(&sum);
    scree_exact_add(&sum, busy);
    scree_comm_sum_exact(comm, &sum, 1);
    *most = busy;
    scree_comm_max(comm, most, 1);
    *mean = scree_exact_value(&sum) / comm->n_ranks;
}

/* A forced balance is a test of migration: change the costs so that bricks really move. */
static void shake(struct scree_balance_survey *s, int64_t n_bricks, int64_t count)
{
    for (int64_t b = 0; b < n_bricks; b++) s->cost[b] *= 1.0 + 0.5 * (double)((b + count) % 3);
}

static void log_decision(const struct scree_balance *balance, int64_t step, int64_t interval,
                         double predicted, double gain, const char *verdict, int64_t n_moved)
{
    scree_log(SCREE_LOG_DETAIL,
              "balance: step %lld: max/mean %.3f over %lld steps, predicted %.3f, gain %.3g s, "
              "last cost %.3g s: %s %lld bricks by %s",
              (long long)step, balance->imbalance, (long long)interval, predicted, gain,
              balance->last_cost, verdict, (long long)n_moved, balance->partitioner->name);
}

/* Split anew and see whether it pays. `most` and `mean` are the measured work per rank (s). */
static enum scree_status split_anew(struct scree_balance *balance, struct scree_domain *domain,
                                    struct scree_comm *comm, struct scree_balance_survey *s,
                                    bool forced, double most, double mean, int64_t step,
                                    int64_t interval, bool *moved)
{
    struct scree_brick_graph graph = scree_balance_graph(domain, s);
    if (forced) shake(s, graph.n_bricks, balance->n_done);
    size_t size = (size_t)graph.n_bricks * sizeof *domain->bricks.owner;
    int32_t *owner = scree_alloc((size_t)graph.n_bricks, sizeof *owner);
    memcpy(owner, domain->bricks.owner, size);
    enum scree_status status = balance->partitioner->split(comm, &graph, owner);

    double predicted = scree_partition_imbalance(&graph, owner, comm->n_ranks);
    double gain = most - predicted * mean;
    bool worth = forced || (gain > balance->last_cost && predicted < 0.98 * balance->imbalance);
    int64_t n_moved = 0;
    for (int64_t b = 0; b < graph.n_bricks; b++) n_moved += owner[b] != domain->bricks.owner[b];
    *moved = status == SCREE_OK && worth;
    if (*moved) memcpy(domain->bricks.owner, owner, size);
    log_decision(balance, step, interval, predicted, gain,
                 !worth   ? "left alone, would move"
                 : forced ? "forced, moving"
                          : "moving",
                 n_moved);
    scree_alloc_free(owner);
    return status;
}

enum scree_status scree_balance_decide(struct scree_balance *balance, struct scree_domain *domain,
                                       struct scree_comm *comm, const struct scree_particles *p,
                                       double busy_total, int64_t step, bool *moved)
{
    *moved = false;
    bool forced = scree_balance_is_due(balance, step);
    if (comm->n_ranks == 1) return SCREE_OK;
    if (!forced && step - balance->step_since < LEAST_STEPS) return SCREE_OK;

    double busy = busy_total - balance->busy_since, most, mean;
    int64_t interval = step - balance->step_since;
    measure(comm, busy, &most, &mean);
    balance->pace = fmax(busy, 1e-9) / fmax(scree_balance_work(p), 1.0);
    balance->imbalance = mean > 0.0 ? most / mean : 1.0;
    balance->busy_since = busy_total;
    balance->step_since = step;
    if (!forced && balance->imbalance <= balance->threshold) return SCREE_OK;

    struct scree_balance_survey s = scree_balance_survey_take(domain, comm, p, balance->pace);
    enum scree_status status =
        split_anew(balance, domain, comm, &s, forced, most, mean, step, interval, moved);
    scree_balance_survey_clear(&s);
    balance->n_done += *moved;
    balance->n_declined += !*moved;
    return status;
}

bool scree_balance_is_due(const struct scree_balance *balance, int64_t step)
{
    return balance->force_every > 0 && step > 0 && step % balance->force_every == 0;
}

int64_t scree_balance_next_due(const struct scree_balance *balance, int64_t step)
{
    if (balance->force_every <= 0) return INT64_MAX;
    return (step / balance->force_every + 1) * balance->force_every;
}

void scree_balance_paid(struct scree_balance *balance, struct scree_comm *comm, double seconds)
{
    scree_comm_max(comm, &seconds, 1);
    balance->last_cost = seconds;
}
