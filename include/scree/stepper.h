/* SPDX-License-Identifier: BSD-3-Clause
 * A way to advance time. Each method fills in one; steppers.def lists them, so that driver, files
 * and analysis know no method. */
#ifndef SCREE_STEPPER_H
#define SCREE_STEPPER_H

#include <stddef.h>
#include <stdint.h>

#include "scree/scene.h"

/* A part of a method's state that decides the future and therefore goes into checkpoints. */
struct scree_field {
    const char *name;
    enum { SCREE_FIELD_REAL, SCREE_FIELD_INTEGER } type; /* double or int64_t */
    size_t offset;                                       /* in the state */
    int count;                                           /* of an array; 0: 1 */
};

/* What can be told of a contact at the present time; forces act on the first grain of the pair;
 * of a seam pair, that with the lower gid, and all vectors are those of its home frame. */
struct scree_contact_detail {
    double force[3], couple[3];       /* N, N m; the couple of rolling and torsion */
    double normal[3];                 /* unit vector towards the first grain */
    double normal_force;              /* N; > 0 repels */
    double overlap, approach;         /* m; m/s, > 0 while approaching */
    double slip[3];                   /* m/s; tangential velocity at the contact point */
    double reduced_mass;              /* kg */
    double stiffness;                 /* N/m; largest derivative of the force; 0: rigid */
    double damping;                   /* kg/s; of the normal dashpot */
    double energy[SCREE_N_LAW_KINDS]; /* J; elastic, by part of the law */
    double power_to_wall;             /* W; that a moving wall takes from the grain */
    bool slides;                      /* at its friction limit */
};

/* Called for each contact; `place` in its near list. */
typedef void scree_contact_listener(void *context, enum scree_near_kind kind, size_t place,
                                    const struct scree_contact_detail *detail);

/* The moment in which two grains, or a grain and a wall, came into contact. */
struct scree_impact {
    double weight;                       /* larger is worse; 0: there was none */
    double speed, approach;              /* m/s; of the contact point, and its normal part */
    double reduced_mass, reduced_radius; /* kg, m */
    double width, overlap;   /* m; both radii (that of a grain at a wall counts twice) */
    long long first, second; /* gid; second < 0: wall -1 - second */
};

/* The energy ledger of a run: what there is, what was lost since step 0. */
struct scree_energies {
    double kinetic, rotational; /* J */
    double elastic[SCREE_N_LAW_KINDS];
    double gravity; /* m g h; zero at the origin, periodic images unfolded */
    double loss[SCREE_N_LOSSES];
    double closure;  /* J; gained out of nothing (> 0) or lost without a trace */
    double ended;    /* contacts that have opened since step 0 */
    double turnover; /* J; scale to which closure compares: all energy that was there or went */
};

/* What acts on every grain. */
struct scree_surroundings {
    double gravity[3], background_friction; /* m/s^2, kg/s */
};

struct scree_stepper {
    const char *name; /* word of the key `method` */
    const char *summary;
    /* What decides the future is the first saved_size bytes of the state; the fields, which end
     * with a NULL name, say what each of them is, without gaps. The rest of the state is made anew.
     */
    size_t saved_size;
    const struct scree_field *fields;
    /* Make the state; then either start or resume. Local. */
    void (*create)(void **state, struct scree_scene *scene);
    /* From the grains of the scene at step 0. Collective. */
    enum scree_status (*start)(void *state, struct scree_scene *scene);
    /* From grains, contact records and fields of a checkpoint. Collective. */
    enum scree_status (*resume)(void *state, struct scree_scene *scene);
    /* Advance to step number `step`, at time step * scene->dt. energies, if not NULL: the ledger at
     * that step, but for rounding as energies() has it; asked for in advance it costs less.
     * Collective. */
    enum scree_status (*advance)(void *state, struct scree_scene *scene, int64_t step,
                                 struct scree_energies *energies);
    /* Between two steps the driver has changed what moves walls, gravity, background friction or
     * values of laws, as a new stage wants it; `before` is how it was. Velocities at this moment
     * remain; forget what was derived, find anew what servos feel. May be NULL. Collective. */
    void (*change)(void *state, struct scree_scene *scene, const struct scree_surroundings *before);
    /* The ledger takes this energy (J) as given: it came with a change. May be NULL. */
    void (*accept)(void *state, double energy);
    /* Around changes of the grains themselves between two steps (more of them, other radii):
     * before, contact histories become records of the grains; after, lists are made anew. NULL: the
     * method cannot do that. Collective. */
    void (*release)(void *state, struct scree_scene *scene);
    enum scree_status (*regain)(void *state, struct scree_scene *scene);
    int64_t (*step)(const void *state);
    /* Velocity and spin of an owned grain at the present time: the columns may hold those of
     * another moment. */
    void (*velocity)(const void *state, const struct scree_scene *scene, scree_lid i,
                     double velocity[3], double spin[3]);
    /* Details of every touching pair of a near list, in any order. Nothing else changes. */
    void (*tell_contacts)(void *state, struct scree_scene *scene, enum scree_near_kind kind,
                          scree_contact_listener *listen, void *context);
    /* The ledger at the present time, the same on all ranks. Collective. */
    void (*energies)(void *state, struct scree_scene *scene, struct scree_energies *energies);
    /* The worst impact on this rank under each pair of scene->laws since the last call, as an
     * array. May be NULL. */
    void (*take_impacts)(void *state, const struct scree_scene *scene, struct scree_impact *impact);
    double (*force_quantum)(const void *state);  /* N per unit of the column `load` */
    double (*torque_quantum)(const void *state); /* N m, likewise */
    /* Before fields are saved: what is spread over ranks goes to rank 0. May be NULL. Collective.
     */
    void (*settle)(void *state, struct scree_scene *scene);
    void (*destroy)(void **state);
};

/* Why this method cannot be used (state without a way into checkpoints, functions missing), or
 * NULL. The program asks it of all methods when it starts. */
const char *scree_stepper_flaw(const struct scree_stepper *stepper);

const struct scree_stepper *scree_stepper_at(int k);
const char *const *scree_stepper_names(void); /* NULL-ended, in the order of scree_stepper_at */

#endif
