/* SPDX-License-Identifier: BSD-3-Clause
 * A run: the scene, the method that moves it, and the clock. It is what output, restart and stages
 * know of a job. */
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include "scree/scene.h"
#include "scree/stepper.h"

enum { SCREE_RUN_METHODS = 4 }; /* at most */

/* One of the methods that a run uses, one after the other. */
struct scree_run_method {
    const struct scree_stepper *stepper;
    void *values;                 /* of the stepper's keys; owned by the job */
    int line[SCREE_ENERGY_LINES]; /* which line of the run each of its lines is */
    int figure[SCREE_FIGURES];    /* likewise its figures */
};

/* Names, figures and energies over all methods of a run. */
struct scree_run_ledger {
    struct scree_energy_line line[SCREE_ENERGY_LINES + 1]; /* of all methods, and of hand-overs */
    struct scree_figure figure[SCREE_FIGURES + 1];
    char phase[SCREE_METHOD_PHASES][64];
    const char *phases[SCREE_METHOD_PHASES + 1];
    /* What methods before the present one left behind; saved */
    double before[SCREE_ENERGY_LINES]; /* J; what was lost, and work */
    double closure, turnover;          /* J */
};

struct scree_run {
    struct scree_scene scene;
    const struct scree_stepper *stepper; /* the present method */
    void *values;                        /* of its keys; owned by the job */
    void *state;                         /* of the stepper; owned by the job */
    int n_methods;                       /* the first is that of the top level of the input */
    struct scree_run_method method[SCREE_RUN_METHODS];
    struct scree_run_ledger ledger; /* of a run with several methods */
    int64_t tick;                   /* the clock: steps since the start; see scree_scene_time() */
    int64_t first_step;             /* where this run began, > 0 if it was resumed */
    int64_t n_steps;                /* of the run, as far as is known: stages may end earlier */
    int64_t n_grains;               /* of all ranks */
    bool resumed;                   /* from a checkpoint */
    int stage; /* number of the present stage, from 1 on; 0: the input has none */
};

/* Present step and time (s). */
int64_t scree_run_step(const struct scree_run *run);
double scree_run_time(const struct scree_run *run);

/* Methods of a run (methods.c). Add one that the run will use, if it is not there yet; its number,
 * or -1: too many. When all are there and their keys are read: what their lines and figures are
 * together. Make one the present method. */
int scree_run_add_method(struct scree_run *run, const struct scree_stepper *stepper);
void scree_run_join_methods(struct scree_run *run);
void scree_run_choose_method(struct scree_run *run, int method);
/* Names of the phases of all methods for the timer, NULL-ended; the first of each go together. */
const char *const *scree_run_phases(struct scree_run *run);
/* Lines of the energies, and figures, of the run: those of its methods together. Figures of a
 * method that is not at work are 0. Measuring is collective. */
const struct scree_energy_line *scree_run_lines(const struct scree_run *run);
int scree_run_n_figures(const struct scree_run *run);
const struct scree_figure *scree_run_figures(const struct scree_run *run);
void scree_run_measure(struct scree_run *run, double *value);

/* Numbers that the present method keeps of every contact; see struct scree_stepper. */
int scree_run_history(const struct scree_run *run, uint32_t *odd);
/* Make the empty store of contacts, with `stride` numbers of each. */
void scree_run_create_contacts(struct scree_run *run, double skin, int stride, uint32_t odd);

/* What a change of the method left of the forces (handover.c). */
struct scree_run_handover {
    double contacts;      /* that were handed over */
    double mean_force;    /* N; mean normal force of these */
    double unbalanced[2]; /* net force of grains, root mean square, as a part of that; before and
                           * after */
    double work;          /* J; energy that came with the change */
};
/* Another method goes on from the present tick, with steps of dt: with the same grains, the same
 * velocities and, as nearly as it can, the same contact forces. Collective. */
enum scree_status scree_run_hand_over(struct scree_run *run, int method, double dt,
                                      struct scree_run_handover *handover);

/* Advance the method and the clock to a tick; energies: see struct scree_stepper. Collective. */
enum scree_status scree_run_advance(struct scree_run *run, int64_t tick,
                                    struct scree_energies *energies);
/* Those of the present step. Collective. */
void scree_run_compute_energies(struct scree_run *run, struct scree_energies *energies);
/* What the method has to say, if anything. Collective. */
enum scree_status scree_run_advise(struct scree_run *run, const struct scree_advice *advice);

#endif
