/* SPDX-License-Identifier: BSD-3-Clause
 * When something ends: after a time, or as soon as the state of a run meets conditions, all at
 * once. They are looked at in steps that follow from the input alone, with sums that have the same
 * bits on any number of ranks: all of them end in the same step. */
#ifndef SCREE_END_CONDITION_H
#define SCREE_END_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/deformation_control.h"
#include "scree/run.h"

/* A number of contacts or grains; INT64_MIN: not asked. */
struct scree_end_condition_count {
    int64_t at_least, at_most;
};

/* A number that is to be above or below something; NAN: not asked. */
struct scree_end_condition_range {
    double at_least, at_most;
};

/* Of a box that deforms. */
struct scree_end_condition_deformation {
    double strain[SCREE_DEFORMATION_COMPONENTS]; /* since the stage began; the sign tells the way */
    struct scree_end_condition_range stress[SCREE_DEFORMATION_COMPONENTS],
        pressure; /* Pa, in two dimensions N/m */
    struct scree_end_condition_range solid_fraction;
};

/* Numbers that are NAN, and walls that are -1, are not asked. */
struct scree_end_condition {
    int64_t steps; /* just so many; 0: conditions decide */
    int64_t after; /* steps before which conditions are not looked at */
    int64_t most;  /* steps in which they must be met; 0: no bound */
    bool required; /* it is an error if they are not */
    int64_t check; /* steps between looks */
    double energy_ratio, speed, coordination, servos;
    int wall;
    double displacement, strain, shear, angle;         /* of the wall since the stage began */
    struct scree_end_condition_range force, stress;    /* of the grains on the wall; N, Pa */
    double area;                                       /* m^2; NAN: that of the wall */
    int touched;                                       /* a wall */
    struct scree_end_condition_count contacts, grains; /* with that wall; beyond the plane */
    double point[3], normal[3];
    struct scree_end_condition_deformation cell;
};

/* Keys, and those of the maps within; in two dimensions stresses are N/m. */
const struct scree_param *scree_end_condition_params(int dimension);
extern const struct scree_param scree_end_condition_bound_params[],
    scree_end_condition_contacts_params[], scree_end_condition_grains_params[];
extern const struct scree_param scree_end_condition_deformation_params[],
    scree_end_condition_strain_params[], scree_end_condition_stress_params[],
    scree_end_condition_stress_range_params_3d[], scree_end_condition_number_range_params[],
    scree_end_condition_force_range_params[];

/* What the keys are checked against. */
struct scree_end_condition_setting {
    const struct scree_walls *walls;
    int dimension;
    double dt;
    bool deforms, cell_servos; /* the box in any stage; are there servos of it */
};
/* Read the map `node`, of the key `what`; collects mistakes. `stop`: there is nothing but
 * conditions, which need no bound. */
void scree_end_condition_read(struct scree_end_condition *until, struct scree_input *input,
                              const struct scree_node *node, const char *what, bool stop,
                              const struct scree_end_condition_setting *setting);
bool scree_end_condition_has_conditions(const struct scree_end_condition *until);
/* The conditions in words, as the input gives them. */
void scree_end_condition_describe(const struct scree_end_condition *until,
                                  const struct scree_walls *walls, char *text, size_t size);

/* Steps since the beginning at which something has to be decided, the first after `steps`. */
int64_t scree_end_condition_next(const struct scree_end_condition *until, int64_t steps);

/* Are the conditions met now? `text` gets what there is of each. Collective. */
bool scree_end_condition_holds(const struct scree_end_condition *until, struct scree_run *run,
                               char *text, size_t size);

#endif
