/* SPDX-License-Identifier: BSD-3-Clause
 * New grains of every kind keep off walls of all sorts, by formulas of the test's own, on any
 * number of ranks the same; those that are glued to a wall may reach into it. */
#include "samples_test.h"

static struct scree_box make_box(void)
{
    const double low[3] = {-1.0, -1.0, 0.0}, high[3] = {1.0, 1.0, 3.0};
    const bool periodic[3] = {true, false, false};
    struct scree_box box;
    scree_box_init(&box, 3, low, high, periodic);
    return box;
}

/* Planes that cross the box, a drum without end, a ball and a block among the grains, sheets. */
static const char walls[] =
    "boundaries:\n"
    "  slope: {shape: plane, material: steel, point: [0, 0, 0], normal: [0, 1, 1]}\n"
    "  roof: {shape: plane, material: steel, point: [0, 1, 2], normal: [0, -1, -2]}\n"
    "  drum: {shape: cylinder, material: steel, axis: [1, 0, 0], point: [0, 0, 1.5], radius: 1.4, "
    "side: "
    "inside}\n"
    "  ball: {shape: sphere, material: steel, centre: [0.9, 0.3, 1.5], radius: 0.3, side: "
    "outside}\n"
    "  block: {shape: block, material: steel, low: [-0.7, -0.6, 0.9], high: [-0.4, 0.1, 1.5]}\n"
    "  disk: {shape: disk, material: steel, centre: [0.1, -0.2, 1.9], normal: [0, 0, 1], radius: "
    "0.5}\n"
    "  tube: {shape: cylinder, material: steel, point: [0.3, -0.2, 0.9], length: 0.6, radius: "
    "0.25}\n";

/* From the centre of a grain to each of these walls, seen from the good side. */
enum { N_WALLS = 7 };
static void find_distances(const double pos[4], double distance[N_WALLS])
{
    double x = pos[0], y = pos[1], z = pos[2], square = 0.0;
    double to_ball = x - 0.9 - 2.0 * nearbyint((x - 0.9) / 2.0);
    const double low[3] = {-0.7, -0.6, 0.9}, high[3] = {-0.4, 0.1, 1.5};
    distance[0] = (y + z) / sqrt(2.0);
    distance[1] = ((1.0 - y) + 2.0 * (2.0 - z)) / sqrt(5.0);
    distance[2] = 1.4 - hypot(y, z - 1.5);
    distance[3] = hypot(to_ball, hypot(y - 0.3, z - 1.5)) - 0.3;
    for (int k = 0; k < 3; k++) {
        double out = fmax(fmax(low[k] - pos[k], pos[k] - high[k]), 0.0);
        square += out * out;
    }
    distance[4] = sqrt(square);
    distance[5] = hypot(z - 1.9, fmax(hypot(x - 0.1, y + 0.2) - 0.5, 0.0));
    distance[6] = hypot(hypot(x - 0.3, y + 0.2) - 0.25, fmax(fmax(0.9 - z, z - 1.5), 0.0));
}

static int count_stuck(const struct scree_particles *p, int from, double tolerance)
{
    int n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double distance[N_WALLS];
        bool stuck = false;
        find_distances(p->pos[i], distance);
        for (int w = from; w < N_WALLS; w++)
            stuck = stuck || distance[w] < p->pos[i][3] * (1.0 - tolerance);
        n += stuck;
    }
    return n;
}

static const char *const kinds[] = {"lattice: {", "loose: {", "random: {count: 300, ",
                                    "random: {count: 200, gap: 0.01, ", "dense: {count: 700, "};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static void check_kind(struct mpi_test *t, const char *kind)
{
    struct scree_box box = make_box();
    struct scree_comm self = alone();
    struct scree_particles *all, *mine;
    char text[2000];
    snprintf(text, sizeof text,
             "%sparticles: [{%smaterial: glass, radius: {uniform: [0.03, 0.06]}}}]", walls, kind);
    enum scree_status status = fill_from(&self, text, &box, &all);
    MPI_TEST(t, status == SCREE_OK, "%s alone: %.200s", kind, scree_status_message());
    MPI_TEST(t, all->n_owned >= 200, "%s: only %d grains", kind, all->n_owned);
    MPI_TEST(t, count_overlaps(&box, all) == 0, "%s: overlaps", kind);
    int n = count_stuck(all, 0, 1e-6);
    MPI_TEST(t, n == 0, "%s: %d of %d grains stick in walls", kind, n, all->n_owned);
    fill_from(t->comm, text, &box, &mine);
    MPI_TEST(t, digest_of(t->comm, mine) == digest_of(&self, all), "%s: depends on ranks", kind);
    scree_particles_destroy(&mine);
    scree_particles_destroy(&all);
}

/* A layer of grains whose centres are in a wall, glued to it, and kept off the others. */
static void check_glued(struct mpi_test *t)
{
    struct scree_box box = make_box();
    struct scree_particles *p;
    char text[2000];
    snprintf(text, sizeof text,
             "%sparticles:\n- lattice: {material: glass, radius: 0.05, low: [-1, -1, 0.9]}\n"
             "  glue: {to: slope}\n",
             walls);
    enum scree_status status = fill_from(t->comm, text, &box, &p);
    MPI_TEST(t, status == SCREE_OK, "glued: %.200s", scree_status_message());
    int64_t n[2] = {count_stuck(p, 1, 1e-6), count_stuck(p, 0, 1e-6)};
    scree_comm_sum_int(t->comm, n, 2);
    MPI_TEST(t, n[0] == 0 && n[1] > 15, "%lld in walls they are not glued to, %lld in the slope",
             (long long)n[0], (long long)n[1]);
    scree_particles_destroy(&p);
}

/* What does not fit is refused, with how much would. */
static void check_refusals(struct mpi_test *t)
{
    static const struct {
        const char *particles, *message;
    } cases[] = {
        {"lattice: {material: glass, radius: 0.05, count: 8000}", "of 8748 sites"},
        {"lattice: {material: glass, radius: 0.05, low: [-1, -1, 0], high: [1, -0.5, 0.5]}",
         "none of"},
        {"random: {count: 5, material: glass, radius: 0.05, low: [-1, -1, 0], high: [1, -0.5, "
         "0.5]}",
         "only 0 of 5 grains"},
        {"dense: {count: 5, material: glass, radius: 0.05, low: [-1, -1, 0], high: [1, -0.5, "
         "0.5]}",
         "no place"},
        {"dense: {count: 6500, material: glass, radius: 0.06, steps: 20}", "still overlap"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct scree_box box = make_box();
        struct scree_particles *p;
        char text[2000];
        snprintf(text, sizeof text, "%sparticles: [{%s}]", walls, cases[k].particles);
        enum scree_status status = fill_from(t->comm, text, &box, &p);
        MPI_TEST(t, status == SCREE_PHYSICS && strstr(scree_status_message(), cases[k].message),
                 "%s: %d, %.200s", cases[k].particles, (int)status, scree_status_message());
        scree_particles_destroy(&p);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < N_KINDS; k++) check_kind(&t, kinds[k]);
    check_glued(&t);
    check_refusals(&t);
    return mpi_test_end(&t);
}
