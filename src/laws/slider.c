/* SPDX-License-Identifier: BSD-3-Clause
 * Keys, history and energy of friction laws with a spring and a dashpot. */
#include "slider.h"

#include <stddef.h>

#define AT(member) offsetof(struct scree_slider, member)
const struct scree_param scree_slider_params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "tangential spring constant kt"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, 1e60, "", NULL, AT(damping),
     "tangential dashpot constant gamma_t"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, 1e60, "", NULL, AT(damping_rate),
     "instead of damping: gamma_t = reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, 1e6, NULL, NULL, AT(friction),
     "static friction coefficient mu_s"},
    {"friction_dynamic", SCREE_PARAM_REAL, "1", 0, 1e6, "", NULL, AT(friction_dynamic),
     "dynamic friction coefficient mu_d, at most mu_s; default: the same"},
    {0},
};

void scree_slider_check_limits(struct scree_input *input, const struct scree_node *node,
                               struct scree_slider *v)
{
    if (isnan(v->friction_dynamic)) v->friction_dynamic = v->friction;
    if (v->friction_dynamic > v->friction)
        scree_input_error(input, node, "'friction_dynamic' is %g, above 'friction' (static) of %g",
                          v->friction_dynamic, v->friction);
}

void scree_slider_check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct scree_slider *v = values;
    if (!isnan(v->damping) && !isnan(v->damping_rate))
        scree_input_error(input, node, "give only one of damping, damping_rate");
    scree_slider_check_limits(input, node, v);
    v->viscous = isnan(v->damping) ? 0.0 : v->damping;
    v->rate = isnan(v->damping_rate) ? 0.0 : v->damping_rate;
}

void scree_slider_shape(const void *values, struct scree_law_shape *shape)
{
    shape->n_odd += 3;
    shape->n_even += scree_slider_has_two_limits(values) ? 1 : 0;
    shape->losses |= 1u << SCREE_LOSS_SLIDING | 1u << SCREE_LOSS_TANGENTIAL;
}

void scree_slider_inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                          struct scree_law_view *view)
{
    const struct scree_slider *v = values;
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple s = SCREE_TRIPLE(b->history + at.odd, k);
        view->energy[k] = 0.5 * v->stiffness * scree_dot(s, s);
        view->stiffness[k] = v->stiffness;
        view->power[k] = scree_slider_power(b, k, v->stiffness, s);
    }
}

void scree_slider_estimate(const void *values, const struct scree_law_case *c,
                           struct scree_law_estimate *e)
{
    const struct scree_slider *v = values;
    e->stiffness = fmax(e->stiffness, v->stiffness);
    e->tangential_slope = v->stiffness;
    e->damping = fmax(e->damping, v->viscous + v->rate * c->m_eff);
}

double scree_slider_friction(const void *values)
{
    return ((const struct scree_slider *)values)->friction_dynamic;
}

void scree_slider_set_friction(void *values, double coefficient)
{
    struct scree_slider *v = values;
    v->friction = v->friction_dynamic = coefficient;
}
