/* SPDX-License-Identifier: BSD-3-Clause
 * What a run writes and when, and how it is checked and summed up: the room `output`. */
#ifndef SCREE_OUTPUT_H
#define SCREE_OUTPUT_H

#include "scree/analysis.h"
#include "scree/run.h"
#include "scree/snapshots.h"

struct scree_output {
    /* What files tell of where they come from; borrowed from the job */
    const char *title;
    const struct scree_input *input;
    /* The section `output`, but for its key `checkpoint`; `energy`; `analysis` */
    double progress;         /* s of wall-clock time between lines */
    bool state;              /* the final state is written */
    double energy_tolerance; /* of the ledger: largest closure error, relative */
    double series_every;     /* s; between rows of the series, if given as a time; else NAN */
    double series_steps;     /* between them; 0: none; stages change it */
    int64_t since;           /* step from which intervals count */
    struct scree_snapshots snapshots;
    struct scree_analyses analyses;
};

extern const struct scree_param scree_output_params[], scree_output_series_params[],
    scree_output_energy_params[];
/* Read the sections `output` and `energy`, either of which need not be there; collects mistakes.
 * `orientation`: that of the grains is followed. */
void scree_output_read(struct scree_output *output, struct scree_input *input,
                       const struct scree_run *run, bool orientation);
/* Steps have the length scene.dt since scene.since_tick. */
void scree_output_take_clock(struct scree_output *output, const struct scree_scene *scene);
void scree_output_clear(struct scree_output *output);
/* A row costs about as much as a step: unless asked for, not more often than every 100. */
int64_t scree_output_usual_row_steps(const struct scree_run *run);

/* The energies of the present step, which may be known already; NULL: they are not. Collective. */
void scree_closure_reuse_or_compute_energies(struct scree_run *run,
                                             const struct scree_energies *known,
                                             struct scree_energies *energies);
/* Fails if the ledger does not close within the tolerance, with what the method says of it.
 * Collective. */
enum scree_status scree_closure_check(struct scree_run *run, const struct scree_energies *energies,
                                      double tolerance);

/* One number for the state of all grains, contacts and servos. Collective. */
uint64_t scree_digest_compute(struct scree_run *run);

/* What the report tells of a stage that has begun. */
struct scree_report_stage {
    const char *name, *ended_by;
    int64_t first, last; /* steps */
};

/* What the report tells besides the state of the run. */
struct scree_report_about {
    const char *sets;           /* the --set options, one a line; or NULL */
    const char *title, *folder; /* folder NULL: no file */
    const char *reason;         /* why the run has ended */
    int exit_code;              /* of the program */
    double loop_seconds;
    int64_t steps_done;
    int n_stages; /* 0: the input has none */
    const struct scree_report_stage *stage;
};
/* Prints where the time went, memory, messages, energies and digest, and writes report.json.
 * Collective. */
enum scree_status scree_report_write(struct scree_run *run, const struct scree_report_about *about);

#endif
