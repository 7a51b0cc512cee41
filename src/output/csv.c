/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as comma-separated text: written whole, or row by row and continued after a resume. */
#define _POSIX_C_SOURCE 200809L
#include "scree/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void name_file(const char *folder, const char *name, const char *ending, char *path,
                      size_t size)
{
    snprintf(path, size, "%.3900s/%.100s.csv%s", folder, name, ending);
}

enum scree_status scree_csv_write(const char *folder, const char *name, scree_csv_writer *write,
                                  const void *context)
{
    char path[4096], part[4096];
    name_file(folder, name, "", path, sizeof path);
    name_file(folder, name, ".part", part, sizeof part);
    FILE *f = fopen(part, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s: %s", part, strerror(errno));
    write(f, context);
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good && rename(part, path) == 0;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

struct table {
    scree_csv_writer *write_head;
    const void *context;
    FILE *before; /* rows of an earlier segment, or NULL */
    int64_t step;
};

/* Copy the rows up to `step` of an earlier segment; the last line may be half written. */
static void keep_rows(FILE *from, FILE *to, int64_t step)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, from) > 0) {
        long long number;
        bool whole = strchr(line, '\n') != NULL;
        if (whole && sscanf(line, "%lld,", &number) == 1 && number <= step) fputs(line, to);
    }
    free(line);
}

static void write_table(FILE *f, const void *context)
{
    const struct table *table = context;
    fprintf(f, "step,time [s]");
    table->write_head(f, table->context);
    fputc('\n', f);
    if (table->before != NULL) keep_rows(table->before, f, table->step);
}

enum scree_status scree_csv_open(const struct scree_run *run, const char *folder, const char *name,
                                 scree_csv_writer *write_head, const void *context)
{
    char path[4096];
    struct table table = {write_head, context, NULL, scree_run_step(run)};
    name_file(folder, name, "", path, sizeof path);
    if (run->resumed) table.before = fopen(path, "r");
    enum scree_status status = scree_csv_write(folder, name, write_table, &table);
    if (table.before != NULL) fclose(table.before);
    return status;
}

static enum scree_status open_end(const char *folder, const char *name, char *path, size_t size,
                                  FILE **f)
{
    name_file(folder, name, "", path, size);
    *f = fopen(path, "a");
    SCREE_CHECK(*f != NULL, SCREE_IO, "cannot write %s: %s", path, strerror(errno));
    return SCREE_OK;
}

static enum scree_status close_end(const char *path, FILE *f)
{
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

enum scree_status scree_csv_append_text(const struct scree_run *run, const char *folder,
                                        const char *name, const char *text)
{
    char path[4096];
    FILE *f;
    SCREE_TRY(open_end(folder, name, path, sizeof path, &f));
    fprintf(f, "%" PRId64 ",%.17g,%s\n", scree_run_step(run), scree_run_time(run), text);
    return close_end(path, f);
}

enum scree_status scree_csv_append(const struct scree_run *run, const char *folder,
                                   const char *name, const double *value, int n_rows, int n)
{
    char path[4096];
    FILE *f;
    SCREE_TRY(open_end(folder, name, path, sizeof path, &f));
    for (int r = 0; r < n_rows; r++) {
        fprintf(f, "%" PRId64 ",%.17g", scree_run_step(run), scree_run_time(run));
        for (int k = 0; k < n; k++) fprintf(f, ",%.17g", *value++);
        fputc('\n', f);
    }
    return close_end(path, f);
}
