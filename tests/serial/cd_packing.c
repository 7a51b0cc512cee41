/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics of a small packing with friction: Bagnold's scaling bit for bit (VALIDATION B7),
 * warm against cold starts, the energy ledger and the same answer from all ways to solve a step;
 * and drives that meet grains. */
#include <float.h>

#include "cd_test.h"

enum { SIDE = 8, N = SIDE * SIDE, THROWN = MPI_TEST_SANITIZED ? 60 : 250 };

/* Disks of three sizes, thrown into a box that is as wide as eight of them. */
struct packing {
    double dt, gravity, speed;
    const char *solver, *rigid, *scheme;
};

static double draw(unsigned *seed)
{
    *seed = 1664525U * *seed + 1013904223U;
    return (double)*seed / 4294967296.0;
}

static bool open_packing(struct mpi_test *t, const struct packing *s, struct scree_job *job)
{
    char text[1200];
    struct job_grain grain[N];
    unsigned seed = 7;
    for (int k = 0; k < N; k++) {
        double r = 0.35 + 0.05 * (k % 3);
        double vx = s->speed * (2.0 * draw(&seed) - 1.0), vy = s->speed * (2.0 * draw(&seed) - 1.0);
        grain[k] = (struct job_grain){.pos = {k % SIDE + 0.5, k / SIDE + 0.5, 0},
                                      .vel = {vx, vy, 0},
                                      .radius = r,
                                      .mass = 4.0 * r * r};
    }
    snprintf(text, sizeof text,
             "method: cd\ndimension: 2\ntime: {step: %.17g, steps: 1, scheme: %s}\n"
             "gravity: [0, %.17g, 0]\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [-1, -1, 0], high: [9, 19, 1]}\n"
             "boundaries:\n"
             "  bottom: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}\n"
             "  left: {shape: plane, material: m, point: [0, 0, 0], normal: [1, 0, 0]}\n"
             "  right: {shape: plane, material: m, point: [8, 0, 0], normal: [-1, 0, 0]}\n"
             "solver: {%s}\ncontacts: [{between: [m, m], rigid: {%s}}]\n"
             "particles: [{lattice: {material: m, radius: 0.25, count: %d}}]\n",
             s->dt, s->scheme, -s->gravity, s->solver, s->rigid, N);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    job_put(job, grain, N);
    return job_start(t, job);
}

/* Numbers that have decayed to less than the smallest with all their bits have lost some. */
static bool scales(double a, double b, double factor)
{
    return factor * a == b || fabs(b) < DBL_MIN;
}

/* B7: four times the forces in half the time: the same places at twice the speed. */
static void check_scaling(struct mpi_test *t, const char *scheme, const char *rigid)
{
    struct packing slow = {0.02, 1.0, 0.5, "blocks: 20", rigid, scheme};
    struct packing fast = {0.01, 4.0, 1.0, "blocks: 20", rigid, scheme};
    struct scree_job a, b;
    struct job_motion m[N], n[N];
    int wrong = 0;
    if (!open_packing(t, &slow, &a)) return;
    if (!open_packing(t, &fast, &b)) return;
    job_advance(t, &a, THROWN);
    job_advance(t, &b, THROWN);
    job_find_all(&a, m, N);
    job_find_all(&b, n, N);
    double force = 0.0;
    for (int k = 0; k < N; k++)
        for (int c = 0; c < 3; c++) {
            wrong += m[k].pos[c] != n[k].pos[c];
            wrong += !scales(m[k].vel[c], n[k].vel[c], 2) + !scales(m[k].spin[c], n[k].spin[c], 2);
            wrong += !scales(m[k].force[c], n[k].force[c], 4);
            wrong += !scales(m[k].torque[c], n[k].torque[c], 4);
            force += fabs(m[k].force[c]);
        }
    MPI_TEST(t, wrong == 0, "%d numbers of %d do not scale", wrong, 15 * N);
    MPI_TEST(t, force > 0.0, "no forces at all");
    scree_job_clear(&a);
    scree_job_clear(&b);
}

/* The ledger of a packing that falls and comes to rest. */
static double settle(struct mpi_test *t, const char *scheme, double dt)
{
    struct packing s = {dt, 1.0, 0.5, "residual: 1e-4", "friction: 0.5, rolling: 0.1", scheme};
    struct scree_job job;
    struct job_energies e;
    if (!open_packing(t, &s, &job)) return NAN;
    job_advance_for(t, &job, (int64_t)(6.0 / dt + 0.5), &e);
    MPI_TEST(t, e.loss[SCREE_CD_LOSS_SLIDING] > 0.0, "friction makes energy");
    MPI_TEST(t, e.loss[SCREE_CD_LOSS_ROLLING] > 0.0, "rolling makes energy");
    MPI_TEST(t, e.loss[SCREE_CD_LOSS_IMPACT] > 0.0, "impacts make energy");
    MPI_TEST(t, e.kinetic + e.rotational < 0.01 * e.turnover, "kinetic energy %g of %g", e.kinetic,
             e.turnover);
    scree_job_clear(&job);
    return job_closure(&e);
}

/* Both schemes book gravity where its work is exact. */
static void check_ledger(struct mpi_test *t)
{
    JOB_NEAR(t, "closure of euler", settle(t, "euler", 0.02), 0.0, 1e-12);
    JOB_NEAR(t, "closure of the midpoint rule", settle(t, "moreau", 0.02), 0.0, 1e-12);
}

enum { SETTLED = 600, CALM = 620, END = 630 };

/* A packing at rest, which is solved in the way under test while gravity slowly turns. Returns the
 * sweeps of that. */
static int64_t turn_gravity(struct mpi_test *t, bool warm, int order, struct job_motion *m)
{
    struct packing s = {0.02, 1.0, 0.5, "most: 20000", "friction: 0.5", "euler"};
    struct scree_job job;
    if (!open_packing(t, &s, &job)) return -1;
    struct scree_cd *cd = job.run.state;
    struct scree_cd_values *values = job.run.values;
    job_advance(t, &job, SETTLED);
    values->residual = 1e-6;
    job_advance(t, &job, CALM);
    values->warm_start = warm;
    values->order = order;
    cd->total_sweeps = cd->n_failed = 0;
    for (int64_t k = CALM + 1; k <= END; k++) {
        job.run.scene.gravity[0] = 1e-4 * (double)(k - CALM);
        job_advance(t, &job, k);
    }
    job_find_all(&job, m, N);
    int64_t sweeps = cd->total_sweeps;
    MPI_TEST(t, cd->n_failed == 0, "%d steps not solved", (int)cd->n_failed);
    scree_job_clear(&job);
    return sweeps;
}

static double largest_difference(const struct job_motion *m, const struct job_motion *n)
{
    double largest = 0.0;
    for (int k = 0; k < N; k++)
        for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(m[k].vel[c] - n[k].vel[c]));
    return largest;
}

/* The start and the order of contacts do not matter for velocities, and warm starts save most of
 * the sweeps. */
static void check_starts(struct mpi_test *t)
{
    struct job_motion m[3][N];
    int64_t warm = turn_gravity(t, true, SCREE_CD_ORDER_DRAWN, m[0]);
    int64_t cold = turn_gravity(t, false, SCREE_CD_ORDER_DRAWN, m[1]);
    int64_t fixed = turn_gravity(t, false, SCREE_CD_ORDER_FIXED, m[2]);
    /* Of g dt: the residual 1e-6 of impulses of up to 8 layers and some 130 contacts, which the
     * slowest modes of 8 layers amplify by 64. */
    JOB_NEAR(t, "cold against warm", largest_difference(m[0], m[1]) / 0.02, 0.0, 6e-3);
    JOB_NEAR(t, "another order", largest_difference(m[1], m[2]) / 0.02, 0.0, 6e-3);
    MPI_TEST(t, 3 * warm < fixed, "%d sweeps with a warm start, %d without", (int)warm, (int)fixed);
    MPI_TEST(t, 3 * warm < cold, "%d sweeps with a warm start, %d without", (int)warm, (int)cold);
}

/* A grain between two that are driven together and past each other: it gives way, and the two,
 * which nothing can stop, do no harm. */
static void check_driven(struct mpi_test *t)
{
    struct cd_scene s = {.dt = 0.01, .rigid = "friction: 0.3"};
    struct job_grain grain[3] = {{.radius = 0.5, .mass = 1.0, .vel = {0.1, 0, 0}, .driven = true},
                                 {.pos = {1.05, 0, 0}, .radius = 0.5, .mass = 1.0, .driven = true},
                                 {.pos = {0, 1.02, 0}, .radius = 0.5, .mass = 1.0}};
    struct job_motion m[3];
    struct scree_job job;
    grain[2].vel[1] = -0.1;
    if (!cd_open(t, &s, grain, 3, &job)) return;
    job_advance(t, &job, 100);
    job_find_all(&job, m, 3);
    JOB_NEAR(t, "driven", m[0].pos[0], 0.1, 1e-14);
    JOB_NEAR(t, "held", m[1].vel[0], 0.0, 0.0);
    MPI_TEST(t, cd_outcome(&job)->converged && isfinite(m[2].vel[0]), "not solved");
    double dx = m[2].pos[0] - m[0].pos[0], dy = m[2].pos[1] - m[0].pos[1];
    MPI_TEST(t, sqrt(dx * dx + dy * dy) > 1.0 - 1e-6, "overlap %g", 1.0 - sqrt(dx * dx + dy * dy));
    scree_job_clear(&job);
}

/* A plane that rises under a grain takes it along, at once and without a gap. */
static void check_rising_plane(struct mpi_test *t, const char *scheme)
{
    char text[900];
    const double speed = 0.3, dt = 0.01, g = 2.0;
    struct job_grain grain = {.pos = {0, 0, 0.5}, .radius = 0.5, .mass = 3.0};
    struct job_motion m;
    struct job_energies e;
    struct scree_job job;
    snprintf(text, sizeof text,
             "method: cd\ntime: {step: %.17g, steps: 1, scheme: %s}\ngravity: [0, 0, %.17g]\n"
             "materials: {m: {density: 1}}\ndomain: {low: [-9, -9, -9], high: [9, 9, 9]}\n"
             "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], "
             "velocity: [0, 0, %.17g]}}\n"
             "contacts: [{between: [m, m], rigid: {}}]\n"
             "particles: [{lattice: {material: m, radius: 0.25, count: 1}}]\n",
             dt, scheme, -g, speed);
    if (!job_open(t, &job, job_self(), text, NULL)) return;
    job_put(&job, &grain, 1);
    if (!job_start(t, &job)) return;
    job_advance_for(t, &job, 100, &e);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "speed of the grain", m.vel[2], speed, 1e-12);
    JOB_NEAR(t, "its force", m.force[2], 3.0 * g, 1e-9);
    double gap = m.pos[2] - 0.5 - 100 * dt * speed, half = 0.5 * speed * dt;
    bool moreau = strcmp(scheme, "moreau") == 0;
    JOB_NEAR(t, "gap", gap, moreau ? -half : 0.0, 1e-12);
    double work = 3.0 * (g * m.pos[2] - g * 0.5 + 0.5 * speed * speed);
    JOB_NEAR(t, "work of the plane", -e.loss[SCREE_CD_LOSS_DRIVES] - e.loss[SCREE_CD_LOSS_IMPACT],
             work, moreau ? 1e-12 : 3.0 * g * half + 1e-12);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_scaling(&t, "euler", "friction: 0.5, restitution: 0.5, rolling: 0.1");
    if (!MPI_TEST_SANITIZED) {
        check_scaling(&t, "moreau", "friction: 0.5, restitution: 0.5");
        check_ledger(&t);
        check_starts(&t);
    }
    check_driven(&t);
    check_rising_plane(&t, "euler");
    check_rising_plane(&t, "moreau");
    return mpi_test_end(&t);
}
