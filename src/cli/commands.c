/* SPDX-License-Identifier: BSD-3-Clause
 * The commands run and import. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/autosave.h"
#include "scree/file_safety.h"
#include "scree/job.h"
#include "scree/lammps.h"
#include "scree/lock.h"
#include "scree/log.h"
#include "scree/prospect.h"
#include "scree/snapshots.h"
#include "scree/version.h"

static enum scree_status read_once(const struct scree_cli *cli, struct scree_comm *comm,
                                   const char *bytes, size_t n_bytes, int n_sets,
                                   const char *const *set, struct scree_job *job)
{
    memset(job, 0, sizeof *job);
    enum scree_status status = scree_job_read(job, comm, bytes, n_bytes,
                                              scree_cli_shown_name(cli->argument[0]), n_sets, set);
    if (status == SCREE_INPUT && comm->rank == 0) scree_input_print_errors(job->input, stderr);
    return status;
}

/* The step that the method chooses for the grains that the input makes, as an override. */
static enum scree_status find_step(struct scree_job *job, char *assignment, size_t size)
{
    struct scree_prospect prospect;
    SCREE_TRY(scree_cli_build_job(job));
    scree_prospect_init(&prospect, job, 1.0);
    double step = job->run.stepper->choose_step(job->run.values, &job->run.scene, &prospect);
    scree_prospect_clear(&prospect);
    SCREE_CHECK(step < INFINITY, SCREE_INPUT,
                "time.step is auto, but no grains can meet: give a time step");
    snprintf(assignment, size, "time.step=%.2g", step);
    return SCREE_OK;
}

enum scree_status scree_cli_read_job(const struct scree_cli *cli, struct scree_comm *comm,
                                     const char *const *more, struct scree_job *job)
{
    char *bytes, step[64];
    size_t n_bytes;
    const char *set[2 * SCREE_CLI_SETS + 1];
    int n_sets = cli->n_sets;
    memcpy(set, cli->set, (size_t)n_sets * sizeof *set);
    while (more != NULL && *more != NULL && n_sets < 2 * SCREE_CLI_SETS) set[n_sets++] = *more++;
    memset(job, 0, sizeof *job);
    SCREE_CHECK(cli->argument[0] != NULL, SCREE_INPUT, "scree %s needs an input file",
                cli->command);
    SCREE_TRY(scree_cli_read_file(comm, cli->argument[0], &bytes, &n_bytes));
    enum scree_status status = read_once(cli, comm, bytes, n_bytes, n_sets, set, job);
    if (status == SCREE_OK && job->automatic_step) {
        status = find_step(job, step, sizeof step);
        set[n_sets++] = step;
        if (status == SCREE_OK) {
            scree_job_clear(job);
            status = read_once(cli, comm, bytes, n_bytes, n_sets, set, job);
        }
        if (status == SCREE_OK) scree_log(SCREE_LOG_INFO, "automatic time step: %s s", step + 10);
    }
    scree_alloc_free(bytes);
    return status;
}

/* Some mistakes show only once the grains are made. */
enum scree_status scree_cli_build_job(struct scree_job *job)
{
    enum scree_status status = scree_job_build(job);
    if (status == SCREE_INPUT && job->comm->rank == 0) scree_input_print_errors(job->input, stderr);
    return status;
}

static void default_folder(const char *input, char *folder, size_t size)
{
    if (scree_cli_is_stdin(input)) input = "stdin";
    const char *name = strrchr(input, '/') != NULL ? strrchr(input, '/') + 1 : input;
    const char *dot = strrchr(name, '.');
    int length = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(folder, size, "results-%.*s", length, name);
}

void scree_cli_log_line(void *context, const char *line)
{
    (void)context;
    scree_log(SCREE_LOG_INFO, "%s", line);
}

static void write_comment(void *context, const char *line)
{
    fprintf(context, "# %s\n", line);
}

/* A text, or the effective input of a job with the sizes it uses. */
static enum scree_status write_text(const char *folder, const char *name, const char *text,
                                    const struct scree_job *effective)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/%.64s", folder, name);
    FILE *f = fopen(path, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s", path);
    if (text != NULL) {
        fputs(text, f);
    } else {
        scree_input_write_effective(effective->input, f);
        scree_job_describe_sizes(effective, write_comment, f);
    }
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

/* Files of an earlier run in the same folder would be taken for this one's. */
static void remove_earlier(const char *folder)
{
    static const char *const names[] = {"report.json",     "log.txt",    "latest",     "state.h5",
                                        "state-failed.h5", "series.csv", "stages.csv", "stop"};
    char path[4096];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        snprintf(path, sizeof path, "%.4000s/%s", folder, names[k]);
        remove(path);
    }
    scree_cli_sweep_folder(folder);
    scree_autosave_drop(folder, 0, 0);
    scree_snapshots_drop(folder);
}

/* Files of walls, so that the run can be resumed from its folder alone. */
static enum scree_status keep_meshes(const struct scree_job *job, const char *folder)
{
    struct scree_wall_surface surface;
    char from[4096], to[4096];
    for (int w = 0; w < job->walls.n; w++) {
        if (!scree_walls_surface(&job->walls, w, &surface)) continue;
        const char *slash = strrchr(surface.file, '/');
        scree_input_find_file(job->input, surface.file, from, sizeof from);
        snprintf(to, sizeof to, "%.3000s/%.1000s", folder,
                 slash != NULL ? slash + 1 : surface.file);
        SCREE_TRY(scree_file_copy(from, to));
    }
    return SCREE_OK;
}

/* The input as it was and with all defaults, beside the results. */
static enum scree_status keep_input(struct scree_job *job, const char *folder)
{
    remove_earlier(folder);
    SCREE_TRY(write_text(folder, "input.yaml", scree_input_text(job->input), NULL));
    SCREE_TRY(write_text(folder, "effective.yaml", NULL, job));
    SCREE_TRY(keep_meshes(job, folder));
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/log.txt", folder);
    SCREE_CHECK(scree_log_open(path), SCREE_IO, "cannot write %s", path);
    return SCREE_OK;
}

static enum scree_status greet(struct scree_job *job, const char *folder)
{
    scree_log(SCREE_LOG_INFO, "scree %s (%s), %d rank%s%s%s", scree_version(),
              scree_version_commit(), job->comm->n_ranks, job->comm->n_ranks > 1 ? "s" : "",
              job->output.title[0] != '\0' ? ": " : "", job->output.title);
    scree_log(SCREE_LOG_INFO, "%lld grains, %lld steps of %g s, results in %s",
              (long long)job->run.n_grains, (long long)job->run.n_steps, job->run.scene.dt, folder);
    if (job->run.resumed) return SCREE_OK;
    scree_stages_log(&job->stages, &job->run);
    scree_job_describe_sizes(job, scree_cli_log_line, NULL);
    scree_samples_log(&job->samples);
    struct scree_prospect prospect;
    scree_prospect_init(&prospect, job, 1.0);
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_START, .prospect = &prospect};
    enum scree_status status = scree_run_advise(&job->run, &advice);
    scree_prospect_clear(&prospect);
    return status;
}

enum scree_status scree_cli_run_to_end(struct scree_job *job, struct scree_autosave *autosave)
{
    double loop_seconds = 0.0;
    scree_cli_forget_failure(job, autosave->folder);
    enum scree_status status = greet(job, autosave->folder);
    if (status == SCREE_OK) status = scree_job_run(job, autosave, &loop_seconds);
    return scree_cli_leave_results(job, autosave->folder, loop_seconds, status);
}

static enum scree_status run_in(struct scree_job *job, const struct scree_cli *cli,
                                const char *folder)
{
    struct scree_autosave autosave;
    SCREE_TRY(scree_autosave_init(&autosave, folder, cli->time_limit, cli->step_limit));
    SCREE_TRY(scree_cli_build_job(job)); /* nothing is written for an input that cannot run */
    struct scree_failure failure;
    enum scree_status started = scree_job_start(job);
    if (started != SCREE_OK && started != SCREE_PHYSICS) return started;
    scree_autosave_catch_ends();
    scree_status_set_aside(&failure);
    SCREE_TRY(
        scree_comm_agree(job->comm, job->comm->rank == 0 ? keep_input(job, folder) : SCREE_OK));
    scree_status_restore(&failure);
    if (started != SCREE_OK) return scree_cli_leave_results(job, folder, 0.0, started);
    return scree_cli_run_to_end(job, &autosave);
}

enum scree_status scree_cli_run(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job;
    char named[4096];
    const char *folder = cli->output;
    enum scree_status status = scree_cli_read_job(cli, comm, NULL, &job);
    if (status == SCREE_OK) {
        if (folder == NULL) {
            default_folder(cli->argument[0], named, sizeof named);
            folder = named;
        }
        status = scree_cli_make_folder(comm, folder, cli->force);
    }
    struct scree_lock lock = {.file = -1};
    if (status == SCREE_OK) status = scree_lock_acquire(&lock, comm, folder);
    if (status == SCREE_OK) status = run_in(&job, cli, folder);
    scree_lock_release(&lock);
    scree_job_clear(&job);
    return status;
}

enum scree_status scree_cli_import(const struct scree_cli *cli, struct scree_comm *comm)
{
    SCREE_CHECK(cli->argument[0] != NULL && strcmp(cli->argument[0], "lammps") == 0, SCREE_INPUT,
                "scree import knows the format 'lammps': scree import lammps FILE -o STATE.h5");
    SCREE_CHECK(cli->argument[1] != NULL && cli->output != NULL, SCREE_INPUT,
                "give a file and where to write: scree import lammps FILE -o STATE.h5");
    FILE *there = fopen(cli->output, "rb");
    bool exists = there != NULL;
    if (exists) fclose(there);
    scree_comm_barrier(comm); /* all ranks look before one of them writes */
    SCREE_CHECK(!exists || cli->force, SCREE_INPUT, "%s exists; use --force to replace it",
                cli->output);
    return scree_lammps_import(comm, cli->argument[1], cli->output);
}
