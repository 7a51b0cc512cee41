/* SPDX-License-Identifier: BSD-3-Clause
 * A sphere on an incline that rolls, is held by rolling resistance or sticks (VALIDATION A9), and
 * spheres on a plane that lose their spin to rolling and torsion resistance. */
#include "job_test.h"

enum { LONG_RUN = MPI_TEST_SANITIZED ? 20000 : 1000000 };

static const double a = 2.5e-3, mass = 1e-4;

/* One sphere at rest on the plane z = 0 whose gravity has a part along x. */
struct scene {
    double pull, weight; /* m/s^2; along x and down */
    double dt;
    const char *laws;
    bool upright;
    double spin[3];
};

static bool open_scene(struct mpi_test *t, const struct scene *s, struct scree_job *job)
{
    char text[1200];
    const double kn = 1e4;
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\ngravity: [%.17g, 0, %.17g]\n"
             "domain: {low: [-1, -0.1, -0.1], high: [2, 0.1, 0.1]}\nmaterials: {m: {density: 1}}\n"
             "balance: {method: hilbert}\nneighbours: {skin: 2e-3}\n"
             "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}\n"
             "contacts: [{between: [m, m], lever: radius, normal: {law: linear, stiffness: %.17g, "
             "restitution: 0.3}, %s}]\n"
             "particles: [{lattice: {material: m, radius: 2.5e-3, count: 1}}]\n",
             s->dt, s->pull, -s->weight, kn, s->laws);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    struct job_grain grain = {.pos = {0, 0, a - mass * s->weight / kn},
                              .radius = a,
                              .mass = mass,
                              .spin = {s->spin[0], s->spin[1], s->spin[2]},
                              .upright = s->upright};
    job_put(job, &grain, 1);
    return job_start(t, job);
}

static struct job_motion run(struct mpi_test *t, const struct scene *s, double time)
{
    struct scree_job job;
    struct job_motion m = {.rank = -1};
    if (!open_scene(t, s, &job)) return m;
    job_advance(t, &job, (int64_t)(time / s->dt + 0.5));
    job_find_all(&job, &m, 1);
    scree_job_clear(&job);
    return m;
}

/* m/s^2; of a sphere once its springs are loaded. */
static double acceleration(struct mpi_test *t, const struct scene *s)
{
    return (run(t, s, 0.2).vel[0] - run(t, s, 0.1).vel[0]) / 0.1;
}

#define ROLLING "rolling: {law: spring, stiffness: 2e3, damping: 0.2, friction: %g}"

/* Down a slope of 15 degrees: v = 5/7 g (sin - mu_r cos) t, or at rest. */
static void check_incline(struct mpi_test *t, const char *law)
{
    const double angle = 15.0 * acos(-1.0) / 180.0, g = 9.8;
    struct scene s = {.pull = g * sin(angle), .weight = g * cos(angle), .dt = 5e-6};
    char tangential[100], laws[400];
    snprintf(tangential, sizeof tangential, "law: %s, stiffness: 3e3, damping: 0.2, friction: 0.5",
             law);
    snprintf(laws, sizeof laws, "tangential: {%s}", tangential);
    s.laws = laws;
    struct job_motion m = run(t, &s, 0.2);
    JOB_NEAR(t, "rolling down", m.vel[0] / 0.2, 1.8117, 2e-4);
    JOB_NEAR(t, "no slip", m.spin[1] * a, m.vel[0], 1e-6);
    snprintf(laws, sizeof laws, "tangential: {%s}, " ROLLING, tangential, 0.1);
    m = run(t, &s, 0.2);
    double v = 5.0 / 7.0 * g * (sin(angle) - 0.1 * cos(angle)) * 0.2;
    JOB_NEAR(t, "rolling against resistance", m.vel[0], v, 1e-3 * v);
    snprintf(laws, sizeof laws, "tangential: {%s}, " ROLLING, tangential, 1.02 * tan(angle));
    m = run(t, &s, 0.2);
    JOB_NEAR(t, "held by rolling resistance", m.vel[0], 0.0, 1e-9);
    JOB_NEAR(t, "friction that holds", m.force[0], -mass * s.pull, 1e-6 * mass * g);
    snprintf(laws, sizeof laws, "tangential: {%s}, " ROLLING, tangential, 0.98 * tan(angle));
    v = 5.0 / 7.0 * g * 0.02 * sin(angle);
    JOB_NEAR(t, "not quite held", acceleration(t, &s), v, 1e-3 * v);
}

/* A sphere that cannot turn stays put as long as tan < mu. */
static void check_block(struct mpi_test *t, const char *law)
{
    char laws[200];
    struct scree_job job;
    struct job_motion before, m;
    struct scene s = {.pull = 4.9, .weight = 9.8, .dt = 5e-6, .laws = laws, .upright = true};
    snprintf(laws, sizeof laws,
             "tangential: {law: %s, stiffness: 3e3, damping: 0.3, friction: 0.51}", law);
    if (!open_scene(t, &s, &job)) return;
    job_advance(t, &job, 20000);
    job_find_all(&job, &before, 1);
    job_advance(t, &job, 20000 + LONG_RUN);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "friction force", m.force[0], -mass * s.pull, 1e-9 * mass);
    JOB_NEAR(t, "drift", m.pos[0], before.pos[0], 1e-9 * a);
    scree_job_clear(&job);
    snprintf(laws, sizeof laws,
             "tangential: {law: %s, stiffness: 3e3, damping: 0.3, friction: 0.49}", law);
    JOB_NEAR(t, "slides beyond", acceleration(t, &s), 4.9 - 0.49 * 9.8, 1e-3);
}

/* Without friction: omega = omega0 - 5 mu g t / (2 a) about either axis, then rest. */
static void check_spin_down(struct mpi_test *t, const char *laws, int axis)
{
    const double g = 10.0, mu = 0.2, spin = 300.0, rate = 2.5 * mu * g / a;
    struct scene s = {.weight = g, .dt = 5e-6, .laws = laws};
    s.spin[axis] = spin;
    double stop = spin / rate;
    struct job_motion half = run(t, &s, 0.5 * stop), rest = run(t, &s, 2.0 * stop);
    JOB_NEAR(t, "spinning down", half.spin[axis], 0.5 * spin, 1e-3 * spin);
    JOB_NEAR(t, "at rest", rest.spin[axis], 0.0, 1e-6 * spin);
    for (int k = 0; k < 3; k++)
        if (k != axis) JOB_NEAR(t, "other axes", half.spin[k], 0.0, 1e-9);
    JOB_NEAR(t, "no force along the plane", half.force[0], 0.0, 1e-12);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    static const char *const laws[] = {"spring", "fazekas", "kuhn"};
    for (int k = 0; k < (MPI_TEST_SANITIZED ? 1 : 3); k++) {
        check_incline(&t, laws[k]);
        check_block(&t, laws[k]);
    }
    const char rolling[] = "rolling: {law: spring, stiffness: 1e3, damping: 0.3, friction: 0.2}";
    const char torsion[] = "torsion: {law: spring, stiffness: 1e3, damping: 0.3, friction: 0.2}";
    check_spin_down(&t, rolling, 0);
    check_spin_down(&t, rolling, 1);
    check_spin_down(&t, torsion, 2);
    return mpi_test_end(&t);
}
