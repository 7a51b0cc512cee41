/* SPDX-License-Identifier: BSD-3-Clause
 * Where soft grains stop behaving like hard ones: brake failure of fast grains (VALIDATION A14) and
 * the detachment effect of columns of beads on a wall (A15). */
#include "job_test.h"

static const double pi = 3.14159265358979323846;

/* Two equal grains meet at the angle `psi` between velocity and line of centres. */
static const double radius = 1e-3, stiffness = 100.0, reduced_mass = 4.19e-6; /* SI */
static const double psi = 0.25 * 3.14159265358979323846;

/* m/s; change of the relative velocity V. Steps resolve the contact time and the way through. */
static double change(struct mpi_test *t, double speed, double per_contact)
{
    double way = 4.0 * radius * cos(psi), tau = pi * sqrt(reduced_mass / stiffness);
    double dt = fmin(tau, way / speed) / per_contact, before = 2.0 * per_contact * dt * speed;
    char text[600];
    struct scree_job job;
    struct job_grain grain[2];
    struct job_motion m[2];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\nneighbours: {skin: %g}\n"
             "domain: {low: [-1, -1, -1], high: [1, 1, 1]}\nmaterials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: %g}}]\n"
             "particles: [{lattice: {material: m, radius: %g, count: 2}}]\n",
             dt, radius, stiffness, radius);
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? -1.0 : 1.0;
        grain[k] = (struct job_grain){
            .pos = {side * (radius * cos(psi) + 0.005 * before), side * radius * sin(psi), 0.0},
            .radius = radius,
            .mass = 2.0 * reduced_mass,
            .vel = {-side * 0.5 * speed, 0.0, 0.0}};
    }
    if (!job_open(t, &job, t->comm, text, NULL)) return NAN;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, (int64_t)(1.5 * per_contact));
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    return hypot(m[1].vel[0] - m[0].vel[0] + speed, m[1].vel[1] - m[0].vel[1]);
}

static double log_slope(struct mpi_test *t, double speed, double per_contact)
{
    return log(change(t, 1.1 * speed, per_contact) / change(t, speed / 1.1, per_contact)) /
           log(1.1 * 1.1);
}

/* m/s; grains so fast that their way is straight: k / (m V) times the overlap across the way. */
static double straight_way(double speed)
{
    double half = 2.0 * radius * cos(psi), aside = 2.0 * radius * sin(psi);
    return 2.0 * stiffness * aside / (reduced_mass * speed) *
           (2.0 * radius * asinh(half / aside) - half);
}

static void check_brakes(struct mpi_test *t)
{
    double tau = pi * sqrt(reduced_mass / stiffness), critical = 4.0 * radius * cos(psi) / tau;
    double slow = critical / 30.0, fast = critical * 30.0;
    JOB_NEAR(t, "V_c of a head-on impact", critical / cos(psi), 6.22, 5e-3);
    JOB_NEAR(t, "slow impact, change / V", change(t, slow, 200) / (2.0 * slow * cos(psi)), 1, 0.02);
    JOB_NEAR(t, "fast impact, change / that of a straight way",
             change(t, fast, 200) / straight_way(fast), 1.0, 5e-3);
    JOB_NEAR(t, "slope of slow impacts", log_slope(t, slow, 200), 1.0, 0.05);
    JOB_NEAR(t, "slope of fast impacts", log_slope(t, fast, 200), -1.0, 0.1);
    if (t->comm->n_ranks > 1) return; /* many steps with nothing to share */
    JOB_NEAR(t, "slope of fast impacts with a tenth of the step", log_slope(t, fast, 2000), -1.0,
             0.1);
    JOB_NEAR(t, "fast impact with a tenth of the step",
             change(t, fast, 2000) / change(t, fast, 200), 1.0, 1e-3);
}

/* A15: columns of beads of radius and mass 1 at speed 1 onto the wall x = 0, with gaps in units of
 * speed times contact time. Wall contacts have twice the stiffness, so that all last equally. The
 * last column of the table is the part of the energy that remains. */
static const struct column {
    int beads;
    bool clip;
    double gap, energy;
} columns[] = {
    {2, false, 0, .84009},  {2, false, .1, .80986}, {2, false, 1, .65572},  {5, false, 0, .87961},
    {5, false, .1, .82875}, {5, false, 1, .34940},  {10, false, 0, .90599}, {10, false, .1, .83419},
    {10, false, 1, .16488}, {2, false, 10, .65576}, {5, false, 10, .34440}, {10, false, 10, .10816},
    {10, true, 0, .90616},  {10, true, .1, .83464}, {10, true, 1, .16553},  {10, true, 10, .11408},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0], MOST_BEADS = 10 * N_COLUMNS };

static int place(const struct column *column, bool clip, double gap_unit, struct job_grain *grain)
{
    int n = 0;
    for (int c = 0; c < N_COLUMNS; c++) {
        if (column[c].clip != clip) continue;
        double gap = column[c].gap * gap_unit;
        for (int k = 0; k < column[c].beads; k++)
            grain[n++] = (struct job_grain){.pos = {1.0 + gap + k * (2.0 + gap), 4.0 * c, 0.0},
                                            .radius = 1.0,
                                            .mass = 1.0,
                                            .vel = {-1.0, 0.0, 0.0}};
    }
    return n;
}

/* Each bead is as fast as the one before it or faster: no collision will follow. */
static bool is_over(const struct job_motion *m, const struct job_grain *grain, int n)
{
    for (int k = 0; k < n; k++) {
        bool first = k == 0 || grain[k].pos[1] != grain[k - 1].pos[1];
        if (m[k].vel[0] < (first ? 0.0 : m[k - 1].vel[0]) || m[k].force[0] != 0.0) return false;
    }
    return true;
}

static void check_energies(struct mpi_test *t, const struct job_motion *m,
                           const struct job_grain *grain, int n)
{
    double energy[N_COLUMNS] = {0.0};
    for (int k = 0; k < n; k++) energy[(int)(grain[k].pos[1] / 4.0)] += m[k].vel[0] * m[k].vel[0];
    for (int c = 0; c < N_COLUMNS; c++) {
        if (energy[c] == 0.0) continue;
        char what[80];
        snprintf(what, sizeof what, "energy of %d beads%s, gap %g", columns[c].beads,
                 columns[c].clip ? ", clipped" : "", columns[c].gap);
        JOB_NEAR(t, what, energy[c] / columns[c].beads, columns[c].energy,
                 5e-3 * columns[c].energy);
    }
}

static void check_detachment(struct mpi_test *t, int per_contact)
{
    static const double k = 1e4; /* N/m; of bead on bead */
    double decay = log(0.9) / pi, contact_time = pi / sqrt(2.0 * k) * sqrt(1.0 + decay * decay);
    double rate = -2.0 * log(0.9) / contact_time; /* that of the restitution if not clipped */
    char text[1200];
    struct scree_job job;
    struct job_grain grain[MOST_BEADS];
    struct job_motion m[MOST_BEADS];
    int n = place(columns, false, contact_time, grain);
    int more = place(columns, true, contact_time, grain + n);
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\nneighbours: {skin: 0.3}\n"
             "domain: {low: [-2, -4, -4], high: [46, %d, 4]}\n"
             "materials: {bead: {density: 1}, dry: {density: 1}, wall: {density: 1}}\n"
             "contacts:\n"
             "- {between: [bead, bead], normal: {law: linear, stiffness: %g, restitution: 0.9}}\n"
             "- {between: [bead, wall], normal: {law: linear, stiffness: %g, restitution: 0.9}}\n"
             "- {between: [dry, dry], normal: {law: linear, stiffness: %g, damping_rate: %.17g, "
             "tension: clip}}\n"
             "- {between: [bead, dry], normal: {law: linear, stiffness: 1}}\n"
             "- {between: [dry, wall], normal: {law: linear, stiffness: %g, damping_rate: %.17g, "
             "tension: clip}}\n"
             "boundaries: {w: {shape: plane, material: wall, point: [0, 0, 0], normal: [1, 0, "
             "0]}}\n"
             "particles:\n- lattice: {material: bead, radius: 1, count: %d}\n"
             "- lattice: {material: dry, radius: 1, count: %d}\n",
             contact_time / per_contact, 4 * N_COLUMNS, k, 2.0 * k, k, rate, 2.0 * k, rate, n,
             more);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    n += more;
    job_put(&job, grain, n);
    job_start(t, &job);
    int64_t step = 0, latest = 200000;
    do {
        step += 5 * per_contact / 2;
        job_advance(t, &job, step);
        job_find_all(&job, m, n);
    } while (!is_over(m, grain, n) && step < latest);
    MPI_TEST(t, step < latest, "the beads still collide");
    check_energies(t, m, grain, n);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_brakes(&t);
    /* With larger steps on more ranks, which wait for each other in each. */
    check_detachment(&t, t.comm->n_ranks == 1 ? 200 : 100);
    return mpi_test_end(&t);
}
