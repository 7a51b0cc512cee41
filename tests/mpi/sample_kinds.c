/* SPDX-License-Identifier: BSD-3-Clause
 * Every kind of sample with every size distribution and region: the same grains on any number of
 * ranks, inside their region, without overlap by looking at every pair; velocities; glued grains.
 */
#include "samples_test.h"
#include "scree/regions.h"
#include "scree/sizes.h"

static struct scree_box make_box(int dimension)
{
    const double low[3] = {-1.0, -1.0, 0.0}, high[3] = {1.0, 1.0, 3.0};
    const bool periodic[3] = {true, false, false};
    struct scree_box box;
    scree_box_init(&box, dimension, low, high, periodic);
    return box;
}

/* How far inside its region a grain is, by formulas of the test's own. */
typedef double room_of(const double pos[4]);

static double in_box(const double pos[4])
{
    double y = fmin(pos[1] + 1.0, 1.0 - pos[1]); /* x is a whole period */
    return fmin(y, fmin(pos[2] - 0.0, 3.0 - pos[2]));
}

static double in_square(const double pos[4])
{
    return fmin(pos[1] + 1.0, 1.0 - pos[1]);
}

static double in_cylinder(const double pos[4]) /* along x, through a whole period */
{
    return 0.9 - hypot(pos[1], pos[2] - 1.0);
}

static double in_ring_wedge(const double pos[4]) /* a quarter ring, where x > 0 and y > 0 */
{
    double distance = hypot(pos[0], pos[1]);
    double faces = fmin(fmin(pos[0], pos[1]), fmin(pos[2] - 0.5, 2.5 - pos[2]));
    return fmin(faces, fmin(distance - 0.3, 1.0 - distance));
}

/* Three quarters of a disk: all but x > 0, y < 0. */
static double in_pacman(const double pos[4])
{
    double edge = 0.95 - hypot(pos[0], pos[1]);
    if (pos[0] <= 0.0 && pos[1] >= 0.0) return fmin(edge, hypot(pos[0], pos[1]));
    if (pos[0] > 0.0 && pos[1] < 0.0) return -1.0;
    return fmin(edge, pos[0] > 0.0 ? pos[1] : -pos[0]);
}

static double in_shell(const double pos[4])
{
    double r = sqrt(pos[0] * pos[0] + pos[1] * pos[1] + (pos[2] - 1.5) * (pos[2] - 1.5));
    return fmin(0.95 - r, r - 0.2);
}

struct region_case {
    const char *name, *text;
    int dimension;
    room_of *room;
};

static const struct region_case regions[] = {
    {"box", "", 3, in_box},
    {"square", "", 2, in_square},
    {"cylinder", ", region: {shape: cylinder, axis: x, centre: [0, 0, 1], radius: 0.9}", 3,
     in_cylinder},
    {"quarter ring",
     ", region: {shape: cylinder, inner: 0.3, radius: 1, from: 0 deg, to: 90 deg, low: 0.5, "
     "high: 2.5}",
     3, in_ring_wedge},
    {"three quarters of a disk", ", region: {shape: cylinder, radius: 0.95, from: 0, to: 270 deg}",
     2, in_pacman},
    {"shell", ", region: {shape: sphere, centre: [0, 0, 1.5], radius: 0.95, inner: 0.2}", 3,
     in_shell},
};

static const char *const sizes[] = {
    "0.05",
    "{uniform: [0.02, 0.06]}",
    "{uniform: {range: [0.03, 0.06], by: volume}}",
    "{power: {low: 0.02, high: 0.06, exponent: 2.5}}",
    "{bidisperse: {small: 0.02, large: 0.06, share: 0.7, by: volume}}",
    "{lognormal: {median: 0.04, sigma: 0.2, high: 0.07}}",
    "{table: {rows: [[0.02, 0], [0.03, 20], [0.05, 100]], by: volume}}",
};

static const char *const kinds[] = {"lattice: {", "loose: {", "random: {count: 120, ",
                                    "dense: {count: 120, "};

enum {
    N_REGIONS = sizeof regions / sizeof regions[0],
    N_SIZES = sizeof sizes / sizeof sizes[0],
    N_KINDS = sizeof kinds / sizeof kinds[0]
};

/* All grains made by the calling rank; their digest. */
static uint64_t check_alone(struct mpi_test *t, const char *text, const struct region_case *region)
{
    struct scree_box box = make_box(region->dimension);
    struct scree_comm self = alone();
    struct scree_particles *all;
    enum scree_status status = fill_from(&self, text, &box, &all);
    MPI_TEST(t, status == SCREE_OK, "alone: %.90s", scree_status_message());
    int n_outside = 0, n_overlaps = count_overlaps(&box, all);
    for (scree_lid i = 0; i < all->n_owned; i++)
        n_outside += !(region->room(all->pos[i]) >= all->pos[i][3] * (1.0 - 1e-6));
    MPI_TEST(t, all->n_owned >= 100, "%s: only %d grains", text, all->n_owned);
    MPI_TEST(t, n_overlaps == 0, "%s: %d overlaps", text, n_overlaps);
    MPI_TEST(t, n_outside == 0, "%s: %d of %d grains stick out", text, n_outside, all->n_owned);
    uint64_t digest = digest_of(&self, all);
    scree_particles_destroy(&all);
    return digest;
}

static void check_all_ranks(struct mpi_test *t, const char *text, const struct region_case *region)
{
    struct scree_box box = make_box(region->dimension);
    struct scree_particles *mine;
    uint64_t alone_digest = 0;
    if (t->comm->rank == 0) alone_digest = check_alone(t, text, region);
    mpi_test_tell(t, &alone_digest, sizeof alone_digest);
    enum scree_status status = fill_from(t->comm, text, &box, &mine);
    MPI_TEST(t, status == SCREE_OK, "%.90s", scree_status_message());
    MPI_TEST(t, digest_of(t->comm, mine) == alone_digest, "%s: not as alone", text);
    scree_particles_destroy(&mine);
}

static void check_kinds(struct mpi_test *t)
{
    char text[500];
    for (int k = 0; k < N_KINDS; k++)
        for (int c = 0; c < N_REGIONS + N_SIZES; c++) {
            const struct region_case *region = &regions[c < N_REGIONS ? c : 0];
            snprintf(text, sizeof text,
                     "particles:\n- %smaterial: glass, speed: 1, radius: %s%s}\n", kinds[k],
                     c < N_REGIONS ? sizes[1] : sizes[c - N_REGIONS], region->text);
            check_all_ranks(t, text, region);
        }
}

/* Samples in one place keep off each other, also across the period. */
static void check_company(struct mpi_test *t)
{
    static const char *const text =
        "particles:\n"
        "- random: {count: 150, material: steel, radius: 0.1, high: [1, 1, 2]}\n"
        "- lattice: {material: glass, radius: 0.05, low: [-1, -1, 0], high: [0.95, 1, 1]}\n"
        "- dense: {count: 760, material: glass, radius: 0.1, low: [-0.99, -1, 0.9]}\n"
        "- loose: {material: glass, radius: {uniform: [0.02, 0.04]}, low: [-0.99, -1, 1]}\n"
        "- random: {count: 50, material: glass, radius: 0.02}\n";
    check_all_ranks(t, text, &regions[0]);
}

/* Pushed off grains of earlier samples by several ranks, in slabs across the period. */
static void check_slabs(struct mpi_test *t)
{
    static const char *const text =
        "particles:\n"
        "- random: {count: 150, material: steel, radius: 0.1, high: [1, 1, 2]}\n"
        "- dense: {count: 2200, material: glass, radius: 0.05, low: [-1, -1, 0.3], high: [1, 1, "
        "1.9]}\n";
    check_all_ranks(t, text, &regions[0]);
}

/* A disordered packing of spheres far beyond what random addition reaches. */
static void check_packing(struct mpi_test *t)
{
    struct region_case cube = {"cube", "", 3, in_box};
    check_all_ranks(t, "particles: [{dense: {count: 740, material: glass, radius: 0.13}}]", &cube);
}

static void check_too_many(struct mpi_test *t, const char *text, const char *expected)
{
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    enum scree_status status = fill_from(t->comm, text, &box, &p);
    MPI_TEST(t, status == SCREE_PHYSICS, "%s: status %d", text, (int)status);
    MPI_TEST(t, strstr(scree_status_message(), expected) != NULL, "%s", scree_status_message());
    scree_particles_destroy(&p);
}

static void check_no_room(struct mpi_test *t)
{
    check_too_many(t, "particles: [{random: {count: 2700, material: glass, radius: 0.1}}]",
                   "of 2700 grains found a free place, solid fraction 0.3");
    check_too_many(t,
                   "particles: [{loose: {count: 500, material: glass, radius: 0.1, spacing: 0.22, "
                   "region: {shape: sphere, centre: [0, 0, 1.5], radius: 0.9}}}]",
                   "loose sample: 'count' is 500, but only ");
    check_too_many(t,
                   "particles: [{dense: {count: 2700, steps: 50, material: glass, radius: 0.1}}]",
                   "dense sample: at solid fraction 0.942 grain ");
}

/* Sums over all ranks: mass times velocity, mass times its square, number; and the largest speed of
 * a component. */
struct motion {
    double momentum[3], energy, number, mass, fastest;
};

static struct motion motion_of(struct scree_comm *comm, const struct scree_particles *p)
{
    struct scree_exact sum[6];
    struct motion m = {.fastest = 0.0};
    for (int k = 0; k < 6; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int k = 0; k < 3; k++) {
            scree_exact_add_product(&sum[k], p->mass[i], p->vel[i][k]);
            scree_exact_add(&sum[3], p->mass[i] * (p->vel[i][k] * p->vel[i][k]));
            m.fastest = fmax(m.fastest, fabs(p->vel[i][k]));
        }
        scree_exact_add(&sum[4], 1.0);
        scree_exact_add(&sum[5], p->mass[i]);
    }
    scree_comm_sum_exact(comm, sum, 6);
    scree_comm_max(comm, &m.fastest, 1);
    for (int k = 0; k < 3; k++) m.momentum[k] = scree_exact_value(&sum[k]);
    m.energy = scree_exact_value(&sum[3]);
    m.number = scree_exact_value(&sum[4]);
    m.mass = scree_exact_value(&sum[5]);
    return m;
}

static void check_velocities(struct mpi_test *t)
{
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    struct motion m;
    fill_from(t->comm,
              "particles: [{lattice: {material: glass, radius: {uniform: [0.03, 0.06]}, "
              "temperature: 7 J}}]",
              &box, &p);
    m = motion_of(t->comm, p);
    MPI_TEST(t, fabs(m.energy / (3.0 * m.number * 7.0) - 1.0) < 1e-13, "temperature %.16g J",
             m.energy / (3.0 * m.number));
    for (int k = 0; k < 3; k++)
        MPI_TEST(t, fabs(m.momentum[k]) < 1e-14 * sqrt(m.energy * m.mass), "momentum %g",
                 m.momentum[k]);
    scree_particles_destroy(&p);
    fill_from(t->comm,
              "particles: [{lattice: {material: glass, radius: 0.04, velocities: uniform, "
              "speed: 2, drift: [0, 5, 0]}}]",
              &box, &p);
    m = motion_of(t->comm, p);
    double variance = m.energy / m.mass / 3.0 - 25.0 / 3.0;
    MPI_TEST(t, fabs(m.momentum[1] / m.mass - 5.0) < 1e-13, "drift %.16g", m.momentum[1] / m.mass);
    MPI_TEST(t, fabs(variance / 4.0 - 1.0) < 5.0 * sqrt(0.8 / (3.0 * m.number)), "variance %g",
             variance);
    MPI_TEST(t, m.fastest < 5.0 + 2.0 * sqrt(3.0) + 0.1, "%g is beyond the interval", m.fastest);
    scree_particles_destroy(&p);
}

#define WALLS                                                                           \
    "boundaries:\n"                                                                     \
    "  floor: {shape: plane, material: steel, point: [0, 0, 0.1], normal: [0, 0, 1]}\n" \
    "  lid: {shape: plane, material: steel, point: [0, 0, 2.9], normal: [0, 0, -1], "   \
    "velocity: [3, 0, 1]}\n"

/* Counts over all ranks: near the floor, near the lid, glued to each. */
static void count_glued(struct mpi_test *t, const struct scree_particles *p, double within,
                        int64_t n[4])
{
    int n_wrong = 0;
    memset(n, 0, 4 * sizeof *n);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double r = p->pos[i][3], z = p->pos[i][2];
        bool floor_near = z - 0.1 - r <= within, lid_near = 2.9 - z - r <= within;
        bool glued = p->vel[i][3] == 0.0;
        n[0] += floor_near;
        n[1] += lid_near;
        n[2] += glued && floor_near;
        n[3] += glued && lid_near;
        n_wrong += glued && !floor_near && !lid_near;
        if (glued)
            n_wrong += p->spin[i][3] != 0.0 || p->vel[i][0] != (lid_near ? 3.0 : 0.0) ||
                       p->vel[i][2] != (lid_near ? 1.0 : 0.0) || !(p->mass[i] > 0.0);
    }
    scree_comm_sum_int(t->comm, n, 4);
    MPI_TEST(t, n_wrong == 0, "%d glued grains are not as they should be", n_wrong);
}

static void check_glue(struct mpi_test *t)
{
    static const char loose[] = "particles:\n- loose: {material: glass, speed: 1, radius: "
                                "{uniform: [0.02, 0.06]}, low: [-1, -1, 0.1], high: [1, 1, 2.9]}\n";
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    char text[1000];
    int64_t n[4];
    snprintf(text, sizeof text, WALLS "%s  glue: {within: 0.03}\n", loose);
    fill_from(t->comm, text, &box, &p);
    count_glued(t, p, 0.03, n);
    MPI_TEST(t, n[0] > 50 && n[2] == n[0] && n[3] == n[1] && n[1] > 50, "all: %lld of %lld, %lld",
             (long long)n[2], (long long)n[0], (long long)n[3]);
    scree_particles_destroy(&p);
    snprintf(text, sizeof text, WALLS "%s  glue: {to: lid, within: 0.03, share: 0.3}\n", loose);
    fill_from(t->comm, text, &box, &p);
    count_glued(t, p, 0.03, n);
    double share = (double)n[3] / (double)n[1], deviation = sqrt(0.3 * 0.7 / (double)n[1]);
    MPI_TEST(t, n[2] == 0 && fabs(share - 0.3) < 4.0 * deviation, "share: %g", share);
    scree_particles_destroy(&p);
    check_all_ranks(t, text, &regions[0]);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_kinds(&t);
    check_company(&t);
    check_slabs(&t);
    check_packing(&t);
    check_no_room(&t);
    check_velocities(&t);
    check_glue(&t);
    return mpi_test_end(&t);
}
