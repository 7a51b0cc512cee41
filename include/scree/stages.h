/* SPDX-License-Identifier: BSD-3-Clause
 * Stages of a run, each with drives of its own and an end of its own. A run without the section
 * `stages` has one, without a name. What a stage changes stays changed in those after it, but for
 * what it writes and measures; drives of walls have a memory (boundaries), all else is the same
 * function of the number of the stage whether a run got there by itself or was resumed. */
#ifndef SCREE_STAGES_H
#define SCREE_STAGES_H

#include "scree/deformation_control.h"
#include "scree/end_condition.h"
#include "scree/groups.h"
#include "scree/output.h"
#include "scree/pours.h"
#include "scree/samples.h"

enum scree_stage_end {
    SCREE_STAGE_GOES_ON,
    SCREE_STAGE_TIME,       /* it has lasted as long as it was to */
    SCREE_STAGE_CONDITIONS, /* they were met */
    SCREE_STAGE_BOUND,      /* they were not, in the time they had */
    SCREE_STAGE_STOP        /* time.stop ended the run */
};

enum { SCREE_STAGE_NAME = 64 };

struct scree_stage {
    char name[SCREE_STAGE_NAME];
    int method; /* of the run */
    double dt;  /* s; of a step */
    struct scree_end_condition until;
    double gravity[3], background_friction;
    double *friction; /* by pair of laws; NAN: its own; owned */
    double series_steps, snapshot_steps;
    bool *measured; /* by measurement; owned */
    const struct scree_node *node, *analysis;
    struct scree_deformation_control *cell; /* how the box deforms from now on; NULL: as before;
                                        owned by the original */
    int original;                  /* the stage of which it is a repetition; itself, if of none */
    struct scree_samples *samples; /* that are added when it begins; owned by the original */
    double growth;                 /* radii when it begins / before */
    /* Saved: what became of it; steps, of enum scree_stage_end */
    int64_t first, last, end;
    double unbalanced[2]; /* before and after the method was changed, see struct
                           * scree_run_handover; NAN: it was not */
};

struct scree_stages {
    bool given; /* by the input */
    int n, now;
    struct scree_stage *stage;   /* owned */
    struct scree_pair_law *laws; /* as the input has them; owned; NULL: they never change */
    bool has_stop;
    struct scree_end_condition stop; /* ends the run in any stage */
    char why[500];                   /* what was found when the last stage ended */
    struct scree_pours pours;
    const struct scree_groups *groups; /* that are frozen, new grains included; borrowed */
};

extern const struct scree_param scree_stages_params[], scree_stages_output_params[],
    scree_stages_interval_params[], scree_stages_friction_params[];

/* Read the section `stages` (NULL: one stage of run->n_steps) and `time.stop` (may be NULL), after
 * walls and laws; run->n_steps becomes that of all stages. Walls and the cell of the scene learn
 * what stages do to them. Then, after the section `output`, what of it changes; after `analysis`,
 * which measurements go on. */
void scree_stages_read(struct scree_stages *stages, struct scree_input *input,
                       struct scree_run *run, const struct scree_node *node,
                       const struct scree_node *stop);
void scree_stages_read_samples(struct scree_stages *stages, struct scree_input *input,
                               const struct scree_samples_setting *setting);
void scree_stages_read_outputs(struct scree_stages *stages, struct scree_input *input,
                               struct scree_output *output);
void scree_stages_read_analyses(struct scree_stages *stages, struct scree_input *input,
                                const struct scree_analyses *analyses);
void scree_stages_clear(struct scree_stages *stages);

/* Grains of samples, before a run or while it is under way; `first`: those that it begins with.
 * Collective. */
enum scree_status scree_stages_add_grains(struct scree_run *run, struct scree_samples *samples,
                                          bool first);
/* How many grains there are, and the largest of those there are and of those to come. Collective.
 */
void scree_stages_measure_grains(const struct scree_stages *stages, struct scree_run *run);
/* Radii change and grains are added when the present stage begins, and groups are frozen.
 * Collective. */
enum scree_status scree_stages_pour(const struct scree_stages *stages, struct scree_run *run);
/* Change radii, add grains and freeze groups of a stage that begins while a run is under way.
 * Collective. */
enum scree_status scree_stages_change_grains(struct scree_stages *stages, struct scree_run *run);
/* The largest overlap that samples of stages may leave, as a part of the smaller radius. */
double scree_stages_overlap(const struct scree_stages *stages);
bool scree_stages_pour_species(const struct scree_stages *stages, int species);
bool scree_stages_glue_grains(const struct scree_stages *stages);

/* One line per stage. */
void scree_stages_log(const struct scree_stages *stages, const struct scree_run *run);
/* Which one it is now, at the present step. */
void scree_stages_log_present(const struct scree_stages *stages, int64_t step);

/* The first stage, before the method starts. Stages change the intervals of the output. */
void scree_stages_start(struct scree_stages *stages, struct scree_run *run,
                        struct scree_output *output);
/* After a resume, before the method does: the stage `now`, its walls from `places`, its cell from
 * `shape`. */
void scree_stages_resume(struct scree_stages *stages, struct scree_run *run,
                         struct scree_output *output, const double *places, const double *shape);
/* The next step at which the end of the stage or of the run may be decided, after `step`. */
int64_t scree_stages_next(const struct scree_stages *stages, int64_t step);
/* Does the present stage end in the present step? If it is the last one, run->n_steps is the
 * present step from then on. Collective. */
enum scree_status scree_stages_poll(struct scree_stages *stages, struct scree_run *run, bool *ends);
/* End the present stage: a row in stages.csv (folder may be NULL), and begin the next one, if any.
 * Collective. */
enum scree_status scree_stages_turn(struct scree_stages *stages, struct scree_run *run,
                                    struct scree_output *output, const char *folder);
/* Begin stages.csv in the folder, or continue it after a resume. Collective. */
enum scree_status scree_stages_open(const struct scree_stages *stages, const struct scree_run *run,
                                    const char *folder);
const char *scree_stages_end_word(int64_t end);
/* Those that have begun, by the present step, for the report: how many there are; free the list
 * with scree_alloc_free(). */
int scree_stages_report(const struct scree_stages *stages, int64_t step,
                        struct scree_report_stage **report);

#endif
