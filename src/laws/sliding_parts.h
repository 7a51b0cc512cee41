/* SPDX-License-Identifier: BSD-3-Clause
 * What the loops of friction laws with a spring share: options, history, stiffnesses. Private to
 * laws. */
#ifndef SCREE_LAWS_SLIDING_PARTS_H
#define SCREE_LAWS_SLIDING_PARTS_H

#include <math.h>

#include "losses.h"
#include "slider.h"
#include "turning.h"

struct scree_sliding {
    bool damped, two_limits;
    bool turns;     /* the spring turns with the grains; else it is projected (1.8) */
    bool by_itself; /* while it slides a spring is cut if its own force is too large (Fazekas); else
                     * it takes the force of the limit alone, without the dashpot (1.13), or, if
                     * Hertzian or if the batch says so, both together make the limit */
    bool hertzian;  /* stiffness and dashpot follow the contact radius ... */
    bool of_force;  /* ... which leaves the force of a spring as it is, else its length ... */
    bool shrinks;   /* ... but while the grains part the force or the length shrinks with it */
    bool plain;     /* the batch is plain */
    bool whole;     /* no contact closes or opens within a step: all shares are 1 */
    bool spans;     /* what turning normals lose is found in this step */
};

/* History of a law, as the options want it. */
struct scree_sliding_history {
    double (*spring)[SCREE_BATCH], (*held)[SCREE_BATCH], *slides, *radius;
};

/* Contacts of one stiffness, or Hertzian ones each with its own. */
struct scree_stiffnesses {
    double now[SCREE_BATCH], before[SCREE_BATCH]; /* N/m; at this and at the last evaluation */
    double gamma[SCREE_BATCH];                    /* kg/s; with a dashpot only */
    double shrink[SCREE_BATCH];                   /* new length of a spring / old one */
};

SCREE_SPECIALISED void scree_hertzian(const struct scree_batch *restrict b,
                                      const struct scree_slider *restrict values,
                                      double *restrict radius, const struct scree_sliding is,
                                      struct scree_stiffnesses *restrict out)
{
    const struct scree_slider v = *values;
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double a = sqrt(scree_batch_r_eff(b, k) * b->overlap[k]), before = radius[k];
        out->now[k] = v.stiffness * a;
        out->before[k] = v.stiffness * before;
        if (is.damped) out->gamma[k] = v.rate * sqrt(a * b->m_eff[k]);
        double ratio = is.of_force ? before / a : a / before;
        bool all = is.of_force ? a > before || !is.shrinks : a < before && is.shrinks;
        out->shrink[k] = all ? ratio : 1.0;
        radius[k] = a;
    }
}

/* J; changes of stiffness before friction, if no normal law adds any. */
alignas(SCREE_ALIGNMENT) static const double scree_nothing_changed[SCREE_BATCH];

/* m^2; times half the stiffness: the same of a spring that was projected, h + d = test + along n,
 * and then shortened to s: with d, test and s tangential it is (h + s) . (test - s), and this. */
SCREE_SPECIALISED double scree_projected(const struct scree_batch *restrict b, int k,
                                         struct scree_triple h, double along, double twice)
{
    double turned = scree_batch_turned(b, k, h.x, h.y, h.z);
    return scree_batch_fma(along, along + scree_turning_faster(b, k, twice), turned);
}

#endif
