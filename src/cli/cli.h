/* SPDX-License-Identifier: BSD-3-Clause
 * The command line and the folder of results. Private to cli. */
#ifndef SCREE_CLI_H
#define SCREE_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "scree/comm.h"
#include "scree/status.h"

enum { SCREE_CLI_SETS = 256 };

/* Options with a value that only `scree contact` has; names in scree_law_probe_option_names. */
enum scree_law_probe_option {
    SCREE_LAW_PROBE_PAIR,
    SCREE_LAW_PROBE_RADIUS,
    SCREE_LAW_PROBE_OTHER_RADIUS,
    SCREE_LAW_PROBE_SPEED,
    SCREE_LAW_PROBE_ANGLE,
    SCREE_LAW_PROBE_SPIN,
    SCREE_LAW_PROBE_STEPS,
    SCREE_LAW_PROBE_PATH,
    SCREE_N_LAW_PROBE_OPTIONS
};

struct scree_cli {
    const char *command;
    const char *argument[2];                    /* after the command; NULL if absent */
    const char *output;                         /* -o */
    const char *time_limit, *step_limit;        /* --time-limit, --step-limit */
    const char *frame;                          /* --frame */
    const char *tolerance;                      /* --tolerance */
    const char *methods;                        /* --methods, of `scree methods` */
    const char *lab[SCREE_N_LAW_PROBE_OPTIONS]; /* of `scree contact` */
    const char *solver, *measure, *most, *step; /* of `scree fclib` */
    bool allow_change;                          /* --allow-change */
    bool wall;                                  /* --wall */
    bool man, completion;                       /* --man, --completion, of `scree help` */
    bool markdown;                              /* --markdown, of `scree help` */
    bool force, verbose, quiet, help;
    int n_sets;
    const char *set[SCREE_CLI_SETS]; /* --set a.b=c */
};

int scree_cli_main(int argc, char **argv);

/* Commands. Collective; messages on rank 0. */
enum scree_status scree_cli_run(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_resume(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_spread(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_methods(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_check(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_import(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_import_lammps(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_info(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_convert(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_compare(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_contact(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_fclib(const struct scree_cli *cli, struct scree_comm *comm);
enum scree_status scree_cli_list(const struct scree_cli *cli);
enum scree_status scree_cli_help(const struct scree_cli *cli);

/* The run proper, from where the job stands, in a folder that is ready. Collective. */
struct scree_job;
struct scree_autosave;
enum scree_status scree_cli_run_to_end(struct scree_job *job, struct scree_autosave *autosave);
/* The end of a run: its state and report, of a failure as well; returns `ended`, or why what a good
 * run leaves could not be written. Collective. */
enum scree_status scree_cli_leave_results(struct scree_job *job, const char *folder,
                                          double loop_seconds, enum scree_status ended);
/* Drop what an earlier failure left in the folder. */
void scree_cli_forget_failure(const struct scree_job *job, const char *folder);

/* The option --frame as a number from 0; -1: the last (default), -2: all. Local. */
enum scree_status scree_cli_frame(const struct scree_cli *cli, int64_t *frame);
/* A file that exists is not replaced without --force. Collective. */
enum scree_status scree_cli_may_write(const struct scree_cli *cli, struct scree_comm *comm,
                                      const char *path);

/* The input file of a command as a job, with more overrides (NULL-ended, or NULL) after those of
 * the command line; its mistakes are printed. Collective. */
struct scree_job;
enum scree_status scree_cli_read_job(const struct scree_cli *cli, struct scree_comm *comm,
                                     const char *const *more, struct scree_job *job);
enum scree_status scree_cli_build_job(struct scree_job *job);

/* A job from one checkpoint, with the overrides of the command line, ready to advance; `path`
 * outlives it. Collective. */
enum scree_status scree_cli_load(const struct scree_cli *cli, struct scree_comm *comm,
                                 const char *path, struct scree_job *job);

/* The newest checkpoint of a folder, a checkpoint, or the start of an input, whatever the first
 * argument is; its name goes to `path`. Collective. */
enum scree_status scree_cli_open_run(const struct scree_cli *cli, struct scree_comm *comm,
                                     char *path, size_t size, struct scree_job *job);

/* Of an input file: "-" stands for standard input, which messages call <stdin>. */
bool scree_cli_is_stdin(const char *path);
const char *scree_cli_shown_name(const char *path);
/* The bytes of a file, or of standard input, on every rank; allocated with scree_alloc. Collective.
 */
enum scree_status scree_cli_read_file(struct scree_comm *comm, const char *path, char **bytes,
                                      size_t *n_bytes);
/* Make the results folder; one that holds anything is refused unless `force`. Collective. */
enum scree_status scree_cli_make_folder(struct scree_comm *comm, const char *path, bool force);
/* Delete what an interrupted job left half written: names ending in .part. Local. */
void scree_cli_sweep_folder(const char *path);

/* A scree_line_writer to the log. */
void scree_cli_log_line(void *context, const char *line);

#endif
