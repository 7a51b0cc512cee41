/* SPDX-License-Identifier: BSD-3-Clause
 * Springs at walls that move: a grain too heavy to be moved lies on a plane, which slides or turns
 * below it; the tangential force is that of the way of the wall, whatever its motion. */
#include "job_test.h"

static const double end = 0.1, overlap = 0.01, arm = 2.0;

struct law {
    const char *name, *text;
    double kt;    /* N/m */
    double turns; /* part of the spin of the wall with which the spring turns */
};

#define LINEAR "normal: {law: linear, stiffness: 1e3}, tangential: "
/* 8 G* a, a grain of radius 1 on a plane of the same material. */
#define MINDLIN_KT (8.0 * 1e4 / (4.0 * (2.0 - 0.25) * 1.25) * 0.1)
static const struct law laws[] = {
    {"spring", LINEAR "{law: spring, stiffness: 500, friction: 1e3}", 500.0, 0.0},
    {"spring, damped", LINEAR "{law: spring, stiffness: 500, friction: 1e3, damping: 1e-9}", 500.0,
     0.0},
    {"fazekas", LINEAR "{law: fazekas, stiffness: 500, friction: 1e3}", 500.0, 0.5},
    {"kuhn", LINEAR "{law: kuhn, stiffness: 500, friction: 1e3}", 500.0, 0.5},
    {"mindlin",
     "normal: {law: hertz, young: 1e4, poisson: 0.25}, tangential: {law: mindlin, friction: 1e3}",
     MINDLIN_KT, 0.5},
};
enum { N_LAWS = sizeof laws / sizeof laws[0] };

/* The force on the grain over kt at the end of `steps` steps. */
static void measure(struct mpi_test *t, const struct law *law, const char *motion, int steps,
                    double spring[3])
{
    char text[2000];
    struct scree_job job;
    struct job_motion m;
    const struct job_grain grain = {.pos = {arm, 0, 1.0 - overlap}, .radius = 1, .mass = 1e15};
    snprintf(
        text, sizeof text,
        "time: {step: %.17g, steps: %d}\ndomain: {low: [-9, -9, -9], high: [9, 9, 9]}\n"
        "materials: {m: {density: 1}}\ncontacts: [{between: [m, m], %s}]\n"
        "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], %s}}\n"
        "particles: [{lattice: {material: m, radius: 1, count: 1}}]\n",
        end / steps, steps, law->text, motion);
    for (int a = 0; a < 3; a++) spring[a] = NAN;
    if (!job_open(t, &job, job_self(), text, NULL)) return;
    job_put(&job, &grain, 1);
    if (job_start(t, &job) && job_advance(t, &job, steps)) {
        job_find_all(&job, &m, 1);
        for (int a = 0; a < 3; a++) spring[a] = m.force[a] / law->kt;
    }
    scree_job_clear(&job);
}

static const struct {
    const char *text;
    double path; /* m, along y; at the end */
} slides[] = {
    {"move: {law: cosine, direction: [0, 1, 0], distance: 2e-2, duration: 0.15}", 1.5e-2},
    {"move: {law: oscillate, direction: [0, 1, 0], amplitude: 1e-2, frequency: 2.5}", 1e-2},
    {"move: {law: ramp, direction: [0, 1, 0], rate: 0.2, rise: 0.1}", 1e-2},
    {"move: {law: table, direction: [0, 1, 0], times: [0, 0.04, 0.1], path: [0, 2e-3, 1.1e-2]}",
     1.1e-2},
    {"move: {law: constant, direction: [0, 1, 0], rate: 0.2, start: 0.033}", 0.2 * 0.067},
};

/* The whole path, in however few steps, by spring and dashpot alike. */
static void check_slides(struct mpi_test *t, const struct law *law)
{
    for (int k = 0; k < (int)(sizeof slides / sizeof slides[0]); k++) {
        double spring[3], path = slides[k].path;
        measure(t, law, slides[k].text, 37, spring);
        MPI_TEST(t, fabs(spring[0]) < 1e-12 && fabs(spring[1] - path) < 1e-10 * path,
                 "%s: a spring of %.12g m after %.12g m: %s", law->name, spring[1], path,
                 slides[k].text);
    }
}

/* The surface turns below the grain by an angle A, and the spring by a part q of it: it is
 * arm (cos(qA) - 1, sin(qA)) / q along x and y. Errors are of second order. */
static void check_turn(struct mpi_test *t, const struct law *law)
{
    const double turned = 0.4, q = law->turns;
    const double x = q > 0.0 ? arm * (cos(q * turned) - 1.0) / q : 0.0;
    const double y = q > 0.0 ? arm * sin(q * turned) / q : arm * turned;
    double error[2], spring[3];
    for (int k = 0; k < 2; k++) {
        measure(t, law, "rotate: {law: ramp, rate: 8, rise: 0.1}", k == 0 ? 50 : 200, spring);
        error[k] = hypot(spring[0] - x, spring[1] - y);
    }
    MPI_TEST(t, error[0] < 1e-4 * arm, "%s: off by %g m of %g", law->name, error[0], y);
    MPI_TEST(t, error[1] < error[0] / 12.0 + 1e-12, "%s: off by %g m, then by %g", law->name,
             error[0], error[1]);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int l = 0; l < N_LAWS; l++) {
        check_slides(&t, &laws[l]);
        check_turn(&t, &laws[l]);
    }
    return mpi_test_end(&t);
}
