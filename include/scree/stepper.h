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
};

struct scree_stepper {
    const char *name; /* word of the key `method` */
    const char *summary;
    const struct scree_field *fields; /* ends with a NULL name */
    /* Make the state; then either start or resume. Local. */
    void (*create)(void **state, struct scree_scene *scene);
    /* From the grains of the scene at step 0. Collective. */
    enum scree_status (*start)(void *state, struct scree_scene *scene);
    /* From grains, contact records and fields of a checkpoint. Collective. */
    enum scree_status (*resume)(void *state, struct scree_scene *scene);
    /* Advance to step number `step`, at time step * scene->dt. Collective. */
    enum scree_status (*advance)(void *state, struct scree_scene *scene, int64_t step);
    int64_t (*step)(const void *state);
    /* Velocity and spin of an owned grain at the present time: the columns may hold those of
     * another moment. */
    void (*velocity)(const void *state, const struct scree_scene *scene, scree_lid i,
                     double velocity[3], double spin[3]);
    /* Force (N) on the grain i of every touching pair of a near list, in its order; pairs that do
     * not touch get 0. Nothing else changes. */
    void (*contact_forces)(void *state, struct scree_scene *scene, enum scree_near_kind kind,
                           double (*force)[3]);
    double (*force_quantum)(const void *state);  /* N per unit of the column `load` */
    double (*torque_quantum)(const void *state); /* N m, likewise */
    void (*destroy)(void **state);
};

const struct scree_stepper *scree_stepper_at(int k);
const char *const *scree_stepper_names(void); /* NULL-ended, in the order of scree_stepper_at */

#endif
