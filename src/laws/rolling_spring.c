/* SPDX-License-Identifier: BSD-3-Clause
 * Resistance to rolling by a spring, slider and dashpot. The rolling velocity is r* times the
 * tangential part of w_i - w_j, along the axis of rolling; the spring turns with the grains. See
 * couples.h for the units and the limit. */
#include <float.h>
#include <math.h>

#include "couples.h"
#include "tangent.h"

/* Odd history: the spring (m). */
static void shape(const void *values, struct scree_law_shape *shape)
{
    (void)values;
    shape->n_odd += 3;
    shape->losses |= 1u << SCREE_LOSS_ROLLING;
    shape->needs |= SCREE_NEEDS_SPINS | SCREE_NEEDS_TURN;
}

/* r times what of a vector is across the normal. */
SCREE_SPECIALISED struct scree_triple across(double r, struct scree_triple a, struct scree_triple n)
{
    return scree_times(r, scree_plus(a, -scree_dot(a, n), n));
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_resistance v = *(const struct scree_resistance *)values;
    double(*restrict spring)[SCREE_BATCH] = b->history + at.odd;
    double *restrict lost = b->loss[SCREE_LOSS_ROLLING];
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = radius[k], gamma = v.viscous + v.rate * b->m_eff[k];
        struct scree_triple n = SCREE_TRIPLE(b->normal, k);
        struct scree_triple u = across(r, SCREE_TRIPLE(b->spin, k), n);
        struct scree_triple way = across(r, SCREE_TRIPLE(b->turned, k), n);
        struct scree_triple test = scree_drawn(b, k, SCREE_TRIPLE(spring, k), way);
        struct scree_triple f = scree_plus(scree_times(-v.stiffness, test), -gamma, u);
        double size = sqrt(scree_dot(f, f)), limit = v.friction * fabs(b->friction_load[k]);
        double own = v.stiffness * sqrt(scree_dot(test, test));
        double most = size > limit ? limit : DBL_MAX;
        f = scree_times(size > limit ? limit / size : 1.0, f);
        struct scree_triple s = scree_times(own > most ? most / own : 1.0, test);
        /* The mean force of the spring times its slip, and what the force is beyond its spring. */
        struct scree_triple sum = scree_plus(scree_plus(test, -1.0, way), 1.0, s);
        double slip = scree_dot(sum, scree_plus(test, -1.0, s));
        double viscous = -scree_dot(scree_plus(f, v.stiffness, s), u) * b->dt;
        lost[k] = 0.5 * v.stiffness * slip + viscous;
        scree_triple_store(spring, k, s);
        scree_triple_store(b->couple, k, scree_plus(SCREE_TRIPLE(b->couple, k), r, f));
    }
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct scree_resistance *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple s = SCREE_TRIPLE(b->history + at.odd, k);
        struct scree_triple u = across(1.0, SCREE_TRIPLE(b->spin, k), SCREE_TRIPLE(b->normal, k));
        struct scree_triple beyond =
            scree_plus(SCREE_TRIPLE(b->couple, k), v->stiffness * radius[k], s);
        view->energy[k] = 0.5 * v->stiffness * scree_dot(s, s);
        view->power[k] = -scree_dot(beyond, u);
        view->stiffness[k] = v->stiffness;
    }
}

const struct scree_law scree_law_rolling_spring = {
    .name = "spring",
    .summary = "spring, slider and dashpot that resist rolling",
    .kind = SCREE_LAW_ROLLING,
    .params = scree_resistance_params,
    .check = scree_resistance_check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = scree_resistance_estimate,
};
