/* SPDX-License-Identifier: BSD-3-Clause
 * Gear's integrator: order of an oscillation within one contact against its closed form,
 * restitution (VALIDATION A1), and the same bits on any number of ranks and after a resume. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "job_test.h"

static const double stiffness = 1e3, mass = 0.1; /* of each grain */

static bool open_pair(struct mpi_test *t, double dt, double damping, struct scree_job *job)
{
    char text[600];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1, integrator: gear}\n"
             "domain: {low: [-9, -9, -9], high: [9, 9, 9]}\nmaterials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: %g, damping: %g}}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: 2}}]\n",
             dt, stiffness, damping);
    return job_open(t, job, t->comm, text, NULL);
}

/* Distance of two grains pressed into each other by 0.2 and let go, while they still touch. */
static double error_of(struct mpi_test *t, int steps, double time)
{
    struct scree_job job;
    struct job_motion m[2];
    struct job_grain grain[2] = {{.pos = {-0.9, 0, 0}, .radius = 1, .mass = mass},
                                 {.pos = {0.9, 0, 0}, .radius = 1, .mass = mass}};
    if (!open_pair(t, time / steps, 0.0, &job)) return NAN;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, steps);
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    double overlap = 0.2 * cos(sqrt(stiffness / (0.5 * mass)) * time);
    return fabs((2.0 - (m[1].pos[0] - m[0].pos[0])) - overlap);
}

static void check_order(struct mpi_test *t)
{
    double time = 0.4 * acos(-1.0) / sqrt(stiffness / (0.5 * mass)), before = NAN;
    for (int steps = 20; steps <= 160; steps *= 2) {
        double error = error_of(t, steps, time);
        /* Fourth order in the end; the start alone is coarser. */
        if (steps > 20)
            MPI_TEST(t, error < before / 8.0, "%d steps: error %g after %g", steps, error, before);
        before = error;
    }
    MPI_TEST(t, before < 2e-11, "error %g m", before);
}

static void check_restitution(struct mpi_test *t)
{
    struct scree_job job;
    struct job_motion m[2];
    double damping = 2.0, reduced = 0.5 * mass, eta = 0.5 * damping / reduced,
           w = sqrt(stiffness / reduced - eta * eta);
    double dt = acos(-1.0) / w / 400, speed = 0.01;
    struct job_grain grain[2] = {
        {.pos = {-1.0, 0, 0}, .radius = 1, .mass = mass, .vel = {speed, 0, 0}},
        {.pos = {1.0, 0, 0}, .radius = 1, .mass = mass, .vel = {-speed, 0, 0}}};
    if (!open_pair(t, dt, damping, &job)) return;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, 500);
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    JOB_NEAR(t, "restitution", m[1].vel[0] / speed, exp(-eta * acos(-1.0) / w), 5e-3);
}

static const char packing[] =
    "time: {step: 1e-3, steps: 1, integrator: gear}\nseed: 4\ngravity: [3, 0, -9.5]\n"
    "background_friction: 0.01\n"
    "domain: {low: [0, 0, 0], high: [8, 6, 7], periodic: [x, y]}\n"
    "materials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, friction: 0.6}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.3, 0.5]}, spacing: 1, speed: "
    "1.5}}]\n";

/* The digest at step 300 of a run alone, of all ranks with forced balance, and of a resumed one. */
static void check_bits(struct mpi_test *t)
{
    uint64_t digest[3] = {0, 1, 2};
    struct scree_comm self = job_alone();
    const char *const forced[] = {"balance={force_every: 40, bricks_per_rank: 12}", NULL};
    char path[64] = "";
    snprintf(path, sizeof path, "/tmp/scree-gear-%d.h5", t->comm->rank == 0 ? (int)getpid() : 0);
    scree_comm_broadcast(t->comm, path, sizeof path, 0);
    for (int k = 0; k < 3; k++) {
        struct scree_job job;
        if (k == 2) {
            enum scree_status status =
                scree_job_read(&job, &self, packing, strlen(packing), "test", 0, NULL);
            job.resume_path = path;
            if (status == SCREE_OK) status = scree_job_build(&job);
            MPI_TEST(t, status == SCREE_OK, "resume: %s", scree_status_message());
        } else if (!job_open(t, &job, k == 0 ? &self : t->comm, packing, k == 0 ? NULL : forced)) {
            return;
        }
        job_start(t, &job);
        job_advance(t, &job, k == 2 ? 300 : 150);
        if (k == 1) {
            enum scree_status status = scree_job_save(&job, path);
            MPI_TEST(t, status == SCREE_OK, "save: %s", scree_status_message());
        }
        job_advance(t, &job, 300);
        digest[k] = scree_job_digest(&job);
        scree_job_clear(&job);
    }
    MPI_TEST(t, digest[0] == digest[1], "other bits than alone");
    MPI_TEST(t, digest[0] == digest[2], "other bits after a resume on one rank");
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0) unlink(path);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_order(&t);
    check_restitution(&t);
    check_bits(&t);
    return mpi_test_end(&t);
}
