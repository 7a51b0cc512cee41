/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: when a frame is due, into which file, and its observables. */
#define _POSIX_C_SOURCE 200809L
#include "scree/snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"
#include "scree/frame.h"
#include "scree/reader.h"
#include "scree/series.h"
#include "scree/version.h"
#include "scree/xdmf.h"

static void name_segment(const char *folder, int number, char *path, size_t size)
{
    snprintf(path, size, "%.4000s/trajectory.%03d.h5", folder, number);
}

/* How many segments there are already. */
static int count_segments(const char *folder)
{
    char path[4096];
    int n = 0;
    do {
        name_segment(folder, ++n, path, sizeof path);
    } while (n < SCREE_SEGMENTS && access(path, F_OK) == 0);
    return n - 1;
}

void scree_snapshots_drop(const char *folder)
{
    char path[4096];
    for (int n = count_segments(folder); n > 0; n--) {
        name_segment(folder, n, path, sizeof path);
        unlink(path);
    }
    snprintf(path, sizeof path, "%.4000s/trajectory.xdmf", folder);
    unlink(path);
}

/* The effective input as a text; free() it. */
static char *effective_text(const struct scree_job *job)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) return NULL;
    scree_input_write_effective(job->input, f);
    fclose(f);
    return text;
}

static bool is_due(const struct scree_job *job, int64_t step)
{
    for (int k = 0; k < job->snapshots.n_times; k++)
        if (job->snapshots.at[k] == step) return true;
    return job->snapshot_steps > 0 && step % job->snapshot_steps == 0;
}

/* After a resume the frame of the present step is usually in a segment before; not if snapshots
 * were asked for only now, or at other times. */
static bool is_written(const struct scree_job *job, const char *folder, int n_segments)
{
    char path[4096];
    for (int n = n_segments; n > 0; n--) {
        name_segment(folder, n, path, sizeof path);
        if (scree_reader_has_step(path, scree_job_step(job))) return true;
    }
    return false;
}

/* The file after job->segment, without frames yet. */
static enum scree_status begin_segment(struct scree_job *job, const char *folder)
{
    char path[4096];
    SCREE_CHECK(job->segment < SCREE_SEGMENTS, SCREE_IO, "more than %d trajectory files in %s",
                SCREE_SEGMENTS, folder);
    job->segment++;
    name_segment(folder, job->segment, path, sizeof path);
    char *effective = effective_text(job);
    struct scree_trajectory_about about = {.title = job->title,
                                           .version = scree_version(),
                                           .commit = scree_version_commit(),
                                           .input = scree_input_text(job->input),
                                           .effective_input = effective,
                                           .compiler = scree_version_compiler(),
                                           .ranks = job->comm->n_ranks,
                                           .seed = job->seed,
                                           .n_species = job->n_materials,
                                           .species = job->material_name,
                                           .compress = (int)job->snapshots.compress};
    enum scree_status status = scree_trajectory_create(path, job->comm, &about);
    free(effective);
    return status;
}

enum scree_status scree_snapshots_open(struct scree_job *job, const char *folder)
{
    if (!scree_stages_have_snapshots(job)) return SCREE_OK;
    bool written = false;
    if (job->comm->rank == 0) {
        job->segment = count_segments(folder);
        written = job->resume_path != NULL && is_written(job, folder, job->segment);
    }
    scree_comm_broadcast(job->comm, &job->segment, sizeof job->segment, 0);
    scree_comm_broadcast(job->comm, &written, sizeof written, 0);
    SCREE_TRY(begin_segment(job, folder));
    return written ? SCREE_OK : scree_snapshots_look(job, folder, false, NULL);
}

int64_t scree_snapshots_next(const struct scree_job *job, int64_t step)
{
    for (int k = 0; k < job->snapshots.n_times; k++)
        if (job->snapshots.at[k] > step) return job->snapshots.at[k];
    if (job->snapshot_steps <= 0) return INT64_MAX;
    return (step / job->snapshot_steps + 1) * job->snapshot_steps;
}

/* A file that has grown large is left alone, and the next one begun: see trajectory.h. */
static enum scree_status leave_full_segment(struct scree_job *job, const char *folder)
{
    char path[4096];
    name_segment(folder, job->segment, path, sizeof path);
    bool full = job->comm->rank == 0 && scree_trajectory_is_full(path);
    scree_comm_broadcast(job->comm, &full, sizeof full, 0);
    return full ? begin_segment(job, folder) : SCREE_OK;
}

static enum scree_status write_xdmf(struct scree_job *job, const char *folder)
{
    char xdmf[4096];
    char(*path)[4096] = scree_alloc((size_t)job->segment, sizeof *path);
    const char **file = scree_alloc((size_t)job->segment, sizeof *file);
    for (int k = 0; k < job->segment; k++) {
        name_segment(folder, k + 1, path[k], sizeof path[k]);
        file[k] = path[k];
    }
    snprintf(xdmf, sizeof xdmf, "%.4000s/trajectory.xdmf", folder);
    enum scree_status status = scree_xdmf_update(&job->xdmf, xdmf, job->comm, job->segment, file);
    scree_alloc_free(path);
    scree_alloc_free(file);
    return status;
}

/* "force on" a wall "floor" becomes force_on_floor. */
static void name_observable(const struct scree_series_quantity *q, char *name, size_t size)
{
    snprintf(name, size, "%.40s%s%.50s", q->what, q->wall != NULL ? "_" : "",
             q->wall != NULL ? q->wall : "");
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ' || *c == '/' || *c == '.') *c = '_';
}

/* The quantities of the series, as observables; `name` is memory for their names. */
static void take_observables(struct scree_job *job, const struct scree_energies *energies, int n,
                             struct scree_observable *observable, char (*name)[96])
{
    struct scree_series_quantity *q = scree_alloc((size_t)n, sizeof *q);
    scree_series_take(job, energies, q);
    for (int k = 0; k < n; k++) {
        name_observable(&q[k], name[k], sizeof name[k]);
        observable[k] =
            (struct scree_observable){.name = name[k], .unit = q[k].unit, .vector = q[k].vector};
        memcpy(observable[k].value, q[k].value, sizeof q[k].value);
    }
    scree_alloc_free(q);
}

enum scree_status scree_snapshots_look(struct scree_job *job, const char *folder, bool must,
                                       const struct scree_energies *known)
{
    must = must && (job->snapshot_steps > 0 || job->snapshots.n_times > 0);
    if (!must && !is_due(job, scree_job_step(job))) return SCREE_OK;
    char path[4096];
    struct scree_frame_memory memory;
    struct scree_frame frame;
    enum scree_phase before = scree_timer_switch(&job->timer, SCREE_PHASE_IO);
    int n = scree_series_count(job);
    struct scree_observable *observable = scree_alloc((size_t)n, sizeof *observable);
    char(*name)[96] = scree_alloc((size_t)n, sizeof *name);
    struct scree_energies energies;
    scree_energies_reuse_or_compute(job, known, &energies);
    take_observables(job, &energies, n, observable, name);
    scree_frame_take(job, &memory, &frame);
    frame.n_observables = n;
    frame.observable = observable;
    enum scree_status status = leave_full_segment(job, folder);
    name_segment(folder, job->segment, path, sizeof path);
    if (status == SCREE_OK) status = scree_trajectory_append(path, job->comm, &frame);
    scree_frame_clear(&memory);
    scree_alloc_free(name);
    scree_alloc_free(observable);
    if (status == SCREE_OK) status = write_xdmf(job, folder);
    scree_timer_switch(&job->timer, before);
    return status;
}
