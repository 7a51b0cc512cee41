/* SPDX-License-Identifier: BSD-3-Clause
 * Elastic forces k overlap^alpha in the step in which a contact closes or opens. Private to laws.
 *
 * The scheme finds the work of a force by the trapezoidal rule. With w the way of a step and p w
 * the overlap at the first evaluation, the sum over p w, (1 + p) w, (2 + p) w, ... is, but for its
 * upper end, too large by k w^(alpha + 1) zeta(-alpha, p) (Hurwitz; Navot, J. Math. and Phys. 40,
 * 271 (1961)). The force of the first evaluation makes up for it: k w^alpha g(p) instead of k
 * w^alpha p^alpha, with g(p) = p^alpha - zeta(-alpha, p) = -zeta(-alpha, 1 + p). Opening is the
 * same, backwards. The upper end is told by scree_normal_scheme(). */
#ifndef SCREE_LAWS_TOUCH_H
#define SCREE_LAWS_TOUCH_H

#include <math.h>
#include <stdbool.h>

#include "scree/batch.h"

enum { SCREE_TOUCH_TERMS = 6 };

/* g as a polynomial in p from 0 to 1. */
struct scree_touch {
    double term[SCREE_TOUCH_TERMS];
};

void scree_touch_fit(struct scree_touch *touch, double exponent);

/* m; way of the pair along its normal in a step; 0 if contacts are taken for whole steps. */
static inline double scree_touch_way(const struct scree_batch *b, int k)
{
    return 2.0 * b->half * fabs(b->vn[k]);
}

static inline double scree_touch_share(const struct scree_touch *touch, double p)
{
    double sum = 0.0;
    for (int m = SCREE_TOUCH_TERMS - 1; m >= 0; m--) sum = sum * p + touch->term[m];
    return sum;
}

#endif
