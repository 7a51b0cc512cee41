/* SPDX-License-Identifier: BSD-3-Clause
 * Stages of a run, each with drives of its own and an end of its own. A run without the section
 * `stages` has one, without a name. What a stage changes stays changed in those after it, but for
 * what it writes and measures; drives of walls have a memory (boundaries), all else is the same
 * function of the number of the stage whether a run got there by itself or was resumed. */
#ifndef SCREE_STAGES_H
#define SCREE_STAGES_H

#include "scree/deformation_control.h"
#include "scree/end_condition.h"
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
    struct scree_end_condition until;
    double gravity[3], background_friction;
    double *friction; /* by pair of laws; NAN: its own; owned */
    int64_t series_steps, snapshot_steps;
    bool *measured; /* by measurement; owned */
    const struct scree_node *node, *analysis;
    struct scree_deformation_control *cell; /* how the box deforms from now on; NULL: as before;
                                        owned by the original */
    int original;                  /* the stage of which it is a repetition; itself, if of none */
    struct scree_samples *samples; /* that are added when it begins; owned by the original */
    double growth;                 /* radii when it begins / before */
    /* Saved: what became of it; steps, of enum scree_stage_end */
    int64_t first, last, end;
};

struct scree_stages {
    bool given; /* by the input */
    int n, now;
    struct scree_stage *stage;   /* owned */
    struct scree_pair_law *laws; /* as the input has them; owned; NULL: they never change */
    bool has_stop;
    struct scree_end_condition stop; /* ends the run in any stage */
    char why[500];                   /* what was found when the last stage ended */
};

struct scree_job;
extern const struct scree_param scree_stages_params[], scree_stages_output_params[],
    scree_stages_interval_params[], scree_stages_friction_params[];

/* Read the section `stages` (NULL: one stage of job->n_steps) and `time.stop` (may be NULL), after
 * walls and laws; then, after the section `output`, what of it changes; after `analysis`, which
 * measurements go on. */
void scree_stages_read(struct scree_job *job, const struct scree_node *node,
                       const struct scree_node *stop);
void scree_stages_read_samples(struct scree_job *job, const struct scree_samples_setting *setting);
void scree_stages_read_outputs(struct scree_job *job);
void scree_stages_read_analyses(struct scree_job *job);
void scree_stages_clear(struct scree_job *job);
/* The grains that are added when the present stage begins, and frozen groups (stages_grains.c).
 * Collective. */
enum scree_status scree_stages_pour(struct scree_job *job);
/* The same, and radii, while a run is under way. Collective. */
enum scree_status scree_stages_change_grains(struct scree_job *job);
/* The largest radius (m) and mass (kg) of the grains there are become those of the rest of the run.
 */
void scree_stages_enlarge(const struct scree_job *job, double largest[2]);
/* kg; the mass that a grain of this radius (m) has at most. */
double scree_stages_heaviest(const struct scree_job *job, double radius);
bool scree_stages_pour_species(const struct scree_job *job, int species);
bool scree_stages_glue_grains(const struct scree_job *job);
/* Does any stage write snapshots? */
bool scree_stages_have_snapshots(const struct scree_job *job);
/* One line per stage. */
void scree_stages_log(const struct scree_job *job);

/* Which one it is now. */
void scree_stages_tell(const struct scree_job *job);

/* The first stage, before the method starts. */
void scree_stages_start(struct scree_job *job);
/* After a resume, before the method does: the stage `now`, its walls from `places`, its cell from
 * `shape`. */
void scree_stages_resume(struct scree_job *job, const double *places, const double *shape);
/* The next step at which the end of the stage or of the run may be decided, after `step`. */
int64_t scree_stages_next(const struct scree_job *job, int64_t step);
/* Does the present stage end in the present step? If it is the last one, job->n_steps is the
 * present step from then on. Collective. */
enum scree_status scree_stages_look(struct scree_job *job, bool *ends);
/* End the present stage: a row in stages.csv (folder may be NULL), and begin the next one, if any.
 * Collective. */
enum scree_status scree_stages_turn(struct scree_job *job, const char *folder);
/* Begin stages.csv in the folder, or continue it after a resume. Collective. */
enum scree_status scree_stages_open(struct scree_job *job, const char *folder);
const char *scree_stages_end_word(int64_t end);

#endif
