/* SPDX-License-Identifier: BSD-3-Clause
 * When a run is saved and when it must stop: clock, steps, signals, stop file, end of the job. */
#define _POSIX_C_SOURCE 200809L
#include "scree/autosave.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "scree/log.h"
#include "scree/snapshots.h"

static volatile sig_atomic_t asked_to_stop, asked_to_save;

static void on_stop(int number)
{
    (void)number;
    asked_to_stop = 1;
}

static void on_save(int number)
{
    (void)number;
    asked_to_save = 1;
}

/* A shell or nohup may have said that these are not for us. */
static void catch_unless_ignored(int number, const struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

static void catch_wishes(void)
{
    struct sigaction stop = {.sa_handler = on_stop}, save = {.sa_handler = on_save};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGUSR1, &stop, NULL);
    sigaction(SIGUSR2, &save, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* files that get too large give an error instead, */
    sigaction(SIGPIPE, &ignore, NULL); /* and nobody has to watch */
}

void scree_autosave_catch_ends(void)
{
    struct sigaction stop = {.sa_handler = on_stop};
    struct sigaction once = {.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGTERM, &stop, NULL);
    catch_unless_ignored(SIGHUP, &stop);
    catch_unless_ignored(SIGINT, &once); /* who asks twice does not want to wait */
}

/* "1:30:00", "90:00" or a time with a unit. */
static bool parse_limit(const char *text, double *seconds)
{
    int h, m, s, used = 0;
    char why[256];
    if (sscanf(text, "%d:%d:%d%n", &h, &m, &s, &used) == 3 && text[used] == '\0') {
        *seconds = 3600.0 * h + 60.0 * m + s;
        return h >= 0 && m >= 0 && s >= 0;
    }
    return scree_units_parse(text, "s", seconds, why, sizeof why) && *seconds > 0.0;
}

enum scree_status scree_autosave_init(struct scree_autosave *autosave, const char *folder,
                                      const char *limit, const char *steps)
{
    *autosave = (struct scree_autosave){
        .folder = folder, .time_limit = INFINITY, .step_limit = INT64_MAX, .last_step = -1};
    autosave->began = autosave->last = scree_timer_now();
    catch_wishes();
    const char *end = getenv("SLURM_JOB_END_TIME");
    if (limit != NULL)
        SCREE_CHECK(parse_limit(limit, &autosave->time_limit), SCREE_INPUT,
                    "--time-limit is '%s', expected a time such as 3600, 90 min or 1:30:00", limit);
    else if (end != NULL && atof(end) > 0.0)
        autosave->time_limit = fmax(atof(end) - (double)time(NULL), 0.0);
    if (steps == NULL) return SCREE_OK;
    char *rest;
    autosave->step_limit = strtoll(steps, &rest, 10);
    SCREE_CHECK(rest != steps && *rest == '\0' && autosave->step_limit > 0, SCREE_INPUT,
                "--step-limit is '%s', expected a number of steps > 0", steps);
    return SCREE_OK;
}

int64_t scree_autosave_last_step(const struct scree_autosave *autosave, const struct scree_run *run)
{
    const int64_t most = INT64_MAX - run->first_step;
    return run->first_step + (autosave->step_limit < most ? autosave->step_limit : most);
}

void scree_autosave_path(const char *folder, int64_t step, char *path, size_t size)
{
    snprintf(path, size, "%.4000s/checkpoint.%012lld.h5", folder, (long long)step);
}

/* The pointer to the newest checkpoint is replaced last, by a rename. */
static enum scree_status point_to(const char *folder, int64_t step)
{
    char part[4096], path[4096];
    snprintf(part, sizeof part, "%.4000s/latest.part", folder);
    snprintf(path, sizeof path, "%.4000s/latest", folder);
    FILE *f = fopen(part, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s: %s", part, strerror(errno));
    bool good = fprintf(f, "checkpoint.%012lld.h5\n", (long long)step) > 0 && fflush(f) == 0 &&
                fsync(fileno(f)) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good && rename(part, path) == 0, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

enum scree_status scree_autosave_save(struct scree_autosave *autosave,
                                      struct scree_restart *restart)
{
    char path[4096];
    int64_t step = scree_run_step(restart->run);
    double before = scree_timer_now();
    struct scree_output *output = restart->output;
    SCREE_TRY(scree_snapshots_flush(output, restart->run, autosave->folder)); /* none is lost */
    enum scree_phase phase = scree_timer_switch(restart->run->scene.timer, SCREE_PHASE_IO);
    scree_autosave_path(autosave->folder, step, path, sizeof path);
    restart->n_checkpoints++;
    enum scree_status status = scree_restart_save(restart, path);
    if (status != SCREE_OK) restart->n_checkpoints--;
    if (status == SCREE_OK && restart->run->scene.comm->rank == 0) {
        status = point_to(autosave->folder, step);
        if (status == SCREE_OK)
            scree_autosave_drop(autosave->folder, restart->keep, restart->keep_every);
    }
    status = scree_comm_agree(restart->run->scene.comm, status);
    scree_timer_switch(restart->run->scene.timer, phase);
    autosave->last = scree_timer_now();
    autosave->write_seconds = autosave->last - before;
    scree_comm_broadcast(restart->run->scene.comm, &autosave->last, sizeof autosave->last, 0);
    scree_comm_max(restart->run->scene.comm, &autosave->write_seconds, 1);
    if (status == SCREE_OK) {
        autosave->last_step = step;
        scree_log(SCREE_LOG_DETAIL, "checkpoint: %s in %.2f s", path, autosave->write_seconds);
    } else if (!restart->required) {
        scree_log(SCREE_LOG_WARNING, "%s; the run goes on without this checkpoint",
                  scree_status_message());
        scree_status_clear();
        status = SCREE_OK;
    }
    return status;
}

enum { WISH_NONE, WISH_SAVE, WISH_STOP };

/* What this rank wants; the strongest wish of any rank counts. */
static int find_wish(const struct scree_autosave *autosave, const struct scree_restart *restart,
                     double now, const char **why)
{
    char path[4096];
    *why = "";
    if (asked_to_stop) {
        *why = "a signal";
        return WISH_STOP;
    }
    if (scree_run_step(restart->run) >= scree_autosave_last_step(autosave, restart->run)) {
        *why = "--step-limit";
        return WISH_STOP;
    }
    if (restart->run->scene.comm->rank == 0) {
        snprintf(path, sizeof path, "%.4000s/stop", autosave->folder);
        if (access(path, F_OK) == 0) {
            unlink(path);
            *why = "the file 'stop'";
            return WISH_STOP;
        }
        /* Three times what the last checkpoint took, and some for the end of the run. */
        double left = autosave->time_limit - (now - autosave->began);
        if (left < 3.0 * autosave->write_seconds + 5.0) {
            *why = "the end of the job's time";
            return WISH_STOP;
        }
    }
    bool by_time = now - autosave->last >= restart->every;
    bool by_steps = restart->steps > 0 && scree_run_step(restart->run) % restart->steps == 0 &&
                    scree_run_step(restart->run) != autosave->last_step;
    return asked_to_save || by_time || by_steps ? WISH_SAVE : WISH_NONE;
}

enum scree_status scree_autosave_poll(struct scree_autosave *autosave,
                                      struct scree_restart *restart, double now)
{
    const char *why;
    int64_t wish = find_wish(autosave, restart, now, &why);
    bool mine = wish == WISH_STOP;
    scree_comm_max_int(restart->run->scene.comm, &wish, 1);
    if (wish == WISH_NONE) return SCREE_OK;
    asked_to_save = 0;
    if (scree_run_step(restart->run) != autosave->last_step)
        SCREE_TRY(scree_autosave_save(autosave, restart));
    if (wish != WISH_STOP) return SCREE_OK;
    SCREE_CHECK(autosave->last_step == scree_run_step(restart->run), SCREE_IO,
                "stopped at step %lld by %s, but this step could not be saved",
                (long long)scree_run_step(restart->run), mine ? why : "a signal");
    scree_log(SCREE_LOG_INFO, "stopped at step %lld by %s; go on with: scree resume %s",
              (long long)scree_run_step(restart->run), mine ? why : "a signal", autosave->folder);
    return SCREE_STOPPED;
}
