/* SPDX-License-Identifier: BSD-3-Clause
 * The loop over time and its progress lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* What the present method tells about its work, such as "  sweeps 40  residual 9e-05". Collective.
 */
static void format_figures(struct scree_run *run, char *text, size_t size)
{
    const struct scree_figure *figure = run->stepper->figures;
    double value[SCREE_FIGURES];
    int n = scree_stepper_n_figures(run->stepper);
    text[0] = '\0';
    if (n > 0) run->stepper->measure(run->state, &run->scene, value);
    for (int k = 0; k < n; k++) {
        size_t used = strlen(text);
        if (figure[k].quiet) continue;
        snprintf(text + used, size - used, "  %s %.3g", figure[k].name, value[k]);
    }
}

/* How fast steps go, of methods that have any, and the contacts. Collective. */
static void format_steps(struct scree_job *job, const struct progress *progress, double now,
                         char *text, size_t size)
{
    double contacts[2], n_grains = (double)job->run.n_grains;
    double steps = (double)(scree_run_step(&job->run) - progress->last_step);
    scree_contacts_count_all(job->run.scene.contacts, job->comm, &contacts[0], &contacts[1]);
    text[0] = '\0';
    if (job->run.stepper->has_no_steps) return;
    snprintf(text, size, "%7.3g M grain-steps/s  z %.2f  ",
             1e-6 * steps * n_grains / fmax(now - progress->last, 1e-9),
             (2.0 * contacts[0] + contacts[1]) / n_grains);
}

static void print_line(struct scree_job *job, struct progress *progress, double now)
{
    int64_t step = scree_run_step(&job->run);
    double per_step = (now - progress->began) / fmax((double)(step - job->run.first_step), 1.0);
    double left = fmax((double)(job->run.n_steps - step), 0.0) * per_step;
    struct scree_energies energies;
    scree_run_compute_energies(&job->run, &energies);
    char eta[32], steps[64], figures[400], numbers[200];
    format_steps(job, progress, now, steps, sizeof steps);
    format_figures(&job->run, figures, sizeof figures);
    scree_analyses_tell_progress(&job->output.analyses, numbers, sizeof numbers);
    format_duration(left, eta, sizeof eta);
    scree_log(
        SCREE_LOG_INFO,
        "step %9lld  t %.6g s  %5.1f %%  eta %-9s %sclosure %8.1e  imbalance %.2f  rebuilds "
        "%lld%s%s",
        (long long)step, scree_run_time(&job->run),
        fmin(100.0 * (double)step / (double)job->run.n_steps, 100.0), /* resumed beyond the end */
        eta, steps, scree_energies_error(&energies), job->run.scene.balance->imbalance,
        (long long)(job->run.scene.contacts->n_rebuilds - progress->last_rebuilds), figures,
        numbers);
    progress->last = now;
    progress->last_step = step;
    progress->last_rebuilds = job->run.scene.contacts->n_rebuilds;
}

/* The steps after which the run is looked at: soon at the start, cheap later. They must not depend
 * on the clock, since what is found may end the run. */
static int64_t next_look(int64_t step)
{
    const int64_t every = 1000;
    return step < 10 ? 10 : step < 100 ? 100 : (step / every + 1) * every;
}

/* Do energies add up, and does the method have something to say? `known`: energies of this step, or
 * NULL. */
static enum scree_status look(struct scree_job *job, const struct scree_energies *known)
{
    struct scree_energies energies;
    if (known == NULL) scree_run_compute_energies(&job->run, &energies);
    SCREE_TRY(scree_closure_check(&job->run, known != NULL ? known : &energies,
                                  job->output.energy_tolerance));
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_PROGRESS};
    return scree_run_advise(&job->run, &advice);
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
    int64_t step = scree_run_step(&job->run);
    char bar[31];
    int filled = (int)(30 * step / (job->run.n_steps > 0 ? job->run.n_steps : 1));
    for (int k = 0; k < 30; k++) bar[k] = k < filled ? '#' : '.';
    bar[30] = '\0';
    scree_log_redraw("[%s] step %lld of %lld", bar, (long long)step, (long long)job->run.n_steps);
}

/* Where to stop next: after a chunk, at the next look, checkpoint or row, or at the end, that of
 * the job as well. */
static int64_t next_target(const struct scree_job *job, const struct scree_autosave *autosave,
                           int64_t chunk)
{
    int64_t step = scree_run_step(&job->run), target = step + chunk, every = job->restart.steps;
    if (target > next_look(step)) target = next_look(step);
    if (autosave != NULL && target > scree_autosave_last_step(autosave, &job->run))
        target = scree_autosave_last_step(autosave, &job->run);
    if (every > 0 && target > (step / every + 1) * every) target = (step / every + 1) * every;
    if (target > scree_series_next(&job->output, step))
        target = scree_series_next(&job->output, step);
    if (target > scree_snapshots_next(&job->output.snapshots, step))
        target = scree_snapshots_next(&job->output.snapshots, step);
    int64_t measures = scree_analyses_next(&job->output.analyses, step);
    if (target > measures) target = measures;
    int64_t stage = scree_stages_next(&job->stages, step);
    if (target > stage) target = stage;
    int64_t pour = scree_pours_next(&job->stages.pours, job->run.scene.dt, step);
    if (target > pour) target = pour;
    return target < job->run.n_steps ? target : job->run.n_steps;
}

/* Will a row or a frame be written at the end of the next advance? */
static bool energies_are_due(const struct scree_job *job, int64_t target)
{
    int64_t step = scree_run_step(&job->run);
    return target == job->run.n_steps || target == scree_series_next(&job->output, step) ||
           target == scree_snapshots_next(&job->output.snapshots, step);
}

/* Results that cannot be written end the run, but the steps done so far need not be lost. */
static enum scree_status rescue(struct scree_job *job, struct scree_autosave *autosave,
                                enum scree_status status)
{
    struct scree_failure first;
    if (status != SCREE_IO || autosave->last_step == scree_run_step(&job->run)) return status;
    scree_status_set_aside(&first);
    if (scree_autosave_save(autosave, &job->restart) == SCREE_OK &&
        autosave->last_step == scree_run_step(&job->run))
        scree_log(SCREE_LOG_INFO, "saved at step %lld; go on with: scree resume %s",
                  (long long)scree_run_step(&job->run), autosave->folder);
    scree_status_restore(&first);
    return status;
}

/* The last step of a stage, and that of the run, is always among the results. */
static enum scree_status write_results(struct scree_job *job, struct scree_autosave *autosave,
                                       bool last, const struct scree_energies *energies)
{
    enum scree_status status =
        scree_series_poll(&job->output, &job->run, autosave->folder, last, energies);
    if (status == SCREE_OK)
        status = scree_snapshots_poll(&job->output, &job->run, autosave->folder, last, energies);
    if (status == SCREE_OK)
        status = scree_measures_poll(&job->output.analyses, &job->run, autosave->folder, last);
    return status == SCREE_OK ? status : rescue(job, autosave, status);
}

/* Frames so far are of use however the run ended; the first failure counts. */
static enum scree_status flush(struct scree_job *job, const char *folder, enum scree_status status)
{
    struct scree_failure first;
    scree_status_set_aside(&first);
    enum scree_status flushed = scree_snapshots_flush(&job->output, &job->run, folder);
    if (status == SCREE_OK) return flushed;
    scree_status_restore(&first);
    return status;
}

enum scree_status scree_job_run(struct scree_job *job, struct scree_autosave *autosave,
                                double *loop_seconds)
{
    if (autosave != NULL) {
        SCREE_TRY(scree_series_open(&job->output, &job->run, autosave->folder));
        SCREE_TRY(scree_snapshots_open(&job->output, &job->run, autosave->folder));
        SCREE_TRY(scree_measures_open(&job->output.analyses, &job->run, autosave->folder));
        SCREE_TRY(scree_stages_open(&job->stages, &job->run, autosave->folder));
    }
    scree_stages_log_present(&job->stages, scree_run_step(&job->run));
    scree_comm_barrier(job->comm);
    double began = agreed_now(job);
    scree_comm_clear_counts(job->comm);
    struct progress progress = {
        .began = began, .last = began, .chunk = 1, .last_step = job->run.first_step};
    enum scree_status status = SCREE_OK;
    enum scree_phase phase = scree_timer_switch(&job->timer, SCREE_PHASE_MEASURE);
    while (scree_run_step(&job->run) < job->run.n_steps && status == SCREE_OK) {
        int64_t target = next_target(job, autosave, progress.chunk),
                begin = scree_run_step(&job->run), steps = target - begin;
        struct scree_energies energies;
        bool row = autosave != NULL && energies_are_due(job, target);
        double before = agreed_now(job);
        status = scree_run_advance(&job->run, target, row ? &energies : NULL);
        double now = agreed_now(job);
        /* Look at the clock about ten times a second, not every step. */
        double chunk = (double)steps * 0.1 / fmax(now - before, 1e-6);
        progress.chunk = (int64_t)fmin(fmax(chunk, 1.0), 4.0 * (double)progress.chunk);
        redraw(job);
        bool stage_ends = false;
        if (status == SCREE_OK) status = scree_stages_poll(&job->stages, &job->run, &stage_ends);
        if (status == SCREE_OK && now - progress.last >= job->output.progress &&
            target < job->run.n_steps)
            print_line(job, &progress, now);
        if (status == SCREE_OK && autosave != NULL)
            status = write_results(job, autosave, stage_ends, row ? &energies : NULL);
        if (status == SCREE_OK && (target == next_look(begin) || target >= job->run.n_steps))
            status = look(job, row ? &energies : NULL);
        if (status == SCREE_OK && stage_ends)
            status = scree_stages_turn(&job->stages, &job->run, &job->output,
                                       autosave != NULL ? autosave->folder : NULL);
        if (status == SCREE_OK) status = scree_pours_poll(&job->stages, &job->run);
        if (status == SCREE_OK && target < job->run.n_steps && autosave != NULL)
            status = scree_autosave_poll(autosave, &job->restart, now);
    }
    if (autosave != NULL) status = flush(job, autosave->folder, status);
    scree_timer_switch(&job->timer, phase);
    *loop_seconds = agreed_now(job) - began;
    if (status == SCREE_OK && job->run.n_steps > 0) print_line(job, &progress, agreed_now(job));
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_END};
    enum scree_status told = SCREE_OK;
    if (status == SCREE_OK || status == SCREE_STOPPED) told = scree_run_advise(&job->run, &advice);
    return status == SCREE_OK ? told : status;
}
