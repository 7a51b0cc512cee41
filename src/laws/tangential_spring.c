/* SPDX-License-Identifier: BSD-3-Clause
 * Friction by a tangential spring and dashpot with a static and a dynamic Coulomb limit (Luding,
 * "From DEM simulations towards a continuum theory", 1.8-1.14, after Cundall and Strack). The
 * spring is projected into the present tangent plane: it does not follow grains that spin together
 * about their normal. */
#include "sliding.h"

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    scree_slide_any(b, values, scree_slider_history(b, at), (struct scree_sliding){0});
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
    .release = scree_slider_release,
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
