/* SPDX-License-Identifier: BSD-3-Clause
 * When to rebalance, from measured work, what has been lost and the cost of the last time. */
#include "balance_impl.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"

/* Shorter intervals measure noise. */
enum { LEAST_STEPS = 100 };
static const double least_mean = 0.05; /* s */

/* Something that each rank has: the most, and the mean. */
struct spread {
    double most, mean;
};

static struct spread measure(struct scree_comm *comm, double mine)
{
    struct spread spread = {.most = mine};
    struct scree_exact sum;
    scree_exact_clear(&sum);
    scree_exact_add(&sum, mine);
    scree_comm_sum_exact(comm, &sum, 1);
    scree_comm_max(comm, &spread.most, 1);
    spread.mean = scree_exact_value(&sum) / comm->n_ranks;
    return spread;
}

static double imbalance_of(struct spread spread)
{
    return spread.mean > 0.0 ? spread.most / spread.mean : 1.0;
}

/* What this rank takes for a unit of each kind of work, half of it from memory: one interval alone
 * is noisy. Returns what a step takes with the grains and contacts of now (s). */
static double learn_pace(struct scree_balance *balance, const struct scree_particles *p,
                         const double busy[SCREE_BALANCE_KINDS], int64_t n_steps)
{
    double work[SCREE_BALANCE_KINDS], expected = 0.0;
    scree_balance_work(p, work);
    for (int k = 0; k < SCREE_BALANCE_KINDS; k++) {
        double *known = &balance->pace[k];
        double pace = fmax(busy[k], 1e-9) / (fmax(work[k], 1.0) * (double)n_steps);
        *known = *known > 0.0 ? 0.5 * (*known + pace) : pace;
        expected += *known * work[k];
    }
    return expected;
}

/* A forced balance is a test of migration: change the costs so that bricks really move. */
static void shake(struct scree_balance_survey *s, int64_t n_bricks, int64_t count)
{
    for (int64_t b = 0; b < n_bricks; b++) s->cost[b] *= 1.0 + 0.5 * (double)((b + count) % 3);
}

static void log_decision(const struct scree_balance *balance, int64_t step, double now,
                         double predicted, const char *verdict, int64_t n_moved)
{
    scree_log(SCREE_LOG_DETAIL,
              "balance: step %lld: max/mean %.3f measured, now %.3f, predicted %.3f, lost %.3g s, "
              "cost %.3g s: %s %lld bricks by %s",
              (long long)step, balance->imbalance, now, predicted, balance->lost,
              balance->last_cost, verdict, (long long)n_moved, balance->partitioner->name);
}

/* Split anew and see whether it pays; `now` is max/mean of the work as things are. */
static enum scree_status split_anew(struct scree_balance *balance, struct scree_domain *domain,
                                    struct scree_comm *comm, struct scree_balance_survey *s,
                                    bool forced, double now, int64_t step, bool *moved)
{
    struct scree_brick_graph graph = scree_balance_graph(domain, s);
    if (forced) shake(s, graph.n_bricks, balance->n_done);
    size_t size = (size_t)graph.n_bricks * sizeof *domain->bricks.owner;
    int32_t *owner = scree_alloc((size_t)graph.n_bricks, sizeof *owner);
    memcpy(owner, domain->bricks.owner, size);
    enum scree_status status = balance->partitioner->split(comm, &graph, owner);
    if (status == SCREE_OK) scree_partition_refine(&graph, owner, comm->n_ranks);

    double predicted = scree_partition_imbalance(&graph, owner, comm->n_ranks);
    bool worth = forced || predicted < 0.98 * now;
    int64_t n_moved = 0;
    for (int64_t b = 0; b < graph.n_bricks; b++) n_moved += owner[b] != domain->bricks.owner[b];
    *moved = status == SCREE_OK && worth;
    if (*moved) memcpy(domain->bricks.owner, owner, size);
    log_decision(balance, step, now, predicted,
                 !worth   ? "left alone, would move"
                 : forced ? "forced, moving"
                          : "moving",
                 n_moved);
    scree_alloc_free(owner);
    return status;
}

enum scree_status scree_balance_decide(struct scree_balance *balance, struct scree_domain *domain,
                                       struct scree_comm *comm, const struct scree_particles *p,
                                       const double busy_total[SCREE_BALANCE_KINDS], int64_t step,
                                       bool *moved)
{
    *moved = false;
    bool forced = scree_balance_is_due(balance, step);
    int64_t n_steps = step - balance->step_since;
    if (comm->n_ranks == 1 || n_steps == 0) return SCREE_OK;
    if (!forced && n_steps < LEAST_STEPS) return SCREE_OK;

    double busy[SCREE_BALANCE_KINDS], all = 0.0;
    for (int k = 0; k < SCREE_BALANCE_KINDS; k++) {
        busy[k] = busy_total[k] - balance->busy_since[k];
        all += busy[k];
    }
    struct spread measured = measure(comm, all);
    if (!forced && measured.mean < least_mean) return SCREE_OK;
    balance->imbalance = imbalance_of(measured);
    balance->sum_most += measured.most;
    balance->sum_mean += measured.mean;
    balance->lost += measured.most - measured.mean;
    balance->step_since = step;
    for (int k = 0; k < SCREE_BALANCE_KINDS; k++) balance->busy_since[k] = busy_total[k];

    /* On average it is best to rebalance when as much is lost since the last time as it costs. */
    double now = imbalance_of(measure(comm, learn_pace(balance, p, busy, n_steps)));
    bool due = now > balance->threshold && balance->lost > balance->last_cost;
    if (!forced && !due) return SCREE_OK;
    struct scree_balance_survey s = scree_balance_survey_take(domain, comm, p, balance->pace);
    enum scree_status status = split_anew(balance, domain, comm, &s, forced, now, step, moved);
    scree_balance_survey_clear(&s);
    balance->lost = 0.0;
    balance->n_done += *moved;
    balance->n_declined += !*moved;
    return status;
}

bool scree_balance_is_due(const struct scree_balance *balance, int64_t step)
{
    return balance->force_every > 0 && step > 0 && step % balance->force_every == 0;
}

void scree_balance_paid(struct scree_balance *balance, struct scree_comm *comm, double seconds)
{
    scree_comm_max(comm, &seconds, 1);
    balance->last_cost = balance->last_cost > 0.0 ? 0.5 * (balance->last_cost + seconds) : seconds;
}

double scree_balance_overall(const struct scree_balance *balance)
{
    return balance->sum_mean > 0.0 ? balance->sum_most / balance->sum_mean : 1.0;
}
