/* SPDX-License-Identifier: BSD-3-Clause
 * The command compare: the largest difference of two files, field by field, grain by grain. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/reader.h"

/* One file in memory, with its rows in the order of their ids. */
struct side {
    const char *path;
    struct scree_state_header header;
    struct scree_state_rows rows;
    unsigned fields;
    int64_t (*order)[2]; /* id, row; owned */
};

static int compare_order(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static enum scree_status read_side(struct side *side, const char *path, int64_t frame)
{
    side->path = path;
    SCREE_TRY(scree_reader_read(path, frame, 0, 1, &side->header, &side->rows, &side->fields));
    int64_t n = side->rows.n;
    side->order = scree_alloc((size_t)n, sizeof *side->order);
    for (int64_t i = 0; i < n; i++) {
        side->order[i][0] = side->rows.id[i];
        side->order[i][1] = i;
    }
    qsort(side->order, (size_t)n, sizeof *side->order, compare_order);
    for (int64_t i = 1; i < n; i++)
        SCREE_CHECK(side->order[i][0] != side->order[i - 1][0], SCREE_IO,
                    "%s: two grains have the id %" PRId64, path, side->order[i][0]);
    return SCREE_OK;
}

static void clear_side(struct side *side)
{
    scree_state_rows_clear(&side->rows);
    scree_alloc_free(side->order);
}

struct field {
    const char *name, *unit;
    unsigned bit;
    int width;
};

static const struct field fields[] = {
    {"position", "m", SCREE_READER_POSITION, 3},
    {"velocity", "m/s", SCREE_READER_VELOCITY, 3},
    {"angular_velocity", "rad/s", SCREE_READER_SPIN, 3},
    {"radius", "m", SCREE_READER_RADIUS, 1},
    {"mass", "kg", SCREE_READER_MASS, 1},
    {"species", "", SCREE_READER_SPECIES, 1},
    {"image", "", SCREE_READER_IMAGE, 3},
};
enum { N_FIELDS = sizeof fields / sizeof fields[0] };

static double value_of(const struct scree_state_rows *rows, unsigned bit, int64_t i, int k)
{
    switch (bit) {
    case SCREE_READER_POSITION: return rows->position[i][k];
    case SCREE_READER_VELOCITY: return rows->velocity[i][k];
    case SCREE_READER_SPIN: return rows->spin[i][k];
    case SCREE_READER_RADIUS: return rows->radius[i];
    case SCREE_READER_MASS: return rows->mass[i];
    case SCREE_READER_SPECIES: return rows->species[i];
    default: return rows->image[i][k];
    }
}

/* The largest difference of one field. Relative differences are relative to the largest value of
 * the field, since a component near 0 says nothing about its own error. */
struct difference {
    double absolute, largest;
    int64_t id;      /* of the largest absolute difference */
    int64_t n_other; /* numbers that are not equal */
};

static void compare_values(const struct side *a, const struct side *b, int64_t i, int64_t j,
                           const struct field *field, struct difference *d)
{
    for (int k = 0; k < field->width; k++) {
        double x = value_of(&a->rows, field->bit, i, k), y = value_of(&b->rows, field->bit, j, k);
        double off = fabs(x - y);
        if (isnan(off)) off = isnan(x) && isnan(y) ? 0.0 : INFINITY; /* also inf - inf */
        if (x == y) off = 0.0;
        d->largest = fmax(d->largest, fmax(fabs(x), fabs(y)));
        if (off > 0.0) d->n_other++;
        if (off > d->absolute) {
            d->absolute = off;
            d->id = a->rows.id[i];
        }
    }
}

/* Walk both in the order of ids; returns how many ids only one of them has. */
static int64_t compare_rows(const struct side *a, const struct side *b, struct difference *d,
                            int64_t *n_both)
{
    int64_t i = 0, j = 0, n_single[2] = {0, 0}, example[2] = {0, 0};
    while (i < a->rows.n || j < b->rows.n) {
        int64_t x = i < a->rows.n ? a->order[i][0] : INT64_MAX;
        int64_t y = j < b->rows.n ? b->order[j][0] : INT64_MAX;
        if (x != y) {
            int side = x < y ? 0 : 1;
            if (n_single[side]++ == 0) example[side] = x < y ? x : y;
            if (x < y)
                i++;
            else
                j++;
            continue;
        }
        for (int k = 0; k < N_FIELDS; k++)
            if ((a->fields & b->fields & fields[k].bit) != 0)
                compare_values(a, b, a->order[i][1], b->order[j][1], &fields[k], &d[k]);
        ++*n_both;
        i++;
        j++;
    }
    for (int side = 0; side < 2; side++)
        if (n_single[side] > 0)
            printf("%" PRId64 " grains only in %s, first id %" PRId64 "\n", n_single[side],
                   side == 0 ? a->path : b->path, example[side]);
    return n_single[0] + n_single[1];
}

static bool report_field(const struct side *a, const struct side *b, const struct field *field,
                         const struct difference *d, double tolerance)
{
    if ((a->fields & b->fields & field->bit) == 0) {
        printf("%-17s not in both files\n", field->name);
        return true;
    }
    double relative = d->absolute > 0.0 ? d->absolute / d->largest : 0.0;
    bool within = relative <= tolerance;
    printf("%-17s ", field->name);
    if (d->n_other == 0)
        printf("equal\n");
    else
        printf("largest difference %.6g%s%s, relative %.3g, grain %" PRId64 "; %" PRId64
               " numbers differ%s\n",
               d->absolute, field->unit[0] != '\0' ? " " : "", field->unit, relative, d->id,
               d->n_other, within ? "" : " (beyond tolerance)");
    return within;
}

static enum scree_status compare_sides(const struct side *a, const struct side *b, double tolerance)
{
    struct difference d[N_FIELDS];
    int64_t n_both = 0;
    memset(d, 0, sizeof d);
    bool within = compare_rows(a, b, d, &n_both) == 0;
    printf("%" PRId64 " grains in both; t = %.17g s and %.17g s\n", n_both, a->header.time,
           b->header.time);
    for (int k = 0; k < N_FIELDS; k++)
        within = report_field(a, b, &fields[k], &d[k], tolerance) && within;
    SCREE_CHECK(within, SCREE_IO, "%s and %s differ%s", a->path, b->path,
                tolerance > 0.0 ? " beyond the tolerance" : "");
    return SCREE_OK;
}

enum scree_status scree_cli_compare(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct side a = {0}, b = {0};
    SCREE_CHECK(cli->argument[0] != NULL && cli->argument[1] != NULL, SCREE_INPUT,
                "scree compare needs two files: scree compare A.h5 B.h5 [--tolerance X]");
    char *end = NULL;
    double tolerance = cli->tolerance != NULL ? strtod(cli->tolerance, &end) : 0.0;
    SCREE_CHECK(end == NULL || (*end == '\0' && end != cli->tolerance && tolerance >= 0.0 &&
                                isfinite(tolerance)),
                SCREE_INPUT, "--tolerance: expected a number >= 0, got '%s'", cli->tolerance);
    int64_t frame;
    SCREE_TRY(scree_cli_frame(cli, &frame));
    SCREE_CHECK(frame >= -1, SCREE_INPUT, "scree compare compares one frame, not all");
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) {
        status = read_side(&a, cli->argument[0], frame);
        if (status == SCREE_OK) status = read_side(&b, cli->argument[1], frame);
        if (status == SCREE_OK) status = compare_sides(&a, &b, tolerance);
        clear_side(&a);
        clear_side(&b);
    }
    return scree_comm_agree(comm, status);
}
