/* SPDX-License-Identifier: BSD-3-Clause
 * How much work there is in every brick. */
#include <string.h>

#include "balance_impl.h"
#include "scree/alloc.h"

/* Pairs that are near but do not touch are looked at, too: they count as so many contacts a grain.
 */
static const double near_misses = 0.5;

static void add_work(const struct scree_particles *p, scree_lid i, double work[SCREE_BALANCE_KINDS])
{
    work[SCREE_BALANCE_GRAINS] += 1.0;
    work[SCREE_BALANCE_CONTACTS] += near_misses + 0.5 * p->records[i][1];
}

void scree_balance_work(const struct scree_particles *p, double work[SCREE_BALANCE_KINDS])
{
    memset(work, 0, SCREE_BALANCE_KINDS * sizeof *work);
    for (scree_lid i = 0; i < p->n_owned; i++) add_work(p, i, work);
}

void scree_balance_survey_clear(struct scree_balance_survey *s)
{
    scree_alloc_free(s->cost);
    scree_alloc_free(s->cut);
    scree_alloc_free(s->bytes);
    scree_alloc_free(s->grains);
}

/* Contacts through a brick's face are guessed from its contacts: half of them within one diameter
 * of a face would be cut, the same fraction for all, so the count itself serves as weight. */
static void count_work(const struct scree_domain *domain, const struct scree_particles *p,
                       const double pace[SCREE_BALANCE_KINDS], struct scree_balance_survey *s)
{
    const struct scree_bricks *bricks = &domain->bricks;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int64_t b = scree_bricks_find_stored(bricks, &domain->box, p->pos[i]);
        double contacts = p->records[i][1];
        double work[SCREE_BALANCE_KINDS] = {0.0};
        add_work(p, i, work);
        for (int k = 0; k < SCREE_BALANCE_KINDS; k++) s->cost[b] += pace[k] * work[k];
        s->grains[b] += 1.0;
        s->bytes[b] += 250.0 + 45.0 * contacts;
        for (int a = 0; a < 3; a++) s->cut[3 * b + a] += contacts;
    }
}

static void sum_over_ranks(struct scree_comm *comm, double *values, int64_t n)
{
    /* Each brick has one owner, so the sum has one term that is not zero: a maximum will do. */
    scree_comm_max(comm, values, (int)n);
}

struct scree_balance_survey scree_balance_survey_take(const struct scree_domain *domain,
                                                      struct scree_comm *comm,
                                                      const struct scree_particles *p,
                                                      const double pace[SCREE_BALANCE_KINDS])
{
    int64_t n = domain->bricks.count;
    struct scree_balance_survey s = {
        scree_alloc((size_t)n, sizeof(double)), scree_alloc((size_t)n * 3, sizeof(double)),
        scree_alloc((size_t)n, sizeof(double)), scree_alloc((size_t)n, sizeof(double))};
    memset(s.cost, 0, (size_t)n * sizeof(double));
    memset(s.cut, 0, (size_t)n * 3 * sizeof(double));
    memset(s.bytes, 0, (size_t)n * sizeof(double));
    memset(s.grains, 0, (size_t)n * sizeof(double));
    count_work(domain, p, pace, &s);
    sum_over_ranks(comm, s.cost, n);
    sum_over_ranks(comm, s.cut, 3 * n);
    sum_over_ranks(comm, s.bytes, n);
    sum_over_ranks(comm, s.grains, n);
    return s;
}

struct scree_brick_graph scree_balance_graph(const struct scree_domain *domain,
                                             const struct scree_balance_survey *s)
{
    struct scree_brick_graph graph = {.n_bricks = domain->bricks.count,
                                      .cost = s->cost,
                                      .cut = s->cut,
                                      .bytes = s->bytes,
                                      .seam = domain->bricks.seam,
                                      .n_seam = domain->bricks.n_seam};
    for (int a = 0; a < 3; a++) {
        graph.n[a] = domain->bricks.n[a];
        graph.periodic[a] = domain->box.periodic[a];
    }
    return graph;
}
