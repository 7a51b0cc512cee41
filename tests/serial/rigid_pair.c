/* SPDX-License-Identifier: BSD-3-Clause
 * A pair that turns about its common centre as one rigid body keeps its springs, as it sees them
 * itself, over a whole turn: errors are of second order in the step, but for the projected spring,
 * which loses what projection takes, 1 - cos(angle of a step) per step. */
#include "job_test.h"
#include "scree/vec.h"

static const double pi = 3.14159265358979323846, distance = 1.98;

struct law {
    const char *name, *text;
    bool projected, couple; /* is it a couple that is kept? */
};
#define LINEAR "normal: {law: linear, stiffness: 1e3}, tangential: "
static const struct law laws[] = {
    {"spring", LINEAR "{law: spring, stiffness: 300, friction: 10}", true, false},
    {"fazekas", LINEAR "{law: fazekas, stiffness: 300, friction: 10}", false, false},
    {"kuhn", LINEAR "{law: kuhn, stiffness: 300, friction: 10}", false, false},
    {"mindlin",
     "normal: {law: hertz, young: 1e3, poisson: 0.3}, tangential: {law: mindlin, friction: 10}",
     false, false},
    {"rolling", LINEAR "{law: none}, rolling: {law: spring, stiffness: 100, friction: 10}", false,
     true},
};
enum { N_LAWS = sizeof laws / sizeof laws[0] };

/* v turned about the unit vector `axis`. */
static void turn(const double v[3], const double axis[3], double angle, double out[3])
{
    double across[3], along = scree_vec_dot(axis, v), c = cos(angle), s = sin(angle);
    scree_vec_cross(axis, v, across);
    for (int a = 0; a < 3; a++) out[a] = c * v[a] + s * across[a] + (1.0 - c) * along * axis[a];
}

/* One step that takes both grains to their places after a turn by `angle` since the start. */
static void step_to(struct mpi_test *t, struct scree_job *job, const double axis[3], double angle,
                    double by)
{
    struct scree_particles *p = job->run.scene.particles;
    double dt = job->run.scene.dt;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        const double first[3] = {p->gid[i] == 1 ? 0.5 * distance : -0.5 * distance, 0, 0};
        double to[3];
        turn(first, axis, angle, to);
        for (int a = 0; a < 3; a++) {
            p->vel[i][a] = (to[a] - p->pos[i][a]) / dt;
            p->spin[i][a] = axis[a] * by / dt;
        }
    }
    job_advance(t, job, scree_run_step(&job->run) + 1);
}

static void spring_of(struct scree_job *job, const struct law *law, double spring[3])
{
    struct job_motion m[2];
    job_find_all(job, m, 2);
    for (int a = 0; a < 3; a++) spring[a] = law->couple ? m[0].torque[a] : m[0].force[a];
    if (law->couple) return;
    double n[3] = {m[0].pos[0] / (0.5 * distance), m[0].pos[1] / (0.5 * distance),
                   m[0].pos[2] / (0.5 * distance)};
    double along = scree_vec_dot(n, spring);
    for (int a = 0; a < 3; a++) spring[a] -= along * n[a];
}

/* Part by which the spring is off after a whole turn, seen by the grains. */
static double error_of(struct mpi_test *t, const struct law *law, const double axis[3], int steps)
{
    char text[2000];
    struct scree_job job;
    struct job_grain grain[2];
    double first[3], last[3], back[3], off = 0.0;
    snprintf(text, sizeof text,
             "time: {step: 1e-3, steps: 1}\ndomain: {low: [-9, -9, -9], high: [9, 9, 9]}\n"
             "materials: {m: {density: 1}}\ncontacts: [{between: [m, m], %s}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: 2}}]\n",
             law->text);
    if (!job_open(t, &job, job_self(), text, NULL)) return NAN;
    for (int k = 0; k < 2; k++)
        grain[k] = (struct job_grain){
            .pos = {k == 0 ? 0.5 * distance : -0.5 * distance, 0, 0}, .radius = 1, .mass = 1e15};
    job_put(&job, grain, 2);
    job_start(t, &job);
    struct scree_particles *p = job.run.scene.particles; /* to load the spring */
    for (scree_lid i = 0; i < p->n_owned; i++) {
        p->spin[i][1] = 3.0 * (p->gid[i] == 1 || !law->couple ? 1.0 : -1.0);
        p->spin[i][2] = 5.0 * (p->gid[i] == 1 || !law->couple ? 1.0 : -1.0);
    }
    job_advance(t, &job, 2);
    for (int k = 0; k < 2; k++) step_to(t, &job, axis, 0.0, 0.0);
    spring_of(&job, law, first);
    double by = 2.0 * pi / steps;
    for (int k = 1; k <= steps; k++) step_to(t, &job, axis, by * k, by);
    spring_of(&job, law, last);
    scree_job_clear(&job);
    turn(last, axis, -2.0 * pi, back);
    for (int a = 0; a < 3; a++) off += (back[a] - first[a]) * (back[a] - first[a]);
    return sqrt(off) / scree_vec_norm(first);
}

/* About an axis across the line of centres, and about an oblique one. */
static void check(struct mpi_test *t, const struct law *law)
{
    const double across[3] = {0, 0, 1}, oblique[3] = {0.6, 0.48, 0.64};
    const int steps[2] = {1000, 10000};
    for (int k = 0; k < 2 && law->projected; k++) {
        double taken = 1.0 - pow(cos(2.0 * pi / steps[k]), steps[k]);
        double error = error_of(t, law, across, steps[k]), turned = 5.0 / hypot(3.0, 5.0);
        JOB_NEAR(t, "part that is lost of a projected spring", error, taken * turned,
                 1e-3 * taken * turned);
    }
    for (int k = 0; k < 2 && !law->projected; k++) {
        const double *axis = k == 0 ? across : oblique;
        double coarse = error_of(t, law, axis, steps[0]), fine = error_of(t, law, axis, steps[1]);
        MPI_TEST(t, coarse < 1e-5 && fine < 0.02 * coarse + 1e-11,
                 "%s: off by %g, by %g in smaller steps", law->name, coarse, fine);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int l = 0; l < N_LAWS; l++) check(&t, &laws[l]);
    return mpi_test_end(&t);
}
