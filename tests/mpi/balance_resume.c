/* SPDX-License-Identifier: BSD-3-Clause
 * A resumed run begins balanced: on as many ranks with the owners of the checkpoint, otherwise with
 * a split by the work that was measured. Neither changes a bit. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "job_test.h"
#include "scree/restart_balance.h"

enum { SAVED = 100, END = 160 };

static const char input[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 4\ngravity: [3, 0, -9.5]\n"
    "domain: {low: [0, 0, 0], high: [16, 8, 9], periodic: [x, y]}\n"
    "materials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.3, 0.5]}, spacing: 1, speed: "
    "1.5}}]\n";

static const char forced[] = "balance={force_every: 30, bricks_per_rank: 60}";

struct saved {
    char path[64];
    uint64_t digest[2]; /* when saved and at the end */
    int64_t n_bricks, n_done;
    int32_t *owner;
};

static void write_saved(struct mpi_test *t, struct saved *s)
{
    struct scree_job job;
    const char *const sets[] = {forced, NULL};
    if (!job_open(t, &job, t->comm, input, sets) || !job_start(t, &job)) return;
    job_advance(t, &job, SAVED);
    for (int k = 0; k < SCREE_BALANCE_KINDS; k++) /* as if the first were slow */
        job.balance.pace[k] = t->comm->rank == 0 ? 10.0 : 1.0;
    job.restart.n_checkpoints = 7;
    enum scree_status status = scree_restart_save(&job.restart, s->path);
    MPI_TEST(t, status == SCREE_OK, "save: %s", scree_status_message());
    s->n_bricks = job.domain.bricks.count;
    s->n_done = job.balance.n_done;
    s->owner = scree_alloc((size_t)s->n_bricks, sizeof *s->owner);
    memcpy(s->owner, job.domain.bricks.owner, (size_t)s->n_bricks * sizeof *s->owner);
    s->digest[0] = scree_digest_compute(&job.run);
    job_advance(t, &job, END);
    s->digest[1] = scree_digest_compute(&job.run);
    scree_job_clear(&job);
}

/* A job that stands where it was saved. */
static bool open_saved(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                       const struct saved *s, const char *balance)
{
    const char *const sets[] = {balance};
    enum scree_status status =
        scree_job_read(job, comm, input, strlen(input), "test", balance != NULL, sets);
    job->restart.path = s->path;
    if (status == SCREE_OK) status = scree_job_build(job);
    return MPI_TEST(t, status == SCREE_OK, "build: %s", scree_status_message());
}

static void check_bits(struct mpi_test *t, struct scree_job *job, const struct saved *s)
{
    job_start(t, job);
    MPI_TEST(t, job->restart.n_checkpoints == 7, "checkpoint number %lld",
             (long long)job->restart.n_checkpoints);
    MPI_TEST(t, scree_digest_compute(&job->run) == s->digest[0], "other bits after the resume");
    job_advance(t, job, END);
    MPI_TEST(t, scree_digest_compute(&job->run) == s->digest[1], "other bits at the end");
    scree_job_clear(job);
}

static void resume_as_before(struct mpi_test *t, const struct saved *s)
{
    struct scree_job job;
    if (!open_saved(t, &job, t->comm, s, forced)) return;
    const struct scree_bricks *bricks = &job.domain.bricks;
    bool same = bricks->count == s->n_bricks &&
                memcmp(bricks->owner, s->owner, (size_t)s->n_bricks * sizeof *s->owner) == 0;
    MPI_TEST(t, same, "bricks have other owners");
    MPI_TEST(t, job.balance.n_done == s->n_done, "%lld balances, not %lld",
             (long long)job.balance.n_done, (long long)s->n_done);
    check_bits(t, &job, s);
}

/* max/mean over ranks of the work, were the grains with the owners of their bricks, if a grain
 * costs what those of its brick did when saved. */
static double find_imbalance(struct mpi_test *t, struct scree_job *job, const struct saved *s)
{
    enum { UNITS = 1000000 };
    const struct scree_particles *p = job->run.scene.particles;
    const struct scree_domain *domain = &job->domain;
    struct scree_balance_memory m;
    struct scree_bricks then = {.count = 0};
    int64_t work[64] = {0}, most = 0, sum = 0;
    enum scree_status status = scree_restart_load_balance(job->comm, s->path, &m);
    if (!MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message())) return INFINITY;
    for (int a = 0; a < 3; a++) {
        then.n[a] = (int)m.n[a];
        then.edge[a] = domain->box.length[a] / then.n[a];
    }
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int64_t old = scree_bricks_find(&then, &domain->box, p->pos[i]);
        int64_t now = scree_bricks_find(&domain->bricks, &domain->box, p->pos[i]);
        double cost = m.cost[old] / (double)(m.grains[old] > 0 ? m.grains[old] : 1);
        work[domain->bricks.owner[now]] += (int64_t)(UNITS * cost);
    }
    scree_balance_memory_clear(&m);
    scree_comm_sum_int(job->comm, work, job->comm->n_ranks);
    for (int r = 0; r < job->comm->n_ranks; r++) {
        most = work[r] > most ? work[r] : most;
        sum += work[r];
    }
    return (double)most * job->comm->n_ranks / (double)sum;
}

/* Ten times slower, the grains of the first rank are to be shared by all. */
static void resume_split_anew(struct mpi_test *t, struct scree_comm *comm, const struct saved *s)
{
    struct scree_job job;
    if (!open_saved(t, &job, comm, s, "balance={bricks_per_rank: 150, threshold: 1e9}")) return;
    double imbalance = find_imbalance(t, &job, s);
    MPI_TEST(t, imbalance < 1.2, "work is split with max/mean %.3f", imbalance);
    check_bits(t, &job, s);
}

static void resume_on_fewer(struct mpi_test *t, const struct saved *s)
{
    MPI_Comm some;
    int n = t->comm->n_ranks - 1;
    if (n == 0) return;
    MPI_Comm_split(MPI_COMM_WORLD, t->comm->rank < n ? 0 : MPI_UNDEFINED, t->comm->rank, &some);
    if (t->comm->rank < n) {
        struct scree_comm comm = {.rank = t->comm->rank, .n_ranks = n, .mpi = &some};
        resume_split_anew(t, &comm, s);
        MPI_Comm_free(&some);
    }
    scree_comm_barrier(t->comm);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    struct saved s = {.n_bricks = 0};
    char folder[] = "/tmp/scree-balance-XXXXXX";
    mpi_test_begin(&t, &argc, &argv);
    if (t.comm->rank == 0 && mkdtemp(folder) == NULL) abort();
    scree_comm_broadcast(t.comm, folder, sizeof folder, 0);
    snprintf(s.path, sizeof s.path, "%s/a.h5", folder);
    write_saved(&t, &s);
    resume_as_before(&t, &s);
    resume_split_anew(&t, t.comm, &s);
    resume_on_fewer(&t, &s);
    scree_alloc_free(s.owner);
    if (t.comm->rank == 0) {
        unlink(s.path);
        rmdir(folder);
    }
    return mpi_test_end(&t);
}
