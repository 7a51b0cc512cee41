/* SPDX-License-Identifier: BSD-3-Clause
 * The series: energies, contacts and wall forces against time, as comma-separated text. */
#define _POSIX_C_SOURCE 200809L
#include "series.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

static void name_files(const char *folder, char *path, char *part, size_t size)
{
    snprintf(path, size, "%.4000s/series.csv", folder);
    snprintf(part, size, "%.4000s/series.csv.part", folder);
}

static void write_head(FILE *f, const struct scree_job *job)
{
    fprintf(f, "step,time [s],kinetic energy [J],rotational energy [J],contacts,wall contacts");
    for (int w = 0; w < job->walls.n; w++)
        for (int a = 0; a < 3; a++)
            fprintf(f, ",force on %s %c [N]", job->walls.wall[w].name, "xyz"[a]);
    fprintf(f, "\n");
}

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

static enum scree_status open_here(const struct scree_job *job, const char *folder)
{
    char path[4096], part[4096];
    name_files(folder, path, part, sizeof path);
    FILE *to = fopen(part, "w");
    SCREE_CHECK(to != NULL, SCREE_IO, "cannot write %s: %s", part, strerror(errno));
    write_head(to, job);
    FILE *from = job->resume_path != NULL ? fopen(path, "r") : NULL;
    if (from != NULL) {
        keep_rows(from, to, scree_job_step(job));
        fclose(from);
    }
    bool good = ferror(to) == 0;
    good = fclose(to) == 0 && good && rename(part, path) == 0;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

enum scree_status scree_series_open(struct scree_job *job, const char *folder)
{
    enum scree_status status = job->comm->rank == 0 ? open_here(job, folder) : SCREE_OK;
    SCREE_TRY(scree_comm_agree(job->comm, status));
    return job->resume_path == NULL ? scree_series_look(job, folder) : SCREE_OK;
}

int64_t scree_series_next(const struct scree_job *job, int64_t step)
{
    if (job->series_steps <= 0) return INT64_MAX;
    return (step / job->series_steps + 1) * job->series_steps;
}

static enum scree_status append(const struct scree_job *job, const char *folder,
                                const double *value, int n)
{
    char path[4096], part[4096];
    name_files(folder, path, part, sizeof path);
    FILE *f = fopen(path, "a");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s: %s", path, strerror(errno));
    fprintf(f, "%" PRId64 ",%.17g", scree_job_step(job), scree_job_time(job));
    for (int k = 0; k < n; k++) fprintf(f, ",%.17g", value[k]);
    fputc('\n', f);
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

enum scree_status scree_series_look(struct scree_job *job, const char *folder)
{
    if (job->series_steps <= 0 || scree_job_step(job) % job->series_steps != 0) return SCREE_OK;
    int n = 4 + 3 * job->walls.n;
    double *value = scree_alloc((size_t)n, sizeof *value);
    double quantum = job->stepper->force_quantum(job->state);
    scree_job_energies(job, &value[0], &value[1]);
    scree_job_contacts(job, &value[2], &value[3]);
    for (int w = 0; w < job->walls.n; w++) {
        struct scree_wide force[3];
        memcpy(force, job->walls.wall[w].force, sizeof force);
        scree_comm_sum_wide(job->comm, force, 3);
        for (int a = 0; a < 3; a++) value[4 + 3 * w + a] = quantum * scree_wide_value(force[a]);
    }
    enum scree_status status = job->comm->rank == 0 ? append(job, folder, value, n) : SCREE_OK;
    scree_alloc_free(value);
    return scree_comm_agree(job->comm, status);
}
