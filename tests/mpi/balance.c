/* SPDX-License-Identifier: BSD-3-Clause
 * Load balance: enough bricks where the grains are, and decisions by what is lost and what it
 * costs. */
#include "job_test.h"

/* Grains in a twentieth of the box. */
static const char corner[] = "time: {step: 1e-3, steps: 1}\nseed: 4\n"
                             "domain: {low: [0, 0, 0], high: [60, 30, 30]}\n"
                             "materials: {m: {density: 1}}\n"
                             "contacts:\n"
                             "- between: [m, m]\n"
                             "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
                             "  tangential: {law: none}\n"
                             "balance: {bricks_per_rank: 30}\n"
                             "particles: [{lattice: {material: m, radius: 0.4, spacing: 1, low: "
                             "[0, 0, 0], high: [15, 12, 15]}}]\n";

static void grains_per_rank(struct mpi_test *t, const struct scree_job *job, double *most,
                            double *mean)
{
    double n = (double)job->run.scene.particles->n_owned;
    int64_t all = job->run.scene.particles->n_owned;
    *most = n;
    scree_comm_max(t->comm, most, 1);
    scree_comm_sum_int(t->comm, &all, 1);
    *mean = (double)all / t->comm->n_ranks;
}

static void test_bricks(struct mpi_test *t, struct scree_job *job)
{
    const struct scree_domain *domain = &job->domain;
    const struct scree_particles *p = job->run.scene.particles;
    int64_t n_bricks = domain->bricks.count, n = 0;
    int64_t *occupied = scree_alloc((size_t)n_bricks, sizeof *occupied);
    for (int64_t b = 0; b < n_bricks; b++) occupied[b] = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        occupied[scree_bricks_find(&domain->bricks, &domain->box, p->pos[i])] = 1;
    scree_comm_max_int(t->comm, occupied, (int)n_bricks);
    for (int64_t b = 0; b < n_bricks; b++) n += occupied[b];
    scree_alloc_free(occupied);
    if (t->comm->n_ranks > 1)
        MPI_TEST(t, n >= 22 * t->comm->n_ranks, "%lld of %lld bricks hold grains", (long long)n,
                 (long long)n_bricks);
    double most, mean;
    grains_per_rank(t, job, &most, &mean);
    MPI_TEST(t, most <= 1.06 * mean, "%g grains, %g on average", most, mean);
}

/* As if the grains of rank 0 took `slower` times as long as those of others, 1 s on average. */
static bool decide(struct mpi_test *t, struct scree_job *job, double slower,
                   double busy[SCREE_BALANCE_KINDS], int64_t step)
{
    bool moved = false;
    double most, mean, factor = t->comm->rank == 0 ? slower : 1.0;
    grains_per_rank(t, job, &most, &mean);
    busy[SCREE_BALANCE_GRAINS] += factor * (double)job->run.scene.particles->n_owned / mean;
    enum scree_status status = scree_balance_decide(&job->balance, &job->domain, t->comm,
                                                    job->run.scene.particles, busy, step, &moved);
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    return moved;
}

/* Max/mean of the work if bricks had the owners of now. */
static double expected(struct mpi_test *t, const struct scree_job *job, double slower)
{
    const struct scree_domain *domain = &job->domain;
    const struct scree_particles *p = job->run.scene.particles;
    int64_t work[64] = {0}, most = 0, sum = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int64_t b = scree_bricks_find(&domain->bricks, &domain->box, p->pos[i]);
        work[domain->bricks.owner[b]] += (int64_t)(1000 * (t->comm->rank == 0 ? slower : 1.0));
    }
    scree_comm_sum_int(t->comm, work, t->comm->n_ranks);
    for (int r = 0; r < t->comm->n_ranks; r++) {
        most = work[r] > most ? work[r] : most;
        sum += work[r];
    }
    return (double)most * t->comm->n_ranks / (double)sum;
}

static void test_decisions(struct mpi_test *t, struct scree_job *job)
{
    struct scree_balance *balance = &job->balance;
    double busy[SCREE_BALANCE_KINDS] = {0.0};
    int64_t step = 0;
    balance->threshold = 1.1;
    balance->last_cost = 2.0;
    MPI_TEST(t, !decide(t, job, 1.0, busy, step += 100), "moved although all are equally busy");
    MPI_TEST(t, !decide(t, job, 2.0, busy, step += 50), "moved after a short interval");
    if (t->comm->n_ranks == 1) return;
    int n_looks = 0; /* each loses less than the cost, but not all together */
    while (n_looks < 20 && !decide(t, job, 2.0, busy, step += 100)) n_looks++;
    MPI_TEST(t, n_looks >= 1 && n_looks < 10, "moved after %d looks", n_looks);
    double work = expected(t, job, 2.0);
    MPI_TEST(t, work < 1.15, "max/mean %g with the new owners", work);
    MPI_TEST(t, balance->lost == 0.0 && balance->n_done == 1, "not booked");
    MPI_TEST(t, scree_balance_overall(balance) > 1.0, "overall %g", scree_balance_overall(balance));
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    struct scree_job job;
    if (job_open(&t, &job, t.comm, corner, NULL) && job_start(&t, &job)) {
        test_bricks(&t, &job);
        test_decisions(&t, &job);
        scree_job_clear(&job);
    }
    return mpi_test_end(&t);
}
