/* SPDX-License-Identifier: BSD-3-Clause
 * The command resume: go on from the newest checkpoint of a folder that can be trusted. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/autosave.h"
#include "scree/job.h"
#include "scree/lock.h"
#include "scree/log.h"

enum { MOST_CHECKPOINTS = 4096 };

/* Does it set one of the keys of a NULL-ended list, or something inside? */
static bool sets_one_of(const char *const *keys, const char *assignment)
{
    for (; *keys != NULL; keys++) {
        size_t n = strlen(*keys);
        if (strncmp(assignment, *keys, n) == 0 && (assignment[n] == '.' || assignment[n] == '='))
            return true;
    }
    return false;
}

/* Keys that may change on resume: they do not change the physics. */
static const char *const harmless[] = {"output",   "balance",    "neighbours", "title",
                                       "time.end", "time.steps", NULL};
/* Keys of what is there already, or from which time is counted. */
static const char *const settled[] = {"method",    "dimension", "grains",    "materials",
                                      "particles", "membranes", "time.step", NULL};

/* Does it set a key of some method that must stay? */
static bool sets_fixed(const char *assignment)
{
    for (int m = 0; scree_stepper_names[m] != NULL; m++) {
        const struct scree_method_keys *keys = scree_stepper_at(m)->keys;
        for (; keys != NULL && keys->section != NULL; keys++)
            for (const struct scree_param *p = keys->params; p->key != NULL && keys->fixed; p++) {
                char path[128];
                snprintf(path, sizeof path, "%s.%s", keys->section, p->key);
                const char *const list[] = {path, NULL};
                if (sets_one_of(list, assignment)) return true;
            }
    }
    return false;
}

/* Contacts under way remember what their laws need: values may change, laws may not. */
static bool changes_laws(const char *assignment)
{
    const char *end = strchr(assignment, '=');
    int n_dots = 0;
    if (strncmp(assignment, "contacts", 8) != 0 || end == NULL) return false;
    for (const char *c = assignment; c < end; c++) n_dots += *c == '.';
    return n_dots < 3 || (end - assignment > 4 && strncmp(end - 4, ".law", 4) == 0);
}

static bool changes_physics(const struct scree_cli *cli)
{
    for (int k = 0; k < cli->n_sets; k++)
        if (!sets_one_of(harmless, cli->set[k])) return true;
    return false;
}

/* Does it set which method a stage has, or its step? */
static bool changes_method(const char *assignment)
{
    const char *end = strchr(assignment, '=');
    if (strncmp(assignment, "stages.", 7) != 0 || end == NULL) return false;
    return (end - assignment > 7 && strncmp(end - 7, ".method", 7) == 0) ||
           (end - assignment > 5 && strncmp(end - 5, ".step", 5) == 0);
}

static enum scree_status check_changes(const struct scree_cli *cli)
{
    for (int k = 0; k < cli->n_sets; k++) {
        SCREE_CHECK(strncmp(cli->set[k], "orientation=", 12) != 0, SCREE_INPUT,
                    "--set %s: grains are followed from the start of a run or not at all",
                    cli->set[k]);
        SCREE_CHECK(!sets_one_of(settled, cli->set[k]) && !sets_fixed(cli->set[k]) &&
                        strncmp(cli->set[k], "time=", 5) != 0,
                    SCREE_INPUT,
                    "--set %s: the grains and the time step of a run under way are what they are; "
                    "another run can start from its grains (sample 'state')",
                    cli->set[k]);
        SCREE_CHECK(!changes_method(cli->set[k]), SCREE_INPUT,
                    "--set %s: the methods of the stages of a run under way stay what they are",
                    cli->set[k]);
        SCREE_CHECK(!changes_laws(cli->set[k]), SCREE_INPUT,
                    "--set %s: the laws of a run under way stay; single values of them may change, "
                    "such as contacts.0.normal.stiffness",
                    cli->set[k]);
        SCREE_CHECK(cli->allow_change || sets_one_of(harmless, cli->set[k]), SCREE_INPUT,
                    "--set %s would change the physics of a run under way; use --allow-change if "
                    "that is meant",
                    cli->set[k]);
    }
    return SCREE_OK;
}

/* The overrides of the run so far, then those of this command line. `lines` is cut into pieces. */
static int join_sets(char *lines, const struct scree_cli *cli, const char **sets)
{
    int n = 0;
    for (char *line = lines, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (n < SCREE_CLI_SETS) sets[n++] = line;
    }
    for (int k = 0; k < cli->n_sets && n < 2 * SCREE_CLI_SETS; k++) sets[n++] = cli->set[k];
    return n;
}

/* A dashpot or a second friction limit that comes or goes needs other numbers than the contacts of
 * the checkpoint have. `sets`: the overrides of the run so far. */
static enum scree_status check_memory(const struct scree_cli *cli, const struct scree_job *job,
                                      const char *input, int n_sets, const char *const *sets)
{
    static const char *const contacts[] = {"contacts", NULL};
    const char *change = NULL;
    struct scree_job before = {0};
    for (int k = cli->n_sets - 1; k >= 0; k--)
        if (sets_one_of(contacts, cli->set[k])) change = cli->set[k];
    if (change == NULL) return SCREE_OK;
    enum scree_status status =
        scree_job_read(&before, job->comm, input, strlen(input), job->restart.path, n_sets, sets);
    bool same = status != SCREE_OK || scree_laws_remember_the_same(&before.laws, &job->laws);
    scree_job_clear(&before);
    SCREE_TRY(status);
    SCREE_CHECK(same, SCREE_INPUT,
                "--set %s: contacts under way have other numbers to remember than this needs: a "
                "dashpot or a second friction limit may change, but not come or go; another run "
                "can start from its grains (sample 'state')",
                change);
    return SCREE_OK;
}

/* What other laws, gravity or walls make of the energies is no mistake of the method. */
static enum scree_status accept_changes(const struct scree_cli *cli, struct scree_job *job)
{
    struct scree_energies e;
    if (!changes_physics(cli)) return SCREE_OK;
    scree_run_compute_energies(&job->run, &e);
    SCREE_TRY(job->run.stepper->after_change(job->run.state, &job->run.scene, SCREE_CHANGE_INPUT));
    scree_log(SCREE_LOG_INFO, "the changes bring %.6g J into the energy ledger", e.closure);
    return SCREE_OK;
}

enum scree_status scree_cli_load(const struct scree_cli *cli, struct scree_comm *comm,
                                 const char *path, struct scree_job *job)
{
    const char *sets[2 * SCREE_CLI_SETS];
    char *input, *lines;
    memset(job, 0, sizeof *job);
    SCREE_TRY(scree_restart_peek(comm, path, &input, &lines));
    int n_sets = join_sets(lines, cli, sets);
    enum scree_status status = scree_job_read(job, comm, input, strlen(input), path, n_sets, sets);
    job->restart.path = path;
    if (status == SCREE_OK) status = check_memory(cli, job, input, n_sets - cli->n_sets, sets);
    if (status == SCREE_OK) status = scree_job_build(job);
    if (status == SCREE_INPUT && comm->rank == 0) scree_input_print_errors(job->input, stderr);
    if (status == SCREE_OK) status = scree_job_start(job);
    if (status == SCREE_OK) status = accept_changes(cli, job);
    scree_alloc_free(input);
    scree_alloc_free(lines);
    return status;
}

static enum scree_status check_folder(const char *folder)
{
    struct stat info;
    SCREE_CHECK(stat(folder, &info) == 0, SCREE_IO, "cannot resume in %s: %s", folder,
                strerror(errno));
    SCREE_CHECK(S_ISDIR(info.st_mode), SCREE_IO, "cannot resume in %s: not a folder", folder);
    return SCREE_OK;
}

/* Why there is nothing to resume from, and what to do. */
static enum scree_status explain_none(const char *folder)
{
    char input[4096];
    struct stat info;
    snprintf(input, sizeof input, "%.4000s/input.yaml", folder);
    SCREE_CHECK(stat(input, &info) != 0, SCREE_IO,
                "%s holds no checkpoint: the run ended before its first was complete; start again "
                "with: scree run %s -o %s --force",
                folder, input, folder);
    return SCREE_FAIL(SCREE_IO, "%s holds no checkpoint: not the folder of a run", folder);
}

/* Out of the way, so that they do not count among the checkpoints to be kept. */
static void set_aside(const char *folder, const int64_t *step, int64_t n)
{
    char path[4096], aside[4128];
    for (int64_t k = 0; k < n; k++) {
        scree_autosave_path(folder, step[k], path, sizeof path);
        snprintf(aside, sizeof aside, "%s.damaged", path);
        if (rename(path, aside) == 0)
            scree_log(SCREE_LOG_WARNING, "the damaged one is now called %s", aside);
    }
}

static enum scree_status load_newest(const struct scree_cli *cli, struct scree_comm *comm,
                                     const char *folder, struct scree_job *job)
{
    static int64_t step[MOST_CHECKPOINTS];
    static char path[4096];
    int64_t n = comm->rank == 0 ? scree_autosave_list(folder, step, MOST_CHECKPOINTS) : 0;
    scree_comm_broadcast(comm, &n, sizeof n, 0);
    scree_comm_broadcast(comm, step, sizeof step, 0);
    for (int64_t k = 0; k < n; k++) {
        scree_autosave_path(folder, step[k], path, sizeof path);
        enum scree_status status = scree_cli_load(cli, comm, path, job);
        if (status == SCREE_OK && comm->rank == 0) set_aside(folder, step, k);
        if (status != SCREE_IO) return status;
        scree_log(SCREE_LOG_WARNING, "%s", scree_status_message());
        scree_log(SCREE_LOG_WARNING, k + 1 < n ? "FALLING BACK to an older checkpoint"
                                               : "no checkpoint is left to fall back on");
        scree_status_clear();
        scree_job_clear(job);
        memset(job, 0, sizeof *job);
    }
    return SCREE_FAIL(SCREE_IO, "none of the %lld checkpoints in %s can be read%s", (long long)n,
                      folder, changes_physics(cli) ? " together with these changes" : "");
}

/* All the work in a folder that is ours alone. */
static enum scree_status resume_in(const struct scree_cli *cli, struct scree_comm *comm,
                                   const char *folder)
{
    struct scree_job job = {0};
    struct scree_autosave autosave;
    char log[4096];
    SCREE_TRY(scree_autosave_init(&autosave, folder, cli->time_limit, cli->step_limit));
    scree_autosave_catch_ends();
    if (comm->rank == 0) scree_cli_sweep_folder(folder);
    snprintf(log, sizeof log, "%.4000s/log.txt", folder);
    enum scree_status status = load_newest(cli, comm, folder, &job);
    if (status == SCREE_OK) {
        scree_log_open(log);
        autosave.last_step = job.run.first_step;
        scree_log(SCREE_LOG_INFO, "resumed from step %lld", (long long)job.run.first_step);
        if (job.run.first_step >= job.run.n_steps)
            scree_log(SCREE_LOG_INFO, "all %lld steps are done; raise %s with --set to go on",
                      (long long)job.run.n_steps,
                      job.stages.given ? "'until' of the last stage" : "time.end or time.steps");
        status = scree_cli_run_to_end(&job, &autosave);
    }
    scree_job_clear(&job);
    return status;
}

enum scree_status scree_cli_resume(const struct scree_cli *cli, struct scree_comm *comm)
{
    const char *folder = cli->argument[0];
    struct scree_lock lock;
    int64_t step;
    SCREE_CHECK(folder != NULL, SCREE_INPUT, "scree resume needs the folder of a run");
    SCREE_TRY(check_changes(cli));
    enum scree_status status = comm->rank == 0 ? check_folder(folder) : SCREE_OK;
    SCREE_TRY(scree_comm_agree(comm, status));
    SCREE_TRY(
        scree_lock_acquire(&lock, comm, folder)); /* a run under way may have no checkpoint yet */
    if (comm->rank == 0 && scree_autosave_list(folder, &step, 1) == 0)
        status = explain_none(folder);
    status = scree_comm_agree(comm, status);
    if (status == SCREE_OK) status = resume_in(cli, comm, folder);
    scree_lock_release(&lock);
    return status;
}
