/* SPDX-License-Identifier: BSD-3-Clause
 * The first split of a run, from nothing or from what a checkpoint remembers of the work. */
#include <math.h>
#include <string.h>

#include "balance_impl.h"
#include "scree/alloc.h"
#include "scree/log.h"

static const double weight_unit = 1 << 20; /* of a grain of mean cost; weights are integers */

void scree_balance_memory_init(struct scree_balance_memory *m, int64_t n_bricks)
{
    m->n_bricks = n_bricks;
    m->cost = scree_alloc((size_t)n_bricks, sizeof *m->cost);
    m->grains = scree_alloc((size_t)n_bricks, sizeof *m->grains);
    m->owner = scree_alloc((size_t)n_bricks, sizeof *m->owner);
}

void scree_balance_memory_clear(struct scree_balance_memory *m)
{
    scree_alloc_free(m->cost);
    scree_alloc_free(m->grains);
    scree_alloc_free(m->owner);
    memset(m, 0, sizeof *m);
}

void scree_balance_remember(const struct scree_balance *balance, const struct scree_domain *domain,
                            struct scree_comm *comm, const struct scree_particles *p,
                            struct scree_balance_memory *m)
{
    const struct scree_bricks *bricks = &domain->bricks;
    *m = (struct scree_balance_memory){
        .n_ranks = comm->n_ranks, .n_done = balance->n_done, .last_cost = balance->last_cost};
    for (int a = 0; a < 3; a++) m->n[a] = bricks->n[a];
    scree_balance_memory_init(m, bricks->count);
    /* Paces count only if all ranks with grains have measured theirs. */
    double slowest = p->n_owned > 0 ? balance->pace[SCREE_BALANCE_GRAINS] : INFINITY;
    scree_comm_min(comm, &slowest, 1);
    static const double unknown[SCREE_BALANCE_KINDS] = {1.0, 1.0};
    struct scree_balance_survey s =
        scree_balance_survey_take(domain, comm, p, slowest > 0.0 ? balance->pace : unknown);
    memcpy(m->cost, s.cost, (size_t)m->n_bricks * sizeof *m->cost);
    for (int64_t b = 0; b < m->n_bricks; b++) {
        m->grains[b] = (int64_t)s.grains[b];
        m->owner[b] = bricks->owner[b];
    }
    scree_balance_survey_clear(&s);
}

/* Cost of one grain in each remembered brick, as an integer: sums then do not depend on ranks. */
static int64_t *grain_weights(const struct scree_balance_memory *m)
{
    double cost = 0.0, grains = 0.0;
    int64_t *weight = scree_alloc((size_t)m->n_bricks, sizeof *weight);
    for (int64_t b = 0; b < m->n_bricks; b++) {
        cost += m->cost[b];
        grains += (double)m->grains[b];
    }
    for (int64_t b = 0; b < m->n_bricks; b++) {
        double ratio = m->grains[b] > 0 && cost > 0.0
                           ? m->cost[b] / (double)m->grains[b] * (grains / cost)
                           : 1.0;
        weight[b] = (int64_t)(weight_unit * fmin(fmax(ratio, 1e-3), 1e3));
    }
    return weight;
}

/* Costs of the bricks of now: numbers of grains, or with the weights of the bricks of then. */
static void count_costs(const struct scree_domain *domain, struct scree_comm *comm,
                        const struct scree_particles *p, const struct scree_balance_memory *m,
                        double *cost)
{
    const struct scree_bricks *now = &domain->bricks;
    struct scree_bricks then = {.count = 0};
    int64_t *weight = m != NULL ? grain_weights(m) : NULL;
    int64_t *sum = scree_alloc((size_t)now->count, sizeof *sum);
    memset(sum, 0, (size_t)now->count * sizeof *sum);
    for (int a = 0; a < 3 && m != NULL; a++) {
        then.n[a] = (int)m->n[a];
        then.edge[a] = domain->box.length[a] / (double)m->n[a];
    }
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int64_t b = scree_bricks_find_stored(now, &domain->box, p->pos[i]);
        sum[b] += m != NULL ? weight[scree_bricks_find_stored(&then, &domain->box, p->pos[i])] : 1;
    }
    scree_comm_sum_int(comm, sum, (int)now->count);
    for (int64_t b = 0; b < now->count; b++) cost[b] = (double)sum[b];
    scree_alloc_free(sum);
    scree_alloc_free(weight);
}

/* Bricks and ranks are those of the checkpoint: every brick can stay with its owner. */
static bool fits(const struct scree_balance_memory *m, const struct scree_bricks *bricks,
                 int n_ranks)
{
    bool same = m != NULL && m->n_ranks == n_ranks;
    for (int a = 0; a < 3 && same; a++) same = m->n[a] == bricks->n[a];
    for (int64_t b = 0; same && b < bricks->count; b++)
        same = m->owner[b] >= 0 && m->owner[b] < n_ranks;
    return same;
}

enum scree_status scree_balance_start(struct scree_balance *balance, struct scree_domain *domain,
                                      struct scree_comm *comm, const struct scree_particles *p,
                                      const struct scree_balance_memory *memory)
{
    struct scree_bricks *bricks = &domain->bricks;
    double *cost = scree_alloc((size_t)bricks->count, sizeof *cost);
    bool as_before = fits(memory, bricks, comm->n_ranks);
    count_costs(domain, comm, p, memory, cost);
    struct scree_balance_survey s = {.cost = cost};
    struct scree_brick_graph graph = scree_balance_graph(domain, &s);
    enum scree_status status = SCREE_OK;
    if (as_before) {
        for (int64_t b = 0; b < bricks->count; b++) bricks->owner[b] = (int32_t)memory->owner[b];
        balance->n_done = memory->n_done;
        balance->last_cost = memory->last_cost;
    } else {
        status = balance->partitioner->split(comm, &graph, bricks->owner);
        if (status == SCREE_OK) scree_partition_refine(&graph, bricks->owner, comm->n_ranks);
    }
    balance->imbalance = scree_partition_imbalance(&graph, bricks->owner, comm->n_ranks);
    scree_log(SCREE_LOG_DETAIL, "balance: %lld bricks (%d x %d x %d) %s%s%s, max/mean %.3f",
              (long long)bricks->count, bricks->n[0], bricks->n[1], bricks->n[2],
              as_before ? "with the owners of the checkpoint" : "split by ",
              as_before ? "" : balance->partitioner->name,
              memory != NULL && !as_before ? " with the weights of the checkpoint" : "",
              balance->imbalance);
    scree_alloc_free(cost);
    return status;
}
