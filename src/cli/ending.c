/* SPDX-License-Identifier: BSD-3-Clause
 * What a run leaves when it ends, however it ends: the state of that moment, and a report with the
 * reason. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/frame.h"
#include "scree/job.h"
#include "scree/log.h"
#include "scree/state.h"

static const char failed_name[] = "state-failed.h5";

static enum scree_status write_state(struct scree_job *job, const char *folder, const char *name)
{
    struct scree_state_rows rows;
    scree_frame_compute_rows(&job->run, &rows);
    struct scree_state_header header = {.time = scree_run_time(&job->run),
                                        .step = scree_run_step(&job->run)};
    snprintf(header.title, sizeof header.title, "%s", job->output.title);
    const struct scree_domain *domain = &job->domain;
    scree_deformation_corners(&domain->cell, &domain->box, header.low, header.high, header.tilt);
    for (int a = 0; a < 3; a++) header.periodic[a] = domain->box.periodic[a];
    header.wedge[0] = job->domain.box.wedge.n;
    header.wedge[1] = job->domain.box.wedge.axis;
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    enum scree_status status = scree_state_write(path, job->comm, &header, &rows);
    scree_state_rows_clear(&rows);
    return status;
}

static enum scree_status report(struct scree_job *job, const char *folder, double loop_seconds,
                                enum scree_status ended, const char *reason)
{
    struct scree_report_stage *stages;
    int64_t step = scree_run_step(&job->run);
    int n_stages = scree_stages_report(&job->stages, step, &stages);
    const struct scree_report_about about = {.title = job->output.title,
                                             .sets = job->restart.sets_text,
                                             .folder = folder,
                                             .reason = reason,
                                             .exit_code = (int)scree_status_exit_code(ended),
                                             .loop_seconds = loop_seconds,
                                             .steps_done = step - job->run.first_step,
                                             .n_stages = n_stages,
                                             .stage = stages};
    enum scree_status status = scree_report_write(&job->run, &about);
    scree_alloc_free(stages);
    return scree_comm_agree(job->comm, status);
}

/* A failure to write must not hide the failure that is to be told. Where there was no memory left
 * there is none for a state either. */
static void leave_failed(struct scree_job *job, const char *folder, double loop_seconds,
                         enum scree_status ended)
{
    struct scree_failure failure;
    scree_status_set_aside(&failure);
    bool saved = ended != SCREE_MEMORY && write_state(job, folder, failed_name) == SCREE_OK;
    scree_status_clear();
    report(job, folder, loop_seconds, ended, failure.message);
    scree_status_clear();
    size_t length = strlen(failure.message), room = sizeof failure.message - length;
    if (saved)
        snprintf(failure.message + length, room, "; the state of that moment is in %s/%s", folder,
                 failed_name);
    scree_status_restore(&failure);
}

void scree_cli_forget_failure(const struct scree_job *job, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%s", folder, failed_name);
    if (job->comm->rank == 0) remove(path);
}

enum scree_status scree_cli_leave_results(struct scree_job *job, const char *folder,
                                          double loop_seconds, enum scree_status ended)
{
    bool done = ended == SCREE_OK;
    scree_timer_switch(&job->timer, SCREE_PHASE_IO);
    if (!done && ended != SCREE_STOPPED) {
        leave_failed(job, folder, loop_seconds, ended);
        return ended;
    }
    if (done && job->output.state) SCREE_TRY(write_state(job, folder, "state.h5"));
    scree_timer_switch(&job->timer, SCREE_PHASE_OTHER);
    SCREE_TRY(
        report(job, folder, loop_seconds, ended, done ? "all is done" : "stopped on request"));
    return ended;
}
