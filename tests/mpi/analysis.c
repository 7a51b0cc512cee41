/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements against numbers computed by hand, and the same bits on any number of ranks. */
#include "job_test.h"
#include "scree/rng.h"
#include "scree/vec.h"

static const char head[] = "time: {step: 1e-4, steps: 1000}\nmaterials: {m: {density: 1}}\n"
                           "contacts:\n"
                           "- between: [m, m]\n"
                           "  normal: {law: linear, stiffness: 1000, damping: 0}\n"
                           "  tangential: {law: spring, stiffness: 300, damping: 2, friction: 5}\n";

/* Reads, places the grains, starts and takes one sample of everything. */
static bool open_and_sample(struct mpi_test *t, struct scree_job *job, const char *text,
                            const struct job_grain *grain, int n)
{
    char all[3000];
    snprintf(all, sizeof all, "%s%s", head, text);
    if (!job_open(t, job, t->comm, all, NULL)) return false;
    job_put(job, grain, n);
    job_start(t, job);
    const struct scree_analysis_view view = {&job->run.scene, job->run.stepper, job->run.state};
    scree_analyses_sample(&job->output.analyses, &view, 0, false);
    return true;
}

/* One row of a window of a measurement at the moment. */
static double *derive(struct scree_job *job, int k)
{
    struct scree_measurement *m = &job->output.analyses.measurement[k];
    double *mean = scree_alloc((size_t)m->n, sizeof *mean);
    double *row = scree_alloc((size_t)(m->n_rows * m->n_columns), sizeof *row);
    scree_measurement_compute_mean(m, mean);
    m->kind->derive(m, &job->run.scene, mean, row);
    scree_alloc_free(mean);
    return row;
}

enum { PRESSURE, KINETIC, NORMAL = KINETIC + 9, TANGENTIAL = NORMAL + 9 };

/* Two grains along (0.6, 0, 0.8), at rest or in motion. sigma V = l f; the dashpot of the tangent
 * answers the relative velocity across. The second and third volume cut the branch. */
static void check_two_grains(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [5, 4, 6], periodic: [x]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1, count: 2}}]\n"
        "analysis:\n"
        "- stress: {about: rest, volume: 120}\n"
        "- stress: {name: lower, about: rest, low: [0, 0, 0], high: [5, 4, 3.2]}\n"
        "- stress: {name: east, about: rest, low: [4.8, 0, 0], high: [5, 4, 6]}\n"
        "- stress: {name: west, about: rest, low: [0, 0, 0], high: [4.8, 4, 6]}\n"
        "- packing: {volume: 120}\n";
    const double distance = 0.95, force = 1000 * 0.05, volume = 5 * 4 * 6, mass = 0.7, v = 0.3;
    const double n[3] = {0.6, 0, 0.8};
    /* from x = 4.7 through the periodic face to 5.27 = 0.27; z from 3 to 3.76 */
    struct job_grain grain[2] = {{.pos = {4.7, 2, 3}, .radius = 0.5, .mass = mass},
                                 {.radius = 0.5, .mass = mass, .vel = {0, v, 0}}};
    for (int a = 0; a < 3; a++) grain[1].pos[a] = grain[0].pos[a] + distance * n[a];
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 2)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double normal = distance * n[a] * force * n[b] / volume;
            double tangential = b == 1 ? -distance * n[a] * 2 * v / volume : 0.0;
            double kinetic = a == 1 && b == 1 ? mass * v * v / volume : 0.0;
            JOB_NEAR(t, "normal", m[0].sum[NORMAL + 3 * a + b], normal, 1e-12);
            JOB_NEAR(t, "tangential", m[0].sum[TANGENTIAL + 3 * a + b], tangential, 1e-12);
            JOB_NEAR(t, "kinetic", m[0].sum[KINETIC + 3 * a + b], kinetic, 1e-15);
            JOB_NEAR(t, "normal below", m[1].sum[NORMAL + 3 * a + b] * 3.2 / 6, normal * 0.2 / 0.76,
                     1e-12);
            JOB_NEAR(t, "normal in the east", m[2].sum[NORMAL + 3 * a + b] * 0.2 / 5,
                     normal * 0.2 / 0.57, 1e-12);
            JOB_NEAR(t, "normal in the west", m[3].sum[NORMAL + 3 * a + b] * 4.8 / 5,
                     normal * 0.37 / 0.57, 1e-12);
        }
    JOB_NEAR(t, "pressure", m[0].sum[PRESSURE], (distance * force + mass * v * v) / (3 * volume),
             1e-12);
    JOB_NEAR(t, "kinetic below", m[1].sum[KINETIC + 4], 0.0, 0.0);
    JOB_NEAR(t, "coordination", m[4].sum[2], 1.0, 0.0);
    JOB_NEAR(t, "rattlers", m[4].sum[4], 1.0, 0.0);
    scree_job_clear(&job);
}

/* A grain pressed against the floor, 2D: stress and wall pressure. The lid bounds the volume. */
static void check_wall(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\n"
        "domain: {low: [0, 0], high: [3, 4], periodic: [x]}\n"
        "boundaries:\n"
        "  floor: {shape: plane, material: m, point: [0, 0.5, 0], normal: [0, 2, 0]}\n"
        "  lid: {shape: plane, material: m, point: [0, 3, 0], normal: [0, -1, 0]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1, count: 1, low: [0, 1]}}]\n"
        "analysis: [{stress: {}}, {walls: {}}, {walls: {name: one, wall: floor, area: 2}},\n"
        "  {stress: {name: inner, border: 10 %}}, {packing: {}}]\n";
    const double force = 1000 * 0.04, area = 3 * 2.5;
    struct job_grain grain = {.pos = {1, 0.96, 0}, .radius = 0.5, .mass = 1};
    struct scree_job job;
    if (!open_and_sample(t, &job, text, &grain, 1)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    JOB_NEAR(t, "yy", m[0].sum[1 + 4 + 3], 0.46 * force / area, 1e-12);
    JOB_NEAR(t, "xx", m[0].sum[1 + 4], 0.0, 0.0);
    JOB_NEAR(t, "pressure on the floor", m[1].sum[0], force / 3, 1e-9);
    JOB_NEAR(t, "traction on the floor", m[1].sum[2], -force / 3, 1e-9);
    JOB_NEAR(t, "pressure on the lid", m[1].sum[3], 0.0, 0.0);
    JOB_NEAR(t, "pressure by area", m[2].sum[0], force / 2, 1e-9);
    /* the layer of 0.25 leaves 0.21 of the 0.46 from the centre to the floor */
    JOB_NEAR(t, "yy inside", m[3].sum[1 + 4 + 3], 0.21 * force / (3 * 2.0), 1e-12);
    JOB_NEAR(t, "solid fraction", m[4].sum[0], acos(-1.0) * 0.25 / area, 1e-14);
    scree_job_clear(&job);
}

/* A grain in equilibrium between floor and lid, with its weight: the stress by walls is that of the
 * bulk. */
static void check_wall_virial(struct mpi_test *t)
{
    static const char text[] =
        "gravity: [0, 0, -10]\n"
        "domain: {low: [0, 0, 0], high: [3, 4, 2], periodic: [x, y]}\n"
        "boundaries:\n"
        "  floor: {shape: plane, material: m, point: [0, 0, 0.5], normal: [0, 0, 1]}\n"
        "  lid: {shape: plane, material: m, point: [0, 0, 1.46], normal: [0, 0, -1]}\n"
        "particles: [{lattice: {material: m, radius: 0.2, spacing: 0.5, count: 1, low: [0, 0, "
        "0.7]}}]\nanalysis: [{walls: {}}]\n";
    enum { BY_WALLS = 8, OF_BULK, DISAGREEMENT };
    struct job_grain grain = {.pos = {1, 2, 0.97}, .radius = 0.5, .mass = 2};
    struct scree_job job;
    if (!open_and_sample(t, &job, text, &grain, 1)) return;
    double *row = derive(&job, 0), stress = (0.47 * 30 + 0.49 * 10) / (3 * 4 * 0.96);
    JOB_NEAR(t, "pressure on the floor", row[0], 30.0 / 12, 1e-9);
    JOB_NEAR(t, "pressure on the lid", row[4], 10.0 / 12, 1e-9);
    JOB_NEAR(t, "stress by walls", row[BY_WALLS], stress, 1e-9);
    JOB_NEAR(t, "stress of the bulk", row[OF_BULK], stress, 1e-9);
    JOB_NEAR(t, "disagreement", row[DISAGREEMENT], 0, 1e-9);
    scree_alloc_free(row);
    scree_job_clear(&job);
}

/* A lid that comes down by a tenth of the height. */
static void check_strain(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [3, 3, 5], periodic: [x, y]}\n"
        "boundaries: {lid: {shape: plane, material: m, point: [0, 0, 5], normal: [0, 0, -1], "
        "velocity: [0, 0, -5]},\n"
        "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "particles: [{lattice: {material: m, radius: 0.25, spacing: 1, count: 9}}]\n"
        "analysis: [{packing: {}}]\n";
    struct job_grain grain[9];
    for (int k = 0; k < 9; k++)
        grain[k] =
            (struct job_grain){.pos = {k % 3 + 0.5, k / 3 + 0.5, 0.5}, .radius = 0.25, .mass = 1};
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 9)) return;
    struct scree_measurement *m = job.output.analyses.measurement;
    double mean[16], solid = 9 * 4.0 / 3.0 * acos(-1.0) / 64;
    scree_measurement_compute_mean(m, mean);
    JOB_NEAR(t, "solid fraction", mean[0], solid / 45, 1e-15);
    JOB_NEAR(t, "strain at the start", mean[1], 0.0, 0.0);
    job_advance(t, &job, 1000);
    const struct scree_analysis_view view = {&job.run.scene, job.run.stepper, job.run.state};
    scree_analyses_sample(&job.output.analyses, &view, 1000, false);
    scree_measurement_compute_mean(m, mean);
    JOB_NEAR(t, "solid fraction later", mean[0], solid / 40.5, 1e-15);
    JOB_NEAR(t, "strain", mean[1], -0.1, 1e-12);
    scree_job_clear(&job);
}

/* All grains turn about an axis like one body. */
static void check_rotation(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [-6, -6, 0], high: [6, 6, 4]}\n"
        "particles: [{lattice: {material: m, radius: 0.3, spacing: 1}}]\n"
        "analysis: [{profile: {along: r, centre: [0.2, -0.1], high: 5, bins: 9, slabs: 2}}]\n";
    enum { N = 12 * 12 * 4, N_SUMS = 12 };
    const double omega = 2.5;
    static struct job_grain grain[N];
    for (int k = 0; k < N; k++) {
        const double at[3] = {k % 12 - 5.5, k / 12 % 12 - 5.5, k / 144 + 0.5};
        grain[k] = (struct job_grain){.radius = 0.3, .mass = 1 + 0.01 * k};
        memcpy(grain[k].pos, at, sizeof at);
        grain[k].vel[0] = -omega * (at[1] + 0.1);
        grain[k].vel[1] = omega * (at[0] - 0.2);
        grain[k].spin[2] = omega;
    }
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, N)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    MPI_TEST(t, m->n == 9 * 2 * N_SUMS, "%d numbers", m->n);
    double n = 0, n_disk = 0;
    for (int k = 0; k < N; k++) n_disk += hypot(grain[k].pos[0] - 0.2, grain[k].pos[1] + 0.1) < 5.0;
    for (int bin = 0; bin < m->n / N_SUMS; bin++) {
        const double *s = m->sum + bin * N_SUMS;
        n += s[0];
        if (s[0] == 0.0) continue;
        JOB_NEAR(t, "angular velocity", s[10] / s[2], omega, 1e-13);
        JOB_NEAR(t, "azimuthal velocity", s[5], omega * s[3], 1e-12 * s[2]);
        JOB_NEAR(t, "radial velocity", s[4], 0.0, 1e-12 * s[2]);
        JOB_NEAR(t, "spin", s[11] / s[2], omega, 1e-13);
    }
    JOB_NEAR(t, "grains in all bins", n, n_disk, 0.0);
    scree_job_clear(&job);
}

/* A linear velocity is found as such, bin by bin, and its slope as the rate of shear. */
static void check_shear(struct mpi_test *t)
{
    static const char text[] = "domain: {low: [0, 0, 0], high: [6, 5, 8], periodic: [x, y]}\n"
                               "particles: [{lattice: {material: m, radius: 0.5, spacing: 1}}]\n"
                               "analysis: [{profile: {along: z, bins: 4}}, {inertial: {volume: "
                               "240}}, {packing: {volume: 240}},\n"
                               "  {inertial: {name: given, rate: 3/s, volume: 240}},\n"
                               "  {profile: {name: field, along: x, bins: 3, axis: z, slabs: 4}},\n"
                               "  {profile: {name: sparse, along: x, bins: 12}}]\n";
    enum { N = 6 * 5 * 8 };
    static struct job_grain grain[N];
    for (int k = 0; k < N; k++)
        grain[k] = (struct job_grain){.pos = {k % 6 + 0.5, k / 6 % 5 + 0.5, k / 30 + 0.5},
                                      .vel = {k / 30 - 1.5, 0, 0},
                                      .radius = 0.505,
                                      .mass = 4.0 / 3.0 * acos(-1.0) * pow(0.505, 3)};
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, N)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    for (int bin = 0; bin < 4; bin++) {
        const double *s = m[0].sum + bin * 12;
        JOB_NEAR(t, "grains in a bin", s[0], 60.0, 0.0);
        JOB_NEAR(t, "velocity", s[4] / s[2], s[3] / s[2] - 2.0, 1e-12);
    }
    for (int bin = 0; bin < 12; bin++) { /* three along x in each of four layers */
        const double *s = m[4].sum + bin * 12;
        JOB_NEAR(t, "grains of the field", s[0], 20.0, 0.0);
        JOB_NEAR(t, "place in the field", s[3] / s[2], bin % 3 * 2 + 1.0, 1e-12);
        JOB_NEAR(t, "velocity in the field", s[4] / s[2], bin / 3 * 2 - 1.0, 1e-12);
    }
    for (int bin = 0; bin < 12; bin++) { /* every other one is empty */
        const double *s = m[5].sum + bin * 12;
        JOB_NEAR(t, "grains of half a layer", s[0], bin % 2 * 40.0, 0.0);
        JOB_NEAR(t, "their place", s[3], bin % 2 * s[2] * bin / 2, 1e-12);
    }
    JOB_NEAR(t, "centre of mass", m[2].sum[11], 4.0, 1e-12);
    MPI_TEST(t, isnan(m[2].sum[9]) && isnan(m[2].sum[10]), "a centre where the box repeats");
    JOB_NEAR(t, "solid fraction", m[2].sum[0], 4.0 / 3.0 * acos(-1.0) * pow(0.505, 3), 1e-13);
    JOB_NEAR(t, "coordination", m[2].sum[2], (6.0 * 6 + 5.0 * 2) / 8, 1e-13);
    JOB_NEAR(t, "rate", m[1].sum[0], 1.0, 1e-12);
    JOB_NEAR(t, "diameter", m[1].sum[2], 1.01, 1e-13);
    JOB_NEAR(t, "density", m[1].sum[3], 1.0, 1e-13);
    /* Contacts of 10 N and length 1: one per grain and volume 1 in x and y, 7 for 8 in z. */
    double pressure = 10.0 * (1 + 1 + 7.0 / 8) / 3;
    JOB_NEAR(t, "pressure", m[1].sum[1], pressure, 1e-9);
    JOB_NEAR(t, "inertial number", m[1].sum[4], 1.01 / sqrt(pressure), 1e-9);
    /* 10 N for an overlap of 0.01 */
    JOB_NEAR(t, "stiffness number", m[1].sum[5], 1000 / (pressure * 1.01), 1e-6);
    JOB_NEAR(t, "with a given rate", m[3].sum[4], 3 * 1.01 / sqrt(pressure), 1e-9);
    scree_job_clear(&job);
}

/* Two grains in contact: normal force `force` N from the second to the first along n, and
 * `tangential` N along t, by the dashpot of 2 kg/s. */
static void put_pair(struct job_grain *grain, const double at[3], const double n[3],
                     const double t[3], double length, double force, double tangential)
{
    double overlap = force / 1000;
    for (int side = 0; side < 2; side++) {
        grain[side] = (struct job_grain){.radius = 0.5 * (length + overlap), .mass = 1};
        for (int a = 0; a < 3; a++) {
            grain[side].pos[a] = at[a] + (side == 0 ? 0.5 : -0.5) * length * n[a];
            grain[side].vel[a] = side == 1 ? tangential / 2 * t[a] : 0.0;
        }
    }
}

enum { FABRIC_CONTACTS, FABRIC_ERROR, A_C, A_L, A_N, A_T, RATIO_BY_A, RATIO, AMPLITUDE };

/* Pairs whose directions, branches and forces have the second harmonics a_c, a_l, a_n, a_t about an
 * axis at 30 degrees to x: phi_1 - phi_2 = a_c/2, and closed forms for what the means of products
 * make of the others. */
static void check_fabric(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\ndomain: {low: [0, 0], high: [62, 62]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 800}}]\n"
        "analysis: [{fabric: {}}, {fabric: {name: along, axis: y}}]\n";
    enum { N = 400 };
    const double a_c = 0.3, a_l = 0.04, a_n = 0.4, a_t = 0.15, force = 5, tilt = acos(-1.0) / 6;
    static struct job_grain grain[2 * N];
    double stress[2][2] = {{0}};
    for (int k = 0; k < N; k++) {
        double share = 2 * acos(-1.0) * (k + 0.5) / N, x = share; /* x + a_c/2 sin 2x = share */
        for (int i = 0; i < 50; i++)
            x -= (x + a_c / 2 * sin(2 * x) - share) / (1 + a_c * cos(2 * x));
        const double n[3] = {cos(x + tilt), sin(x + tilt), 0}, tangent[3] = {-n[1], n[0], 0};
        const double at[3] = {3 * (k % 20) + 1.5, 3 * (k / 20) + 1.5, 0};
        double l = 1 + a_l * cos(2 * x), f_n = force * (1 + a_n * cos(2 * x)),
               f_t = -force * a_t * sin(2 * x);
        put_pair(grain + 2 * k, at, n, tangent, l, f_n, f_t);
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) stress[a][b] += l * n[a] * (f_n * n[b] + f_t * tangent[b]);
    }
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 2 * N)) return;
    double *row = derive(&job, 0), norm = 1 + a_c * a_n / 2;
    double xx = stress[0][0], yy = stress[1][1], xy = (stress[0][1] + stress[1][0]) / 2;
    JOB_NEAR(t, "contacts", row[FABRIC_CONTACTS], N, 0.0);
    JOB_NEAR(t, "error of a_c", row[FABRIC_ERROR], sqrt(2.0 / N), 1e-15);
    JOB_NEAR(t, "a_c", row[A_C], a_c, 1e-5);
    JOB_NEAR(t, "amplitude", row[AMPLITUDE], a_c, 1e-5);
    JOB_NEAR(t, "a_l", row[A_L], (a_c + a_l) / (1 + a_c * a_l / 2) - a_c, 1e-5);
    JOB_NEAR(t, "a_n", row[A_N], (a_c + a_n) / norm - a_c, 1e-5);
    JOB_NEAR(t, "a_t", row[A_T], a_t / norm, 1e-5);
    JOB_NEAR(t, "expected ratio", row[RATIO_BY_A], (a_c + a_n + a_t) / norm / 2, 1e-5);
    JOB_NEAR(t, "ratio", row[RATIO], hypot(xx - yy, 2 * xy) / (xx + yy), 1e-9);
    double *along = derive(&job, 1); /* at 60 degrees to the axis */
    JOB_NEAR(t, "a_c along y", along[A_C], -a_c / 2, 1e-5);
    JOB_NEAR(t, "ratio along y", along[RATIO], (yy - xx) / (xx + yy), 1e-9);
    scree_alloc_free(row);
    scree_alloc_free(along);
    scree_job_clear(&job);
}

/* Axial harmonics 1 + a (3 cos^2 - 1) about z. */
static void check_axial_fabric(struct mpi_test *t)
{
    static const char text[] =
        "domain: {low: [0, 0, 0], high: [31, 31, 31]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 2000}}]\n"
        "analysis: [{fabric: {}}, {fabric: {name: along, axis: z}}]\n";
    enum { N = 1000 };
    const double a_c = 0.2, a_n = 0.3, a_t = 0.1, force = 5, golden = acos(-1.0) * (3 - sqrt(5.0));
    static struct job_grain grain[2 * N];
    double means[3] = {0}; /* of 3 f cos^2 - f and f; of the sum of 2 f_t sin cos */
    for (int k = 0; k < N; k++) {
        double share = 2 * (k + 0.5) / N - 1, c = share; /* c + a_c (c^3 - c) = share */
        for (int i = 0; i < 50; i++)
            c -= (c + a_c * (c * c * c - c) - share) / (1 + a_c * (3 * c * c - 1));
        double s = sqrt(1 - c * c), x = cos(golden * k), y = sin(golden * k);
        const double n[3] = {s * x, s * y, c}, tangent[3] = {-c * x, -c * y, s};
        const double at[3] = {3 * (k % 10) + 1.5, 3 * (k / 10 % 10) + 1.5, 3 * (k / 100) + 1.5};
        double f_n = force * (1 + a_n * (3 * c * c - 1)), f_t = force * a_t * 2 * s * c;
        put_pair(grain + 2 * k, at, n, tangent, 1, f_n, f_t);
        means[0] += f_n * (3 * c * c - 1);
        means[1] += f_n;
        means[2] += f_t * 3 * s * c;
    }
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 2 * N)) return;
    double *row = derive(&job, 0), *along = derive(&job, 1);
    JOB_NEAR(t, "a_c in space", row[A_C], a_c, 2e-3); /* directions are spread about z, not exact */
    JOB_NEAR(t, "amplitude in space", row[AMPLITUDE], a_c, 2e-3);
    JOB_NEAR(t, "a_c along z", along[A_C], a_c, 1e-5);
    JOB_NEAR(t, "a_n along z", along[A_N], 1.25 * means[0] / means[1] - along[A_C], 1e-9);
    JOB_NEAR(t, "a_t along z", along[A_T], 1.25 * means[2] / means[1], 1e-9);
    JOB_NEAR(t, "a_l along z", along[A_L], 0.0, 1e-9);
    JOB_NEAR(t, "expected ratio in space", along[RATIO_BY_A],
             0.4 * (along[A_C] + along[A_N] + along[A_T]), 1e-12);
    JOB_NEAR(t, "ratio in space", along[RATIO], along[RATIO_BY_A], 1e-9); /* branches are alike */
    JOB_NEAR(t, "error of a_c in space", along[FABRIC_ERROR], sqrt(1.25 / N), 1e-15);
    scree_alloc_free(row);
    scree_alloc_free(along);
    scree_job_clear(&job);
}

/* Random directions: no anisotropy within the error that the table tells, in 20 parts of a sample
 * whose squares over the errors add up as chi^2 does. */
static void check_isotropy(struct mpi_test *t)
{
    enum { N = 1000, N_PARTS = 10 };
    static struct job_grain grain[2 * N];
    char text[2000];
    int used = snprintf(text, sizeof text,
                        "domain: {low: [0, 0, 0], high: [31, 31, 31]}\n"
                        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: "
                        "2000}}]\nanalysis:\n");
    for (int k = 0; k < N_PARTS; k++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "- fabric: {name: part%d, axis: %s, low: [0, 0, %d], high: [31, 31, %d]}\n", k,
                     k % 2 ? "x" : "z", 3 * k, 3 * k + 3);
    for (int k = 0; k < N; k++) {
        const struct scree_rng_key key = {.seed = 7, .gid = k, .purpose = SCREE_RNG_VELOCITY};
        double c = 2 * scree_rng_uniform(&key, 0) - 1, s = sqrt(1 - c * c),
               phi = 2 * acos(-1.0) * scree_rng_uniform(&key, 1);
        const double n[3] = {s * cos(phi), s * sin(phi), c}, none[3] = {0};
        const double at[3] = {3 * (k % 10) + 1.5, 3 * (k / 10 % 10) + 1.5, 3 * (k / 100) + 1.5};
        put_pair(grain + 2 * k, at, n, none, 1, 5, 0);
    }
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 2 * N)) return;
    double chi = 0;
    for (int k = 0; k < N_PARTS; k++) {
        double *row = derive(&job, k), x = row[A_C] / row[FABRIC_ERROR];
        MPI_TEST(t, fabs(x) < 3.5, "part %d: a_c is %g of its error", k, x);
        chi += x * x;
        scree_alloc_free(row);
    }
    MPI_TEST(t, chi > 3 && chi < 21, "chi^2 of 10 is %g", chi); /* 2 % on either side */
    scree_job_clear(&job);
}

/* Two weak contacts along y, of which one slides, and a strong one along x: forces 3, 3 and 12 N,
 * mean 6 but for what friction adds. */
static void check_networks(struct mpi_test *t)
{
    static const char text[] =
        "dimension: 2\ngrains: spheres\ndomain: {low: [0, 0], high: [12, 4]}\n"
        "particles: [{lattice: {material: m, radius: 0.5, spacing: 1.5, count: 6}}]\n"
        "analysis: [{networks: {axis: x, cutoffs: 4, up_to: 4}}, {forces: {bins: 4, up_to: 5}}]\n";
    enum {
        CUT,
        CONTACTS,
        SHARE,
        N_A_C,
        N_RATIO = 8,
        PRESSURE_SHARE,
        DEVIATOR,
        POWER,
        SLIDING,
        SHARE_SLIDING,
        N_COLUMNS
    };
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, back[3] = {-1, 0, 0};
    struct job_grain grain[6];
    for (int k = 0; k < 3; k++) {
        const double at[3] = {2 + 3 * k, 2, 0};
        put_pair(grain + 2 * k, at, k < 2 ? y : x, k < 2 ? back : y, 1, k < 2 ? 3 : 12,
                 k == 1 ? 100 : 0);
    }
    struct scree_job job;
    if (!open_and_sample(t, &job, text, grain, 6)) return;
    double *row = derive(&job, 0), *weak = row, *all = row + 4 * N_COLUMNS;
    /* forces are 3, 3 sqrt(1 + 5^2) = 15.3 and 12: the sliding one is the strongest */
    double slid = 3 * sqrt(26.0), mean = (3 + slid + 12) / 3;
    MPI_TEST(t, 3 < mean && slid > mean && slid < 2 * mean, "forces %g, mean %g", slid, mean);
    JOB_NEAR(t, "cut-off", weak[CUT], 1, 0);
    JOB_NEAR(t, "weak contacts", weak[CONTACTS], 1, 0);
    JOB_NEAR(t, "their share", weak[SHARE], 1.0 / 3, 1e-15);
    JOB_NEAR(t, "their anisotropy", weak[N_A_C], -2, 1e-12);
    JOB_NEAR(t, "their stress ratio", weak[N_RATIO], -1, 1e-9);
    JOB_NEAR(t, "their share of pressure", weak[PRESSURE_SHARE], 3.0 / 18, 1e-9);
    JOB_NEAR(t, "their share of the deviator", weak[DEVIATOR], -3.0 / 6, 1e-9);
    JOB_NEAR(t, "their sliding", weak[SLIDING], 0, 0);
    JOB_NEAR(t, "their dissipation", weak[POWER], 0, 0);
    JOB_NEAR(t, "all contacts", all[CONTACTS], 3, 0);
    MPI_TEST(t, isinf(all[CUT]), "the last cut-off is %g", all[CUT]);
    JOB_NEAR(t, "anisotropy of all", all[N_A_C], -2.0 / 3, 1e-12);
    JOB_NEAR(t, "stress ratio of all", all[N_RATIO], 6.0 / 18, 1e-9);
    JOB_NEAR(t, "all sliding", all[SLIDING], 1.0 / 3, 1e-15);
    JOB_NEAR(t, "dissipation of those below 2", (row + N_COLUMNS)[POWER], 1, 0);
    const double *f = job.output.analyses.measurement[1].sum;
    JOB_NEAR(t, "mean normal force", f[0], 6, 1e-9);
    JOB_NEAR(t, "mean tangential force", f[1], 5, 1e-9);
    const double normal[] = {0, 2, 1, 0, 0, 0}, tangential[] = {0, 2, 0, 1, 0, 0};
    for (int bin = 0; bin < 6; bin++) {
        JOB_NEAR(t, "normal forces in a bin", f[2 + bin], normal[bin], 0);
        JOB_NEAR(t, "tangential forces in a bin", f[8 + bin], tangential[bin], 0);
    }
    scree_alloc_free(row);
    scree_job_clear(&job);
}

static const char flow[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 9\n"
    "materials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.25, 0.5]}, spacing: 1, speed: 1.5, "
    "spin: 3}}]\n"
    "domain: {low: [-2, 0, 0], high: [6, 7, 8], periodic: [x, y]}\ngravity: [3, 0, -9.5]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: m, point: [0, 0, 8], normal: [0, 0, -1], "
    "velocity: [2, 0.5, -1]}\n"
    "analysis:\n"
    "- stress: {steps: 100, sampled: 5}\n"
    "- stress: {name: part, steps: 100, sampled: 5, low: [-2, 1.5, 0.7], high: [1, 4, 5]}\n"
    "- stress: {name: inside, steps: 100, sampled: 5, border: 12 %}\n"
    "- walls: {steps: 100, sampled: 5}\n"
    "- packing: {steps: 100, sampled: 5, border: 0.8}\n"
    "- inertial: {steps: 100, sampled: 5}\n"
    "- fabric: {steps: 100, sampled: 5, low: [-2, 1.5, 0.7], high: [1, 4, 5]}\n"
    "- networks: {steps: 100, sampled: 5, cutoffs: 5}\n"
    "- forces: {steps: 100, sampled: 5, bins: 9, wall_contacts: true}\n"
    "- profile: {name: field, steps: 100, sampled: 5, along: x, axis: z, bins: 6, slabs: 5}\n"
    "- profile: {steps: 100, sampled: 5, along: r, axis: x, centre: [0, 3, 3], bins: 7, slabs: "
    "3}\n";

static uint64_t *run(struct mpi_test *t, struct scree_comm *comm, const char *const *sets,
                     int64_t *n)
{
    struct scree_job job;
    *n = 0;
    if (!job_open(t, &job, comm, flow, sets)) return NULL;
    job_start(t, &job);
    const struct scree_analysis_view view = {&job.run.scene, job.run.stepper, job.run.state};
    for (int64_t step = 0; step <= 120;) {
        scree_analyses_sample(&job.output.analyses, &view, step, false);
        step = scree_analyses_next(&job.output.analyses, step);
        MPI_TEST(t, step % 5 == 0, "next is step %lld", (long long)step);
        job_advance(t, &job, step);
    }
    *n = job.output.analyses.n_state;
    uint64_t *bits = scree_alloc((size_t)*n, sizeof *bits);
    memcpy(bits, job.output.analyses.state, (size_t)*n * sizeof *bits);
    MPI_TEST(t, job.output.analyses.measurement[1].sum[NORMAL] > 0.0, "the part saw no contact");
    scree_job_clear(&job);
    return bits;
}

static void check_same_bits(struct mpi_test *t)
{
    static const char *const forced[] = {"balance.force_every=10", "neighbours.skin=0.1", NULL};
    const char *const *variant[] = {NULL, forced};
    struct scree_comm self = job_alone();
    int64_t n_alone, n;
    uint64_t *alone = run(t, &self, NULL, &n_alone);
    for (int k = 0; k < 2; k++) {
        uint64_t *bits = run(t, t->comm, variant[k], &n);
        int64_t different = 0;
        for (int64_t c = 0; c < n && n == n_alone; c++) different += bits[c] != alone[c];
        MPI_TEST(t, n == n_alone && n > 200 && different == 0, "%s: %lld of %lld numbers differ",
                 k > 0 ? "forced balance" : "plain", (long long)different, (long long)n);
        scree_alloc_free(bits);
    }
    scree_alloc_free(alone);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_two_grains(&t);
    check_wall(&t);
    check_wall_virial(&t);
    check_strain(&t);
    check_rotation(&t);
    check_shear(&t);
    check_fabric(&t);
    check_axial_fabric(&t);
    check_isotropy(&t);
    check_networks(&t);
    check_same_bits(&t);
    return mpi_test_end(&t);
}
