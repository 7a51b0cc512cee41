/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements taken inside a run. Kinds are listed in analyses.def.
 *
 * A sample is a few numbers at one moment, each from an exact sum over all ranks: it has the same
 * bits on any number of them. Samples are added up in the order of time, so what is kept between
 * two of them, and goes into checkpoints, is one double per number. */
#ifndef SCREE_ANALYSIS_H
#define SCREE_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scree/box.h"
#include "scree/input.h"
#include "scree/stepper.h"
#include "scree/walls.h"

/* What the keys of a measurement are checked against. */
struct scree_analysis_setting {
    const struct scree_box *box;
    const struct scree_walls *walls;
    bool deforms;     /* the box does */
    double dt;        /* s */
    double row_steps; /* between rows, unless the input says */
    const struct scree_materials *materials;
};

/* The run at one moment; all borrowed from the job. */
struct scree_analysis_view {
    struct scree_scene *scene;
    const struct scree_stepper *stepper;
    void *state; /* of the stepper */
};

/* Where to measure: all there is, or a box, or in a wedge a ring. As the user gave it. */
struct scree_volume {
    double low[3], high[3];           /* m; NANs: not given */
    double inner, outer, bottom, top; /* m; of a ring; NANs: not given */
    const struct scree_node *border_node, *size_node;
    double border, border_share; /* m, or as a part of the extent; from faces that do not repeat */
    double size;                 /* m^3; 2D: m^2; NAN: that of the region, or between the walls */
};

/* Which contacts count: those of two materials, with walls or without. */
struct scree_contact_choice {
    const struct scree_node *between_node;
    int between[2]; /* materials; -1: all */
    bool walls;
};

/* Of which material grains must be to count; -1: all. A contact belongs by halves to the materials
 * of its two grains, one with a wall to that of its grain: what materials have adds up to what
 * there is without a choice. */
struct scree_material_choice {
    const struct scree_node *node;
    int species;
};

/* Doubles that a kind may keep, besides the sums; 0 before the first sample. */
enum { SCREE_ANALYSIS_MEMORY = 2 };

struct scree_measurement {
    const struct scree_analysis_kind *kind;
    const char *name;               /* of its file */
    double row_steps, sample_steps; /* between rows, between samples: scree_input_interval() */
    double every, sampled;          /* s and steps, as given: NAN: not */
    double from, to;                /* s; between which samples are taken; to NAN: the end */
    int64_t first, last;            /* likewise, steps */
    bool off;                       /* no samples at present */
    void *values;                   /* of the kind's keys; owned */
    struct scree_volume volume;
    struct scree_contact_choice contacts;
    struct scree_material_choice material;
    int n;                 /* numbers in a sample */
    int n_rows, n_columns; /* that `derive` makes of the means; no rows: no table */
    double *n_samples;     /* in the sums; these three are parts of the state of all */
    double *memory;        /* [SCREE_ANALYSIS_MEMORY] */
    double *sum;           /* [n] */
};

/* When and where what is beside the tables is written. */
struct scree_analysis_window {
    const char *folder, *version, *commit;
    const char *input, *effective_input; /* texts */
    int64_t step;
    double time;      /* s */
    double n_samples; /* of which the means are */
};

struct scree_analysis_kind {
    const char *name, *summary;
    const struct scree_param *params;
    const struct scree_schema *maps; /* of keys that are maps; NULL, or ends with a path NULL */
    size_t values_size;              /* bytes */
    bool has_volume;                 /* has the keys of a volume, too */
    bool counts_only;                /* need not know the size of the volume */
    bool has_contacts;               /* has those of a choice of contacts */
    bool has_material;               /* has that of a material */
    bool is_table; /* sums go on to the end, and a whole table is written anew each time;
                    * otherwise a row is the mean over the samples since the row before */
    /* Complete values, set n; collect mistakes at `node`. */
    void (*check)(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting);
    /* The numbers of one sample, the same on all ranks. Collective. */
    void (*sample)(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value);
    /* Rows of the table, n_rows times n_columns numbers, from the means; NULL: the means are the
     * one row. On all ranks, with the same result. */
    void (*derive)(struct scree_measurement *m, const struct scree_scene *scene, const double *mean,
                   double *row);
    /* Files beside the table; NULL: none. On rank 0. */
    enum scree_status (*save)(const struct scree_measurement *m, const struct scree_scene *scene,
                              const struct scree_analysis_window *window, const double *mean);
    /* After the last row of a run or of a stage, on all ranks; NULL: nothing is to be done. */
    void (*end)(struct scree_measurement *m);
    /* What its last sample adds to progress lines; NULL: nothing. Asked after a sample. */
    void (*progress)(const struct scree_measurement *m, char *text, size_t size);
    /* The areas that it uses, in words, line by line; NULL: none. */
    void (*describe)(const struct scree_measurement *m, const struct scree_walls *walls,
                     scree_line_writer write, void *context);
    /* Names of the columns, each after a comma; is_table: the whole table with its head. */
    void (*write)(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f);
};

struct scree_analyses {
    int n;
    const struct scree_input *input;       /* that they were read from; borrowed */
    struct scree_measurement *measurement; /* owned */
    int64_t since;                         /* step from which intervals count */
    int64_t n_state;
    double *state; /* owned; what checkpoints keep of all measurements */
};

const struct scree_analysis_kind *const *scree_analyses_kinds(int *n);
/* Keys of all measurements; of those that have a volume, a choice of contacts, of a material. */
const struct scree_param *scree_analyses_common_params(void);
extern const struct scree_param scree_volume_params[], scree_chosen_contacts_params[],
    scree_chosen_material_params[];

/* m^3; 2D: m^2; of a volume where the walls are before the run; NAN: it is not known, `why` gets
 * the reason. */
double scree_volume_at_start(const struct scree_volume *volume,
                             const struct scree_analysis_setting *setting, char *why, size_t size);

/* Areas and volumes that measurements use at the start of a run, line by line. */
void scree_analyses_describe(const struct scree_analyses *analyses,
                             const struct scree_analysis_setting *setting, scree_line_writer write,
                             void *context);

/* What the last samples add to a progress line, such as "  I 1e-3"; often nothing. */
void scree_analyses_tell_progress(const struct scree_analyses *analyses, char *text, size_t size);

/* Read the section `analysis` (may be NULL). The box and the walls must be read already. */
void scree_analyses_read(struct scree_analyses *analyses, struct scree_input *input,
                         const struct scree_node *node,
                         const struct scree_analysis_setting *setting);
void scree_analyses_clear(struct scree_analyses *analyses);

/* Steps have the length scene->dt since scene->since_tick: intervals and times in such steps. */
void scree_analyses_take_clock(struct scree_analyses *analyses, const struct scree_scene *scene);
/* The next step at which a sample or a row is due, after `step`; INT64_MAX: never. */
int64_t scree_analyses_next(const struct scree_analyses *analyses, int64_t step);
/* Take the samples that are due at `step`; at the end of a stage also of those measurements that
 * have none since their last row, which is not of this step. Collective. */
void scree_analyses_sample(struct scree_analyses *analyses, const struct scree_analysis_view *view,
                           int64_t step, bool end);
/* Is there something to write of a measurement at `step`? `end`: it is the last one, or that of a
 * stage. */
bool scree_measurement_is_due(const struct scree_analyses *analyses,
                              const struct scree_measurement *m, int64_t step, bool end);
/* The means of its samples so far; then sums begin anew, unless it is a table. */
void scree_measurement_compute_mean(struct scree_measurement *m, double *mean);

#endif
