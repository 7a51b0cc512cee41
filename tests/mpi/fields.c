/* SPDX-License-Identifier: BSD-3-Clause
 * Coarse-grained fields: nothing is lost, closed forms, the same bits on any number of ranks. */
#include "analysis_test.h"
#include "scree/rng.h"

enum {
    GRAINS,
    SOLID,
    MASS,
    MOMENTUM,
    SQUARE = MOMENTUM + 3,
    SPIN = SQUARE + 6,
    CONTACT = SPIN + 3,
    N_SUMS = CONTACT + 9
};

/* Sum over all cells of a grid. */
static double total(const struct scree_job *job, int k, int sum)
{
    const struct scree_measurement *m = &job->output.analyses.measurement[k];
    double value = 0;
    for (int c = sum; c < m->n; c += N_SUMS) value += m->sum[c];
    return value;
}

static double draw(int k, uint32_t n, double low, double high)
{
    const struct scree_rng_key key = {.seed = 3, .gid = k, .purpose = SCREE_RNG_VELOCITY};
    return low + (high - low) * scree_rng_uniform(&key, n);
}

/* Mass, momentum, spin, energy and l f of a cloud, between walls and periods and beyond them, on
 * grids of all kinds: as the direct sums have them. */
static void check_totals(struct mpi_test *t)
{
    static const char text[] =
        "gravity: [0, 0, -1]\n"
        "domain: {low: [-3, -2, -1], high: [3, 4, 5], periodic: [x]}\n"
        "boundaries:\n"
        "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
        "  lid: {shape: plane, material: m, point: [0, 0, 5], normal: [0, 0, -1]}\n"
        "particles: [{lattice: {material: m, radius: 0.1, spacing: 0.5, count: 300}}]\n"
        "analysis:\n"
        "- stress: {about: rest, volume: 1}\n"
        "- fields: {name: whole, bins: {x: 7, y: 5, z: 6}, width: 0.4}\n"
        "- fields: {name: plane, bins: {x: 9, z: 8}, width: 1.7}\n"
        "- fields: {name: cells, bins: {z: 12}, width: 0}\n"
        "- fields: {name: rings, bins: {r: 5, phi: 6, z: 3}, centre: [0.3, 1, 0], width: 0.5}\n"
        "- fields: {name: sectors, bins: {phi: 5}, axis: x, width: 0.3}\n"
        "- fields: {name: part, bins: {y: 4}, range: {y: [0, 2]}, width: 0.3}\n"
        "- fields: {name: rest, bins: {y: 2}, range: {y: [2, 4]}, width: 0.3}\n"
        "- fields: {name: below, bins: {y: 3}, range: {y: [-2, 0]}, width: 0.3}\n";
    enum { N = 300, FIRST_GRID = 1, N_WHOLE = 5, PART = 6 };
    static struct job_grain grain[N];
    double sum[N_SUMS] = {0}, largest = 0, round[2][3] = {{0}};
    for (int k = 0; k < N; k++) {
        struct job_grain *g = &grain[k];
        *g = (struct job_grain){
            .pos = {draw(k, 0, -3, 3), draw(k, 1, -1.9, 3.9), draw(k, 2, 0.1, 5)},
            .radius = draw(k, 3, 0.1, 0.4),
            .mass = draw(k, 4, 0.5, 2)};
        if (k % 50 == 0) g->pos[2] = -0.05; /* deep in the floor */
        sum[GRAINS] += 1;
        sum[SOLID] += 4.0 / 3 * acos(-1.0) * pow(g->radius, 3);
        sum[MASS] += g->mass;
        for (int a = 0; a < 3; a++) {
            g->vel[a] = draw(k, 5 + (uint32_t)a, -1, 1.5);
            g->spin[a] = draw(k, 8 + (uint32_t)a, -3, 2);
            sum[MOMENTUM + a] += g->mass * g->vel[a];
            sum[SPIN + a] += g->mass * g->spin[a];
            sum[SQUARE + a] += g->mass * g->vel[a] * g->vel[a];
        }
        double x = g->pos[0] - 0.3, y = g->pos[1] - 1, r = hypot(x, y);
        round[0][0] += g->mass * (x * g->vel[0] + y * g->vel[1]) / r;
        round[0][1] += g->mass * (x * g->vel[1] - y * g->vel[0]) / r;
        round[0][2] += g->mass * g->vel[2];
        r = hypot(g->pos[1], g->pos[2]);
        round[1][0] += g->mass * (g->pos[1] * g->vel[1] + g->pos[2] * g->vel[2]) / r;
        round[1][1] += g->mass * (g->pos[1] * g->vel[2] - g->pos[2] * g->vel[1]) / r;
        round[1][2] += g->mass * g->vel[0];
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, N)) return;
    const double *stress = job.output.analyses.measurement[0].sum + 1 + 9;
    for (int a = 0; a < 9; a++) {
        sum[CONTACT + a] = stress[a] + stress[9 + a];
        largest = fmax(largest, fabs(sum[CONTACT + a]));
    }
    MPI_TEST(t, largest > 100, "the largest l f is %g", largest);
    for (int grid = FIRST_GRID; grid < FIRST_GRID + N_WHOLE; grid++) {
        bool straight = grid < FIRST_GRID + 3;
        for (int k = 0; k < N_SUMS; k++) {
            double scale = k >= CONTACT ? largest : N, expected = sum[k];
            if (k >= SQUARE + 3 && k < SPIN) continue;
            if (!straight && k >= SQUARE && k < CONTACT) continue;
            if (!straight && k >= CONTACT && k != CONTACT) continue;
            if (!straight && k == CONTACT) { /* the trace is the same in all directions */
                double trace = total(&job, grid, CONTACT) + total(&job, grid, CONTACT + 4) +
                               total(&job, grid, CONTACT + 8);
                expected = sum[CONTACT] + sum[CONTACT + 4] + sum[CONTACT + 8];
                JOB_NEAR(t, "trace of l f", trace, expected, 1e-12 * scale);
                continue;
            }
            if (!straight && k >= MOMENTUM) expected = round[grid - FIRST_GRID - 3][k - MOMENTUM];
            JOB_NEAR(t, "a sum over cells", total(&job, grid, k), expected, 1e-12 * scale);
        }
    }
    for (int k = 0; k < N_SUMS; k++)
        if (k < SQUARE || k >= CONTACT)
            JOB_NEAR(t, "a sum over parts",
                     total(&job, PART, k) + total(&job, PART + 1, k) + total(&job, PART + 2, k),
                     sum[k], 1e-12 * (k >= CONTACT ? largest : N));
    scree_job_clear(&job);
}

static double integral(double x)
{
    return 0.5 * erf(x / sqrt(2.0));
}

/* One grain, by the integral of the Gaussian: inside, across a period, and cut at a wall. */
static void check_kernel(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [10, 8, 6], periodic: [x]}\n"
        "particles: [{lattice: {material: m, radius: 0.1, spacing: 1, count: 1}}]\n"
        "analysis:\n"
        "- fields: {name: along-x, bins: {x: 20}, width: 0.7}\n"
        "- fields: {name: along-z, bins: {z: 12}, width: 0.7}\n";
    const double w = 0.7, x = 9.6, z = 1.2, whole = integral(3) - integral(-3);
    struct job_grain grain = {.pos = {x, 2, z}, .radius = 0.1, .mass = 2};
    struct scree_job job;
    if (!analysis_open(t, &job, text, &grain, 1)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    for (int cell = 0; cell < 20; cell++) {
        double expected = 0;
        for (int image = -1; image <= 1; image++) {
            double from = (cell * 0.5 - x + image * 10) / w, to = from + 0.5 / w;
            from = fmin(fmax(from, -3), 3);
            to = fmin(fmax(to, -3), 3);
            expected += (integral(to) - integral(from)) / whole;
        }
        JOB_NEAR(t, "mass along x", m[0].sum[cell * N_SUMS + MASS], 2 * expected, 1e-14);
    }
    for (int cell = 0; cell < 12; cell++) {
        double from = fmin((cell * 0.5 - z) / w, 3), to = fmin((cell * 0.5 + 0.5 - z) / w, 3);
        double norm = integral(3) - integral(-z / w);
        JOB_NEAR(t, "mass along z", m[1].sum[cell * N_SUMS + MASS],
                 2 * (integral(to) - integral(from)) / norm, 1e-14);
    }
    scree_job_clear(&job);
}

/* Columns of the table of a grid of one axis in space, after its coordinate. */
enum {
    C_GRAINS = 1,
    C_DENSITY = 3,
    C_VELOCITY = 7,
    C_KINETIC = 10,
    C_CONTACT = 19,
    C_TEMPERATURE = 31,
    C_RATE = 32
};

/* Planes of a lattice in shear, cells around each plane: by symmetry the velocity in a cell is that
 * of the plane, and the strain rate half the slope, but for the cells within reach of an end. */
static void check_shear(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [4, 12, 3], periodic: [x, z]}\n"
        "boundaries:\n"
        "  low: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}\n"
        "  high: {shape: plane, material: m, point: [0, 12, 0], normal: [0, -1, 0]}\n"
        "particles: [{lattice: {material: m, radius: 0.4, spacing: 1}}]\n"
        "analysis: [{fields: {bins: {y: 12}, width: 0.6}}]\n";
    enum { N = 4 * 12 * 3 };
    static struct job_grain grain[N];
    for (int k = 0; k < N; k++) {
        double y = k / 4 % 12 + 0.5;
        grain[k] = (struct job_grain){.pos = {k % 4 + 0.5, y, k / 48 + 0.5},
                                      .vel = {0.3 * y, -0.2 * y, 0.5},
                                      .radius = 0.4,
                                      .mass = 2};
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, N)) return;
    double *row = analysis_rows(&job, 0);
    int n = job.output.analyses.measurement[0].n_columns;
    for (int cell = 0; cell < 12; cell++) {
        const double *at = row + cell * n;
        bool inner = cell >= 5 && cell < 7; /* beyond reach of grains whose kernel is cut */
        JOB_NEAR(t, "middle", at[0], cell + 0.5, 1e-12);
        if (!inner) continue;
        JOB_NEAR(t, "density", at[C_DENSITY], 2.0, 1e-12);
        JOB_NEAR(t, "velocity x", at[C_VELOCITY], 0.3 * at[0], 1e-12);
        JOB_NEAR(t, "velocity z", at[C_VELOCITY + 2], 0.5, 1e-12);
        JOB_NEAR(t, "strain rate xy", at[C_RATE + 1], 0.15, 1e-12);
        JOB_NEAR(t, "strain rate yx", at[C_RATE + 3], 0.15, 1e-12);
        JOB_NEAR(t, "strain rate yy", at[C_RATE + 4], -0.2, 1e-12);
        JOB_NEAR(t, "strain rate zz", at[C_RATE + 8], 0.0, 1e-12);
        /* what the kernel sees of the gradient counts as fluctuation: its variance in lattice
         * planes */
        double xx = at[C_KINETIC], yy = at[C_KINETIC + 4];
        JOB_NEAR(t, "kinetic yy", yy, xx * 4 / 9, 1e-12);
        JOB_NEAR(t, "temperature", at[C_TEMPERATURE], (xx + yy) / at[C_DENSITY] / 3, 1e-12);
    }
    scree_alloc_free(row);
    scree_job_clear(&job);
}

/* One body that turns: no strain; the mean velocity of a ring is that at the mean radius of its
 * grains. */
static void check_rotation(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\ndomain: {low: [-20, -20], high: [20, 20]}\n"
        "particles: [{lattice: {material: m, radius: 0.3, spacing: 1}}]\n"
        "analysis: [{fields: {bins: {r: 12, phi: 3}, range: {r: [4, 16]}, width: 0.5}}]\n";
    enum { N = 1600, RR = 20 };
    /* of the kernel, cut at three widths, and of the cell */
    const double omega = 2,
                 variance = 0.25 * (1 - 6 * exp(-4.5) / sqrt(2 * acos(-1.0)) / erf(3 / sqrt(2.0))) +
                            1.0 / 12;
    static struct job_grain grain[N];
    for (int k = 0; k < N; k++) {
        double x = k % 40 - 19.5, y = k / 40 - 19.5;
        grain[k] = (struct job_grain){
            .pos = {x, y, 0}, .vel = {-omega * y, omega * x, 0}, .radius = 0.3, .mass = 1};
    }
    struct scree_job job;
    if (!analysis_open(t, &job, text, grain, N)) return;
    double *row = analysis_rows(&job, 0);
    int n = job.output.analyses.measurement[0].n_columns;
    for (int cell = 0; cell < 36; cell++) {
        const double *at = row + cell * n, *rate = at + n - 4;
        double r = at[0] + variance / at[0]; /* there are more grains farther out */
        JOB_NEAR(t, "velocity phi", at[2 + 3 + 2 + 1], omega * r, 0.005 * omega);
        for (int k = 0; k < 4; k++) JOB_NEAR(t, "strain rate", rate[k], 0.0, 0.03 * omega);
    }
    scree_alloc_free(row);
    scree_job_clear(&job);
}

/* Two materials: their parts add up, of stress and profile as well as of fields. */
static void check_materials(struct mpi_test *t)
{
    static const char text[] =
        "time: {step: 1e-4, steps: 10}\nmaterials: {a: {density: 1}, b: {density: 3}}\n"
        "contacts:\n"
        "- {between: [a, a], normal: {law: linear, stiffness: 1000, damping: 1}}\n"
        "- {between: [a, b], normal: {law: linear, stiffness: 2000, damping: 0}}\n"
        "- {between: [b, b], normal: {law: linear, stiffness: 3000, damping: 0}}\n"
        "domain: {low: [0, 0, 0], high: [4, 4, 4], periodic: [x, y]}\n"
        "boundaries: {floor: {shape: plane, material: a, point: [0, 0, 0], normal: [0, 0, 1]},\n"
        "  lid: {shape: plane, material: a, point: [0, 0, 4], normal: [0, 0, -1]}}\n"
        "particles:\n"
        "- lattice: {material: a, radius: 0.4, spacing: 1, count: 32}\n"
        "- lattice: {material: b, radius: 0.4, spacing: 1, count: 32, low: [0, 0, 2]}\n"
        "analysis:\n"
        "- stress: {}\n- stress: {name: sa, material: a}\n- stress: {name: sb, material: b}\n"
        "- fields: {bins: {z: 4, x: 3}, width: 0.3}\n"
        "- fields: {name: fa, material: a, bins: {z: 4, x: 3}, width: 0.3}\n"
        "- fields: {name: fb, material: b, bins: {z: 4, x: 3}, width: 0.3}\n"
        "- profile: {along: z, bins: 5}\n- profile: {name: pa, material: a, along: z, bins: 5}\n"
        "- profile: {name: pb, material: b, along: z, bins: 5}\n"
        "- fabric: {name: aa, between: [a, a]}\n- fabric: {name: ab, between: [b, a]}\n"
        "- fabric: {name: bb, between: [b, b]}\n- fabric: {name: all}\n";
    enum { N = 64, FABRIC = 9 };
    static struct job_grain grain[N];
    for (int k = 0; k < N; k++)
        grain[k] = (struct job_grain){.pos = {k % 4 + 0.5, k / 4 % 4 + 0.5, k / 16 + 0.5},
                                      .vel = {0.1 * (k % 7), 0.05 * (k % 5), 0.01 * k},
                                      .radius = 0.52,
                                      .mass = 1};
    struct scree_job job;
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, grain, N);
    job_start(t, &job);
    const struct scree_analysis_view view = {&job.run.scene, job.run.stepper, job.run.state};
    scree_analyses_sample(&job.output.analyses, &view, 0, false);
    const struct scree_measurement *m = job.output.analyses.measurement;
    for (int k = 0; k < 9; k += 3) {
        double largest = 0;
        for (int c = 0; c < m[k].n; c++) largest = fmax(largest, fabs(m[k].sum[c]));
        MPI_TEST(t, largest > 1, "%s is %g at most", m[k].name, largest);
        for (int c = 0; c < m[k].n; c++)
            JOB_NEAR(t, m[k].name, m[k + 1].sum[c] + m[k + 2].sum[c], m[k].sum[c], 1e-12 * largest);
    }
    const double count[] = {32 * 2 + 16, 16, 32 * 2 + 16};
    for (int k = 0; k < 3; k++) JOB_NEAR(t, m[FABRIC + k].name, m[FABRIC + k].sum[0], count[k], 0);
    JOB_NEAR(t, "all contacts", m[FABRIC + 3].sum[0], 176, 0);
    scree_job_clear(&job);
}

/* Grains at rest in the flow of a box that deforms: the strain rate is that of the box; and the
 * mass and l f of a wedge, whose sectors all have the same. */
static void check_boxes(struct mpi_test *t)
{
    static const char deforms[] = "domain: {low: [0, 0, 0], high: [4, 6, 3], periodic: [x, y, z]}\n"
                                  "cell: {strain_rate: {xy: 2, zz: -0.5}}\n"
                                  "particles: [{lattice: {material: m, radius: 0.4, spacing: 1}}]\n"
                                  "analysis: [{fields: {bins: {y: 5}, width: 0.6}}]\n";
    static const char wedge[] =
        "domain: {low: [0, 0, 0], high: [9, 9, 4], wedge: {axis: z, sectors: 4}}\n"
        "particles: [{lattice: {material: m, radius: 0.4, count: 50, "
        "region: {shape: cylinder, radius: 9, inner: 3}}}]\n"
        "analysis: [{fields: {bins: {r: 4, phi: 3, z: 2}, width: 0.8}}, {stress: {volume: 1}}]\n";
    enum { N = 72, N_WEDGE = 50 };
    static struct job_grain grain[N];
    struct scree_job job;
    for (int k = 0; k < N; k++)
        grain[k] = (struct job_grain){
            .pos = {k % 4 + 0.5, k / 4 % 6 + 0.5, k / 24 + 0.5}, .radius = 0.45, .mass = 2};
    if (!analysis_open(t, &job, deforms, grain, N)) return;
    JOB_NEAR(t, "mass in the box", total(&job, 0, MASS), 2 * N, 1e-12);
    double *row = analysis_rows(&job, 0);
    for (int cell = 0; cell < 5; cell++) {
        const double *at = row + cell * job.output.analyses.measurement[0].n_columns;
        JOB_NEAR(t, "strain rate xy of the box", at[C_RATE + 1], 1.0, 1e-12);
        JOB_NEAR(t, "strain rate zz of the box", at[C_RATE + 8], -0.5, 1e-12);
        JOB_NEAR(t, "strain rate xx of the box", at[C_RATE], 0.0, 1e-12);
    }
    scree_alloc_free(row);
    scree_job_clear(&job);
    for (int k = 0; k < N_WEDGE; k++) { /* the wedge repeats by quarters: so may the places */
        double r = draw(k, 0, 3, 8), phi = draw(k, 1, 0, 6.2);
        grain[k] = (struct job_grain){
            .pos = {r * cos(phi), r * sin(phi), draw(k, 2, 0, 4)}, .radius = 0.7, .mass = 1};
    }
    if (!analysis_open(t, &job, wedge, grain, N_WEDGE)) return;
    const double *stress = job.output.analyses.measurement[1].sum;
    double trace =
        total(&job, 0, CONTACT) + total(&job, 0, CONTACT + 4) + total(&job, 0, CONTACT + 8);
    JOB_NEAR(t, "mass in the wedge", total(&job, 0, MASS), N_WEDGE, 1e-12);
    JOB_NEAR(t, "l f in the wedge", trace, 3 * stress[0], 1e-12 * trace);
    MPI_TEST(t, trace > 100, "trace of l f is %g", trace);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_totals(&t);
    check_kernel(&t);
    check_shear(&t);
    check_rotation(&t);
    check_materials(&t);
    check_boxes(&t);
    return mpi_test_end(&t);
}
