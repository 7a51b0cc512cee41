/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: when a frame is due, into which file, and its observables. */
#define _POSIX_C_SOURCE 200809L
#include "scree/snapshots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"
#include "scree/frame.h"
#include "scree/output.h"
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

static bool is_due(const struct scree_snapshots *snapshots, int64_t step)
{
    for (int k = 0; k < snapshots->n_times; k++)
        if (snapshots->at[k] == step) return true;
    return scree_interval_is_due(snapshots->steps, step, snapshots->since);
}

/* After a resume the frame of the present step is usually in a segment before; not if snapshots
 * were asked for only now, or at other times. */
static bool is_written(const struct scree_run *run, const char *folder, int n_segments)
{
    char path[4096];
    for (int n = n_segments; n > 0; n--) {
        name_segment(folder, n, path, sizeof path);
        if (scree_reader_has_step(path, scree_run_step(run))) return true;
    }
    return false;
}

/* The file after the present segment, without frames yet. */
static enum scree_status begin_segment(struct scree_output *output, struct scree_run *run,
                                       const char *folder)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    char path[4096];
    SCREE_CHECK(snapshots->segment < SCREE_SEGMENTS, SCREE_IO,
                "more than %d trajectory files in %s", SCREE_SEGMENTS, folder);
    snapshots->segment++;
    name_segment(folder, snapshots->segment, path, sizeof path);
    char *effective = scree_input_effective_text(output->input);
    struct scree_trajectory_about about = {.title = output->title,
                                           .version = scree_version(),
                                           .commit = scree_version_commit(),
                                           .input = scree_input_text(output->input),
                                           .effective_input = effective,
                                           .compiler = scree_version_compiler(),
                                           .ranks = run->scene.comm->n_ranks,
                                           .seed = (int64_t)run->scene.seed,
                                           .n_species = run->scene.materials->n,
                                           .species = run->scene.materials->name,
                                           .compress = snapshots->compress};
    enum scree_status status = scree_trajectory_create(path, run->scene.comm, &about);
    free(effective);
    return status;
}

enum scree_status scree_snapshots_open(struct scree_output *output, struct scree_run *run,
                                       const char *folder)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    if (!snapshots->wanted) return SCREE_OK;
    bool written = false;
    if (run->scene.comm->rank == 0) {
        snapshots->segment = count_segments(folder);
        written = run->resumed && is_written(run, folder, snapshots->segment);
    }
    scree_comm_broadcast(run->scene.comm, &snapshots->segment, sizeof snapshots->segment, 0);
    scree_comm_broadcast(run->scene.comm, &written, sizeof written, 0);
    SCREE_TRY(begin_segment(output, run, folder));
    return written ? SCREE_OK : scree_snapshots_poll(output, run, folder, false, NULL);
}

int64_t scree_snapshots_next(const struct scree_snapshots *snapshots, int64_t step)
{
    for (int k = 0; k < snapshots->n_times; k++)
        if (snapshots->at[k] > step) return snapshots->at[k];
    return scree_interval_next(snapshots->steps, step, snapshots->since);
}

static enum scree_status write_xdmf(struct scree_snapshots *snapshots, struct scree_comm *comm,
                                    const char *folder)
{
    char xdmf[4096];
    char(*path)[4096] = scree_alloc((size_t)snapshots->segment, sizeof *path);
    const char **file = scree_alloc((size_t)snapshots->segment, sizeof *file);
    for (int k = 0; k < snapshots->segment; k++) {
        name_segment(folder, k + 1, path[k], sizeof path[k]);
        file[k] = path[k];
    }
    snprintf(xdmf, sizeof xdmf, "%.4000s/trajectory.xdmf", folder);
    enum scree_status status =
        scree_xdmf_update(&snapshots->xdmf, xdmf, comm, snapshots->segment, file);
    scree_alloc_free(path);
    scree_alloc_free(file);
    return status;
}

/* Files are copied for every change, so they change at most once a second, and a tenth of the time
 * at most is spent on that. */
static double next_publish(double began)
{
    double now = scree_timer_now();
    return now + fmax(1.0, 9.0 * (now - began));
}

enum scree_status scree_snapshots_flush(struct scree_output *output, struct scree_run *run,
                                        const char *folder)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    if (snapshots->draft == NULL) return SCREE_OK;
    double began = scree_timer_now();
    enum scree_phase before = scree_timer_switch(run->scene.timer, SCREE_PHASE_IO);
    enum scree_status status = scree_trajectory_publish(&snapshots->draft);
    if (status == SCREE_OK) status = write_xdmf(snapshots, run->scene.comm, folder);
    snapshots->next_publish = next_publish(began);
    scree_timer_switch(run->scene.timer, before);
    return status;
}

/* The clock of rank 0 rules. */
static enum scree_status flush_if_due(struct scree_output *output, struct scree_run *run,
                                      const char *folder)
{
    const struct scree_snapshots *snapshots = &output->snapshots;
    if (snapshots->draft == NULL) return SCREE_OK;
    bool due =
        scree_timer_now() >= snapshots->next_publish || scree_trajectory_is_heavy(snapshots->draft);
    scree_comm_broadcast(run->scene.comm, &due, sizeof due, 0);
    return due ? scree_snapshots_flush(output, run, folder) : SCREE_OK;
}

/* A file that has grown large is left alone, and the next one begun: see trajectory.h. */
static enum scree_status leave_full_segment(struct scree_output *output, struct scree_run *run,
                                            const char *folder)
{
    char path[4096];
    name_segment(folder, output->snapshots.segment, path, sizeof path);
    bool full = run->scene.comm->rank == 0 && scree_trajectory_is_full(path);
    scree_comm_broadcast(run->scene.comm, &full, sizeof full, 0);
    if (!full) return SCREE_OK;
    SCREE_TRY(scree_snapshots_flush(output, run, folder));
    return begin_segment(output, run, folder);
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
static void take_observables(struct scree_run *run, const struct scree_energies *energies, int n,
                             struct scree_observable *observable, char (*name)[96])
{
    struct scree_series_quantity *q = scree_alloc((size_t)n, sizeof *q);
    scree_series_compute(run, energies, q);
    for (int k = 0; k < n; k++) {
        name_observable(&q[k], name[k], sizeof name[k]);
        observable[k] =
            (struct scree_observable){.name = name[k], .unit = q[k].unit, .vector = q[k].vector};
        memcpy(observable[k].value, q[k].value, sizeof q[k].value);
    }
    scree_alloc_free(q);
}

enum scree_status scree_snapshots_poll(struct scree_output *output, struct scree_run *run,
                                       const char *folder, bool must,
                                       const struct scree_energies *known)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    must = must && snapshots->steps > 0.0; /* a list of times is taken at its word */
    if (!must && !is_due(snapshots, scree_run_step(run))) return flush_if_due(output, run, folder);
    char path[4096];
    struct scree_frame_memory memory;
    struct scree_frame frame;
    enum scree_phase before = scree_timer_switch(run->scene.timer, SCREE_PHASE_IO);
    int n = scree_series_count(run);
    struct scree_observable *observable = scree_alloc((size_t)n, sizeof *observable);
    char(*name)[96] = scree_alloc((size_t)n, sizeof *name);
    struct scree_energies energies;
    scree_closure_reuse_or_compute_energies(run, known, &energies);
    take_observables(run, &energies, n, observable, name);
    scree_frame_compute(run, snapshots, &memory, &frame);
    frame.n_observables = n;
    frame.observable = observable;
    enum scree_status status = leave_full_segment(output, run, folder);
    name_segment(folder, snapshots->segment, path, sizeof path);
    if (status == SCREE_OK)
        status = scree_trajectory_add(&snapshots->draft, path, run->scene.comm, &frame);
    scree_frame_clear(&memory);
    scree_alloc_free(name);
    scree_alloc_free(observable);
    if (status == SCREE_OK) status = flush_if_due(output, run, folder);
    scree_timer_switch(run->scene.timer, before);
    return status;
}
