/* SPDX-License-Identifier: BSD-3-Clause
 * When a run is saved and when it must stop. */
#ifndef SCREE_AUTOSAVE_H
#define SCREE_AUTOSAVE_H

#include "scree/restart.h"

struct scree_autosave {
    const char *folder;
    double
        time_limit; /* s of wall-clock time from now that the job may still run; INFINITY: none */
    int64_t step_limit;   /* steps that this job may take, or INT64_MAX */
    double began, last;   /* s; when the run began, when the last checkpoint was complete */
    double write_seconds; /* what the last checkpoint took */
    int64_t last_step;    /* of the last checkpoint; -1: none yet */
};

/* Catch SIGUSR1 (save and stop) and SIGUSR2 (save and go on). `limit` is the text of
 * --time-limit ("3600", "90 min", "1:30:00") or NULL: then the end of the Slurm job, if any;
 * `steps` that of --step-limit or NULL: none. */
enum scree_status scree_autosave_init(struct scree_autosave *autosave, const char *folder,
                                      const char *limit, const char *steps);
/* The step after which this job must stop, or INT64_MAX. */
int64_t scree_autosave_last_step(const struct scree_autosave *autosave,
                                 const struct scree_run *run);
/* Catch SIGTERM, SIGINT and SIGHUP as well (save and stop; a second SIGINT ends the program): once
 * there is something to save. Until then they end the program at once. */
void scree_autosave_catch_ends(void);

/* Asked between steps: save if it is time, and say whether the run must stop (SCREE_STOPPED).
 * `now` is agreed on by all ranks. Collective. */
enum scree_status scree_autosave_poll(struct scree_autosave *autosave,
                                      struct scree_restart *restart, double now);
/* Save now. Collective. */
enum scree_status scree_autosave_save(struct scree_autosave *autosave,
                                      struct scree_restart *restart);

/* Steps of the checkpoints in a folder, newest first, at most `most`. Local. */
int scree_autosave_list(const char *folder, int64_t *step, int most);
/* Delete all but the newest `keep` and, if keep_every > 0, those whose number in the run is a
 * multiple of it. Local. */
void scree_autosave_drop(const char *folder, int64_t keep, int64_t keep_every);
void scree_autosave_path(const char *folder, int64_t step, char *path, size_t size);

#endif
