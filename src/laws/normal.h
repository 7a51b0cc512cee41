/* SPDX-License-Identifier: BSD-3-Clause
 * What normal laws of an elastic force and a dashpot share. Private to laws. */
#ifndef SCREE_LAWS_NORMAL_H
#define SCREE_LAWS_NORMAL_H

#include <stdbool.h>

#include "scree/laws.h"

enum scree_tension { SCREE_TENSION_ALLOW, SCREE_TENSION_CLIP };

/* The row of the key `tension` for the table of a law whose values hold the choice at offset `at`.
 */
extern const char *const scree_normal_tensions[];
#define SCREE_NORMAL_TENSION_PARAM(at)                                               \
    {                                                                                \
        "tension", SCREE_PARAM_CHOICE, "", 0, 0, "allow", scree_normal_tensions, at, \
            "allow or clip the attraction that damping causes while grains part"     \
    }

/* No history; losses of the dashpot. */
void scree_normal_shape(const void *values, struct scree_law_shape *shape);

/* Force of contact k from its elastic force (N) and its dashpot (gamma, kg/s), not below 0 if
 * `clip`. Lost is the work of what the force is beyond its spring. */
SCREE_SPECIALISED void scree_normal_damp(struct scree_batch *restrict b, int k, double elastic,
                                         double gamma, const bool clip)
{
    double f = elastic - gamma * b->vn[k];
    f = clip && f < 0.0 ? 0.0 : f;
    b->fn[k] = f;
    b->loss[SCREE_LOSS_NORMAL][k] = (elastic - f) * (b->vn[k] * b->dt);
}

#endif
