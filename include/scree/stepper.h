/* SPDX-License-Identifier: BSD-3-Clause
 * What a method is: a way to advance time, with its own keys, columns, energies and warnings. Each
 * method fills in one struct; steppers.def lists them. Job, files and analysis know no method. */
#ifndef SCREE_STEPPER_H
#define SCREE_STEPPER_H

#include <stddef.h>
#include <stdint.h>

#include "scree/advice.h"
#include "scree/contact_view.h"
#include "scree/energies.h"
#include "scree/input.h"
#include "scree/retry.h"
#include "scree/scene.h"

/* A part of a method's state that decides the future and therefore goes into checkpoints. */
struct scree_field {
    const char *name;
    enum { SCREE_FIELD_REAL, SCREE_FIELD_INTEGER } type; /* double or int64_t */
    size_t offset;                                       /* in the state */
    int count;                                           /* of an array; 0: 1 */
};

/* A number about the work of a method in the last step, such as the sweeps of a solver: a column of
 * the series. */
struct scree_figure {
    const char *name, *unit; /* NULL name: the end of a list */
    bool quiet;              /* not in lines of progress */
};
enum { SCREE_FIGURES = 24 }; /* at most, of all methods of a run together */

/* Keys of a method in a section of the input, which may have other keys as well. */
struct scree_method_keys {
    const char *section;              /* of the top level; NULL ends a list */
    const char *summary;              /* for `scree help` */
    const struct scree_param *params; /* offsets are those in the method's values */
    bool fixed;                       /* they must not change when a run is resumed */
};

/* What a method is able to do besides moving grains; each is asked for by keys of the input, and
 * the job refuses the keys if the method does not have it. */
enum scree_capability {
    SCREE_CAN_WALLS = 1 << 0,           /* boundaries, at rest or with a given motion */
    SCREE_CAN_SERVOS = 1 << 1,          /* walls that move by the force on them, tilts included */
    SCREE_CAN_GLUE = 1 << 2,            /* grains that are part of walls */
    SCREE_CAN_MEMBRANES = 1 << 3,       /* elastic sheets */
    SCREE_CAN_DEFORM = 1 << 4,          /* a periodic box that deforms */
    SCREE_CAN_WEDGE = 1 << 5,           /* a domain that repeats by turns */
    SCREE_CAN_GRAVITY = 1 << 6,         /* also of stages */
    SCREE_CAN_BACKGROUND = 1 << 7,      /* background friction, also of stages */
    SCREE_CAN_CHANGE_GRAINS = 1 << 8,   /* grains that come, or grow, while the run goes on */
    SCREE_CAN_CHANGE_FRICTION = 1 << 9, /* friction of contacts from stage to stage */
    SCREE_CAN_ORIENT = 1 << 10          /* orientations of grains */
};

/* What the job changes between two ticks. */
enum scree_change {
    SCREE_CHANGE_GRAINS, /* more of them, other radii */
    SCREE_CHANGE_DRIVES, /* what moves walls and the cell, gravity, background friction */
    SCREE_CHANGE_INPUT   /* a resumed run has other laws, walls or fields than the one before */
};

/* A contact while one method goes and another one comes: what it bears, as the history of the
 * contact, seen from the first grain. All of it changes sign when seen from the partner. */
enum {
    SCREE_HANDED_FORCE = 0,  /* [3] N */
    SCREE_HANDED_COUPLE = 3, /* [3] N m; of rolling and torsion */
    SCREE_HANDED = 6,
    SCREE_HANDED_ODD = (1 << 6) - 1
};

/* What a method's keys are checked against, after the whole input has been read. */
struct scree_method_setting {
    struct scree_input *input; /* collects mistakes */
    bool deforms, has_membranes, has_servos;
};

/* Time is counted in ticks: steps of the input's length, scene->dt. The job owns the clock. All
 * functions are local, and may not be NULL, unless their comment says otherwise. */
struct scree_stepper {
    const char *name; /* word of the key `method` */
    const char *summary;
    unsigned can;                          /* enum scree_capability */
    const struct scree_method_keys *keys;  /* or NULL: none */
    size_t values_size;                    /* bytes of what the keys fill; the job owns them */
    const char *const *phases;             /* names of its phases for the timer, NULL-ended; at most
                                            * SCREE_METHOD_PHASES, from SCREE_PHASE_METHOD on */
    const struct scree_energy_line *lines; /* of its energies */
    const struct scree_figure *figures;    /* or NULL: none */
    double grain_bytes;                    /* of memory for one grain, for estimates before a run */
    double grain_step; /* s; of a core for one grain and step, for estimates before a run */
    bool rigid;        /* grains are rigid: entries of `contacts` need no forces by overlaps */
    bool has_no_steps; /* goes from event to event: ticks are moments to look, of any length */
    /* What decides the future is the first saved_size bytes of the state; the fields, which end
     * with a NULL name, say what each of them is, without gaps. The rest of the state is made anew.
     * saved_size = 0: columns and contact histories say it all. */
    size_t saved_size;
    const struct scree_field *fields;

    /* Collect mistakes in values, which do not fit the rest of the input. May be NULL. */
    void (*check)(const void *values, const struct scree_method_setting *setting);
    /* Give the optional columns that it wants their places in the empty store. May be NULL. */
    void (*keep_columns)(const void *values, struct scree_scene *scene);
    /* Numbers that it keeps of every contact; bit s of *odd: number s changes sign when seen from
     * the partner. NULL: none. */
    int (*history)(const void *values, const struct scree_laws *laws, uint32_t *odd);
    /* Collect mistakes that show only now that the grains are there. May be NULL. */
    void (*examine)(const void *values, const struct scree_scene *scene,
                    const struct scree_prospect *prospect, struct scree_input *input);
    /* s; the step for `time: {step: auto}`, INFINITY if no grains can meet. NULL: it must be given.
     */
    double (*choose_step)(const void *values, const struct scree_scene *scene,
                          const struct scree_prospect *prospect);

    /* Make the state, which destroy() frees; then either start at tick 0, from the grains of the
     * scene, or resume at a tick, from grains, contact records and fields of a checkpoint. The
     * values outlive the state. Starting and resuming are collective. */
    void (*create)(void **state, struct scree_scene *scene, const void *values);
    void (*destroy)(void **state); /* of NULL: does nothing */
    enum scree_status (*start)(void *state, struct scree_scene *scene);
    enum scree_status (*resume)(void *state, struct scree_scene *scene, int64_t tick);
    /* Instead of both: go on at a tick after another method. The columns of velocities hold those
     * of now, the records of contacts what SCREE_HANDED_... says; the method makes its own
     * histories of them (scree_contacts_reshape()), and may move grains for their contacts to bear
     * what they are to. Its ledger begins anew. NULL: it cannot. Collective. */
    enum scree_status (*take_over)(void *state, struct scree_scene *scene, int64_t tick);
    /* Bring the state to a tick (scree_scene_time()). energies, if not NULL: those of that
     * tick, but for rounding as energies() has them; asked for in advance they may cost less.
     * Collective. */
    enum scree_status (*advance)(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *energies);
    /* Around a change between two ticks. Before grains change, contact histories become records of
     * the grains; afterwards lists are made anew. Velocities at this moment remain if drives
     * change; what was derived is found anew. What the change does to the energies is not counted
     * as an error. Before SCREE_CHANGE_INPUT nothing is called. Collective. */
    void (*before_change)(void *state, struct scree_scene *scene, enum scree_change change);
    enum scree_status (*after_change)(void *state, struct scree_scene *scene,
                                      enum scree_change change);
    /* Before the fields are saved: what is spread over ranks goes to rank 0. May be NULL.
     * Collective. */
    void (*settle)(void *state, struct scree_scene *scene);

    /* Of the present time. Columns may hold velocities of another moment, and loads in any form. */
    /* Velocity (m/s) and spin (rad/s) of an owned grain. */
    void (*velocity)(const void *state, const struct scree_scene *scene, scree_lid i,
                     double velocity[3], double spin[3]);
    /* Force (N) and torque (N m) of all contacts on an owned grain. */
    void (*load)(const void *state, const struct scree_scene *scene, scree_lid i, double force[3],
                 double torque[3]);
    /* Collisions of an owned grain per time (1/s), of late. NULL: its contacts last. */
    double (*collision_rate)(const void *state, const struct scree_scene *scene, scree_lid i);
    /* Show every contact of owned grains, in any order. Nothing else changes. */
    void (*contacts)(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                     void *context);
    /* Values of its energy lines, the same on all ranks. Collective. */
    void (*energies)(void *state, struct scree_scene *scene, struct scree_energies *energies);
    /* Values of its figures, the same on all ranks. NULL if it has none. Collective. */
    void (*measure)(void *state, struct scree_scene *scene, double *value);
    /* Solve the coming step, in one way or another, without taking it: after the first time nothing
     * but further retries may be asked of the state. NULL: forces of this method follow from its
     * grains. Collective. */
    enum scree_status (*retry)(void *state, struct scree_scene *scene, struct scree_retry *retry);
    /* Warn and estimate, through the log or as the occasion wants. May be NULL. Collective. */
    enum scree_status (*advise)(void *state, struct scree_scene *scene,
                                const struct scree_advice *advice);
};

/* Why this method cannot be used (state without a way into checkpoints, functions missing), or
 * NULL. The program asks it of all methods when it starts. */
const char *scree_stepper_flaw(const struct scree_stepper *stepper);

int scree_stepper_n_figures(const struct scree_stepper *stepper);

const struct scree_stepper *scree_stepper_at(int k);
extern const char *const scree_stepper_names[]; /* NULL-ended, in the order of scree_stepper_at */

#endif
