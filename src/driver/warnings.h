/* SPDX-License-Identifier: BSD-3-Clause
 * What a user should be told while soft grains run: steps too long for the contacts there are,
 * overlaps too deep, impacts and collision rates for which soft grains behave unlike hard ones.
 * Private to driver. */
#ifndef SCREE_WARNINGS_H
#define SCREE_WARNINGS_H

#include "job.h"

enum scree_warning {
    SCREE_WARNING_STEP,       /* steps per contact time of the stiffest live contact */
    SCREE_WARNING_OVERLAP,    /* overlap / smaller radius */
    SCREE_WARNING_BRAKE,      /* impact speed / V_c; Wolf, "Modeling and computer simulation of
                               * granular media", 26 */
    SCREE_WARNING_DETACHMENT, /* contact time / time between collisions of a grain; same, 2.4 */
    SCREE_WARNING_DASHPOTS,   /* strength of the dashpots of a grain / what the step allows */
    SCREE_N_WARNINGS
};

struct scree_warnings {
    double worst[SCREE_N_WARNINGS]; /* so far */
    bool told[SCREE_N_WARNINGS];
    double ended, time; /* contacts ended and time at the last look */
};

extern const struct scree_param scree_warnings_params[];

void scree_warnings_init(struct scree_warnings *warnings);
/* Look at all contacts as they are; a step far too long ends the run. Collective. */
enum scree_status scree_warnings_look(struct scree_warnings *warnings, struct scree_job *job,
                                      const struct scree_energies *energies);
/* The worst there was, for the end of a run. */
void scree_warnings_print(const struct scree_warnings *warnings);

#endif
