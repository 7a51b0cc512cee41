/* SPDX-License-Identifier: BSD-3-Clause
 * Cohesion of rigid grains (002, section 1.8): a bond bears its strength F_C, costs F_C d_C to
 * break whatever the time step is, is not pulled back once it has opened but can be pushed closed,
 * and adds to the load of friction (VALIDATION B8, V11). */
#include "cd_test.h"

static const double radius = 0.5, mass = 2.0, strength = 20.0, range = 0.01;
static const char law[] = "friction: 0.5, cohesion: 20, range: 0.01";

/* A grain that has been pressed on the plane for a step; then gravity is what the test wants. */
static bool open_on_plane(struct mpi_test *t, const char *scheme, double dt, bool upright,
                          const double pull[2], struct scree_job *job)
{
    struct cd_scene s = {
        .scheme = scheme, .dt = dt, .plane = true, .gravity = {0.0, 10.0}, .rigid = law};
    struct job_grain grain = {
        .pos = {0, 0, radius}, .radius = radius, .mass = mass, .upright = upright};
    if (!cd_open(t, &s, &grain, 1, job)) return false;
    if (!job_advance(t, job, 1)) return false;
    job->run.scene.gravity[0] = pull[0];
    job->run.scene.gravity[2] = pull[1];
    return true;
}

/* B8: pulled by F from rest. Returns the work of the bond. */
static double pull_off(struct mpi_test *t, const char *scheme, double dt, double force)
{
    struct scree_job job;
    struct job_motion m;
    struct job_energies before, after;
    const double pull[2] = {0.0, force / mass};
    if (!open_on_plane(t, scheme, dt, false, pull, &job)) return NAN;
    job_energies(&job, &before);
    job_advance_for(t, &job, 1 + (int64_t)(0.1 / dt + 0.5), &after);
    job_find_all(&job, &m, 1);
    double gap = m.pos[2] - radius, kinetic = 0.5 * mass * m.vel[2] * m.vel[2];
    double lost = after.loss[SCREE_CD_LOSS_IMPACT] - before.loss[SCREE_CD_LOSS_IMPACT];
    JOB_NEAR(t, "closure", after.closure - before.closure, 0.0, 1e-12);
    if (force <= strength) {
        JOB_NEAR(t, "held", gap, 0.0, 1e-13);
        JOB_NEAR(t, "force of the bond", m.force[2], -force, 1e-9);
    } else {
        JOB_NEAR(t, "torn: energy", kinetic, force * gap - strength * range,
                 (strength + force) * m.vel[2] * dt);
        JOB_NEAR(t, "torn: force", m.force[2], 0.0, 1e-12);
    }
    scree_job_clear(&job);
    return lost;
}

static void check_pulls(struct mpi_test *t, const char *scheme)
{
    JOB_NEAR(t, "work of a bond that holds", pull_off(t, scheme, 1e-3, 0.999 * strength), 0.0,
             1e-12);
    for (double dt = 1e-3; dt > 5e-5; dt *= 0.1) {
        /* The gap that is seen to be too wide may be one step's way wider. */
        double force = 1.5 * strength, speed = sqrt(2.0 * (force - strength) * range / mass);
        JOB_NEAR(t, "work of a bond that breaks", pull_off(t, scheme, dt, force), strength * range,
                 strength * speed * dt);
    }
}

struct pair {
    double gap, rate, force;
};

static struct pair measure(struct scree_job *job)
{
    struct job_motion m[2];
    job_find_all(job, m, 2);
    return (struct pair){m[1].pos[0] - m[0].pos[0] - 2.0 * radius, m[1].vel[0] - m[0].vel[0],
                         m[1].force[0]};
}

static void kick(struct scree_job *job, double speed)
{
    struct scree_particles *p = job->run.scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++)
        p->vel[i][0] = p->gid[i] == 1 ? -0.5 * speed : 0.5 * speed;
}

/* V11: grains that stick together after an impact are driven apart at a part of the speed that
 * breaks the bond. */
static void check_escape(struct mpi_test *t, const char *scheme, double dt, double part)
{
    struct cd_scene s = {.scheme = scheme, .dt = dt, .rigid = law};
    struct job_grain grain[2] = {{.radius = radius, .mass = mass, .vel = {0.05, 0, 0}},
                                 {.radius = radius, .mass = mass, .vel = {-0.05, 0, 0}}};
    struct scree_job job;
    int64_t step = 3;
    const double critical = sqrt(2.0 * strength * range / (0.5 * mass)),
                 error = strength * critical * dt;
    grain[1].pos[0] = 2.0 * radius;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance(t, &job, step);
    struct pair now = measure(&job);
    JOB_NEAR(t, "stuck", now.rate, 0.0, 1e-14);
    double start = now.gap;
    kick(&job, part * critical);
    job_advance(t, &job, step += (int64_t)(0.1 / dt));
    now = measure(&job);
    double left = 0.25 * mass * critical * critical * (part * part - 1.0);
    JOB_NEAR(t, "energy that is left", 0.25 * mass * now.rate * now.rate, fmax(left, 0.0), error);
    if (part < 1.0) {
        JOB_NEAR(t, "gap", now.gap - start, part * part * range, critical * dt);
        struct pair later;
        job_advance(t, &job, step += 50);
        later = measure(&job);
        JOB_NEAR(t, "not pulled back", later.gap, now.gap, 1e-13);
        JOB_NEAR(t, "at rest", later.rate, 0.0, 1e-13);
        kick(&job, -0.1); /* together */
        job_advance(t, &job, step += (int64_t)(0.03 / dt));
        later = measure(&job);
        JOB_NEAR(t, "pushed without a force", later.rate, -0.1, 1e-13);
        job_advance(t, &job, step += (int64_t)(0.17 / dt));
        later = measure(&job);
        JOB_NEAR(t, "closed", later.gap, 0.0, 0.1 * dt + 1e-13);
        JOB_NEAR(t, "closed and at rest", later.rate, 0.0, 1e-13);
    } else {
        MPI_TEST(t, now.gap > range && now.force == 0.0, "gap %g, force %g", now.gap, now.force);
    }
    scree_job_clear(&job);
}

/* Friction of a bond without a load: mu F_C. */
static void check_friction(struct mpi_test *t, const char *scheme, double part)
{
    struct scree_job job;
    struct job_motion m;
    const double limit = 0.5 * strength, dt = 1e-3, pull[2] = {part * limit / mass, 0.0};
    if (!open_on_plane(t, scheme, dt, true, pull, &job)) return;
    job_advance(t, &job, 101);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "friction of a bond", m.force[0], -fmin(part, 1.0) * limit, 1e-9);
    JOB_NEAR(t, "slides", m.vel[0], fmax(part - 1.0, 0.0) * limit / mass * 100 * dt, 1e-12);
    JOB_NEAR(t, "height", m.pos[2], radius, 1e-14);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    static const char *const schemes[] = {"euler", "moreau"};
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < 2; k++) {
        check_pulls(&t, schemes[k]);
        for (double dt = 1e-3; dt > 5e-5; dt *= 0.1) {
            check_escape(&t, schemes[k], dt, 0.9);
            check_escape(&t, schemes[k], dt, 1.1);
        }
        check_friction(&t, schemes[k], 0.99);
        check_friction(&t, schemes[k], 2.0);
    }
    return mpi_test_end(&t);
}
