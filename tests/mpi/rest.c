/* SPDX-License-Identifier: BSD-3-Clause
 * Dashpots under a lasting load: grains at rest overlap as their springs say, whatever the damping,
 * and a grain that swings on a plate under gravity follows its closed form in second order. */
#include "job_test.h"

enum { MOST = 4 };

/* Grains of radius 1 and mass 1 under gravity 1. */
static bool open_case(struct mpi_test *t, struct scree_job *job, const char *law, const char *walls,
                      double dt, int n)
{
    char text[2000];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\nmaterials: {m: {density: 1}}\ngravity: [0, 0, -1]\n"
             "domain: {low: [-4, -4, -4], high: [12, 12, 12]}\n"
             "boundaries: {%s}\ncontacts: [{between: [m, m], normal: {%s}}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: %d}}]\n",
             dt, walls, law, n);
    return job_open(t, job, t->comm, text, NULL);
}

static const char floor_wall[] =
    "w: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}";
static const char wedge[] =
    "a: {shape: plane, material: m, point: [0, 0, 0], normal: [0.6, 0, 0.8]}, "
    "b: {shape: plane, material: m, point: [0, 0, 0], normal: [-0.6, 0, 0.8]}";
static const char pipe_wall[] =
    "w: {shape: cylinder, material: m, point: [0, 0, 3], axis: [0, 1, 0], radius: 3, side: inside}";

/* Laws whose static overlap under the load 1 is known; about 0.01 and 50 steps per contact. */
static const struct {
    const char *law;
    double stiffness, exponent;
} laws[] = {
    {"law: linear, stiffness: 100, damping: 10", 100, 1},
    {"law: linear, stiffness: 100, restitution: 0.2, tension: clip", 100, 1},
    {"law: power, stiffness: 1000, exponent: 1.5, damping: 100", 1000, 1.5},
    {"law: hertz, young: 1000, poisson: 0, restitution: 0.2", 2000.0 / 3.0, 1.5},
    {"law: hertz, young: 1000, poisson: 0, viscous_time: 0.1, tension: clip", 2000.0 / 3.0, 1.5},
    {"law: hysteretic, stiffness: 100, stiffness_unloading: 100, damping: 10", 100, 1},
};

static double overlap_under(int k, double load)
{
    return pow(load / laws[k].stiffness, 1.0 / laws[k].exponent);
}

static void settle(struct mpi_test *t, struct scree_job *job, const struct job_grain *grain, int n,
                   struct job_motion *end)
{
    job_put(job, grain, n);
    job_start(t, job);
    job_advance(t, job, 40000);
    job_find_all(job, end, n);
    scree_job_clear(job);
}

static void check_plate(struct mpi_test *t, int k)
{
    struct job_grain grain = {.pos = {0, 0, 1.0}, .radius = 1, .mass = 1};
    struct job_motion end;
    struct scree_job job;
    if (!open_case(t, &job, laws[k].law, floor_wall, 6e-3, 1)) return;
    settle(t, &job, &grain, 1, &end);
    JOB_NEAR(t, laws[k].law, (1.0 - end.pos[2]) / overlap_under(k, 1.0), 1.0, 1e-9);
    JOB_NEAR(t, "load", end.force[2], 1.0, 1e-9);
}

/* Contacts push each other: a column of grains; two linear springs of each wall in the wedge. */
static void check_column(struct mpi_test *t)
{
    struct job_grain grain[3];
    struct job_motion end[3];
    struct scree_job job;
    if (!open_case(t, &job, laws[0].law, floor_wall, 6e-3, 3)) return;
    for (int g = 0; g < 3; g++)
        grain[g] = (struct job_grain){.pos = {0, 0, 1.0 + 2.0 * g}, .radius = 1, .mass = 1};
    settle(t, &job, grain, 3, end);
    JOB_NEAR(t, "lowest of a column", (1.0 - end[0].pos[2]) * 100.0, 3.0, 3e-9);
    for (int g = 1; g < 3; g++)
        JOB_NEAR(t, "in a column", (2.0 - (end[g].pos[2] - end[g - 1].pos[2])) * 100.0, 3.0 - g,
                 3e-9);
}

static void check_wedge(struct mpi_test *t)
{
    struct job_grain grain = {.pos = {0, 0, 1.25}, .radius = 1, .mass = 1};
    struct job_motion end;
    struct scree_job job;
    if (!open_case(t, &job, laws[0].law, wedge, 6e-3, 1)) return;
    settle(t, &job, &grain, 1, &end);
    JOB_NEAR(t, "in a wedge", (1.0 - 0.8 * end.pos[2]) * 100.0, 1.0 / 1.6, 1e-9);
}

/* A pendulum without friction in a pipe, dashpot and all, at the bottom: load g + v^2 / l. The
 * normal of a curved wall turns, which is no acceleration of the contact. */
static double load_in_pipe(struct mpi_test *t, double dt)
{
    const double length = 2.0, height = 0.5; /* of the centre about the axis; where it starts */
    struct scree_job job;
    struct job_grain grain = {.radius = 1, .mass = 1};
    struct job_motion now = {0};
    double load = 1.0 - height / length, reach = length + load / 1e4, angle = acos(load), peak = 0;
    grain.pos[0] = reach * sin(angle);
    grain.pos[2] = 3.0 - reach * cos(angle);
    if (!open_case(t, &job, "law: linear, stiffness: 1e4, damping: 160", pipe_wall, dt, 1))
        return 0;
    job_put(&job, &grain, 1);
    job_start(t, &job);
    for (int64_t step = 1; now.pos[0] >= 0.0; step++) {
        if (!job_advance(t, &job, step)) break;
        job_find_all(&job, &now, 1);
        peak = fmax(peak, hypot(now.pos[0], now.pos[2] - 3.0) - length);
    }
    scree_job_clear(&job);
    return peak * 1e4 / (1.0 + 2.0 * height / length);
}

/* x'' = -g - k x / m - gamma x' / m, in contact all the time, after 2.5 contact times. */
static double error_of_swing(struct mpi_test *t, int per_contact)
{
    const double k = 100.0, gamma = 3.0, w = sqrt(k - gamma * gamma / 4.0), tc = acos(-1.0) / w;
    const double away = 5e-3, time = 2.5 * tc, dt = tc / per_contact;
    struct job_grain grain = {.pos = {0, 0, 1.0 - 0.01 - away}, .radius = 1, .mass = 1};
    struct job_motion end;
    struct scree_job job;
    if (!open_case(t, &job, "law: linear, stiffness: 100, damping: 3", floor_wall, dt, 1)) return 1;
    job_put(&job, &grain, 1);
    job_start(t, &job);
    job_advance(t, &job, (int64_t)(2.5 * per_contact + 0.5));
    job_find_all(&job, &end, 1);
    scree_job_clear(&job);
    double phase = cos(w * time) + 0.5 * gamma / w * sin(w * time);
    double exact = -0.01 - away * exp(-0.5 * gamma * time) * phase;
    return fabs(end.pos[2] - 1.0 - exact) / away;
}

static void check_order(struct mpi_test *t)
{
    double coarse = error_of_swing(t, 40), fine = error_of_swing(t, 80);
    MPI_TEST(t, fine < 2e-4, "swing: error %g", fine);
    MPI_TEST(t, coarse > 3.5 * fine, "swing: error %g, and %g with half the step", coarse, fine);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < (int)(sizeof laws / sizeof laws[0]); k++) check_plate(&t, k);
    check_column(&t);
    check_wedge(&t);
    check_order(&t);
    JOB_NEAR(&t, "at the bottom of a pipe", load_in_pipe(&t, 2e-3), 1.0, 3e-4);
    return mpi_test_end(&t);
}
