/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics on as many ranks as one likes, short enough for 16 on two cores: the digest is
 * that of one rank, also in boxes so small that ranks have hardly a block; and with `blocks: rank`
 * a step has the velocities and the mean stress of one rank within its residual (CD-SOLVERS V13).
 */
#include "bits_test.h"

#include "../../src/cd/cd_impl.h"

static const char laws[] =
    "method: cd\ntime: {step: 1e-2, steps: 1}\nseed: 4\n"
    "materials: {m: {density: 1}, w: {density: 1}}\n"
    "contacts:\n"
    "- {between: [m, m], rigid: {friction: 0.5, restitution: 0.2, rolling: 0.05}}\n"
    "- {between: [m, w], rigid: {friction: 0.3}}\n";

static const char box[] =
    "solver: {blocks: 10, residual: 1e-3}\nbalance: {force_every: 8}\n"
    "domain: {low: [0, 0, 0], high: [6, 6, 9], periodic: [x]}\ngravity: [2, 0, -9.5]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: w, point: [0, 0, 9], normal: [0, 0, -1], "
    "servo: {stress: 30, mass: 20, speed: 2}}\n"
    "  front: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  back: {shape: plane, material: w, point: [0, 6, 0], normal: [0, -1, 0]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.35, 0.5]}, spacing: 1, "
    "high: [6, 6, 8], speed: 1}}]\n";

static const char layer[] =
    "solver: {blocks: 6, residual: 1e-3}\nbalance: {force_every: 8}\ndimension: 2\n"
    "domain: {low: [0, 0], high: [20, 10], periodic: [x]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  lid: {shape: plane, material: w, point: [0, 10, 0], normal: [0, -1, 0], "
    "velocity: [3, -1, 0]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.35, 0.5]}, spacing: 1, "
    "speed: 0.5}, glue: {to: floor, within: 0.3}}]\n";

static bool open_with(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                      const char *from, const char *where, const char *const *sets)
{
    char text[2500];
    snprintf(text, sizeof text, "%s%s", laws, where);
    return job_open_from(t, job, comm, text, sets, from);
}

static bool open(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                 const char *from, const void *context)
{
    return open_with(t, job, comm, from, context, NULL);
}

/* Spheres that have come to rest under gravity. Without friction at walls the mean vertical stress
 * is that of their weights. */
static const char heap[] =
    "solver: {blocks: 30, most: 20000}\ndomain: {low: [0, 0, 0], high: [4, 4, 8]}\n"
    "gravity: [0, 0, -10]\n"
    "boundaries: {box: {shape: box, material: w, low: [0, 0, 0], high: [4, 4, 8]}}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.4, 0.5]}, spacing: 1, "
    "high: [4, 4, 7], speed: 0.2}}]\n";
static const char smooth[] = "contacts.1.rigid.friction=0";
enum { N = 112, SETTLED = 120, GRAVITY = 10 };

struct step {
    struct job_motion grain[N];
    double stress;
};

static void add_stress(void *context, const struct scree_contact *c)
{
    *(double *)context += c->weight * c->branch[2] * c->force[2];
}

/* One step of the heap from its checkpoint, from a cold start, with one block to a rank. */
static bool solve_once(struct mpi_test *t, struct scree_comm *comm, const char *path,
                       struct step *step)
{
    static const char *const sets[] = {"solver.blocks=rank", "solver.warm_start=false",
                                       "solver.residual=1e-5", smooth, NULL};
    struct scree_job job;
    struct scree_exact sum;
    double here = 0.0;
    if (!open_with(t, &job, comm, path, heap, sets) || !job_start(t, &job)) return false;
    job_advance(t, &job, SETTLED + 1);
    job_find_all(&job, step->grain, N);
    job.run.stepper->contacts(job.run.state, &job.run.scene, add_stress, &here);
    scree_exact_clear(&sum);
    scree_exact_add(&sum, here);
    scree_comm_sum_exact(comm, &sum, 1);
    step->stress = scree_exact_value(&sum);
    MPI_TEST(t, ((const struct scree_cd *)job.run.state)->outcome.converged, "not solved");
    scree_job_clear(&job);
    return true;
}

/* The checkpoint of the heap at rest; every rank gets its name. */
static void settle(struct mpi_test *t, char *path)
{
    static const char *const sets[] = {smooth, NULL};
    struct scree_comm alone = job_alone();
    struct scree_job job;
    int file = t->comm->rank == 0 ? mkstemp(path) : -1;
    if (file >= 0) close(file);
    scree_comm_broadcast(t->comm, path, strlen(path) + 1, 0);
    if (t->comm->rank == 0 && open_with(t, &job, &alone, NULL, heap, sets)) {
        job_start(t, &job);
        job_advance(t, &job, SETTLED);
        MPI_TEST(t, scree_restart_save(&job.restart, path) == SCREE_OK, "not saved");
        scree_job_clear(&job);
    }
    mpi_test_meet(t);
}

static void check_rank_blocks(struct mpi_test *t)
{
    char path[] = "/tmp/scree-cd-ranks-XXXXXX";
    static struct step alone, all;
    settle(t, path);
    if (t->comm->rank == 0) solve_once(t, job_self(), path, &alone);
    mpi_test_tell(t, &alone, sizeof alone);
    if (!solve_once(t, t->comm, path, &all)) return;
    mpi_test_meet(t);
    if (t->comm->rank != 0) return;
    remove(path);
    double apart = 0.0, fall = GRAVITY * 1e-2;
    for (int k = 0; k < N; k++)
        for (int a = 0; a < 3; a++) {
            double d = all.grain[k].vel[a] - alone.grain[k].vel[a];
            apart += d * d / (N * fall * fall);
        }
    JOB_NEAR(t, "velocities against those of one block", sqrt(apart), 0.0, 1e-2);
    JOB_NEAR(t, "stress against that of one block", all.stress / alone.stress, 1.0, 1e-3);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    bits_check(&t, open, box, 12, 20);
    bits_check(&t, open, layer, 12, 20);
    check_rank_blocks(&t);
    return mpi_test_end(&t);
}
