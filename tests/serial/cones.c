/* SPDX-License-Identifier: BSD-3-Clause
 * Contact problems in general form: the nearest point of a cone by what defines it, slopes against
 * differences, one contact with any block of W, towers of bodies by every solver, files written,
 * read and damaged. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_test.h"
#include "scree/alloc.h"
#include "scree/cones_newton.h"
#include "scree/hdf5_basics.h"
#include "scree/hdf5_fclib.h"

static const int dims[] = {2, 3, 5, 6};
enum { N_DIMS = 4, TRIALS = 200, DAMAGES = MPI_TEST_SANITIZED ? 40 : 100 };

static unsigned seed = 12345;
static double draw(void)
{
    seed = 1664525U * seed + 1013904223U;
    return 2.0 * (double)seed / 4294967296.0 - 1.0;
}

static void draw_limits(scree_cones_limits limit)
{
    for (int k = 0; k < SCREE_CONES_LIMITS; k++) limit[k] = fabs(draw());
}

/* P is nearest to y if the cone lies behind the plane through P across y - P: no z of the cone has
 * (y - P).(z - P) > 0. */
static void check_projection(struct mpi_test *t, int dim)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        double y[SCREE_CONES_DIM], p[SCREE_CONES_DIM], z[SCREE_CONES_DIM], worst = 0.0;
        scree_cones_limits limit;
        draw_limits(limit);
        for (int k = 0; k < dim; k++) p[k] = y[k] = draw();
        scree_cones_project(dim, limit, p);
        memcpy(z, p, sizeof z);
        scree_cones_clip(dim, limit, z, NULL);
        double outside = 0.0;
        for (int k = 0; k < dim; k++) outside = fmax(outside, fabs(z[k] - p[k]));
        for (int other = 0; other < 50; other++) {
            double along = 0.0;
            for (int k = 0; k < dim; k++) z[k] = 2.0 * draw();
            z[0] = fabs(z[0]);
            scree_cones_clip(dim, limit, z, NULL);
            for (int k = 0; k < dim; k++) along += (y[k] - p[k]) * (z[k] - p[k]);
            worst = fmax(worst, along);
        }
        if (!MPI_TEST(t, outside < 1e-14 && worst < 1e-14, "dimension %d: %g outside, %g behind",
                      dim, outside, worst))
            return;
    }
}

static void check_slope(struct mpi_test *t, int dim)
{
    const double h = 1e-6;
    for (int trial = 0; trial < TRIALS; trial++) {
        double y[SCREE_CONES_DIM] = {0.0}, at[SCREE_CONES_DIM], slope[36], worst = 0.0;
        scree_cones_limits limit;
        draw_limits(limit);
        for (int k = 0; k < dim; k++) y[k] = draw();
        memcpy(at, y, sizeof at);
        scree_cones_clip(dim, limit, at, slope);
        for (int j = 0; j < dim; j++) {
            double up[SCREE_CONES_DIM], down[SCREE_CONES_DIM];
            memcpy(up, y, sizeof up);
            memcpy(down, y, sizeof down);
            up[j] += h;
            down[j] -= h;
            scree_cones_clip(dim, limit, up, NULL);
            scree_cones_clip(dim, limit, down, NULL);
            for (int i = 0; i < dim; i++)
                worst = fmax(worst, fabs((up[i] - down[i]) / (2.0 * h) - slope[i * dim + j]));
        }
        if (!MPI_TEST(t, worst < 1e-4, "dimension %d: slope is off by %g", dim, worst)) return;
    }
}

static const struct scree_cones_solver *find_solver(const char *name)
{
    for (int k = 0; scree_cones_solver_names[k] != NULL; k++)
        if (strcmp(scree_cones_solver_names[k], name) == 0) return scree_cones_solver_at(k);
    return NULL;
}

/* The residual that a solver leaves, from zero. */
static double solve(const char *solver, const struct scree_cones *c, double tolerance, int64_t most,
                    double *r)
{
    const struct scree_cones_request request = {SCREE_CONES_SCREE, tolerance, most};
    struct scree_cones_outcome outcome;
    memset(r, 0, c->n * (size_t)c->dim * sizeof *r);
    if (find_solver(solver)->solve(c, &request, r, &outcome) != SCREE_OK) return INFINITY;
    return outcome.residual[SCREE_CONES_SCREE];
}

/* W = A A^T + a little: any symmetric block. One sweep solves one contact. */
static void check_contact(struct mpi_test *t, int dim)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct scree_cones_matrix w = {.n_rows = dim, .n_columns = dim};
        struct scree_cones c;
        double a[36], q[SCREE_CONES_DIM], r[SCREE_CONES_DIM];
        scree_cones_limits limit;
        draw_limits(limit);
        for (int k = 0; k < dim * dim; k++) a[k] = 0.3 * draw() + (k % (dim + 1) == 0 ? 1.0 : 0.0);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) {
                double sum = 0.0;
                for (int k = 0; k < dim; k++) sum += a[i * dim + k] * a[j * dim + k];
                scree_cones_matrix_add(&w, i, j, sum);
            }
        for (int k = 0; k < dim; k++) q[k] = draw();
        bool good =
            scree_cones_init(&c, dim, 1, &w, q, (const scree_cones_limits *)&limit) == SCREE_OK;
        double residual = good ? solve("sweeps", &c, 1e-13, 1, r) : INFINITY;
        scree_cones_clear(&c);
        scree_cones_matrix_clear(&w);
        if (!MPI_TEST(t, residual < 1e-9, "dimension %d: one sweep leaves %g", dim, residual))
            return;
    }
}

/* A block that is pushed along the floor: sticks up to mu times its weight. */
static void check_block(struct mpi_test *t)
{
    const double mass = 2.0, weight = -1.0;
    for (int k = 0; k < 2; k++) {
        const double push = k == 0 ? 0.3 : 0.8, limit[1][3] = {{0.5, 0.0, 0.0}};
        const double q[] = {weight, push, 0.0};
        double r[3];
        struct scree_cones_matrix w = {.n_rows = 3, .n_columns = 3};
        struct scree_cones c;
        for (int a = 0; a < 3; a++) scree_cones_matrix_add(&w, a, a, 1.0 / mass);
        scree_cones_init(&c, 3, 1, &w, q, limit);
        solve("sweeps", &c, 1e-14, 1, r);
        double expected = -mass * fmin(push, 0.5 * -weight);
        MPI_TEST(t, fabs(r[0] + mass * weight) < 1e-14 && fabs(r[1] - expected) < 1e-14,
                 "pushed by %g: impulses %g, %g, not %g", push, r[0], r[1], expected);
        scree_cones_clear(&c);
        scree_cones_matrix_clear(&w);
    }
}

/* Bodies with coupled inertia, one on the other, each contact off the axis. */
static void make_tower(struct scree_cones_bodies *b, int dim, int n)
{
    memset(b, 0, sizeof *b);
    b->dim = dim;
    b->n = (size_t)n;
    b->m.n_rows = b->m.n_columns = b->h.n_rows = 6 * n;
    b->h.n_columns = (int64_t)dim * n;
    b->f = scree_alloc(6 * (size_t)n, sizeof *b->f);
    b->w = scree_alloc((size_t)(dim * n), sizeof *b->w);
    b->limit = scree_alloc((size_t)n, sizeof *b->limit);
    for (int k = 0; k < n; k++) {
        for (int a = 0; a < 6; a++) {
            scree_cones_matrix_add(&b->m, 6 * k + a, 6 * k + a, a < 3 ? 2.0 : 0.5 + 0.1 * a);
            b->f[6 * k + a] = a == 2 ? -2.0 : 0.1 * draw();
        }
        scree_cones_matrix_add(&b->m, 6 * k + 3, 6 * k + 4, 0.1);
        scree_cones_matrix_add(&b->m, 6 * k + 4, 6 * k + 3, 0.1);
        b->limit[k][0] = 0.4;
        b->limit[k][1] = b->limit[k][2] = 0.1;
        for (int i = 0; i < dim; i++) {
            static const int of[] = {2, 0, 1, 3, 4, 5};
            b->w[k * dim + i] = 0.0;
            for (int side = 0; side < 2 && k - side >= 0; side++) {
                const int row = 6 * (k - side);
                scree_cones_matrix_add(&b->h, row + of[i], k * dim + i, side == 0 ? 1.0 : -1.0);
                if (i < 3)
                    scree_cones_matrix_add(&b->h, row + 3 + (i + side) % 3, k * dim + i, 0.2);
            }
        }
    }
}

/* What W and q say of impulses is what M and H say. */
static void check_delassus(struct mpi_test *t, const struct scree_cones_bodies *b,
                           const struct scree_cones *c)
{
    const size_t n = b->n * (size_t)b->dim;
    double *r = scree_alloc(3 * n, sizeof *r), *u = r + n, *other = u + n, worst = 0.0;
    double *v = scree_alloc((size_t)b->m.n_rows, sizeof *v);
    for (size_t k = 0; k < n; k++) r[k] = draw();
    scree_cones_velocity(c, r, u);
    scree_cones_velocities(b, r, v);
    memcpy(other, b->w, n * sizeof *other);
    for (size_t k = 0; k < b->h.n; k++) other[b->h.column[k]] += b->h.value[k] * v[b->h.row[k]];
    for (size_t k = 0; k < n; k++) worst = fmax(worst, fabs(u[k] - other[k]));
    MPI_TEST(t, worst < 1e-12, "dimension %d: W r + q is off by %g", b->dim, worst);
    scree_alloc_free(r);
    scree_alloc_free(v);
}

static void check_tower(struct mpi_test *t, int dim)
{
    enum { N = 12 };
    static const char *const solvers[] = {"sweeps", "nncg", "apgd", "petsc"};
    const int n_solvers = scree_cones_newton_is_there() ? 4 : 3;
    struct scree_cones_bodies b;
    struct scree_cones c;
    double *free_velocity, r[N * SCREE_CONES_DIM], v[6 * N], first[6 * N];
    make_tower(&b, dim, N);
    MPI_TEST(t, scree_cones_from_bodies(&c, &b, &free_velocity) == SCREE_OK, "%s",
             scree_status_message());
    check_delassus(t, &b, &c);
    for (int s = 0; s < n_solvers; s++) {
        double residual = solve(solvers[s], &c, 1e-10, 100000, r), worst = 0.0;
        scree_cones_velocities(&b, r, s == 0 ? first : v);
        for (int k = 0; k < 6 * N && s > 0; k++) worst = fmax(worst, fabs(v[k] - first[k]));
        MPI_TEST(t, residual <= 1e-10 && worst < 1e-7,
                 "dimension %d, %s: %g, velocities differ by %g", dim, solvers[s], residual, worst);
    }
    scree_alloc_free(free_velocity);
    scree_cones_clear(&c);
    scree_cones_bodies_clear(&b);
}

static bool same(const struct scree_cones_matrix *a, const struct scree_cones_matrix *b)
{
    return a->n == b->n && a->n_rows == b->n_rows && a->n_columns == b->n_columns &&
           memcmp(a->row, b->row, a->n * sizeof *a->row) == 0 &&
           memcmp(a->column, b->column, a->n * sizeof *a->column) == 0 &&
           memcmp(a->value, b->value, a->n * sizeof *a->value) == 0;
}

static void write_tower(struct mpi_test *t, const char *path, int dim)
{
    struct scree_fclib file = {.dim = dim}, read;
    make_tower(&file.bodies, dim, 4);
    file.n = file.bodies.n;
    file.limit = file.bodies.limit;
    snprintf(file.title, sizeof file.title, "tower");
    MPI_TEST(t, scree_fclib_write(path, &file, NULL, NULL, NULL) == SCREE_OK, "%s",
             scree_status_message());
    bool good = scree_fclib_read(path, &read) == SCREE_OK;
    MPI_TEST(t, good, "%s", scree_status_message());
    MPI_TEST(t,
             good && same(&read.bodies.m, &file.bodies.m) && same(&read.bodies.h, &file.bodies.h) &&
                 read.limit[3][0] == file.limit[3][0] &&
                 read.limit[3][1] == (dim == 5 ? file.limit[3][1] : 0.0) &&
                 memcmp(read.bodies.w, file.bodies.w, 4 * (size_t)dim * sizeof(double)) == 0 &&
                 strcmp(read.title, "tower") == 0,
             "dimension %d: not what was written", dim);
    if (good) scree_fclib_clear(&read);
    scree_cones_bodies_clear(&file.bodies);
}

/* As others write files: without checksums over their structure. */
static void copy_as_old(const char *from, const char *to)
{
    hid_t old = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t new = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Ocopy(old, "fclib_global", new, "fclib_global", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(new);
    H5Fclose(old);
}

/* Some bytes of a file changed, or its end cut off: read and solved, or refused with its name. */
static void check_damage(struct mpi_test *t, const char *path)
{
    static unsigned char bytes[1 << 20], changed[1 << 20];
    int refused = 0;
    FILE *f = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (int k = 0; k < DAMAGES; k++) {
        struct scree_fclib file;
        size_t left = k % 8 == 0 ? (size_t)((draw() + 1.0) * 0.5 * (double)n) : n;
        memcpy(changed, bytes, n);
        for (int m = 0; m < 1 + k % 5; m++)
            changed[(size_t)((draw() + 1.0) * 0.4999 * (double)n)] =
                (unsigned char)(127.0 * draw() + 128.0);
        f = fopen("damaged.hdf5", "wb");
        fwrite(changed, 1, left, f);
        fclose(f);
        if (scree_fclib_read("damaged.hdf5", &file) != SCREE_OK) {
            refused++;
            if (!MPI_TEST(t, strstr(scree_status_message(), "damaged.hdf5") != NULL, "says '%s'",
                          scree_status_message()))
                break;
            scree_status_clear();
            continue;
        }
        struct scree_cones c;
        double *free_velocity = NULL;
        if (scree_cones_from_bodies(&c, &file.bodies, &free_velocity) == SCREE_OK) {
            double *r = scree_alloc(c.n * (size_t)c.dim + 1, sizeof *r);
            solve("nncg", &c, 1e-6, 20, r);
            scree_alloc_free(r);
        }
        scree_status_clear();
        scree_alloc_free(free_velocity);
        scree_cones_clear(&c);
        scree_fclib_clear(&file);
    }
    MPI_TEST(t, refused > DAMAGES / 10, "only %d of %d damaged files are refused", refused,
             (int)DAMAGES);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    char folder[] = "/tmp/scree-cones-XXXXXX";
    mpi_test_begin(&t, &argc, &argv);
    if (!MPI_TEST(&t, mkdtemp(folder) != NULL && chdir(folder) == 0, "no folder"))
        return mpi_test_end(&t);
    for (int d = 0; d < N_DIMS; d++) {
        check_projection(&t, dims[d]);
        check_slope(&t, dims[d]);
        check_contact(&t, dims[d]);
    }
    for (int d = 1; d < N_DIMS; d++) check_tower(&t, dims[d]);
    check_block(&t);
    write_tower(&t, "rolling.hdf5", 5);
    write_tower(&t, "tower.hdf5", 3);
    copy_as_old("tower.hdf5", "old.hdf5");
    check_damage(&t, "tower.hdf5");
    check_damage(&t, "old.hdf5");
    unlink("old.hdf5");
    unlink("damaged.hdf5");
    unlink("rolling.hdf5");
    unlink("tower.hdf5");
    if (chdir("/") == 0) rmdir(folder);
    return mpi_test_end(&t);
}
