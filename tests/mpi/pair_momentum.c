/* SPDX-License-Identifier: BSD-3-Clause
 * An oblique collision of two spinning grains with friction: contact forces that cancel exactly in
 * every step, momentum, angular momentum with either lever, and when a clipped contact ends. */
#include "job_test.h"

static const struct job_grain oblique[2] = {
    {.pos = {-0.7e-3, 0.31e-3, 0.1e-3},
     .radius = 0.6e-3,
     .mass = 2e-6,
     .vel = {1.5, 0.4, -0.3},
     .spin = {300.0, -800.0, 500.0}},
    {.pos = {0.95e-3, -0.2e-3, 0.0},
     .radius = 1.2e-3,
     .mass = 5e-6,
     .vel = {-0.7, 0.2, 0.6},
     .spin = {-100.0, 200.0, 900.0}},
};

static bool open_pair(struct mpi_test *t, struct scree_job *job, const char *lever, double dt,
                      const char *normal, const char *tangential)
{
    char text[1000];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\n"
             "domain: {low: [-0.01, -0.01, -0.01], high: [0.01, 0.01, 0.01]}\n"
             "materials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], lever: %s, normal: {law: linear, stiffness: 1e4, %s}, "
             "tangential: {%s}}]\n"
             "particles: [{lattice: {material: m, radius: 1e-3, count: 2}}]\n",
             dt, lever, normal, tangential);
    return job_open(t, job, t->comm, text, NULL);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

struct momenta {
    double linear[3], angular[3];
};

static struct momenta measure(const struct job_grain *grain, const struct job_motion *motion)
{
    struct momenta sum = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        double orbit[3], inertia = 0.4 * grain[k].mass * grain[k].radius * grain[k].radius;
        cross(motion[k].pos, motion[k].vel, orbit);
        for (int a = 0; a < 3; a++) {
            sum.linear[a] += grain[k].mass * motion[k].vel[a];
            sum.angular[a] += grain[k].mass * orbit[a] + inertia * motion[k].spin[a];
        }
    }
    return sum;
}

static double largest_change(const double a[3], const double b[3])
{
    double change = 0.0;
    for (int k = 0; k < 3; k++) change = fmax(change, fabs(a[k] - b[k]));
    return change / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Relative drift of momentum and angular momentum over the whole collision. */
static void check_oblique(struct mpi_test *t, const char *lever, double least, double most)
{
    struct scree_job job;
    struct job_motion motion[2];
    if (!open_pair(t, &job, lever, 2e-7, "damping: 0.02",
                   "law: spring, stiffness: 3e3, damping: 0.01, friction: 0.4"))
        return;
    job_put(&job, oblique, 2);
    job_start(t, &job);
    job_find_all(&job, motion, 2);
    struct momenta before = measure(oblique, motion);
    int n_touching = 0, n_unbalanced = 0;
    for (int step = 1; step <= 400; step++) {
        job_advance(t, &job, step);
        job_find_all(&job, motion, 2);
        n_touching += motion[0].force[0] != 0.0 && motion[0].torque[2] != 0.0;
        n_unbalanced += !job_is_balanced(&job, false);
    }
    struct momenta after = measure(oblique, motion);
    double change = largest_change(before.angular, after.angular);
    MPI_TEST(t, n_touching > 50 && n_touching < 300, "touching in %d steps", n_touching);
    MPI_TEST(t, n_unbalanced == 0, "forces do not cancel in %d steps", n_unbalanced);
    JOB_NEAR(t, "momentum", largest_change(before.linear, after.linear), 0.0, 1e-12);
    MPI_TEST(t, change >= least && change <= most, "lever %s: angular momentum drifts by %g", lever,
             change);
    scree_job_clear(&job);
}

/* A2: the force of a clipped contact ends at t0 = [pi - atan(2 b w / (w^2 - b^2))] / w, before the
 * surfaces part; it never attracts. */
static void check_clipped_end(struct mpi_test *t, double damping)
{
    const double m12 = 0.42e-5, k = 1e4, b = damping / (2.0 * m12), w = sqrt(k / m12 - b * b);
    const double t0 = (acos(-1.0) - atan2(2.0 * b * w, w * w - b * b)) / w, dt = t0 / 500;
    struct job_grain grain[2] = {
        {.pos = {-1e-3, 0, 0}, .radius = 1e-3, .mass = 2.0 * m12, .vel = {0.5, 0, 0}},
        {.pos = {1e-3, 0, 0}, .radius = 1e-3, .mass = 2.0 * m12, .vel = {-0.5, 0, 0}}};
    struct scree_job job;
    struct job_motion motion[2];
    char normal[80];
    int last = 0, n_attract = 0;
    snprintf(normal, sizeof normal, "damping: %g, tension: clip", damping);
    if (!open_pair(t, &job, "contact", dt, normal, "law: none")) return;
    job_put(&job, grain, 2);
    job_start(t, &job);
    for (int step = 1; step <= 700; step++) {
        job_advance(t, &job, step);
        job_find_all(&job, motion, 2);
        if (motion[0].force[0] < 0.0) last = step;
        n_attract += motion[0].force[0] > 0.0;
    }
    MPI_TEST(t, n_attract == 0, "attraction in %d steps", n_attract);
    JOB_NEAR(t, "end of a clipped contact / t0", (double)last / 500.0, 1.0, 0.005);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_oblique(&t, "contact", 0.0, 1e-12);
    check_oblique(&t, "radius", 1e-4, 1.0);
    check_clipped_end(&t, 0.03);
    check_clipped_end(&t, 0.15);
    return mpi_test_end(&t);
}
