/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions as a list: what is measured, and how it compares. Private to the files until*.c. */
#ifndef SCREE_UNTIL_CONDITIONS_H
#define SCREE_UNTIL_CONDITIONS_H

#include "job.h"

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
    SCREE_CONDITION_CELL_STRAIN, /* these of a box that deforms */
    SCREE_CONDITION_CELL_STRESS,
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
enum { SCREE_MOST_CONDITIONS = SCREE_N_CONDITIONS + 3 * SCREE_CELL_COMPONENTS + 4 };

/* Those of a box that deforms (until_cell.c): appended to a list of n; the new n. */
int scree_until_list_cell(const struct scree_until_cell *cell, struct scree_condition *list, int n);
/* Collective. */
double scree_until_measure_cell(struct scree_job *job, const struct scree_condition *condition);
/* The worst servo of the cell, as a part of the largest target. */
double scree_until_cell_off_target(const struct scree_job *job);

#endif
