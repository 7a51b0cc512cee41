/* SPDX-License-Identifier: BSD-3-Clause
 * A job: everything an input file says, and the modules built from it. */
#ifndef SCREE_JOB_H
#define SCREE_JOB_H

#include "scree/analysis.h"
#include "scree/input.h"
#include "scree/pours.h"
#include "scree/samples.h"
#include "scree/scene.h"
#include "scree/stages.h"
#include "scree/stepper.h"

struct scree_material {
    double density; /* kg/m^3 (disks: kg/m^2) */
};

struct scree_group {
    const char *name;
    int material;
    bool frozen;
    double velocity[3]; /* m/s; NAN: at rest */
};

/* What of a grain, and of a contact, goes into a trajectory: bits, in the order of the words in
 * snapshots_read.c. Position and id always do. */
enum {
    SCREE_WRITE_IMAGE = 1 << 2,
    SCREE_WRITE_VELOCITY = 1 << 3,
    SCREE_WRITE_SPIN = 1 << 4,
    SCREE_WRITE_SPECIES = 1 << 5,
    SCREE_WRITE_RADIUS = 1 << 6,
    SCREE_WRITE_MASS = 1 << 7,
    SCREE_WRITE_FORCE = 1 << 8,
    SCREE_WRITE_TORQUE = 1 << 9,
    SCREE_WRITE_ORIENTATION = 1 << 10
};
enum {
    SCREE_WRITE_CONTACT_FORCE = 1 << 0,
    SCREE_WRITE_OVERLAP = 1 << 1,
    SCREE_WRITE_SLIDING = 1 << 2,
    SCREE_WRITE_HISTORY = 1 << 3
};

/* Which grains go into a trajectory; all conditions must hold. */
struct scree_selection {
    bool *material;         /* by species; NULL: all; owned */
    double low[3], high[3]; /* m; inside or on the border of this box; NAN: no limit */
    int64_t stride;         /* ids 1, 1 + stride, 1 + 2 stride, ... */
};

struct scree_job {
    struct scree_input *input;
    struct scree_comm *comm; /* borrowed */
    /* Top level of the input */
    const char *title;
    int64_t dimension, seed;
    bool disks;       /* mass and inertia of disks, not of spheres */
    bool orientation; /* of the grains is followed */
    double gravity[3];
    double background_friction;
    struct {
        double tolerance; /* of the ledger: largest closure error, relative */
    } energy;
    struct {
        double step, end;
        int64_t steps;
        bool automatic; /* the step is still to be found from the grains */
        const struct scree_node *stop;
    } time;
    struct {
        double low[3], high[3];
        bool periodic[3];
        const struct scree_node *wedge;
    } domain;
    struct {
        double skin; /* m; NAN: auto */
    } neighbours;
    struct {
        int method;
        double threshold;
        int64_t force_every, bricks_per_rank;
    } balance;
    struct {
        double progress; /* s of wall-clock time between lines */
        bool state;
        const struct scree_node *checkpoint, *series, *snapshots;
    } output;
    struct {
        double every;        /* s of wall-clock time */
        int64_t steps, keep; /* steps between checkpoints (0: by time only), how many are kept */
        int64_t keep_every;  /* one of so many is kept for good; 0: none */
        bool required;       /* a checkpoint that cannot be written ends the run */
    } checkpoint;
    /* Parts with structure of their own */
    int n_materials;
    const char **material_name; /* NULL-ended */
    struct scree_material *material;
    struct scree_laws laws;
    struct scree_walls walls;
    struct scree_membranes membranes;
    struct scree_membrane_mesh mesh;
    struct scree_deformation_control cell;
    struct scree_samples samples;
    struct scree_analyses analyses;
    struct scree_stages stages;
    struct scree_pours pours;
    int n_groups;
    struct scree_group *group;
    /* Built by scree_job_build() */
    struct scree_scene scene;
    struct scree_domain domain_built;
    struct scree_balance balance_built;
    struct scree_timer timer;
    const struct scree_stepper *stepper;
    void *method_values; /* of the stepper's keys; owned */
    void *state;         /* of the stepper */
    int64_t tick;        /* the clock: steps of length scene.dt since the start */
    struct {
        double every;  /* s of simulated time; NAN: not given */
        int64_t steps; /* INT64_MIN: not given */
    } series;
    struct {
        double every;  /* s of simulated time; NAN: not given */
        int64_t steps; /* INT64_MIN: not given */
        int n_times;
        int64_t *at; /* instead: steps of the frames, rising; owned */
        const struct scree_node *times, *grains;
        uint32_t fields, contact_fields;
        bool contacts, forces;
        int64_t compress;
        struct scree_selection selection;
    } snapshots;
    int segment;             /* number of the present trajectory file */
    struct scree_xdmf *xdmf; /* what is known of the files before; owned */
    int64_t snapshot_steps;  /* between frames of the trajectory; 0: none */
    int64_t series_steps;    /* between rows of the series; 0: none */
    int64_t n_grains;
    int64_t n_steps; /* of the run, as far as is known: stages may end earlier */
    /* For checkpoints */
    char *sets_text;         /* the --set options, one a line; owned */
    const char *resume_path; /* checkpoint to resume from, or NULL */
    int64_t first_step;      /* where this run began */
    int64_t n_checkpoints;   /* written so far, those before a resume included */
};

/* Tables of the top level and its plain sections, for `scree help`. */
extern const struct scree_schema scree_job_schemas[];
/* An interval given as simulated time or as steps, in steps; `fallback` if not given at all. */
int64_t scree_job_interval(struct scree_job *job, const struct scree_node *node, const char *what,
                           double every, int64_t steps, int64_t fallback);

/* Read and check an input text (identical on every rank). All mistakes are collected; returns
 * SCREE_INPUT if there are any. */
enum scree_status scree_job_read(struct scree_job *job, struct scree_comm *comm, const char *bytes,
                                 size_t n_bytes, const char *name, int n_sets,
                                 const char *const *sets);
/* Make grains, domain, contacts. Collective. */
enum scree_status scree_job_build(struct scree_job *job);
/* Parts of it that stages need as well: grains of samples, frozen groups, the largest grain and the
 * number of all. Collective. */
enum scree_status scree_job_add_grains(struct scree_job *job, struct scree_samples *samples);
void scree_job_freeze_groups(struct scree_job *job);
void scree_job_measure_grains(struct scree_job *job);
/* Start the method: first rebuild and first forces. Collective. */
enum scree_status scree_job_start(struct scree_job *job);
/* Advance the method and the clock to a tick; energies: see struct scree_stepper. Collective. */
enum scree_status scree_job_advance(struct scree_job *job, int64_t tick,
                                    struct scree_energies *energies);
/* What the method has to say, if anything. Collective. */
enum scree_status scree_job_advise(struct scree_job *job, const struct scree_advice *advice);
/* The keys that the method brings: read them; refuse what it cannot do (capabilities.c). */
void scree_job_read_method(struct scree_job *job);
void scree_job_check_method(struct scree_job *job);
void scree_job_clear(struct scree_job *job);

/* Present step and time (s). */
int64_t scree_job_step(const struct scree_job *job);
double scree_job_time(const struct scree_job *job);

/* Checkpoints (restart.c). Collective. */
enum scree_status scree_restart_save(struct scree_job *job, const char *path);
/* The input text and the --set options in a checkpoint; allocated with scree_alloc. */
enum scree_status scree_restart_peek(struct scree_comm *comm, const char *path, char **input,
                                     char **sets);
/* While building: the grains. After building: contacts and the method, instead of starting it. */
enum scree_status scree_restart_load_grains(struct scree_job *job, const char *path);
enum scree_status scree_restart_load_rest(struct scree_job *job, const char *path);

/* The energy ledger (energies.c). Collective. */
void scree_energies_compute(struct scree_job *job, struct scree_energies *energies);
/* The same where those of the present step may be known already; NULL: they are not. */
void scree_energies_reuse_or_compute(struct scree_job *job, const struct scree_energies *known,
                                     struct scree_energies *energies);
/* Fails beyond the tolerance of the input, with what the method says of it. */
enum scree_status scree_energies_check_closure(struct scree_job *job,
                                               const struct scree_energies *e);

/* Sums over all ranks (report.c, digest.c). Collective. */
void scree_report_contacts(struct scree_job *job, double *between_grains, double *with_walls);
uint64_t scree_digest_compute(struct scree_job *job);
/* max over ranks of memory per grain etc.; prints the table and writes report.json. */
enum scree_status scree_report_write(struct scree_job *job, const char *folder, double loop_seconds,
                                     int64_t steps_done);
/* The loop over time with progress lines and checkpoints; SCREE_STOPPED if it was asked to stop
 * before the end. Collective. */
struct scree_autosave;
enum scree_status scree_job_run(struct scree_job *job, struct scree_autosave *keeper,
                                double *loop_seconds);

#endif
