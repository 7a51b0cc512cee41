/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements against numbers computed by hand, and the same bits on any number of ranks. */
#include "analysis_test.h"

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
    if (!analysis_open(t, &job, text, grain, 2)) return;
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
    if (!analysis_open(t, &job, text, &grain, 1)) return;
    const struct scree_measurement *m = job.output.analyses.measurement;
    JOB_NEAR(t, "yy", m[0].sum[1 + 4 + 3], 0.46 * force / area, 1e-12);
    JOB_NEAR(t, "total yy", m[0].sum[1 + 3 * 4 + 3],
             m[0].sum[1 + 3] + m[0].sum[1 + 4 + 3] + m[0].sum[1 + 8 + 3], 1e-12);
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
    if (!analysis_open(t, &job, text, &grain, 1)) return;
    double *row = analysis_rows(&job, 0), stress = (0.47 * 30 + 0.49 * 10) / (3 * 4 * 0.96);
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
    if (!analysis_open(t, &job, text, grain, 9)) return;
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
    if (!analysis_open(t, &job, text, grain, N)) return;
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
    if (!analysis_open(t, &job, text, grain, N)) return;
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
    "- fields: {name: grid, steps: 100, sampled: 5, bins: {x: 4, z: 5}, width: 0.6}\n"
    "- fields: {name: round, steps: 100, sampled: 20, bins: {r: 3, phi: 4}, width: 0.6}\n"
    "- profile: {name: field, steps: 100, sampled: 5, along: x, axis: z, bins: 6, slabs: 5}\n"
    "- profile: {steps: 100, sampled: 5, along: r, axis: x, centre: [0, 3, 3], bins: 7, slabs: "
    "3}\n";

/* A sector of a ring, and a box that deforms. */
static const char ring[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 9\nmaterials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6}\n"
    "particles: [{dense: {count: 150, material: m, radius: {uniform: [0.3, 0.5]}, speed: 1.5, "
    "spin: 3, region: {shape: cylinder, radius: 7, inner: 3}}}]\n"
    "domain: {low: [0, 0, 0], high: [7, 7, 4], wedge: {axis: z, sectors: 5}}\ngravity: [0, 0, -9]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  inner: {shape: cylinder, material: m, point: [0, 0, 0], radius: 3, side: outside}\n"
    "  outer: {shape: cylinder, material: m, point: [0, 0, 0], radius: 7, side: inside}\n"
    "analysis:\n"
    "- fabric: {steps: 100, sampled: 5, axis: phi}\n"
    "- networks: {steps: 100, sampled: 10, cutoffs: 4, wall_contacts: true}\n"
    "- forces: {steps: 100, sampled: 10, bins: 5}\n"
    "- fields: {steps: 100, sampled: 10, bins: {r: 3, phi: 4, z: 2}, width: 0.7}\n"
    "- fields: {name: turn, steps: 100, sampled: 10, bins: {phi: 5}, width: 0.7}\n";
static const char sheared[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 9\nmaterials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.25, 0.5]}, spacing: 1, speed: 1.5, "
    "spin: 3}}]\n"
    "domain: {low: [0, 0, 0], high: [6, 5, 7], periodic: [x, y, z]}\n"
    "cell: {strain_rate: {xy: 2, zz: -0.5}}\n"
    "analysis:\n"
    "- fabric: {steps: 100, sampled: 5}\n"
    "- networks: {steps: 100, sampled: 10, cutoffs: 4}\n"
    "- inertial: {steps: 100, sampled: 10, along: y}\n"
    "- fields: {steps: 100, sampled: 10, bins: {x: 3, y: 4, z: 2}, width: 0.7}\n"
    "- fields: {name: layers, steps: 100, sampled: 10, bins: {y: 5}, width: 0.7}\n";

static uint64_t *run(struct mpi_test *t, struct scree_comm *comm, const char *text,
                     const char *const *sets, int64_t *n)
{
    struct scree_job job;
    *n = 0;
    if (!job_open(t, &job, comm, text, sets)) return NULL;
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
    if (text == flow)
        MPI_TEST(t, job.output.analyses.measurement[1].sum[NORMAL] > 0.0,
                 "the part saw no contact");
    else
        MPI_TEST(t, job.output.analyses.measurement[0].sum[0] > 10.0, "there are few contacts");
    scree_job_clear(&job);
    return bits;
}

static void check_same_bits(struct mpi_test *t, const char *text)
{
    static const char *const forced[] = {"balance.force_every=10", "neighbours.skin=0.1", NULL};
    const char *const *variant[] = {NULL, forced};
    struct scree_comm self = job_alone();
    int64_t n_alone, n;
    uint64_t *alone = run(t, &self, text, NULL, &n_alone);
    for (int k = 0; k < 2; k++) {
        uint64_t *bits = run(t, t->comm, text, variant[k], &n);
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
    check_same_bits(&t, flow);
    check_same_bits(&t, ring);
    check_same_bits(&t, sheared);
    return mpi_test_end(&t);
}
