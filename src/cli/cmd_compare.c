/* SPDX-License-Identifier: BSD-3-Clause
 * The command compare: the largest difference of two files, field by field, grain by grain and
 * contact by contact. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/reader.h"

/* A row of a table, for sorting. A pair may touch twice, through two periodic images: its rows are
 * told apart by what is in the first column. */
struct entry {
    int64_t key[2];
    double tie;
    int64_t row;
};

struct side {
    const char *path;
    struct scree_state_header header;
    struct scree_reader_table table[SCREE_READER_TABLES];
    struct entry *order[SCREE_READER_TABLES]; /* owned */
};

static int compare_keys(const struct entry *x, const struct entry *y)
{
    for (int k = 0; k < 2; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int keys = compare_keys(x, y);
    if (keys != 0) return keys;
    if (x->tie < y->tie || x->tie > y->tie) return x->tie < y->tie ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static struct entry *sort_table(const struct scree_reader_table *t)
{
    struct entry *order = scree_alloc((size_t)t->n, sizeof *order);
    for (int64_t i = 0; i < t->n; i++)
        order[i] = (struct entry){
            .key = {t->key[i][0], t->key[i][1]},
            .tie = t->n_columns > 0 ? t->column[0].value[i * t->column[0].width] : 0.0,
            .row = i};
    qsort(order, (size_t)t->n, sizeof *order, compare_entries);
    return order;
}

static enum scree_status read_side(struct side *side, const char *path, int64_t frame)
{
    side->path = path;
    SCREE_TRY(scree_reader_read_tables(path, frame, &side->header, side->table));
    for (int t = 0; t < SCREE_READER_TABLES; t++) side->order[t] = sort_table(&side->table[t]);
    const struct entry *grain = side->order[SCREE_READER_GRAINS];
    for (int64_t i = 1; i < side->table[SCREE_READER_GRAINS].n; i++)
        SCREE_CHECK(compare_keys(&grain[i], &grain[i - 1]) != 0, SCREE_IO,
                    "%s: two grains have the id %" PRId64, path, grain[i].key[0]);
    return SCREE_OK;
}

static void clear_side(struct side *side)
{
    for (int t = 0; t < SCREE_READER_TABLES; t++) scree_alloc_free(side->order[t]);
    scree_reader_clear_tables(side->table);
}

/* The largest difference of one field. Relative differences are relative to the largest value of
 * the field, since a component near 0 says nothing about its own error. */
struct difference {
    double absolute, largest;
    int64_t key[2];  /* of the largest absolute difference */
    int64_t n_other; /* numbers that are not equal */
};

static void compare_values(const struct scree_reader_column *a, const struct scree_reader_column *b,
                           const struct entry *at_a, const struct entry *at_b, struct difference *d)
{
    for (int k = 0; k < a->width; k++) {
        double x = a->value[at_a->row * a->width + k], y = b->value[at_b->row * b->width + k];
        double off = fabs(x - y);
        if (isnan(off)) off = isnan(x) && isnan(y) ? 0.0 : INFINITY; /* also inf - inf */
        if (x == y) off = 0.0;
        d->largest = fmax(d->largest, fmax(fabs(x), fabs(y)));
        if (off > 0.0) d->n_other++;
        if (off > d->absolute) {
            d->absolute = off;
            memcpy(d->key, at_a->key, sizeof d->key);
        }
    }
}

/* The column of the same name and width, or NULL. */
static const struct scree_reader_column *find_column(const struct scree_reader_table *table,
                                                     const struct scree_reader_column *like)
{
    for (int k = 0; k < table->n_columns; k++)
        if (strcmp(table->column[k].name, like->name) == 0 && table->column[k].width == like->width)
            return &table->column[k];
    return NULL;
}

static const char *name_row(int t, const int64_t key[2], char *text, size_t size)
{
    if (t == SCREE_READER_GRAINS)
        snprintf(text, size, "grain %" PRId64, key[0]);
    else if (key[1] < 0)
        snprintf(text, size, "grain %" PRId64 " with wall %" PRId64, key[0], -1 - key[1]);
    else
        snprintf(text, size, "grain %" PRId64 " with %" PRId64, key[0], key[1]);
    return text;
}

/* Walk both in the order of keys; true if neither has a row that the other has not. */
static bool compare_rows(const struct side *a, const struct side *b, int t, struct difference *d,
                         int64_t *n_both)
{
    static const char *const things[] = {"grains", "contacts"};
    const struct scree_reader_table *x = &a->table[t], *y = &b->table[t];
    const struct entry *p = a->order[t], *q = b->order[t], *end_p = p + x->n, *end_q = q + y->n;
    int64_t n_single[2] = {0, 0};
    const struct entry *example[2] = {NULL, NULL};
    while (p < end_p || q < end_q) {
        int sign = p == end_p ? 1 : q == end_q ? -1 : compare_keys(p, q);
        if (sign != 0) {
            const struct entry *single = sign < 0 ? p++ : q++;
            if (n_single[sign > 0]++ == 0) example[sign > 0] = single;
            continue;
        }
        for (int k = 0; k < x->n_columns; k++) {
            const struct scree_reader_column *other = find_column(y, &x->column[k]);
            if (other != NULL) compare_values(&x->column[k], other, p, q, &d[k]);
        }
        ++*n_both;
        p++;
        q++;
    }
    for (int side = 0; side < 2; side++) {
        char text[96];
        if (n_single[side] == 0) continue;
        const int64_t *key = example[side]->key;
        printf("%" PRId64 " %s only in %s, first %s\n", n_single[side], things[t],
               side == 0 ? a->path : b->path, name_row(t, key, text, sizeof text));
    }
    return n_single[0] + n_single[1] == 0;
}

static bool report_field(int t, const struct scree_reader_column *column,
                         const struct difference *d, double tolerance)
{
    char text[96];
    double relative = d->absolute > 0.0 ? d->absolute / d->largest : 0.0;
    bool within = relative <= tolerance;
    printf("%-17s ", column->name);
    if (d->n_other == 0)
        printf("equal\n");
    else
        printf("largest difference %.6g%s%s, relative %.3g, %s; %" PRId64 " numbers differ%s\n",
               d->absolute, column->unit[0] != '\0' ? " " : "", column->unit, relative,
               name_row(t, d->key, text, sizeof text), d->n_other,
               within ? "" : " (beyond tolerance)");
    return within;
}

/* Fields that only one file has are said, but are no difference: files may hold more or less. */
static bool compare_tables(const struct side *a, const struct side *b, int t, double tolerance)
{
    const struct scree_reader_table *x = &a->table[t], *y = &b->table[t];
    struct difference d[SCREE_READER_COLUMNS];
    int64_t n_both = 0;
    memset(d, 0, sizeof d);
    if (!x->there || !y->there) {
        if (x->there || y->there) printf("contacts only in %s\n", x->there ? a->path : b->path);
        return true;
    }
    bool within = compare_rows(a, b, t, d, &n_both);
    if (t == SCREE_READER_GRAINS)
        printf("%" PRId64 " grains in both; t = %.17g s and %.17g s\n", n_both, a->header.time,
               b->header.time);
    else
        printf("%" PRId64 " contacts in both\n", n_both);
    for (int k = 0; k < x->n_columns; k++)
        if (find_column(y, &x->column[k]) != NULL)
            within = report_field(t, &x->column[k], &d[k], tolerance) && within;
        else
            printf("%-17s only in %s\n", x->column[k].name, a->path);
    for (int k = 0; k < y->n_columns; k++)
        if (find_column(x, &y->column[k]) == NULL)
            printf("%-17s only in %s\n", y->column[k].name, b->path);
    return within;
}

static enum scree_status compare_sides(const struct side *a, const struct side *b, double tolerance)
{
    bool within = true;
    for (int t = 0; t < SCREE_READER_TABLES; t++)
        within = compare_tables(a, b, t, tolerance) && within;
    SCREE_CHECK(within, SCREE_IO, "%s and %s differ%s", a->path, b->path,
                tolerance > 0.0 ? " beyond the tolerance" : "");
    return SCREE_OK;
}

struct comparison {
    const char *const *path; /* of both files */
    int64_t frame;
    double tolerance;
};

static enum scree_status compare(void *context)
{
    const struct comparison *c = context;
    struct side a = {0}, b = {0};
    enum scree_status status = read_side(&a, c->path[0], c->frame);
    if (status == SCREE_OK) status = read_side(&b, c->path[1], c->frame);
    if (status == SCREE_OK) status = compare_sides(&a, &b, c->tolerance);
    clear_side(&a);
    clear_side(&b);
    return status;
}

enum scree_status scree_cli_compare(const struct scree_cli *cli, struct scree_comm *comm)
{
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
    struct comparison comparison = {cli->argument, frame, tolerance};
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) {
        char both[2048];
        snprintf(both, sizeof both, "%.1000s or %.1000s", cli->argument[0], cli->argument[1]);
        status = scree_reader_guard(both, compare, &comparison);
    }
    return scree_comm_agree(comm, status);
}
