/* SPDX-License-Identifier: BSD-3-Clause
 * The loop over time and its progress lines. */
#include <math.h>
#include <stdio.h>

#include "scree/autosave.h"
#include "scree/job.h"
#include "scree/log.h"
#include "scree/measures.h"
#include "scree/series.h"
#include "scree/snapshots.h"

struct progress {
    double began, last; /* s; start of the loop, of the last line */
    int64_t last_step;
    int64_t last_rebuilds;
    int64_t chunk; /* steps between looks at the clock */
};

static void format_duration(double seconds, char *text, size_t size)
{
    long s = (long)ceil(seconds);
    if (s < 60)
        snprintf(text, size, "%ld s", s);
    else if (s < 3600)
        snprintf(text, size, "%ld:%02ld min", s / 60, s % 60);
    else
        snprintf(text, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

static enum scree_status print_line(struct scree_job *job, struct progress *progress, double now)
{
    int64_t step = scree_job_step(job), steps = step - progress->last_step;
    double contacts[2];
    scree_report_contacts(job, &contacts[0], &contacts[1]);
    double per_grain = (2.0 * contacts[0] + contacts[1]) / (double)job->n_grains;
    double seconds = now - progress->last;
    double rate = (double)steps * (double)job->n_grains / fmax(seconds, 1e-9);
    double per_step = (now - progress->began) / fmax((double)(step - job->first_step), 1.0);
    double left = fmax((double)(job->n_steps - step), 0.0) * per_step;
    struct scree_energies energies;
    scree_energies_compute(job, &energies);
    char eta[32];
    format_duration(left, eta, sizeof eta);
    scree_log(SCREE_LOG_INFO,
              "step %9lld  t %.6g s  %5.1f %%  eta %-9s %7.2f M grain-steps/s  z %.2f  "
              "closure %8.1e  imbalance %.2f  rebuilds %lld",
              (long long)step, scree_job_time(job),
              fmin(100.0 * (double)step / (double)job->n_steps, 100.0), /* resumed beyond the end */
              eta, 1e-6 * rate, per_grain, scree_energies_error(&energies),
              job->scene.balance->imbalance,
              (long long)(job->scene.contacts->n_rebuilds - progress->last_rebuilds));
    progress->last = now;
    progress->last_step = step;
    progress->last_rebuilds = job->scene.contacts->n_rebuilds;
    SCREE_TRY(scree_energies_check_closure(job, &energies));
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_PROGRESS};
    return scree_job_advise(job, &advice);
}

/* All ranks must take the same decisions: the clock of rank 0 rules. */
static double agreed_now(struct scree_job *job)
{
    double now = scree_timer_now();
    scree_comm_broadcast(job->comm, &now, sizeof now, 0);
    return now;
}

static void redraw(const struct scree_job *job)
{
    int64_t step = scree_job_step(job);
    char bar[31];
    int filled = (int)(30 * step / (job->n_steps > 0 ? job->n_steps : 1));
    for (int k = 0; k < 30; k++) bar[k] = k < filled ? '#' : '.';
    bar[30] = '\0';
    scree_log_redraw("[%s] step %lld of %lld", bar, (long long)step, (long long)job->n_steps);
}

/* Where to stop next: after a chunk, at the next checkpoint or row, or at the end. */
static int64_t next_target(const struct scree_job *job, int64_t chunk)
{
    int64_t step = scree_job_step(job), target = step + chunk, every = job->checkpoint.steps;
    if (every > 0 && target > (step / every + 1) * every) target = (step / every + 1) * every;
    if (target > scree_series_next(job, step)) target = scree_series_next(job, step);
    if (target > scree_snapshots_next(job, step)) target = scree_snapshots_next(job, step);
    int64_t measures = scree_analyses_next(&job->analyses, step);
    if (target > measures) target = measures;
    int64_t stage = scree_stages_next(job, step);
    if (target > stage) target = stage;
    int64_t pour = scree_pours_next(job, step);
    if (target > pour) target = pour;
    return target < job->n_steps ? target : job->n_steps;
}

/* Will a row or a frame be written at the end of the next advance? */
static bool energies_are_due(const struct scree_job *job, int64_t target)
{
    int64_t step = scree_job_step(job);
    return target == scree_series_next(job, step) || target == scree_snapshots_next(job, step);
}

/* Results that cannot be written end the run, but the steps done so far need not be lost. */
static enum scree_status rescue(struct scree_job *job, struct scree_autosave *keeper,
                                enum scree_status status)
{
    char message[1024];
    if (status != SCREE_IO || keeper->last_step == scree_job_step(job)) return status;
    snprintf(message, sizeof message, "%s", scree_status_message());
    scree_status_clear();
    if (scree_autosave_save(keeper, job) == SCREE_OK && keeper->last_step == scree_job_step(job))
        scree_log(SCREE_LOG_INFO, "saved at step %lld; go on with: scree resume %s",
                  (long long)scree_job_step(job), keeper->folder);
    scree_status_clear();
    return SCREE_FAIL(status, "%s", message);
}

/* The last step of a stage is always among the results. */
static enum scree_status write_results(struct scree_job *job, struct scree_autosave *keeper,
                                       bool stage_ends, const struct scree_energies *energies)
{
    bool last = stage_ends && job->stages.given;
    enum scree_status status = scree_series_look(job, keeper->folder, last, energies);
    if (status == SCREE_OK) status = scree_snapshots_look(job, keeper->folder, last, energies);
    if (status == SCREE_OK) status = scree_measures_look(job, keeper->folder, last);
    return status == SCREE_OK ? status : rescue(job, keeper, status);
}

enum scree_status scree_job_run(struct scree_job *job, struct scree_autosave *keeper,
                                double *loop_seconds)
{
    if (keeper != NULL) {
        SCREE_TRY(scree_series_open(job, keeper->folder));
        SCREE_TRY(scree_snapshots_open(job, keeper->folder));
        SCREE_TRY(scree_measures_open(job, keeper->folder));
        SCREE_TRY(scree_stages_open(job, keeper->folder));
    }
    scree_stages_tell(job);
    scree_comm_barrier(job->comm);
    double began = agreed_now(job);
    struct progress progress = {
        .began = began, .last = began, .chunk = 1, .last_step = job->first_step};
    enum scree_status status = SCREE_OK;
    enum scree_phase phase = scree_timer_switch(&job->timer, SCREE_PHASE_MEASURE);
    while (scree_job_step(job) < job->n_steps && status == SCREE_OK) {
        int64_t target = next_target(job, progress.chunk), steps = target - scree_job_step(job);
        struct scree_energies energies;
        bool row = keeper != NULL && energies_are_due(job, target);
        double before = agreed_now(job);
        status = scree_job_advance(job, target, row ? &energies : NULL);
        double now = agreed_now(job);
        /* Look at the clock about ten times a second, not every step. */
        double chunk = (double)steps * 0.1 / fmax(now - before, 1e-6);
        progress.chunk = (int64_t)fmin(fmax(chunk, 1.0), 4.0 * (double)progress.chunk);
        redraw(job);
        bool stage_ends = false;
        if (status == SCREE_OK) status = scree_stages_look(job, &stage_ends);
        if (status == SCREE_OK && now - progress.last >= job->output.progress &&
            target < job->n_steps)
            status = print_line(job, &progress, now);
        if (status == SCREE_OK && keeper != NULL)
            status = write_results(job, keeper, stage_ends, row ? &energies : NULL);
        if (status == SCREE_OK && stage_ends)
            status = scree_stages_turn(job, keeper != NULL ? keeper->folder : NULL);
        if (status == SCREE_OK) status = scree_pours_look(job);
        if (status == SCREE_OK && target < job->n_steps && keeper != NULL)
            status = scree_autosave_look(keeper, job, now);
    }
    scree_timer_switch(&job->timer, phase);
    *loop_seconds = agreed_now(job) - began;
    if (status == SCREE_OK && job->n_steps > 0)
        status = print_line(job, &progress, agreed_now(job));
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_END};
    return status == SCREE_OK ? scree_job_advise(job, &advice) : status;
}
