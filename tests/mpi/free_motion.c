/* SPDX-License-Identifier: BSD-3-Clause
 * Motion without friction between grains: free fall, background friction (VALIDATION A16), frozen
 * groups, the order of the integrator (J1) and the modes of a chain of beads (D1). */
#include "job_test.h"

static const double pi = 3.14159265358979323846;

static void check_fall(struct mpi_test *t)
{
    static const char text[] =
        "time: {step: 1e-3, steps: 1}\ngravity: [0.3, -0.2, -9.81]\n"
        "domain: {low: [-1, -1, -1], high: [1, 1, 1], periodic: [x]}\n"
        "materials: {m: {density: 1000}}\nneighbours: {skin: 0.1}\nbalance: {method: hilbert}\n"
        "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]\n"
        "particles: [{lattice: {material: m, radius: 1e-2, count: 3}}]\n";
    struct job_grain grain[3];
    struct job_motion m[3];
    struct scree_job job;
    for (int k = 0; k < 3; k++)
        grain[k] = (struct job_grain){.pos = {0.1 * k, 0.2 * k, 0.3},
                                      .radius = 1e-2,
                                      .mass = pow(10.0, k),
                                      .vel = {1.5, -0.5 * k, 3.0},
                                      .spin = {1.0 * k, 2.0, 3.0}};
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, grain, 3);
    job_start(t, &job);
    job_advance(t, &job, 2000);
    job_find_all(&job, m, 3);
    double time = scree_run_time(&job.run);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) {
            double v = grain[k].vel[a] + job.run.scene.gravity[a] * time;
            double x =
                grain[k].pos[a] + (grain[k].vel[a] + 0.5 * job.run.scene.gravity[a] * time) * time;
            JOB_NEAR(t, "falling speed", m[k].vel[a], v, 1e-11);
            JOB_NEAR(t, "fallen distance", m[k].pos[a], x, 1e-11);
            JOB_NEAR(t, "spin", m[k].spin[a], grain[k].spin[a], 0.0);
        }
    scree_job_clear(&job);
}

/* A16: speeds of grains of mass 1, 2 and 0.5 kg under friction of 3 kg/s; the energy they lost must
 * be that of the ledger. */
static const double background_mass[3] = {1.0, 2.0, 0.5};

static void slow_down(struct mpi_test *t, const char *integrator, double dt, double gravity,
                      double end, double speed[3])
{
    char text[600];
    struct job_grain grain[3];
    struct job_motion m[3];
    struct scree_job job;
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1, integrator: %s}\ngravity: [0, 0, %g]\n"
             "background_friction: 3\n"
             "domain: {low: [0, 0, 0], high: [1, 1, 1]}\nmaterials: {m: {density: 1000}}\n"
             "neighbours: {skin: 1}\nbalance: {method: hilbert}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]\n"
             "particles: [{lattice: {material: m, radius: 1e-2, count: 3}}]\n",
             dt, integrator, -gravity);
    for (int k = 0; k < 3; k++)
        grain[k] = (struct job_grain){.pos = {0.3 * k, 0.5, 0.5},
                                      .radius = 1e-2,
                                      .mass = background_mass[k],
                                      .vel = {0, 0, 2.0}};
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, grain, 3);
    job_start(t, &job);
    job_advance(t, &job, (int64_t)lround(end / dt));
    job_find_all(&job, m, 3);
    struct job_energies e;
    double lost = 0.0;
    job_energies(&job, &e);
    for (int k = 0; k < 3; k++) {
        double mass = background_mass[k], fallen = grain[k].pos[2] - m[k].pos[2];
        speed[k] = m[k].vel[2];
        lost += 0.5 * mass * (4.0 - speed[k] * speed[k]) + mass * gravity * fallen;
    }
    JOB_NEAR(t, "lost to background", e.loss[SCREE_LOSS_BACKGROUND] / lost, 1.0, 2e-3);
    JOB_NEAR(t, "closure", job_closure(&e), 0.0, 2e-3);
    scree_job_clear(&job);
}

/* Gear's integrator is of third order here: it predicts the first speeds without knowing the third
 * derivative. */
static void check_background(struct mpi_test *t, const char *integrator, double order,
                             double order_within)
{
    double coarse[3], fine[3], end[3];
    slow_down(t, integrator, 0.02, 0.0, 1.0, coarse);
    slow_down(t, integrator, 0.01, 0.0, 1.0, fine);
    slow_down(t, integrator, 0.02, 9.81, 30.0, end);
    for (int k = 0; k < 3; k++) {
        double mass = background_mass[k], exact = 2.0 * exp(-3.0 / mass);
        JOB_NEAR(t, "decay", fine[k] / exact, 1.0, 3e-3);
        JOB_NEAR(t, "order", log2((coarse[k] - exact) / (fine[k] - exact)), order, order_within);
        JOB_NEAR(t, "terminal speed", end[k], -mass * 9.81 / 3.0, 1e-12);
    }
}

/* A frozen grain of one group rests, one of another moves as told, though they are hit. */
static void check_frozen(struct mpi_test *t)
{
    static const char text[] =
        "time: {step: 1e-3, steps: 1}\ngravity: [0, 0, -10]\nbackground_friction: 0.1\n"
        "domain: {low: [0, 0, 0], high: [4, 4, 4]}\nbalance: {method: hilbert}\n"
        "materials: {a: {density: 1}, b: {density: 1}, c: {density: 1}}\n"
        "contacts:\n"
        "- {between: [a, a], normal: {law: linear, stiffness: 1e4}}\n"
        "- {between: [a, b], normal: {law: linear, stiffness: 1e4}}\n"
        "- {between: [a, c], normal: {law: linear, stiffness: 1e4}}\n"
        "particles:\n"
        "- lattice: {material: b, radius: 0.4, count: 1, low: [0, 0, 1], high: [1, 1, 2]}\n"
        "- lattice: {material: c, radius: 0.4, count: 1, low: [2, 0, 1], high: [3, 1, 2]}\n"
        "- lattice: {material: a, radius: 0.4, count: 1, low: [0, 0, 2], high: [1, 1, 3]}\n"
        "- lattice: {material: a, radius: 0.4, count: 1, low: [2, 0, 2], high: [3, 1, 3]}\n"
        "groups: {rest: {material: b}, drive: {material: c, velocity: [0.25, 0.5, -0.125]}}\n";
    struct job_motion before[4], after[4];
    struct scree_job job;
    int64_t n_hits = 0;
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_start(t, &job);
    job_find_all(&job, before, 4);
    for (int step = 10; step <= 500; step += 10) {
        job_advance(t, &job, step);
        job_find_all(&job, after, 4);
        for (int k = 0; k < 2; k++) n_hits += after[k].force[2] != 0.0;
    }
    double v[2][3] = {{0, 0, 0}, {0.25, 0.5, -0.125}}, time = scree_run_time(&job.run);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 3; a++) {
            double x = before[k].pos[a] + v[k][a] * time;
            JOB_NEAR(t, "frozen speed", after[k].vel[a], v[k][a], 0.0);
            JOB_NEAR(t, "frozen place", after[k].pos[a], x, k == 0 ? 0.0 : 1e-13);
        }
    MPI_TEST(t, n_hits > 0 && after[2].vel[2] != 0.0, "nobody was hit");
    scree_job_clear(&job);
}

struct elastic {
    const struct scree_particles *p;
    struct scree_exact sum; /* of overlap^2 / 2 */
};

static void add_elastic(void *context, const struct scree_contact_view *c)
{
    struct elastic *e = context;
    const double *a = e->p->pos[c->i], *b = e->p->pos[c->j];
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    double overlap = a[3] + b[3] - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    scree_exact_add(&e->sum, 0.5 * overlap * overlap);
}

/* J1: rms deviation of the energy of an elastic gas of soft spheres from its start. */
static double energy_error(struct mpi_test *t, int per_time)
{
    char text[800];
    struct scree_job job;
    double error = 0.0, first = 0.0;
    struct job_energies energies;
    enum { SAMPLES = 30 };
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\nseed: 5\n"
             "domain: {low: [0, 0, 0], high: [10, 10, 10], periodic: [x, y, z]}\n"
             "materials: {m: {density: 1.9098593171027440}}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 100}}]\n"
             "particles: [{lattice: {material: m, radius: 0.5, spacing: 1, speed: 1}}]\n",
             0.02 / per_time);
    if (!job_open(t, &job, t->comm, text, NULL)) return NAN;
    job_start(t, &job);
    for (int k = 0; k <= SAMPLES; k++) {
        struct elastic e = {.p = job.run.scene.particles};
        job_advance(t, &job, (int64_t)k * per_time);
        job_energies(&job, &energies);
        scree_exact_clear(&e.sum);
        scree_contacts_visit(job.run.scene.contacts, e.p, add_elastic, &e);
        scree_comm_sum_exact(job.comm, &e.sum, 1);
        double energy = energies.kinetic + 100.0 * scree_exact_value(&e.sum);
        if (k == 0) first = energy;
        error += (energy / first - 1.0) * (energy / first - 1.0) / SAMPLES;
    }
    scree_job_clear(&job);
    return sqrt(error);
}

static void check_order(struct mpi_test *t)
{
    double coarse = energy_error(t, 4), middle = energy_error(t, 8), fine = energy_error(t, 16);
    JOB_NEAR(t, "energy error, first halving", coarse / middle, 4.0, 0.3);
    JOB_NEAR(t, "energy error, second halving", middle / fine, 4.0, 0.3);
    MPI_TEST(t, fabs(middle) < 1e-3, "energy error %g", middle);
}

/* D1: modes of a compressed ring of beads, all started at once by their velocities: a mode
 * passes through zero a quarter of its period after the start and after any number of periods. */
enum { BEADS = 200, N_MODES = 4 };
static const int modes[N_MODES] = {1, 6, 50, 99}; /* zeros in reverse order */

static void find_modes(struct scree_job *job, double amplitude[N_MODES])
{
    struct job_motion *m = scree_alloc(BEADS, sizeof *m);
    job_find_all(job, m, BEADS);
    for (int k = 0; k < N_MODES; k++) {
        amplitude[k] = 0.0;
        for (int i = 0; i < BEADS; i++)
            amplitude[k] += m[i].vel[0] * sin(2.0 * pi * modes[k] * (i + 0.5) / BEADS);
    }
    scree_alloc_free(m);
}

static void start_chain(struct scree_job *job, double spacing)
{
    struct job_grain grain[BEADS];
    for (int i = 0; i < BEADS; i++) {
        grain[i] = (struct job_grain){.pos = {(i + 0.5) * spacing, 0, 0}, .radius = 0.5, .mass = 1};
        for (int k = 0; k < N_MODES; k++)
            grain[i].vel[0] += 1e-4 * sin(2.0 * pi * modes[k] * (i + 0.5) / BEADS);
    }
    job_put(job, grain, BEADS);
}

static void check_chain(struct mpi_test *t)
{
    static const char text[] =
        "time: {step: 0.05, steps: 1}\nneighbours: {skin: 0.1}\n"
        "domain: {low: [0, -50, -50], high: [198, 50, 50], periodic: [x]}\n"
        "materials: {m: {density: 1}}\n"
        "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]\n"
        "particles: [{lattice: {material: m, radius: 0.5, count: 200}}]\n";
    struct scree_job job;
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    start_chain(&job, 0.99);
    job_start(t, &job);
    for (int k = N_MODES - 1; k >= 0; k--) {
        double omega = 2.0 * sin(pi * modes[k] / BEADS), before[N_MODES], after[N_MODES];
        double periods = k == 0 ? 0.25 : k == 1 ? 1.25 : k == 2 ? 4.25 : 5.25;
        int64_t step = (int64_t)(periods * 2.0 * pi / omega / 0.05);
        job_advance(t, &job, step);
        find_modes(&job, before);
        job_advance(t, &job, step + 1);
        find_modes(&job, after);
        double zero = (double)step + before[k] / (before[k] - after[k]);
        JOB_NEAR(t, "frequency of a mode", periods * 2.0 * pi / (zero * 0.05) / omega, 1.0, 1e-3);
    }
    MPI_TEST(t, job_is_balanced(&job, false), "forces of the chain do not cancel");
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_fall(&t);
    check_background(&t, "leapfrog", 2.0, 0.1);
    check_background(&t, "gear", 3.0, 0.4);
    check_frozen(&t);
    check_order(&t);
    check_chain(&t);
    return mpi_test_end(&t);
}
