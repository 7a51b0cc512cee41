/* SPDX-License-Identifier: BSD-3-Clause
 * The command methods: the same input with one method after the other, and their tables side by
 * side. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/stepper.h"

enum { MOST = 4, NAME = 32 };

struct methods {
    int n;
    char name[MOST][NAME], folder[MOST][4096];
};

static enum scree_status read_names(const char *list, struct methods *m)
{
    for (const char *at = list; *at != '\0';) {
        size_t length = strcspn(at, ",");
        bool known = false;
        for (int k = 0; scree_stepper_names[k] != NULL; k++)
            known = known || (strlen(scree_stepper_names[k]) == length &&
                              strncmp(scree_stepper_names[k], at, length) == 0);
        SCREE_CHECK(known && length < NAME && m->n < MOST, SCREE_INPUT,
                    "--methods is '%s', expected up to %d methods such as md,cd", list, MOST);
        snprintf(m->name[m->n++], NAME, "%.*s", (int)length, at);
        at += length + (at[length] == ',' ? 1 : 0);
    }
    SCREE_CHECK(m->n > 1, SCREE_INPUT, "--methods is '%s': give two or more, such as md,cd", list);
    return SCREE_OK;
}

/* The overrides of one method: those without a method before a colon, and its own. */
static void choose_sets(const struct scree_cli *cli, const char *name, const char *method,
                        struct scree_cli *one)
{
    size_t length = strlen(name);
    one->n_sets = 0;
    for (int k = 0; k < cli->n_sets; k++) {
        const char *set = cli->set[k];
        size_t word = strcspn(set, ":=.");
        bool own = set[word] == ':';
        if (own && (word != length || strncmp(set, name, length) != 0)) continue;
        one->set[one->n_sets++] = own ? set + word + 1 : set;
    }
    if (one->n_sets < SCREE_CLI_SETS) one->set[one->n_sets++] = method;
}

/* A table of rows that begin with a step and a time. */
struct table {
    int n_columns;
    char **column; /* owned, also each of them */
    size_t n_rows, capacity;
    double *value; /* [n_rows][n_columns]; owned */
};

static void clear_table(struct table *t)
{
    for (int k = 0; k < t->n_columns; k++) free(t->column[k]);
    scree_alloc_free(t->column);
    scree_alloc_free(t->value);
    *t = (struct table){0};
}

static void read_head(struct table *t, char *line)
{
    size_t room = 1;
    for (const char *c = line; *c != '\0'; c++) room += *c == ',';
    t->column = scree_alloc(room, sizeof *t->column);
    for (char *save = NULL, *word = strtok_r(line, ",\n", &save); word != NULL;
         word = strtok_r(NULL, ",\n", &save))
        t->column[t->n_columns++] = strdup(word);
}

static void read_row(struct table *t, const char *line)
{
    size_t n = (size_t)t->n_columns;
    SCREE_GROW(t->value, t->n_rows * n, t->capacity, (t->n_rows + 1) * n);
    for (size_t k = 0; k < n; k++) {
        char *end;
        t->value[t->n_rows * n + k] = strtod(line, &end);
        line = *end == ',' ? end + 1 : end;
    }
    t->n_rows++;
}

/* False: there is no such table, or it is of another kind. */
static bool read_table(const char *folder, const char *name, struct table *t)
{
    char path[8192], *line = NULL;
    size_t size = 0;
    *t = (struct table){0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (f == NULL) return false;
    bool good = getline(&line, &size, f) > 0 && strncmp(line, "step,time [s],", 14) == 0;
    if (good) read_head(t, line);
    while (good && getline(&line, &size, f) > 0) read_row(t, line);
    free(line);
    fclose(f);
    return good && t->n_rows > 0;
}

static int find_column(const struct table *t, const char *name)
{
    for (int k = 2; k < t->n_columns; k++)
        if (strcmp(t->column[k], name) == 0) return k;
    return -1;
}

static double end_of(const struct table *t)
{
    return t->value[(t->n_rows - 1) * (size_t)t->n_columns + 1];
}

/* Over the rows of the times (from, to]. */
struct statistics {
    double mean, deviation;
};
static struct statistics measure(const struct table *t, int column, double from, double to)
{
    double n = 0.0, sum = 0.0, squares = 0.0;
    for (size_t r = 0; r < t->n_rows; r++) {
        const double *row = t->value + r * (size_t)t->n_columns;
        if (!(row[1] > from && row[1] <= to * (1.0 + 1e-9))) continue;
        n += 1.0;
        sum += row[column];
    }
    double mean = sum / fmax(n, 1.0);
    for (size_t r = 0; r < t->n_rows; r++) {
        const double *row = t->value + r * (size_t)t->n_columns;
        if (!(row[1] > from && row[1] <= to * (1.0 + 1e-9))) continue;
        squares += (row[column] - mean) * (row[column] - mean);
    }
    return (struct statistics){mean, sqrt(squares / fmax(n - 1.0, 1.0))};
}

/* What most people look at; all else is in the file. */
static bool is_prominent(const char *column)
{
    static const char *const heads[] = {"contacts", "kinetic energy", "normal ",       "pressure",
                                        "friction", "coordination",   "solid fraction"};
    for (size_t k = 0; k < sizeof heads / sizeof heads[0]; k++)
        if (strncmp(column, heads[k], strlen(heads[k])) == 0) return true;
    return false;
}

static void compare_column(FILE *f, const struct methods *m, const struct table *t,
                           const char *table, const char *column)
{
    struct statistics of[MOST];
    double end = INFINITY, least = INFINITY, most = -INFINITY, size = 0.0;
    char text[400] = "";
    for (int k = 0; k < m->n; k++) {
        if (find_column(&t[k], column) < 0) return;
        end = fmin(end, end_of(&t[k]));
    }
    for (int k = 0; k < m->n; k++) {
        of[k] = measure(&t[k], find_column(&t[k], column), 0.5 * end, end);
        least = fmin(least, of[k].mean);
        most = fmax(most, of[k].mean);
        size = fmax(size, fabs(of[k].mean));
    }
    double difference = size > 0.0 ? (most - least) / size : 0.0;
    fprintf(f, "%s,%s", table, column);
    for (int k = 0; k < m->n; k++) {
        size_t used = strlen(text);
        fprintf(f, ",%.17g,%.17g", of[k].mean, of[k].deviation);
        snprintf(text + used, sizeof text - used, " %12.5g +- %-9.2g", of[k].mean, of[k].deviation);
    }
    fprintf(f, ",%.17g\n", difference);
    if (size > 0.0 && is_prominent(column))
        scree_log(SCREE_LOG_INFO, "%-34.34s%s %8.2g", column, text, difference);
}

/* All columns that all methods have of one table. */
static void compare_table(FILE *f, const struct methods *m, const char *name)
{
    struct table t[MOST];
    bool all = true;
    for (int k = 0; k < m->n; k++) all = read_table(m->folder[k], name, &t[k]) && all;
    for (int k = 2; all && k < t[0].n_columns; k++) compare_column(f, m, t, name, t[0].column[k]);
    for (int k = 0; k < m->n; k++) clear_table(&t[k]);
}

/* A number of report.json. */
static double reported(const char *folder, const char *key)
{
    char path[8192], *line = NULL, word[80];
    size_t size = 0;
    double value = NAN;
    snprintf(path, sizeof path, "%s/report.json", folder);
    snprintf(word, sizeof word, "\"%s\": ", key);
    FILE *f = fopen(path, "r");
    while (f != NULL && getline(&line, &size, f) > 0) {
        const char *found = strstr(line, word);
        if (found != NULL) value = strtod(found + strlen(word), NULL);
    }
    if (f != NULL) fclose(f);
    free(line);
    return value;
}

static void compare_reports(FILE *f, const struct methods *m, const char *key, const char *shown)
{
    char text[400] = "";
    fprintf(f, "report,%s", shown);
    for (int k = 0; k < m->n; k++) {
        size_t used = strlen(text);
        double value = reported(m->folder[k], key);
        fprintf(f, ",%.17g,0", value);
        snprintf(text + used, sizeof text - used, " %12.5g             ", value);
    }
    fputs(",\n", f);
    scree_log(SCREE_LOG_INFO, "%-34.34s%s", shown, text);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Tables of the first method, by name. */
static void compare_tables(FILE *f, const struct methods *m)
{
    char **name = NULL;
    size_t n = 0, capacity = 0;
    DIR *folder = opendir(m->folder[0]);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".csv") != 0) continue;
        if (strcmp(entry->d_name, "stages.csv") == 0) continue;
        SCREE_GROW(name, n, capacity, n + 1);
        name[n++] = strdup(entry->d_name);
    }
    if (folder != NULL) closedir(folder);
    if (n > 0) qsort(name, n, sizeof *name, compare_words);
    for (size_t k = 0; k < n; k++) {
        compare_table(f, m, name[k]);
        free(name[k]);
    }
    scree_alloc_free(name);
}

static enum scree_status compare(const struct methods *m, const char *folder)
{
    char path[4200], head[400] = "";
    snprintf(path, sizeof path, "%.4000s/methods.csv", folder);
    FILE *f = fopen(path, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s: %s", path, strerror(errno));
    fputs("table,column", f);
    for (int k = 0; k < m->n; k++) {
        size_t used = strlen(head);
        fprintf(f, ",%s,deviation of %s", m->name[k], m->name[k]);
        snprintf(head + used, sizeof head - used, " %12s             ", m->name[k]);
    }
    fputs(",difference\n", f);
    scree_log(SCREE_LOG_INFO, "means over the second half of the time that all methods have:");
    scree_log(SCREE_LOG_INFO, "%-34s%s %8s", "", head, "differ by");
    compare_tables(f, m);
    compare_reports(f, m, "loop_seconds", "wall-clock time [s]");
    compare_reports(f, m, "steps", "steps");
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    scree_log(SCREE_LOG_INFO, "all columns: %s; a picture: tools/methods %s OUT.png", path, folder);
    return SCREE_OK;
}

static enum scree_status run_one(const struct scree_cli *cli, struct scree_comm *comm,
                                 const char *name, const char *folder)
{
    char method[NAME + 8];
    struct scree_cli *one = scree_alloc(1, sizeof *one);
    *one = *cli;
    snprintf(method, sizeof method, "method=%s", name);
    choose_sets(cli, name, method, one);
    one->command = "run";
    one->output = folder;
    scree_log(SCREE_LOG_INFO, "method %s", name);
    enum scree_status status = scree_cli_run(one, comm);
    scree_log_close();
    scree_alloc_free(one);
    return status;
}

enum scree_status scree_cli_methods(const struct scree_cli *cli, struct scree_comm *comm)
{
    static struct methods m;
    const char *folder = cli->output != NULL ? cli->output : "results-methods";
    memset(&m, 0, sizeof m);
    SCREE_CHECK(cli->argument[0] != NULL && !scree_cli_is_stdin(cli->argument[0]), SCREE_INPUT,
                "scree methods needs an input file");
    SCREE_TRY(read_names(cli->methods != NULL ? cli->methods : "md,cd", &m));
    SCREE_TRY(scree_cli_make_folder(comm, folder, cli->force));
    for (int k = 0; k < m.n; k++) {
        snprintf(m.folder[k], sizeof m.folder[k], "%.4000s/%.40s", folder, m.name[k]);
        SCREE_TRY(run_one(cli, comm, m.name[k], m.folder[k]));
    }
    return scree_comm_agree(comm, comm->rank == 0 ? compare(&m, folder) : SCREE_OK);
}
