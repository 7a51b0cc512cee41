/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions as a list: what is measured, and how it compares. Private to the files
 * end_condition*.c. */
#ifndef SCREE_END_CONDITION_LIST_H
#define SCREE_END_CONDITION_LIST_H

#include "scree/end_condition.h"

enum scree_condition_kind {
    SCREE_CONDITION_ENERGY_RATIO,
    SCREE_CONDITION_SPEED,
    SCREE_CONDITION_COORDINATION,
    SCREE_CONDITION_SERVOS,
    SCREE_CONDITION_DISPLACEMENT,
    SCREE_CONDITION_STRAIN,
    SCREE_CONDITION_SHEAR,
    SCREE_CONDITION_ANGLE,
    SCREE_CONDITION_FORCE,
    SCREE_CONDITION_STRESS,
    SCREE_CONDITION_CONTACTS,
    SCREE_CONDITION_GRAINS,
    SCREE_CONDITION_DEFORMATION_STRAIN, /* these of a box that deforms */
    SCREE_CONDITION_DEFORMATION_STRESS,
    SCREE_CONDITION_PRESSURE,
    SCREE_CONDITION_SOLID_FRACTION,
    SCREE_N_CONDITIONS
};

struct scree_condition {
    enum scree_condition_kind what;
    int component;    /* of a cell */
    const char *of;   /* wall or component; NULL: of none */
    const char *sign; /* as it stands between value and limit */
    double limit;
};

/* Both bounds of a number may be there. */
enum { SCREE_MOST_CONDITIONS = SCREE_N_CONDITIONS + 3 * SCREE_DEFORMATION_COMPONENTS + 6 };

/* The bounds of a number, appended to a list of n; the new n. */
int scree_end_condition_list_range(struct scree_condition *list, int n,
                                   enum scree_condition_kind what, int component, const char *of,
                                   const struct scree_end_condition_range *range);
/* Those of a box that deforms (end_condition_deformation.c): appended to a list of n; the new n. */
int scree_end_condition_list_deformation(const struct scree_end_condition_deformation *cell,
                                         struct scree_condition *list, int n);
/* Collective. */
double scree_end_condition_measure_deformation(struct scree_run *run,
                                               const struct scree_condition *condition);
/* The worst servo of the cell, as a part of the largest target. */
double scree_end_condition_deformation_off_target(const struct scree_run *run);

#endif
