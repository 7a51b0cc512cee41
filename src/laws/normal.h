/* SPDX-License-Identifier: BSD-3-Clause
 * What normal laws of an elastic force and a dashpot share. Private to laws. */
#ifndef SCREE_LAWS_NORMAL_H
#define SCREE_LAWS_NORMAL_H

#include <float.h>
#include <stdbool.h>

#include "scree/batch.h"

enum scree_tension { SCREE_TENSION_ALLOW, SCREE_TENSION_CLIP };

/* N; the least force that a law may give. */
static inline double scree_normal_lowest(int tension)
{
    return tension == SCREE_TENSION_CLIP ? 0.0 : -DBL_MAX;
}

/* Force of contact k from its elastic force (N) and dashpot (gamma, kg/s), not below `lowest`.
 * `held`: even history, the share of the dashpot's force that acts until now.
 *
 * The velocity at the moment of the overlap is vn + half f / m for a pair on its own; with it in
 * the dashpot, f (1 + gamma half / m) = elastic - gamma vn. The loss is the work of the dashpot
 * over the last step: of the force then and of the force now, each for its share. */
SCREE_SPECIALISED void scree_normal_damped(struct scree_batch *restrict b, int k, double elastic,
                                           double gamma, double lowest, double *restrict held,
                                           double *restrict loss)
{
    double m = b->m_eff[k], vn = b->vn[k], spring = b->spring[k] * elastic;
    double dashpot = (b->now[k] + b->later[k]) * gamma;
    double f = (spring - dashpot * vn) * (m / (m + dashpot * b->half));
    double viscous = -gamma * (vn + b->half * f * b->inverse_m[k]);
    bool clipped = f < lowest;
    f = clipped ? lowest : f;
    viscous = clipped ? -elastic : viscous;
    double now = clipped ? b->spring[k] - b->later[k] : b->now[k];
    loss[k] = -(held[k] + now * viscous) * vn * b->dt;
    held[k] = b->later[k] * viscous;
    b->fn[k] = f;
}

/* J/s^2; of a spring whose force and slope begin with zero. The trapezoidal rule finds
 * sum f'' (v dt)^3 / 12 more than the work of the force f, which for a pair on its own is
 * dt^2 (f' v^2 + f^2 / m) / 12. */
static inline double scree_normal_scheme(const struct scree_batch *b, int k, double force,
                                         double slope)
{
    double v = b->vn[k] + b->half * b->fn[k] * b->inverse_m[k];
    return (slope * v * v + force * force * b->inverse_m[k]) / 12.0;
}

#endif
