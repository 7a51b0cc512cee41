/* SPDX-License-Identifier: BSD-3-Clause
 * A run: the scene, the method that moves it, and the clock. It is what output, restart and stages
 * know of a job. */
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include "scree/scene.h"
#include "scree/stepper.h"

struct scree_run {
    struct scree_scene scene;
    const struct scree_stepper *stepper;
    void *values;       /* of the stepper's keys; owned by the job */
    void *state;        /* of the stepper; owned by the job */
    int64_t tick;       /* the clock: steps of length scene.dt since the start */
    int64_t first_step; /* where this run began, > 0 if it was resumed */
    int64_t n_steps;    /* of the run, as far as is known: stages may end earlier */
    int64_t n_grains;   /* of all ranks */
    bool resumed;       /* from a checkpoint */
    int stage;          /* number of the present stage, from 1 on; 0: the input has none */
};

/* Present step and time (s). */
int64_t scree_run_step(const struct scree_run *run);
double scree_run_time(const struct scree_run *run);

/* Advance the method and the clock to a tick; energies: see struct scree_stepper. Collective. */
enum scree_status scree_run_advance(struct scree_run *run, int64_t tick,
                                    struct scree_energies *energies);
/* Those of the present step. Collective. */
void scree_run_compute_energies(struct scree_run *run, struct scree_energies *energies);
/* What the method has to say, if anything. Collective. */
enum scree_status scree_run_advise(struct scree_run *run, const struct scree_advice *advice);

#endif
