/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: when a frame is due, into which file, and its observables. */
#define _POSIX_C_SOURCE 200809L
#include "snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame.h"
#include "scree/alloc.h"
#include "scree/xdmf.h"
#include "version.h"

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

enum scree_status scree_snapshots_open(struct scree_job *job, const char *folder)
{
    if (job->snapshot_steps <= 0) return SCREE_OK;
    char path[4096];
    int64_t n = job->comm->rank == 0 ? count_segments(folder) : 0;
    scree_comm_broadcast(job->comm, &n, sizeof n, 0);
    SCREE_CHECK(n < SCREE_SEGMENTS, SCREE_IO, "more than %d trajectory files in %s", SCREE_SEGMENTS,
                folder);
    job->segment = (int)n + 1;
    name_segment(folder, job->segment, path, sizeof path);
    char *effective = effective_text(job);
    struct scree_trajectory_about about = {.title = job->title,
                                           .version = scree_version(),
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
    SCREE_TRY(status);
    /* After a resume the frame of the present step is in the segment before. */
    return job->resume_path == NULL ? scree_snapshots_look(job, folder) : SCREE_OK;
}

int64_t scree_snapshots_next(const struct scree_job *job, int64_t step)
{
    if (job->snapshot_steps <= 0) return INT64_MAX;
    return (step / job->snapshot_steps + 1) * job->snapshot_steps;
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
    enum scree_status status = scree_xdmf_write(xdmf, job->comm, job->segment, file);
    scree_alloc_free(path);
    scree_alloc_free(file);
    return status;
}

enum scree_status scree_snapshots_look(struct scree_job *job, const char *folder)
{
    if (job->snapshot_steps <= 0 || scree_job_step(job) % job->snapshot_steps != 0) return SCREE_OK;
    char path[4096];
    struct scree_frame_memory memory;
    struct scree_frame frame;
    enum scree_phase before = scree_timer_switch(&job->timer, SCREE_PHASE_IO);
    struct scree_observable observable[4] = {{"kinetic_energy", "kg m+2 s-2", 0.0},
                                             {"rotational_energy", "kg m+2 s-2", 0.0},
                                             {"grain_contacts", "", 0.0},
                                             {"wall_contacts", "", 0.0}};
    scree_job_energies(job, &observable[0].value, &observable[1].value);
    scree_job_contacts(job, &observable[2].value, &observable[3].value);
    scree_frame_take(job, &memory, &frame);
    frame.n_observables = 4;
    frame.observable = observable;
    name_segment(folder, job->segment, path, sizeof path);
    enum scree_status status = scree_trajectory_append(path, job->comm, &frame);
    scree_frame_clear(&memory);
    if (status == SCREE_OK) status = write_xdmf(job, folder);
    scree_timer_switch(&job->timer, before);
    return status;
}
