/* SPDX-License-Identifier: BSD-3-Clause
 * How grains get there: the section `particles`, a list of samples. Kinds are in samples.def. */
#ifndef SCREE_SAMPLES_H
#define SCREE_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/box.h"
#include "scree/comm.h"
#include "scree/input.h"
#include "scree/membrane.h"
#include "scree/particles.h"
#include "scree/walls.h"

/* Grains as state files hold them. Arrays are owned; n may be 0. */
struct scree_state_rows {
    int64_t n;
    int64_t *id;           /* >= 1 */
    int32_t *species;      /* 1-based, numbered by the file */
    double (*position)[3]; /* m */
    double (*velocity)[3]; /* m/s */
    double (*spin)[3];     /* rad/s */
    double *radius;        /* m */
    double *mass;          /* kg */
    int32_t (*image)[3];   /* periods travelled */
};

/* Room for n rows, zeroed. */
void scree_state_rows_init(struct scree_state_rows *rows, int64_t n);
void scree_state_rows_clear(struct scree_state_rows *rows);

/* Reads this rank's share of a state file and allocates `rows`. Collective, agreed status. */
typedef enum scree_status scree_state_reader(struct scree_comm *comm, const char *path,
                                             struct scree_state_rows *rows);

/* The stage on which samples stand; all borrowed, must outlive the samples. */
struct scree_samples_setting {
    const struct scree_box *box;
    bool disks;                   /* mass = density * area (kg/m^2) instead of density * volume */
    const char *const *materials; /* names, ends with NULL */
    const struct scree_walls *walls;
    const struct scree_membranes *membranes; /* NULL: none */
    bool poured; /* its regions need not hold all grains at once: see scree_samples_batch() */
};

/* What filling needs from the rest of the run; all borrowed. */
struct scree_sample_context {
    struct scree_comm *comm;
    double inertia_factor; /* I = factor * m * r^2 */
    uint64_t seed;
    const double *density;          /* of each material; kg/m^3, disks: kg/m^2 */
    scree_state_reader *read_state; /* a callback, since files belong to a higher layer */
};

enum { SCREE_SAMPLE_VALUES = 32 };
struct scree_sample;
struct scree_sample_grains; /* private: what kinds that make new grains share */
struct scree_sample_run;

/* A way to get grains. */
struct scree_sample_kind {
    const char *name, *summary;
    const struct scree_param *common; /* keys of new grains; NULL: grains come ready-made */
    const struct scree_param *params; /* keys of its own */
    /* Complete the values just read; collect mistakes at `node`. Not called if the keys of new
     * grains are mistaken. May be NULL. */
    void (*check)(struct scree_sample *sample, struct scree_input *input,
                  const struct scree_node *node, const struct scree_samples_setting *setting);
    /* Append this rank's share of the grains. Collective, agreed status. */
    enum scree_status (*fill)(const struct scree_sample *sample, struct scree_sample_run *run);
};

/* A velocity component that changes linearly across the domain. */
struct scree_sample_ramp {
    int component, along; /* axes */
    double low, high;     /* m/s, at the low and the high face of the domain */
};

/* Grains that become part of walls. */
struct scree_sample_glue {
    const struct scree_node *to; /* names of walls; NULL: all */
    double within;               /* m; from surface to surface */
    double share;                /* of the grains that are so close */
    const char *material;        /* that they get, or NULL */
    int species;                 /* the same as an index, or -1 */
};

/* What one item of the list has made, over all ranks. */
struct scree_sample_summary {
    int64_t n, n_glued;
    double smallest, largest;    /* m; radii; 0 if there are no grains */
    double mean, mean_by_volume; /* m; radius of a grain, of a piece of the grains' volume */
    double fraction; /* of the region (ready-made grains: of the domain) that is solid */
};

/* One item of the list. */
struct scree_sample {
    const struct scree_node *item;
    const struct scree_sample_kind *kind;
    struct scree_sample_grains *grains; /* owned; NULL for kinds with ready-made grains */
    bool has_ramp, has_glue;
    struct scree_sample_ramp ramp;
    struct scree_sample_glue glue;
    int64_t batch;                       /* grains to make in one go; 0: all */
    struct scree_sample_summary summary; /* set by filling */
    double values[SCREE_SAMPLE_VALUES];  /* of the kind */
};

struct scree_samples {
    struct scree_samples_setting setting;
    int n;
    struct scree_sample *sample; /* owned; texts and nodes in it are owned by the input */
};

const struct scree_sample_kind *const *scree_samples_kinds(int *n);
extern const struct scree_param scree_sample_list_params[]; /* of a grain of the sample `list` */
const struct scree_param *scree_samples_ramp_params(void);
const struct scree_param *scree_samples_glue_params(void);

/* Read the section `particles` (may be NULL: no grains); collects mistakes. A box that is itself
 * mistaken (a length not > 0) is not held against the samples. */
void scree_samples_read(struct scree_samples *samples, struct scree_input *input,
                        const struct scree_node *node, const struct scree_samples_setting *setting);
void scree_samples_clear(struct scree_samples *samples);

/* Append the grains to p; gids continue from 1 (a state file keeps its ids, shifted by the largest
 * gid before it). Every grain is made on exactly one rank, not yet its owner: migrate next. Which
 * grains exist and all their values do not depend on the number of ranks. The input must still
 * live. New grains keep away from the grains of items before theirs. Collective. */
enum scree_status scree_samples_fill(struct scree_samples *samples,
                                     const struct scree_sample_context *context,
                                     struct scree_particles *p);
/* Append more grains while a run is under way: they keep away from all that are there. Lists
 * and ghosts of p are void then. Collective. */
enum scree_status scree_samples_add(struct scree_samples *samples,
                                    const struct scree_sample_context *context,
                                    struct scree_particles *p);
/* The number of grains that samples make in all if they can be made bit by bit, which is one item
 * of the kind `random`; else -1. Then set how many of them the next scree_samples_add() makes. */
int64_t scree_samples_pourable(const struct scree_samples *samples);
void scree_samples_batch(struct scree_samples *samples, int64_t n);
/* The largest radius that new grains may have (m), and whether some are of a material. */
double scree_samples_largest_radius(const struct scree_samples *samples);
bool scree_samples_use(const struct scree_samples *samples, int species);
/* The largest overlap, as a part of the smaller radius, that the input lets samples leave. */
double scree_samples_overlap(const struct scree_samples *samples);
/* Widen a range of radii (m) to those that new grains of a material may have. */
void scree_samples_widen(const struct scree_samples *samples, int species, double range[2]);
/* Does any item ask for glued grains? Columns `glued` and `arm` must then be kept. */
bool scree_samples_glue_grains(const struct scree_samples *samples);
/* One line per item for the user: number, radii, solid fraction, what was stated. */
void scree_samples_log(const struct scree_samples *samples);

#endif
