/* SPDX-License-Identifier: BSD-3-Clause
 * Reading contact problems in the format FCLIB: every length is compared with what belongs to it
 * before a number is used. */
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/hdf5_basics.h"
#include "scree/hdf5_fclib.h"

struct source {
    const char *path; /* of the file */
    hid_t file;
    char group[64]; /* such as /fclib_local */
    double n_bytes;
};

/* Length of a data set of numbers; -1: there is none. */
static int64_t length_of(const struct source *s, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%.150s", s->group, name);
    hid_t set = H5Dopen2(s->file, path, H5P_DEFAULT);
    if (set < 0) return -1;
    hid_t space = H5Dget_space(set);
    int64_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(set);
    return n;
}

/* All `n` numbers of a data set, as `native` of the class that it must have. */
static enum scree_status read_numbers(const struct source *s, const char *name, H5T_class_t class,
                                      hid_t native, int64_t n, void *values)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%.150s", s->group, name);
    int64_t found = length_of(s, name);
    SCREE_CHECK(found >= 0, SCREE_IO, "%s: holds no numbers %s", s->path, path);
    SCREE_CHECK(found == n, SCREE_IO, "%s: %s has %lld numbers, %lld belong there", s->path, path,
                (long long)found, (long long)n);
    hid_t set = H5Dopen2(s->file, path, H5P_DEFAULT), type = H5Dget_type(set);
    bool good = H5Tget_class(type) == class &&
                H5Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Tclose(type);
    H5Dclose(set);
    SCREE_CHECK(good, SCREE_IO, "%s: %s cannot be read as numbers", s->path, path);
    return SCREE_OK;
}

static enum scree_status read_reals(const struct source *s, const char *name, int64_t n,
                                    double **values)
{
    double most = s->n_bytes * SCREE_HDF5_MOST_PACKED / sizeof **values;
    SCREE_CHECK((double)n <= most, SCREE_IO, "%s: %s cannot hold %lld numbers", s->path, name,
                (long long)n);
    *values = scree_alloc((size_t)n + 1, sizeof **values);
    return read_numbers(s, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, n, *values);
}

static enum scree_status read_integers(const struct source *s, const char *matrix, const char *name,
                                       int64_t n, int32_t *values)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", matrix, name);
    return read_numbers(s, path, H5T_INTEGER, H5T_NATIVE_INT32, n, values);
}

/* Compressed columns (nz = -1) or rows (nz = -2), or triplets, as the arrays p, i, x of CSparse:
 * triplets have their columns in p and their rows in i. */
struct compressed {
    int32_t m, n, nz, *p, *i;
    double *x;
    int64_t n_p, n_x;
};

static enum scree_status check_places(const struct source *s, const char *name,
                                      const struct compressed *c)
{
    const int32_t inner = c->nz == -2 ? c->n : c->m;
    if (c->nz < 0) {
        bool rises = c->p[0] == 0;
        for (int64_t k = 1; k < c->n_p; k++) rises = rises && c->p[k] >= c->p[k - 1];
        SCREE_CHECK(rises && c->p[c->n_p - 1] <= c->n_x, SCREE_IO,
                    "%s: matrix %s is damaged: its %s do not follow each other", s->path, name,
                    c->nz == -1 ? "columns" : "rows");
    }
    for (int64_t k = 0; k < c->n_x; k++) {
        bool inside = c->i[k] >= 0 && c->i[k] < inner;
        if (c->nz >= 0) inside = inside && c->p[k] >= 0 && c->p[k] < c->n;
        bool used = c->nz >= 0 || k < c->p[c->n_p - 1];
        SCREE_CHECK(inside || !used, SCREE_IO, "%s: matrix %s has an entry outside of its %d x %d",
                    s->path, name, c->m, c->n);
    }
    return SCREE_OK;
}

static void add_entries(const struct compressed *c, struct scree_cones_matrix *matrix)
{
    if (c->nz >= 0) {
        for (int64_t k = 0; k < c->n_x; k++)
            scree_cones_matrix_add(matrix, c->i[k], c->p[k], c->x[k]);
        return;
    }
    for (int64_t outer = 0; outer + 1 < c->n_p; outer++)
        for (int32_t k = c->p[outer]; k < c->p[outer + 1]; k++)
            scree_cones_matrix_add(matrix, c->nz == -1 ? c->i[k] : outer,
                                   c->nz == -1 ? outer : c->i[k], c->x[k]);
}

static enum scree_status read_arrays(const struct source *s, const char *name, struct compressed *c)
{
    char path[64];
    SCREE_TRY(read_integers(s, name, "m", 1, &c->m));
    SCREE_TRY(read_integers(s, name, "n", 1, &c->n));
    SCREE_TRY(read_integers(s, name, "nz", 1, &c->nz));
    SCREE_CHECK(c->m >= 0 && c->n >= 0 && c->nz >= -2, SCREE_IO,
                "%s: matrix %s says that it is %d x %d, in format %d", s->path, name, c->m, c->n,
                c->nz);
    snprintf(path, sizeof path, "%s/x", name);
    c->n_x = length_of(s, path);
    SCREE_CHECK(c->n_x >= 0 && c->n_x <= INT32_MAX, SCREE_IO, "%s: matrix %s has no entries",
                s->path, name);
    if (c->nz >= 0)
        SCREE_CHECK(c->nz <= c->n_x, SCREE_IO, "%s: matrix %s is cut short", s->path, name);
    c->n_p = c->nz >= 0 ? c->n_x : (c->nz == -1 ? c->n : c->m) + (int64_t)1;
    SCREE_CHECK((double)c->n_p * 4.0 <= s->n_bytes * SCREE_HDF5_MOST_PACKED, SCREE_IO,
                "%s: matrix %s has more rows than the file could hold", s->path, name);
    c->p = scree_alloc((size_t)c->n_p + 1, sizeof *c->p);
    c->i = scree_alloc((size_t)c->n_x + 1, sizeof *c->i);
    SCREE_TRY(read_integers(s, name, "p", c->n_p, c->p));
    SCREE_TRY(read_integers(s, name, "i", c->n_x, c->i));
    SCREE_TRY(read_reals(s, path, c->n_x, &c->x));
    return check_places(s, name, c);
}

static enum scree_status read_matrix(const struct source *s, const char *name,
                                     struct scree_cones_matrix *matrix)
{
    struct compressed c = {0};
    enum scree_status status = read_arrays(s, name, &c);
    if (status == SCREE_OK) {
        matrix->n_rows = c.m;
        matrix->n_columns = c.n;
        if (c.nz >= 0) c.n_x = c.nz;
        add_entries(&c, matrix);
    }
    scree_alloc_free(c.p);
    scree_alloc_free(c.i);
    scree_alloc_free(c.x);
    return status;
}

static enum scree_status check_shape(const struct source *s, const char *name,
                                     const struct scree_cones_matrix *m, int64_t rows,
                                     int64_t columns)
{
    SCREE_CHECK(m->n_rows == rows && m->n_columns == columns, SCREE_IO,
                "%s: matrix %s is %lld x %lld, but %lld x %lld belongs to the vectors", s->path,
                name, (long long)m->n_rows, (long long)m->n_columns, (long long)rows,
                (long long)columns);
    return SCREE_OK;
}

/* Friction, and with dimension 5 rolling friction. */
static enum scree_status read_limits(const struct source *s, bool rolls, struct scree_fclib *file)
{
    double *values = NULL;
    int64_t n = length_of(s, "vectors/mu");
    SCREE_CHECK(n > 0, SCREE_IO, "%s: holds no friction coefficients %s/vectors/mu", s->path,
                s->group);
    file->n = (size_t)n;
    enum scree_status status = read_reals(s, "vectors/mu", n, &values);
    file->limit = scree_alloc((size_t)n, sizeof *file->limit);
    memset(file->limit, 0, (size_t)n * sizeof *file->limit);
    for (int64_t k = 0; k < n && status == SCREE_OK; k++) file->limit[k][0] = values[k];
    scree_alloc_free(values);
    if (!rolls || status != SCREE_OK) return status;
    status = read_reals(s, "vectors/mu_r", n, &values);
    for (int64_t k = 0; k < n && status == SCREE_OK; k++) file->limit[k][1] = values[k];
    scree_alloc_free(values);
    return status;
}

static enum scree_status read_local(const struct source *s, struct scree_fclib *file)
{
    const int64_t n = (int64_t)file->n * file->dim;
    SCREE_TRY(read_matrix(s, "W", &file->w));
    SCREE_TRY(check_shape(s, "W", &file->w, n, n));
    return read_reals(s, "vectors/q", n, &file->q);
}

static enum scree_status read_bodies(const struct source *s, struct scree_fclib *file)
{
    struct scree_cones_bodies *b = &file->bodies;
    const int64_t n = (int64_t)file->n * file->dim;
    b->dim = file->dim;
    b->n = file->n;
    SCREE_TRY(read_matrix(s, "M", &b->m));
    SCREE_TRY(check_shape(s, "M", &b->m, b->m.n_rows, b->m.n_rows));
    SCREE_TRY(read_matrix(s, "H", &b->h));
    SCREE_TRY(check_shape(s, "H", &b->h, b->m.n_rows, n));
    SCREE_TRY(read_reals(s, "vectors/f", b->m.n_rows, &b->f));
    return read_reals(s, "vectors/w", n, &b->w);
}

static void read_text(const struct source *s, const char *name, char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/info/%s", s->group, name);
    hid_t set = H5Dopen2(s->file, path, H5P_DEFAULT);
    if (set < 0) return;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    size_t size = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_npoints(space) == 1 && size < SCREE_FCLIB_TEXT &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0)
        text[size] = '\0';
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

/* Which of the kinds of problems is it? */
static enum scree_status find_kind(struct source *s, bool *is_local, bool *rolls)
{
    static const char *const names[] = {"/fclib_local", "/fclib_global", "/fclib_local_rolling",
                                        "/fclib_global_rolling"};
    for (int k = 0; k < 4; k++) {
        if (H5Lexists(s->file, names[k] + 1, H5P_DEFAULT) <= 0) continue;
        snprintf(s->group, sizeof s->group, "%s", names[k]);
        *is_local = k % 2 == 0;
        *rolls = k >= 2;
        return SCREE_OK;
    }
    return SCREE_FAIL(SCREE_IO, "%s: no contact problem in the format FCLIB", s->path);
}

static enum scree_status read_open(struct source *s, struct scree_fclib *file)
{
    int32_t dim;
    bool rolls = false;
    SCREE_TRY(find_kind(s, &file->is_local, &rolls));
    SCREE_TRY(read_numbers(s, "spacedim", H5T_INTEGER, H5T_NATIVE_INT32, 1, &dim));
    SCREE_CHECK(rolls ? dim == 5 : dim == 2 || dim == 3, SCREE_IO,
                "%s: %s/spacedim is %d, but contacts have 2 or 3 components, or 5 with rolling",
                s->path, s->group, dim);
    const char *constraints = file->is_local ? "V" : "G";
    char path[80];
    snprintf(path, sizeof path, "%s/%s", s->group + 1, constraints);
    SCREE_CHECK(H5Lexists(s->file, path, H5P_DEFAULT) <= 0, SCREE_INPUT,
                "%s: has bilateral constraints (matrix %s), which scree does not solve", s->path,
                constraints);
    file->dim = dim;
    SCREE_TRY(read_limits(s, rolls, file));
    read_text(s, "title", file->title);
    read_text(s, "description", file->description);
    if (file->is_local) return read_local(s, file);
    enum scree_status status = read_bodies(s, file);
    file->bodies.limit = file->limit;
    return status;
}

enum scree_status scree_fclib_read(const char *path, struct scree_fclib *file)
{
    struct source s = {.path = path};
    memset(file, 0, sizeof *file);
    SCREE_TRY(scree_hdf5_open(path, &s.file, &s.n_bytes));
    enum scree_status status = read_open(&s, file);
    H5Fclose(s.file);
    if (status != SCREE_OK) scree_fclib_clear(file);
    return status;
}

void scree_fclib_clear(struct scree_fclib *file)
{
    file->bodies.limit = NULL; /* the same as the one of the file */
    scree_cones_bodies_clear(&file->bodies);
    scree_cones_matrix_clear(&file->w);
    scree_alloc_free(file->q);
    scree_alloc_free(file->limit);
    memset(file, 0, sizeof *file);
}
