/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics of walls that move by the force on them: a lid bears its target whatever limits
 * its speed, stops where it may not go further, and gives way there to what pushes harder; steps
 * with smooth contacts that stay open are seen to be solved; stages change friction. */
#include "cd_test.h"

/* Grains in a column on the plane z = 0, under a lid that presses with 50 N. */
static bool open_column(struct mpi_test *t, const struct job_grain *grain, int n, const char *lid,
                        const char *rigid, struct scree_job *job)
{
    char text[1200];
    snprintf(text, sizeof text,
             "method: cd\ntime: {step: 0.01, steps: 1}\n"
             "materials: {m: {density: 1}}\ndomain: {low: [-9, -9, -9], high: [9, 9, 9]}\n"
             "boundaries:\n"
             "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
             "  lid: {shape: plane, material: m, point: [0, 0, 4], normal: [0, 0, -1], "
             "servo: {force: 50, mass: 2, %s}}\n"
             "solver: {residual: 1e-10}\ncontacts: [{between: [m, m], rigid: {%s}}]\n"
             "particles: [{lattice: {material: m, radius: 0.25, count: %d}}]\n",
             lid, rigid, n);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    job_put(job, grain, n);
    return job_start(t, job);
}

static double lid_height(const struct scree_job *job)
{
    return 4.0 - scree_wall_servo(&job->walls.wall[1], 0)->state.path;
}

/* A lid that 50 N would make far faster than it may be comes down at its limit, and then the grains
 * bear all of the 50 N. */
static void check_speed(struct mpi_test *t)
{
    enum { N = 3 };
    struct job_grain grain[N];
    struct job_motion m[N];
    struct scree_job job;
    for (int k = 0; k < N; k++)
        grain[k] = (struct job_grain){.pos = {0, 0, 0.5 + k}, .radius = 0.5, .mass = 1.0};
    if (!open_column(t, grain, N, "speed: 0.5", "friction: 0.3", &job)) return;
    job_advance(t, &job, 100);
    JOB_NEAR(t, "way of the lid, in the first step at half its limit", lid_height(&job),
             4.0 - 0.0025 - 99 * 0.005, 1e-12);
    job_advance(t, &job, 250);
    job_find_all(&job, m, N);
    JOB_NEAR(t, "height of the lid", lid_height(&job), 3.0, 1e-9);
    for (int k = 0; k < N; k++) JOB_NEAR(t, "balance of a grain", m[k].force[2], 0.0, 1e-6);
    struct scree_wall_total total;
    scree_walls_total(&job.walls, 0, job.comm, &total);
    JOB_NEAR(t, "force on the floor", total.force[2], -50.0, 1e-6);
    scree_job_clear(&job);
}

/* A lid at its stop keeps it, and a grain that 50 N do not slow down lifts it. */
static void check_stop(struct mpi_test *t)
{
    struct job_grain grain = {.pos = {0, 0, 1}, .radius = 0.5, .mass = 1e6, .vel = {0, 0, 0.2}};
    struct scree_job job;
    if (!open_column(t, &grain, 1, "high: 2", "friction: 0.3", &job)) return;
    job_advance(t, &job, 200);
    JOB_NEAR(t, "the lid at its stop", lid_height(&job), 2.0, 1e-12);
    job_advance(t, &job, 300);
    JOB_NEAR(t, "the lid that is lifted", lid_height(&job), 1.0 + 0.2 * 3.0 + 0.5, 1e-4);
    scree_job_clear(&job);
}

/* The projection on a cone of no friction: contacts that stay open are no error. */
static void check_smooth(struct mpi_test *t)
{
    struct cd_scene s = {.dt = 0.01, .plane = true, .gravity = {0.0, 1.0}};
    struct job_grain grain[2] = {{.pos = {0, 0, 0.5}, .radius = 0.5, .mass = 1.0},
                                 {.pos = {1.0 + 1e-5, 0, 0.5}, .radius = 0.5, .mass = 1.0}};
    struct scree_job job;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance(t, &job, 5);
    MPI_TEST(t, cd_outcome(&job)->converged && cd_outcome(&job)->sweeps < 50,
             "residual %g after %d sweeps", cd_outcome(&job)->residual,
             (int)cd_outcome(&job)->sweeps);
    scree_job_clear(&job);
}

/* A block on a slope is at rest with friction, slides in the stage without, and is braked when it
 * has its own friction again. */
static void check_stages(struct mpi_test *t)
{
    static const char text[] =
        "method: cd\ntime: {step: 0.01}\ngravity: [3, 0, -10]\n"
        "materials: {a: {density: 1}, b: {density: 1}}\n"
        "domain: {low: [-9, -9, -9], high: [9, 9, 9]}\n"
        "boundaries:\n"
        "  floor: {shape: plane, material: b, point: [0, 0, 0], normal: [0, 0, 1]}\n"
        "contacts: [{between: [a, b], rigid: {friction: 0.5}}, {between: [a, a], rigid: {}}]\n"
        "particles: [{lattice: {material: a, radius: 0.5, count: 1}}]\n"
        "stages:\n"
        "- {name: rough, until: {steps: 50}}\n- {name: smooth, friction: 0, until: {steps: 50}}\n"
        "- {name: brake, friction: own, until: {steps: 20}}\n";
    struct job_grain grain = {.pos = {0, 0, 0.5}, .radius = 0.5, .mass = 1.0, .upright = true};
    struct job_motion m;
    struct scree_job job;
    double seconds;
    if (!job_open(t, &job, job_self(), text, NULL)) return;
    job_put(&job, &grain, 1);
    if (!job_start(t, &job)) return;
    MPI_TEST(t, scree_job_run(&job, NULL, &seconds) == SCREE_OK, "run: %s", scree_status_message());
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "speed of the block", m.vel[0], 3.0 * 0.5 - (5.0 - 3.0) * 0.2, 1e-9);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_speed(&t);
    check_stop(&t);
    check_smooth(&t);
    check_stages(&t);
    return mpi_test_end(&t);
}
