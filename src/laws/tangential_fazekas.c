/* SPDX-License-Identifier: BSD-3-Clause
 * Friction after Fazekas (Wolf, "Modeling and computer simulation of granular media", 18-22): the
 * test force of spring and dashpot is cut to the Coulomb limit, the displacement is cut by itself,
 * to the length at which the spring alone gives the limit. The spring is rotated into the present
 * tangent plane, together with the grains. With two coefficients a contact slides at mu_d. */
#include "sliding.h"

static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(values, shape);
    shape->needs |= SCREE_NEEDS_TWIRL | SCREE_NEEDS_TURN | SCREE_NEEDS_THEN_ALWAYS;
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    scree_slide_any(b, values, scree_slider_history(b, at),
                    (struct scree_sliding){.turns = true, .by_itself = true});
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
    .release = scree_slider_release,
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
