/* SPDX-License-Identifier: BSD-3-Clause
 * Samples: the same grains on any number of ranks, without overlap, with the values promised. */
#include "samples_test.h"

static struct scree_box make_box(int dimension)
{
    const double low[3] = {0.0, -0.01, 0.0}, high[3] = {0.013, 0.01, 0.02};
    const bool periodic[3] = {true, true, false};
    struct scree_box box;
    scree_box_init(&box, dimension, low, high, periodic);
    return box;
}

static const char mixture[] =
    "particles:\n"
    "- lattice: {material: glass, radius: {uniform: [0.4 mm, 0.5 mm]}, high: [13 mm, 10 mm, 6 mm],"
    " speed: 0.3, spin: 20}\n"
    "- random: {material: steel, radius: {uniform: [0.2 mm, 0.6 mm]}, low: [0, -10 mm, 6 mm],"
    " high: [13 mm, 10 mm, 20 mm], count: 700, gap: 0.01 mm, speed: 0.1}\n"
    "  ramp: {component: y, along: z, low: -1, high: 3}\n";

static const char flat[] =
    "particles:\n"
    "- random: {material: glass, radius: 0.3 mm, count: 200, speed: 1, spin: 5,"
    " low: [0, 0], high: [13 mm, 10 mm]}\n"
    "- lattice: {material: steel, radius: 0.5 mm, count: 40, high: [13 mm, -1 mm], speed: 1}\n"
    "  ramp: {component: x, along: x, low: 1, high: 2}\n";

/* All grains are here. */
static void check_places(struct mpi_test *t, const struct scree_box *box,
                         const struct scree_particles *p)
{
    int n_overlaps = count_overlaps(box, p), n_outside = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < box->dimension; a++) {
            double margin = box->periodic[a] ? 0.0 : p->pos[i][3];
            n_outside += p->pos[i][a] < box->low[a] + margin * (1 - 1e-12);
            n_outside += p->pos[i][a] > box->high[a] - margin * (1 - 1e-12);
            n_outside += p->pos[i][a] != scree_box_snap(box, a, p->pos[i][a]);
        }
    }
    MPI_TEST(t, n_overlaps == 0, "%d overlaps", n_overlaps);
    MPI_TEST(t, n_outside == 0, "%d grains outside the box or off the grid", n_outside);
}

static void check_values(struct mpi_test *t, const struct scree_box *box,
                         const struct scree_particles *p)
{
    const double pi = acos(-1.0);
    bool flat_box = box->dimension == 2;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double r = p->pos[i][3], size = flat_box ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
        double mass = densities[p->species[i]] * size, factor = flat_box ? 0.5 : 0.4;
        bool good = fabs(p->mass[i] / mass - 1.0) < 1e-14 && p->gid[i] == i + 1 &&
                    fabs(p->vel[i][3] * mass - 1.0) < 1e-14 &&
                    fabs(p->spin[i][3] * factor * mass * r * r - 1.0) < 1e-14;
        if (flat_box)
            good = good && p->pos[i][2] == 0.0 && p->vel[i][2] == 0.0 && p->spin[i][0] == 0.0 &&
                   p->spin[i][1] == 0.0;
        if (!MPI_TEST(t, good, "values of grain %d", i)) return;
    }
}

/* The result of all ranks against that of each rank working alone. */
static void check_sample(struct mpi_test *t, const char *text, int dimension)
{
    struct scree_box box = make_box(dimension);
    struct scree_comm self = alone();
    struct scree_particles *mine, *all;
    enum scree_status status = fill_from(t->comm, text, &box, &mine);
    MPI_TEST(t, status == SCREE_OK, "filling: %s", scree_status_message());
    status = fill_from(&self, text, &box, &all);
    MPI_TEST(t, status == SCREE_OK, "filling alone: %s", scree_status_message());
    int64_t n = mine->n_owned;
    scree_comm_sum_int(t->comm, &n, 1);
    MPI_TEST(t, n == all->n_owned && n > 100, "%lld grains on all ranks, %d alone", (long long)n,
             all->n_owned);
    MPI_TEST(t, digest_of(t->comm, mine) == digest_of(&self, all), "other grains than alone");
    check_places(t, &box, all);
    check_values(t, &box, all);
    scree_particles_destroy(&mine);
    scree_particles_destroy(&all);
}

static void check_motion(struct mpi_test *t)
{
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    fill_from(t->comm,
              "particles:\n- lattice: {material: glass, radius: {uniform: [0.3 mm, 0.5 mm]}, "
              "speed: 2, spin: 7}\n",
              &box, &p);
    double largest[3] = {0};
    struct scree_exact sums[5];
    for (int k = 0; k < 5; k++) scree_exact_clear(&sums[k]);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int k = 0; k < 3; k++) {
            scree_exact_add_product(&sums[k], p->mass[i], p->vel[i][k]);
            scree_exact_add(&sums[3], p->vel[i][k] * p->vel[i][k]);
            scree_exact_add(&sums[4], p->spin[i][k] * p->spin[i][k]);
            largest[k] = fmax(largest[k], p->mass[i]);
        }
    int64_t n = p->n_owned;
    scree_comm_sum_exact(t->comm, sums, 5);
    scree_comm_sum_int(t->comm, &n, 1);
    scree_comm_max(t->comm, largest, 3);
    for (int k = 0; k < 3; k++) {
        double drift = scree_exact_value(&sums[k]) / (largest[k] * (double)n);
        MPI_TEST(t, fabs(drift) < 1e-15, "drift %g m/s", drift);
    }
    double speed = sqrt(scree_exact_value(&sums[3]) / (3.0 * (double)n));
    double spin = sqrt(scree_exact_value(&sums[4]) / (3.0 * (double)n));
    double tolerance = 5.0 / sqrt(6.0 * (double)n); /* five standard deviations of an rms */
    MPI_TEST(t, fabs(speed / 2.0 - 1.0) < tolerance, "rms speed %g m/s", speed);
    MPI_TEST(t, fabs(spin / 7.0 - 1.0) < tolerance, "rms spin %g rad/s", spin);
    scree_particles_destroy(&p);
}

static void check_ramp(struct mpi_test *t)
{
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    fill_from(t->comm,
              "particles:\n- lattice: {material: glass, radius: 1 mm}\n"
              "  ramp: {component: x, along: z, low: -1, high: 3}\n",
              &box, &p);
    for (scree_lid i = 0; i < p->n_owned; i++)
        MPI_TEST(t, fabs(p->vel[i][0] - (-1.0 + 4.0 * p->pos[i][2] / 0.02)) < 1e-14, "ramp: %g",
                 p->vel[i][0]);
    scree_particles_destroy(&p);
}

static void check_crowd(struct mpi_test *t)
{
    struct scree_box box = make_box(3);
    struct scree_particles *p;
    enum scree_status status = fill_from(
        t->comm, "particles: [{random: {material: glass, radius: 1 mm, count: 700}}]", &box, &p);
    const char *message = scree_status_message();
    MPI_TEST(t, status == SCREE_PHYSICS, "a crowd has status %d", (int)status);
    MPI_TEST(t, strstr(message, "grains found a free place") && strstr(message, "of 0.564 ("), "%s",
             message);
    scree_particles_destroy(&p);
}

static void check_mistakes(struct mpi_test *t, const char *items, const char *expected)
{
    struct scree_box box = make_box(3);
    struct scree_input *input;
    struct scree_samples samples;
    char text[500], printed[1000] = "";
    snprintf(text, sizeof text, "particles:\n%s", items);
    scree_input_create(&input, text, "f");
    const struct scree_node *root = scree_input_root(input);
    scree_node_mark_used(root);
    const struct scree_walls no_walls = {0};
    const struct scree_samples_setting setting = {
        .box = &box, .materials = material_names, .walls = &no_walls};
    scree_samples_read(&samples, input, scree_node_find(root, "particles"), &setting);
    scree_input_finish(input);
    FILE *stream = tmpfile();
    scree_input_print_errors(input, stream);
    rewind(stream);
    printed[fread(printed, 1, sizeof printed - 1, stream)] = '\0';
    fclose(stream);
    MPI_TEST(t, strcmp(printed, expected) == 0, "%.90s", printed);
    scree_samples_clear(&samples);
    scree_input_destroy(&input);
}

#define GLASS "material: glass, "

static void check_all_mistakes(struct mpi_test *t)
{
    check_mistakes(t, "- latice: {}\n",
                   "f:2:11: unknown sample 'latice'; did you mean 'lattice'?\n");
    check_mistakes(t, "- lattice: {" GLASS "radius: 1 mm, count: 1000}\n",
                   "f:2:51: lattice: 'count' is 1000, but only 405 sites fit: 5 x 9 x 9\n");
    check_mistakes(
        t, "- lattice: {" GLASS "radius: 1 mm, spacing: 1.9 mm}\n",
        "f:2:53: lattice: 'spacing' is 0.0019 m, less than the largest diameter 0.002 m\n");
    check_mistakes(t, "- random: {" GLASS "radius: {uniform: [2 mm, 1 mm]}, count: 5}\n",
                   "f:2:47: radius: smallest 0.002 m is larger than largest 0.001 m\n");
    check_mistakes(t, "- random: {" GLASS "radius: 7 mm, count: 5}\n",
                   "f:2:11: no room in x: 0.013 m for grains of diameter 0.014 m\n");
    check_mistakes(t, "- random: {" GLASS "radius: -7 mm, count: 5}\n",
                   "f:2:37: 'radius' is -0.007 m, allowed > 0\n");
    check_mistakes(
        t, "- ramp: {component: x, along: z, low: 0, high: 1}\n",
        "f:2:3: particles: this item makes no grains; give one of lattice, loose, random, "
        "dense, state\n");
    check_mistakes(t, "- state: {file: a.h5, materials: [glas]}\n",
                   "f:2:35: unknown material 'glas'; did you mean 'glass'?\n");
    check_mistakes(t, "- lattice: {" GLASS "radius: 1 mm, high: [1 m, 0, 5 mm]}\n",
                   "f:2:50: region from 0 m to 1 m in x is empty or outside the domain, which "
                   "reaches from 0 m to 0.013 m\n");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_sample(&t, mixture, 3);
    check_sample(&t, flat, 2);
    check_motion(&t);
    check_ramp(&t);
    check_crowd(&t);
    check_all_mistakes(&t);
    return mpi_test_end(&t);
}
