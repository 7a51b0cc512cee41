/* SPDX-License-Identifier: BSD-3-Clause
 * Friction by a tangential spring and dashpot with a static and a dynamic Coulomb limit (Luding,
 * "From DEM simulations towards a continuum theory", 1.8-1.14, after Cundall and Strack). The
 * spring is projected into the present tangent plane: it does not follow grains that spin together
 * about their normal. */
#include "slider.h"

/* The spring advances before the test force is formed, so that force and spring belong to the same
 * moment. While a contact slides its spring takes the force of the limit alone (1.13), or, if
 * `joint`, what the dashpot leaves of it. */
SCREE_SPECIALISED void slide(struct scree_batch *restrict b,
                             const struct scree_slider *restrict values,
                             double (*restrict spring)[SCREE_BATCH], double *restrict slides,
                             const bool damped, const bool two_limits)
{
    const struct scree_slider v = *values;
    const double per_stiffness = 1.0 / v.stiffness, joint = b->joint_limit ? 1.0 : 0.0;
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict damping = b->loss[SCREE_LOSS_TANGENTIAL];
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple n = SCREE_TRIPLE(b->normal, k)
        , way = SCREE_TRIPLE(b->way, k);
        struct scree_triple u = SCREE_TRIPLE(b->vt, k);
        double gamma = damped ? v.viscous + v.rate * b->m_eff[k] : 0.0;
        /* 1.12 and 1.8: the new spring, were there no limit; 1.11: its force. */
        struct scree_triple test = scree_plus(SCREE_TRIPLE(spring, k), 1.0, way);
        double along = scree_dot(test, n);
        test = scree_plus(test, -along, n);
        struct scree_triple f = scree_times(-v.stiffness, test), s;
        if (damped) f = scree_plus(f, -gamma, u);
        struct scree_slip slip =
            scree_slider_test(&v, b->friction_load[k], two_limits ? slides[k] : 0.0, f);
        f = scree_times(slip.scale, f);
        if (damped) {
            s = scree_times(-per_stiffness, scree_plus(f, joint * gamma, u));
            s = scree_select(slip.slips, s, test);
        } else {
            s = scree_times(slip.scale, test);
        }
        double cut = scree_slider_lost(v.stiffness, test, s, way);
        double viscous = gamma * (scree_dot(u, u) * b->dt);
        lost[k] = cut + 0.5 * v.stiffness * (along * along) + (slip.slips ? joint * viscous : 0.0);
        damping[k] = slip.slips ? 0.0 : viscous;
        if (two_limits) slides[k] = slip.slips ? 1.0 : 0.0;
        scree_triple_store(spring, k, s);
        scree_triple_store(b->ft, k, f);
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_slider *v = values;
    const bool damped = scree_slider_is_damped(v), two_limits = scree_slider_has_two_limits(v);
    double(*spring)[SCREE_BATCH] = b->history + at.odd, *slides = b->history[at.even];
    SCREE_CALL_SPECIALISED(slide, damped, two_limits, b, v, spring, slides);
}

const struct scree_law scree_law_tangential_spring = {
    .name = "spring",
    .summary = "tangential spring and dashpot with static and dynamic friction",
    .kind = SCREE_LAW_TANGENTIAL,
    .params = scree_slider_params,
    .check = scree_slider_check,
    .shape = scree_slider_shape,
    .apply = apply,
    .inspect = scree_slider_inspect,
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
