/* SPDX-License-Identifier: BSD-3-Clause
 * Waves in chains and lattices of touching grains (VALIDATION D1 to D4): standing waves under the
 * linear law and in pre-stressed Hertz chains, and the solitary wave of a Hertz chain. */
#include "job_test.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 1024 };

/* Grains of mass 1 and diameter 1 on a periodic lattice. */
struct crystal {
    int dimension, n;
    double pos[MOST][3], size[3]; /* in distances of neighbours */
    const char *periodic;
    double overlap; /* m; of neighbours; their distance is 1 - overlap */
    double slope;   /* N/m; of the force at this overlap */
    char law[160];
};

static void add_cells(struct crystal *c, const int cells[3], const double (*basis)[3], int n_basis,
                      const double cell[3])
{
    for (int a = 0; a < 3; a++) c->size[a] = cells[a] * cell[a];
    for (int k = 0; k < cells[0] * cells[1] * cells[2] * n_basis; k++) {
        int at = k / n_basis;
        const int index[3] = {at % cells[0], at / cells[0] % cells[1], at / cells[0] / cells[1]};
        for (int a = 0; a < 3; a++) c->pos[k][a] = (index[a] + basis[k % n_basis][a]) * cell[a];
        c->n = k + 1;
    }
}

static struct crystal chain(int n)
{
    struct crystal c = {.dimension = 2, .periodic = "[x]"};
    add_cells(&c, (int[]){n, 1, 1}, (const double[][3]){{0.0, 0.5, 0.0}}, 1,
              (double[]){1.0, 8.0, 0.0});
    return c;
}

static struct crystal triangular(int nx, int ny)
{
    struct crystal c = {.dimension = 2, .periodic = "[x, y]"};
    add_cells(&c, (int[]){nx, ny, 1}, (const double[][3]){{0, 0, 0}, {0.5, 0.5, 0}}, 2,
              (double[]){1.0, sqrt(3.0), 0.0});
    return c;
}

static struct crystal face_centred(int nx)
{
    struct crystal c = {.dimension = 3, .periodic = "[x, y, z]"};
    double a = sqrt(2.0);
    add_cells(&c, (int[]){nx, 3, 3},
              (const double[][3]){{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}, 4,
              (double[]){a, a, a});
    return c;
}

static void stress(struct crystal *c, double overlap, const char *law, double slope)
{
    c->overlap = overlap;
    c->slope = slope;
    snprintf(c->law, sizeof c->law, "%s", law);
}

/* The sample only makes grains to be moved: small ones, under a skin for the true size. */
static bool open_crystal(struct mpi_test *t, const struct crystal *c, double dt,
                         struct scree_job *job)
{
    char text[1000];
    double distance = 1.0 - c->overlap, size[3];
    for (int a = 0; a < 3; a++) size[a] = c->size[a] * distance;
    if (c->dimension == 2) size[2] = 1.0;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {step: %.17g, steps: 1}\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [0, 0, 0], high: [%.17g, %.17g, %.17g], periodic: %s}\n"
             "neighbours: {skin: 0.75}\ncontacts: [{between: [m, m], normal: {%s}}]\n"
             "particles: [{lattice: {material: m, radius: 0.2, count: %d}}]\n",
             c->dimension, dt, size[0], size[1], size[2], c->periodic, c->law, c->n);
    return job_open(t, job, t->comm, text, NULL);
}

/* Amplitude of the wave in the velocities. */
static double amplitude(struct scree_job *job, const struct crystal *c, int along, int sideways,
                        double q)
{
    static struct job_motion now[MOST];
    double sum = 0.0;
    job_find_all(job, now, c->n);
    for (int k = 0; k < c->n; k++) sum += now[k].vel[sideways] * cos(q * c->pos[k][along]);
    return sum;
}

/* rad/s; of a standing wave with `waves` wave lengths in the box: three amplitudes of a harmonic
 * oscillation, 60 degrees apart, give its frequency. */
static double frequency(struct mpi_test *t, const struct crystal *c, int waves, int along,
                        int sideways, double expected)
{
    enum { STEPS = 100 };
    static struct job_grain grain[MOST];
    struct scree_job job;
    double q = 2.0 * pi * waves / c->size[along], a[3], speed = 0.01 * c->overlap * expected;
    double dt = pi / (3.0 * expected * STEPS);
    if (!open_crystal(t, c, dt, &job)) return NAN;
    for (int k = 0; k < c->n; k++) {
        grain[k] = (struct job_grain){.radius = 0.5, .mass = 1.0};
        for (int b = 0; b < 3; b++) grain[k].pos[b] = c->pos[k][b] * (1.0 - c->overlap);
        grain[k].vel[sideways] = speed * cos(q * c->pos[k][along]);
    }
    job_put(&job, grain, c->n);
    job_start(t, &job);
    for (int k = 0; k < 3; k++) {
        job_advance(t, &job, k * STEPS);
        a[k] = amplitude(&job, c, along, sideways, q);
    }
    scree_job_clear(&job);
    double half_step = 0.5 * acos((a[0] + a[2]) / (2.0 * a[1])) / STEPS;
    return 2.0 * sin(half_step) / dt; /* of the leapfrog to that of the lattice */
}

/* Speed of long waves in units of distance * sqrt(slope / m), from two wave lengths. */
static double sound(struct mpi_test *t, const struct crystal *c, int along, int sideways,
                    double guess)
{
    double squares[2], unit = (1.0 - c->overlap) * sqrt(c->slope);
    for (int waves = 1; waves <= 2; waves++) {
        double q = 2.0 * pi * waves / (c->size[along] * (1.0 - c->overlap));
        double speed = frequency(t, c, waves, along, sideways, guess * unit * q) / (q * unit);
        squares[waves - 1] = speed * speed;
    }
    return sqrt((4.0 * squares[0] - squares[1]) / 3.0);
}

/* D1. */
static void check_chain(struct mpi_test *t)
{
    struct crystal c = chain(200);
    stress(&c, 1e-3, "law: linear, stiffness: 100", 100.0);
    JOB_NEAR(t, "sound of a chain", sound(t, &c, 0, 0, 1.0), 1.0, 1e-5);
    for (int waves = 1; waves <= 100; waves *= 10) {
        double expected = 2.0 * 10.0 * sin(pi * waves / 200.0);
        double found = frequency(t, &c, waves, 0, 0, expected);
        JOB_NEAR(t, "frequency of a chain", found / expected, 1.0, 1e-6);
    }
}

/* D2; the small overlap keeps the stress from changing the stiffness. */
static void check_lattices(struct mpi_test *t)
{
    struct crystal flat = triangular(24, 14), solid = face_centred(16);
    stress(&flat, 1e-5, "law: linear, stiffness: 100", 100.0);
    stress(&solid, 1e-5, "law: linear, stiffness: 100", 100.0);
    for (int along = 0; along < 2; along++) {
        JOB_NEAR(t, "c_L, triangular", sound(t, &flat, along, along, 1.06), 1.06066, 1e-4);
        JOB_NEAR(t, "c_T, triangular", sound(t, &flat, along, 1 - along, 0.61), 0.61237, 1e-4);
    }
    JOB_NEAR(t, "c_L, fcc", sound(t, &solid, 0, 0, 1.0), 1.0, 1e-4);
    JOB_NEAR(t, "c_T, fcc", sound(t, &solid, 0, 1, 0.707), 0.70711, 1e-4);
    JOB_NEAR(t, "c_T, fcc", sound(t, &solid, 0, 2, 0.707), 0.70711, 1e-4);
}

/* D4: c ~ F0^(1/6). E* = 1000, R* = 1/4. */
static void check_prestress(struct mpi_test *t)
{
    double speed[4], force[4];
    for (int k = 0; k < 4; k++) {
        double overlap = 1e-6 * pow(10.0, k), slope = 2.0 * 1000.0 * sqrt(0.25 * overlap);
        struct crystal c = chain(100);
        stress(&c, overlap, "law: hertz, young: 1500, poisson: 0.5", slope);
        speed[k] = sound(t, &c, 0, 0, 1.0) * (1.0 - overlap) * sqrt(slope);
        force[k] = slope * overlap / 1.5;
        JOB_NEAR(t, "sound of a Hertz chain", speed[k] / sqrt(slope), 1.0 - overlap, 1e-4);
    }
    JOB_NEAR(t, "exponent of the stress", log(speed[3] / speed[0]) / log(force[3] / force[0]),
             1.0 / 6.0, 5e-4);
}

enum { BEADS = 100, FIRST = 40, LAST = 80, EVERY = 5, MOST_SAMPLES = 8000 };

struct solitary {
    double speed; /* of the front, in beads per s */
    double bead_speed, force;
    double drift; /* of the energy on the way from FIRST to LAST, relative */
};

/* A peak of a sampled function, by the parabola through three samples. */
struct peak {
    double before, last, value, time;
};

static void look_for_peak(struct peak *p, double x, double time, double interval)
{
    double bend = 2.0 * p->last - p->before - x, slope = 0.5 * (x - p->before);
    if (p->last > p->before && p->last >= x && p->last > p->value) {
        p->value = p->last + 0.5 * slope * slope / bend;
        p->time = time + interval * (slope / bend - 1.0);
    }
    p->before = p->last;
    p->last = x;
}

/* Of the samples up to one. */
static double mean_until(const double *x, int last, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += x[last - k];
    return sum / n;
}

/* D3: a chain of grains that just touch, mass 1, force overlap^(3/2); the first is struck. */
static struct solitary strike(struct mpi_test *t, double v, double dt)
{
    static struct job_grain grain[BEADS];
    static struct job_motion now[BEADS];
    const double radius = 500.0;
    struct peak bead[BEADS] = {{0}}, overlap = {0};
    struct solitary s = {.drift = NAN};
    static double closure[MOST_SAMPLES];
    int n = 0;
    struct scree_job job;
    char text[800];
    snprintf(text, sizeof text,
             "dimension: 2\ntime: {step: %.17g, steps: 1}\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [-1e3, -4e3], high: [101e3, 4e3]}\n"
             "contacts: [{between: [m, m], normal: {law: power, stiffness: 1}}]\n"
             "particles: [{lattice: {material: m, radius: 500, count: %d}}]\n",
             dt, BEADS);
    if (!job_open(t, &job, t->comm, text, NULL)) return s;
    for (int k = 0; k < BEADS; k++)
        grain[k] =
            (struct job_grain){.radius = radius, .mass = 1.0, .pos = {2.0 * radius * k, 0.0, 0.0}};
    grain[0].vel[0] = v;
    job_put(&job, grain, BEADS);
    job_start(t, &job);
    for (; bead[LAST].value == 0.0 && n < MOST_SAMPLES; n++) {
        int step = (n + 1) * EVERY;
        job_advance(t, &job, step);
        job_find_all(&job, now, BEADS);
        for (int k = FIRST; k <= LAST; k += LAST - FIRST)
            look_for_peak(&bead[k], now[k].vel[0], step * dt, EVERY * dt);
        double closer = 2.0 * radius - (now[FIRST + 1].pos[0] - now[FIRST].pos[0]);
        look_for_peak(&overlap, closer, step * dt, EVERY * dt);
        struct job_energies energies;
        job_energies(&job, &energies);
        closure[n] = job_closure(&energies);
    }
    s.speed = (LAST - FIRST) / (bead[LAST].time - bead[FIRST].time);
    s.bead_speed = bead[FIRST].value;
    s.force = pow(overlap.value, 1.5);
    s.drift = mean_until(closure, (int)(bead[LAST].time / (EVERY * dt)), n / 10) -
              mean_until(closure, (int)(bead[FIRST].time / (EVERY * dt)), n / 10);
    scree_job_clear(&job);
    return s;
}

static void check_solitary(struct mpi_test *t)
{
    struct solitary one = strike(t, 1.0, 0.02);
    JOB_NEAR(t, "front speed", one.speed, 0.8405, 5e-4);
    JOB_NEAR(t, "peak bead speed", one.bead_speed, 0.68163, 5e-4);
    JOB_NEAR(t, "peak force", one.force, 0.63956, 5e-4);
    JOB_NEAR(t, "drift of the energy", one.drift, 0.0, 1e-6);
    struct solitary slow = strike(t, 0.01, 0.02 * pow(100.0, 0.2));
    struct solitary fast = strike(t, 100.0, 0.02 * pow(0.01, 0.2));
    JOB_NEAR(t, "exponent of the front speed", log(fast.speed / slow.speed) / log(1e4), 0.2, 5e-4);
    JOB_NEAR(t, "peak bead speed", slow.bead_speed / 0.01, 0.68163, 5e-4);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_chain(&t);
    check_lattices(&t);
    check_prestress(&t);
    check_solitary(&t);
    return mpi_test_end(&t);
}
