/* SPDX-License-Identifier: BSD-3-Clause
 * Friction after Fazekas (Wolf, "Modeling and computer simulation of granular media", 18-22): the
 * test force of spring and dashpot is cut to the Coulomb limit, the displacement is cut by itself,
 * to the length at which the spring alone gives the limit. The spring is rotated into the present
 * tangent plane, together with the grains. With two coefficients a contact slides at mu_d. */
#include "slider.h"

static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(values, shape);
    shape->needs |= SCREE_NEEDS_TURN;
}

SCREE_SPECIALISED void slide(struct scree_batch *restrict b,
                             const struct scree_slider *restrict values,
                             double (*restrict spring)[SCREE_BATCH], double *restrict slides,
                             const bool two_limits)
{
    const struct scree_slider v = *values;
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict damping = b->loss[SCREE_LOSS_TANGENTIAL];
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple way = SCREE_TRIPLE(b->way, k)
        , u = SCREE_TRIPLE(b->vt, k);
        double gamma = v.viscous + v.rate * b->m_eff[k];
        struct scree_triple test = scree_drawn(b, k, SCREE_TRIPLE(spring, k), way);
        struct scree_triple f = scree_plus(scree_times(-v.stiffness, test), -gamma, u);
        struct scree_slip slip =
            scree_slider_test(&v, b->friction_load[k], two_limits ? slides[k] : 0.0, f);
        f = scree_times(slip.scale, f);
        double own = v.stiffness * sqrt(scree_dot(test, test));
        double most = slip.slips ? slip.limit : DBL_MAX, shorter = own > most ? most / own : 1.0;
        struct scree_triple s = scree_times(shorter, test);
        /* What the force is beyond its spring does the work of a dashpot. */
        double viscous = -scree_dot(scree_plus(f, v.stiffness, s), u) * b->dt;
        lost[k] = scree_slider_lost(v.stiffness, test, s, way) + (slip.slips ? viscous : 0.0);
        damping[k] = slip.slips ? 0.0 : viscous;
        if (two_limits) slides[k] = slip.slips ? 1.0 : 0.0;
        scree_triple_store(spring, k, s);
        scree_triple_store(b->ft, k, f);
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    double(*spring)[SCREE_BATCH] = b->history + at.odd, *slides = b->history[at.even];
    if (scree_slider_has_two_limits(values))
        slide(b, values, spring, slides, true);
    else
        slide(b, values, spring, slides, false);
}

const struct scree_law scree_law_tangential_fazekas = {
    .name = "fazekas",
    .summary = "spring and dashpot with friction; the spring turns with the grains",
    .kind = SCREE_LAW_TANGENTIAL,
    .params = scree_slider_params,
    .check = scree_slider_check,
    .shape = shape,
    .apply = apply,
    .inspect = scree_slider_inspect,
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
