/* SPDX-License-Identifier: BSD-3-Clause
 * Resistance to spinning about the normal by a spring, slider and dashpot. The twisting velocity is
 * r* (w_i - w_j) . n. See couples.h for the units and the limit. */
#include <float.h>
#include <math.h>

#include "couples.h"
#include "tangent.h"

/* Even history: the spring (m), a number along n, the same for (i, j) and (j, i). */
static void shape(const void *values, struct scree_law_shape *shape)
{
    (void)values;
    shape->n_even += 1;
    shape->losses |= 1u << SCREE_LOSS_TORSION;
    shape->needs |= SCREE_NEEDS_SPINS;
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_resistance v = *(const struct scree_resistance *)values;
    double *restrict spring = b->history[at.even], *restrict lost = b->loss[SCREE_LOSS_TORSION];
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = radius[k], gamma = v.viscous + v.rate * b->m_eff[k];
        struct scree_triple n = SCREE_TRIPLE(b->normal, k);
        double u = r * scree_dot(SCREE_TRIPLE(b->spin, k), n);
        double way = r * scree_dot(SCREE_TRIPLE(b->turned, k), n);
        double test = spring[k] + way, f = -v.stiffness * test - gamma * u;
        double limit = v.friction * fabs(b->friction_load[k]), most = limit / v.stiffness;
        most = fabs(f) > limit ? most : DBL_MAX;
        f = fabs(f) > limit ? copysign(limit, f) : f;
        double s = fabs(test) > most ? copysign(most, test) : test;
        /* The mean force of the spring times its slip, and what the force is beyond its spring. */
        double viscous = -(f + v.stiffness * s) * u * b->dt;
        lost[k] = 0.5 * v.stiffness * (((test - way) + s) * (test - s)) + viscous;
        spring[k] = s;
        struct scree_triple couple = SCREE_TRIPLE(b->couple, k);
        scree_triple_store(b->couple, k, scree_plus(couple, r * f, n));
    }
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct scree_resistance *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple n = SCREE_TRIPLE(b->normal, k);
        double s = b->history[at.even][k], spin = scree_dot(SCREE_TRIPLE(b->spin, k), n);
        double couple = scree_dot(SCREE_TRIPLE(b->couple, k), n);
        view->energy[k] = 0.5 * v->stiffness * s * s;
        view->power[k] = -(couple + v->stiffness * radius[k] * s) * spin;
        view->stiffness[k] = v->stiffness;
    }
}

const struct scree_law scree_law_torsion_spring = {
    .name = "spring",
    .summary = "spring, slider and dashpot that resist spinning about the normal",
    .kind = SCREE_LAW_TORSION,
    .params = scree_resistance_params,
    .check = scree_resistance_check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = scree_resistance_estimate,
};
