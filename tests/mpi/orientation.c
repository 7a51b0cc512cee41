/* SPDX-License-Identifier: BSD-3-Clause
 * How grains are turned: closed form of an even spin about any axis, through migration and forced
 * balance; a disk that rolls; the same bits on one rank and through a checkpoint. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "job_test.h"

enum { MOST = 40 };

/* Orientations of grains 1 ... n, told to all. */
static void find_orientations(struct scree_job *job, int n, double (*q)[4])
{
    const struct scree_particles *p = job->run.scene.particles;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < 4; c++) q[k][c] = -INFINITY;
    for (scree_lid i = 0; i < p->n_owned; i++)
        memcpy(q[p->gid[i] - 1], p->orientation[i], sizeof *q);
    scree_comm_max(job->comm, &q[0][0], 4 * n);
}

/* Grains that fly through a periodic box, past all ranks, each with a spin of its own. */
static void check_even_spin(struct mpi_test *t, const char *method)
{
    static const char rest[] =
        "time: {step: 1e-3, steps: 1}\norientation: true\n"
        "domain: {low: [-1, -1, -1], high: [1, 1, 1], periodic: [x, y, z]}\n"
        "materials: {m: {density: 1000}}\nneighbours: {skin: 0.1}\n"
        "balance: {method: hilbert, force_every: 100}\n"
        "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]\n"
        "particles: [{lattice: {material: m, radius: 1e-2, count: 3}}]\n";
    const double spin[3][3] = {{3.0, -4.0, 12.0}, {0.0, 0.0, 0.0}, {-200.0, 150.0, 90.0}};
    struct job_grain grain[3];
    struct scree_job job;
    double q[3][4];
    char text[900];
    snprintf(text, sizeof text, "method: %s\n%s", method, rest);
    for (int k = 0; k < 3; k++) {
        grain[k] = (struct job_grain){
            .pos = {0.1, 0.2, -0.5 + 0.4 * k}, .radius = 1e-2, .mass = 1.0, .vel = {1.5, 0.4, 0.0}};
        memcpy(grain[k].spin, spin[k], sizeof spin[k]);
    }
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, grain, 3);
    job_start(t, &job);
    job_advance(t, &job, 3000);
    find_orientations(&job, 3, q);
    double time = scree_run_time(&job.run);
    for (int k = 0; k < 3; k++) {
        const double *w = spin[k];
        double speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = 0.5 * speed * time;
        JOB_NEAR(t, "w of the quaternion", q[k][0], cos(half), 1e-12);
        for (int a = 0; a < 3; a++)
            JOB_NEAR(t, "its axis", q[k][1 + a], speed > 0.0 ? sin(half) * w[a] / speed : 0.0,
                     1e-12);
    }
    scree_job_clear(&job);
}

/* A disk that rolls without slipping has turned by its way divided by its radius. */
static void check_rolling(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ntime: {step: 1e-5, steps: 1}\ngravity: [0, -10]\norientation: true\n"
        "domain: {low: [0, 0], high: [4, 1], periodic: [x]}\nmaterials: {m: {density: 1000}}\n"
        "neighbours: {skin: 0.05}\nbalance: {method: hilbert}\n"
        "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e6, damping_rate: 100},\n"
        "  tangential: {law: spring, stiffness: 3e5, friction: 0.5}}]\n"
        "boundaries: {floor: {shape: plane, point: [0, 0], normal: [0, 1], material: m}}\n"
        "particles: [{lattice: {material: m, radius: 0.1, count: 1}}]\n";
    struct job_grain grain = {.pos = {0.5, 0.1, 0.0},
                              .radius = 0.1,
                              .mass = 1.0,
                              .vel = {2.0, 0, 0},
                              .spin = {0, 0, -20.0}};
    struct job_motion m;
    struct scree_job job;
    double q[1][4];
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, &grain, 1);
    job_start(t, &job);
    job_advance(t, &job, 20000);
    job_find_all(&job, &m, 1);
    find_orientations(&job, 1, q);
    double angle = -(m.pos[0] - 0.5) / 0.1;
    JOB_NEAR(t, "way of the disk", m.pos[0], 0.9, 1e-3);
    JOB_NEAR(t, "angle of the disk", cos(0.5 * angle), q[0][0], 1e-3);
    JOB_NEAR(t, "angle of the disk", sin(0.5 * angle), q[0][3], 1e-3);
    JOB_NEAR(t, "tilt of the disk", fabs(q[0][1]) + fabs(q[0][2]), 0.0, 0.0);
    scree_job_clear(&job);
}

static const char crowd[] =
    "time: {step: 1e-4, steps: 1}\norientation: true\n"
    "domain: {low: [0, 0, 0], high: [1, 1, 1], periodic: [x, y, z]}\n"
    "materials: {m: {density: 1000}}\nbalance: {method: hilbert, force_every: 70}\n"
    "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e5, restitution: 0.7},\n"
    "  tangential: {law: spring, stiffness: 3e4, friction: 0.5}}]\n"
    "particles: [{random: {material: m, radius: 0.09, count: 40, speed: 1, spin: 5}}]\n";

static void run_crowd(struct mpi_test *t, struct scree_comm *comm, double (*q)[4], uint64_t *digest)
{
    struct scree_job job;
    if (!job_open(t, &job, comm, crowd, NULL)) return;
    job_start(t, &job);
    job_advance(t, &job, 1500);
    find_orientations(&job, MOST, q);
    *digest = scree_digest_compute(&job.run);
    scree_job_clear(&job);
}

/* Colliding grains: alone, on all ranks, and on all ranks from the checkpoint of one. */
static void check_same_bits(struct mpi_test *t)
{
    struct scree_comm alone = job_alone();
    double q[3][MOST][4];
    uint64_t digest[3] = {1, 2, 3};
    char path[64];
    int number = (int)getpid();
    scree_comm_broadcast(t->comm, &number, sizeof number, 0);
    snprintf(path, sizeof path, "/tmp/scree-orientation-%d.h5", number);
    if (t->comm->rank == 0) run_crowd(t, &alone, q[0], &digest[0]);
    mpi_test_tell(t, q[0], sizeof q[0]);
    mpi_test_tell(t, &digest[0], sizeof digest[0]);
    run_crowd(t, t->comm, q[1], &digest[1]);
    struct scree_job job;
    if (t->comm->rank == 0 && job_open(t, &job, &alone, crowd, NULL)) {
        job_start(t, &job);
        job_advance(t, &job, 700);
        MPI_TEST(t, scree_restart_save(&job.restart, path) == SCREE_OK, "%s",
                 scree_status_message());
        scree_job_clear(&job);
    }
    scree_comm_barrier(t->comm);
    enum scree_status status = scree_job_read(&job, t->comm, crowd, strlen(crowd), "test", 0, NULL);
    job.restart.path = path;
    if (status == SCREE_OK) status = scree_job_build(&job);
    if (MPI_TEST(t, status == SCREE_OK, "resume: %s", scree_status_message()) &&
        job_start(t, &job)) {
        job_advance(t, &job, 1500);
        find_orientations(&job, MOST, q[2]);
        digest[2] = scree_digest_compute(&job.run);
    }
    scree_job_clear(&job);
    double turned = 0.0;
    for (int k = 0; k < MOST; k++) turned = fmax(turned, fabs(q[0][k][0] - 1.0));
    MPI_TEST(t, turned > 0.01, "nobody turned: %g", turned);
    for (int k = 1; k < 3; k++) {
        MPI_TEST(t, digest[k] == digest[0], "digest of run %d differs", k);
        MPI_TEST(t, memcmp(q[k], q[0], sizeof q[0]) == 0, "orientations of run %d differ", k);
    }
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0) unlink(path);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_even_spin(&t, "md");
    check_even_spin(&t, "cd");
    check_rolling(&t);
    check_same_bits(&t);
    return mpi_test_end(&t);
}
