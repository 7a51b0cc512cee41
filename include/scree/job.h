/* SPDX-License-Identifier: BSD-3-Clause
 * A job: everything an input file says, and the modules built from it. */
#ifndef SCREE_JOB_H
#define SCREE_JOB_H

#include "scree/groups.h"
#include "scree/input.h"
#include "scree/materials.h"
#include "scree/output.h"
#include "scree/restart.h"
#include "scree/run.h"
#include "scree/samples.h"
#include "scree/stages.h"

struct scree_job {
    struct scree_input *input;
    struct scree_comm *comm; /* borrowed */
    /* Top level of the input */
    bool orientation;    /* of the grains is followed */
    bool automatic_step; /* the time step is still to be found from the grains */
    struct {
        double skin; /* m; NAN: auto */
    } neighbours;
    struct {
        int method;
        double threshold;
        int64_t force_every, bricks_per_rank;
    } balance_keys;
    /* Parts with structure of their own */
    struct scree_materials materials;
    struct scree_laws laws;
    struct scree_walls walls;
    struct scree_membranes membranes;
    struct scree_membrane_mesh mesh;
    struct scree_deformation_control cell;
    struct scree_samples samples;
    struct scree_stages stages;
    struct scree_groups groups;
    /* Built by scree_job_build() */
    struct scree_domain domain;
    struct scree_balance balance;
    struct scree_timer timer;
    struct scree_run run;
    struct scree_output output;
    struct scree_restart restart;
};

/* Tables of the top level and its plain sections, for `scree help`. */
extern const struct scree_schema scree_job_schemas[];
/* Read and check an input text (identical on every rank). All mistakes are collected; returns
 * SCREE_INPUT if there are any. */
enum scree_status scree_job_read(struct scree_job *job, struct scree_comm *comm, const char *bytes,
                                 size_t n_bytes, const char *name, int n_sets,
                                 const char *const *sets);
/* The areas and volumes that it takes from its walls, or from the input, at the start. */
void scree_job_describe_sizes(const struct scree_job *job, scree_line_writer write, void *context);
/* Make grains, domain, contacts. Collective. */
enum scree_status scree_job_build(struct scree_job *job);
/* Start the method: first rebuild and first forces. Collective. */
enum scree_status scree_job_start(struct scree_job *job);
/* The methods of a run, that of the top level first; the keys that they bring; what they need of
 * contacts; refuse what they cannot do (capabilities.c). */
void scree_job_collect_methods(struct scree_job *job, const struct scree_stepper *first);
void scree_job_read_methods(struct scree_job *job);
struct scree_laws_setting scree_job_laws_setting(const struct scree_job *job);
void scree_job_check_methods(struct scree_job *job);
void scree_job_clear(struct scree_job *job);

/* The loop over time with progress lines and checkpoints; SCREE_STOPPED if it was asked to stop
 * before the end. Collective. */
struct scree_autosave;
enum scree_status scree_job_run(struct scree_job *job, struct scree_autosave *autosave,
                                double *loop_seconds);

#endif
