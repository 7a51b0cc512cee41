/* SPDX-License-Identifier: BSD-3-Clause
 * Keys, history and energy of friction laws with a spring and a dashpot. */
#include "slider.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "losses.h"

#define AT(member) offsetof(struct scree_slider, member)
const struct scree_param scree_slider_params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "tangential spring constant kt"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "", NULL, AT(damping),
     "tangential dashpot constant gamma_t"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "", NULL, AT(damping_rate),
     "instead of damping: gamma_t = reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, INFINITY, NULL, NULL, AT(friction),
     "static friction coefficient mu_s"},
    {"friction_dynamic", SCREE_PARAM_REAL, "1", 0, INFINITY, "", NULL, AT(friction_dynamic),
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
    bool damped = scree_slider_is_damped(values);
    shape->n_odd += damped ? 6 : 3;
    shape->n_even += scree_slider_has_two_limits(values) ? 1 : 0;
    shape->losses |= 1u << SCREE_LOSS_SLIDING;
    shape->needs |= SCREE_NEEDS_THEN;
    /* Friction that holds springs back makes small what they lose as they turn. */
    if (((const struct scree_slider *)values)->friction > 1.0)
        shape->needs |= SCREE_NEEDS_THEN_OFTEN;
    if (damped || scree_slider_has_two_limits(values))
        shape->needs |= SCREE_NEEDS_THEN_ALWAYS | SCREE_NEEDS_THEN_EACH;
    if (damped) shape->losses |= 1u << SCREE_LOSS_TANGENTIAL;
}

void scree_slider_inspect_springs(const struct scree_batch *b, const double *stiffness,
                                  struct scree_slots at, struct scree_law_view *view)
{
    const double(*spring)[SCREE_BATCH] =
        (const double(*)[SCREE_BATCH])b->history + at.odd + SCREE_SLIDER_SPRING;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double x = spring[0][k], y = spring[1][k], z = spring[2][k];
        view->energy[k] = 0.5 * stiffness[k] * (x * x + y * y + z * z);
        view->stiffness[k] = stiffness[k];
    }
    for (int k = 0; k < scree_batch_n(b) && b->partial; k++)
        view->scheme[k] =
            scree_spring_ahead(b, k, stiffness[k], spring[0][k], spring[1][k], spring[2][k]);
}

void scree_slider_inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                          struct scree_law_view *view)
{
    double stiffness[SCREE_BATCH];
    for (int k = 0; k < scree_batch_n(b); k++)
        stiffness[k] = ((const struct scree_slider *)values)->stiffness;
    scree_slider_inspect_springs(b, stiffness, at, view);
}

void scree_slider_estimate(const void *values, const struct scree_law_case *c,
                           struct scree_law_estimate *e)
{
    const struct scree_slider *v = values;
    e->stiffness = fmax(e->stiffness, v->stiffness);
    e->tangential_slope = v->stiffness;
    e->damping = fmax(e->damping, v->viscous + v->rate * c->m_eff);
}

void scree_slider_close_or_open(struct scree_batch *b, const double *stiffness,
                                double (*spring)[SCREE_BATCH])
{
    const double *const v[3] = {b->vtx, b->vty, b->vtz};
    double *lost = b->loss[SCREE_LOSS_SLIDING];
    if (SCREE_LEDGER) scree_spring_touch(b, stiffness, spring, lost);
    if (b->opening) scree_spring_part(b, stiffness, spring, v, lost);
}

void scree_slider_release_springs(struct scree_batch *b, const struct scree_slider *v,
                                  const double *stiffness, struct scree_slots at)
{
    const double(*history)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])b->history + at.odd;
    double then[3][SCREE_BATCH]; /* m/s; as the last force saw it */
    for (int k = 0; k < scree_batch_n(b); k++) {
        then[0][k] = b->vtx[k] + b->spans * b->then_x[k];
        then[1][k] = b->vty[k] + b->spans * b->then_y[k];
        then[2][k] = b->vtz[k] + b->spans * b->then_z[k];
    }
    const double(*seen)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])then;
    scree_spring_release(b, stiffness, history + SCREE_SLIDER_SPRING, seen,
                         b->loss[SCREE_LOSS_SLIDING]);
    if (scree_slider_is_damped(v))
        scree_dashpot_release(b, history + SCREE_SLIDER_HELD, seen, b->loss[SCREE_LOSS_TANGENTIAL]);
}

void scree_slider_release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    const struct scree_slider *v = values;
    double stiffness[SCREE_BATCH];
    for (int k = 0; k < scree_batch_n(b); k++) stiffness[k] = v->stiffness;
    scree_slider_release_springs(b, v, stiffness, at);
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
