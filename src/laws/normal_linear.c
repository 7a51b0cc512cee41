/* SPDX-License-Identifier: BSD-3-Clause
 * Linear spring and dashpot (Luding, "From DEM simulations towards a continuum theory", 1.3-1.5;
 * Wolf, "Modeling and computer simulation of granular media", 10):
 * fn = k overlap - gamma vn, with or without a tensile tail while the grains part. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "collision.h"
#include "normal.h"

struct linear {
    double stiffness;    /* N/m */
    double damping;      /* kg/s; NAN if not given */
    double restitution;  /* NAN if not given */
    double damping_rate; /* 1/s; gamma = m_eff * rate; NAN if not given */
    int tension;
    /* Set by check(): gamma = viscous + rate m_eff + root sqrt(m_eff) */
    double viscous, rate, root;
};

#define AT(member) offsetof(struct linear, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "spring constant k"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, 1e60, "", NULL, AT(damping), "dashpot constant gamma"},
    {"restitution", SCREE_PARAM_REAL, "1", 0, 1, "", NULL, AT(restitution),
     "instead of damping: outgoing / incoming speed of a collision"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, 1e60, "", NULL, AT(damping_rate),
     "instead of damping: gamma = reduced mass * rate"},
    SCREE_NORMAL_TENSION_PARAM(AT(tension)),
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct linear *v = values;
    int given = !isnan(v->damping) + !isnan(v->restitution) + !isnan(v->damping_rate);
    if (given > 1)
        scree_input_error(input, node, "give only one of damping, restitution, damping_rate");
    v->viscous = isnan(v->damping) ? 0.0 : v->damping;
    v->rate = isnan(v->damping_rate) ? 0.0 : v->damping_rate;
    v->root = 0.0;
    if (!scree_collision_check_restitution(input, node, v->restitution)) return;
    v->root = scree_collision_linear_damping_for(v->restitution, v->tension) * sqrt(v->stiffness);
}

/* by_root: the dashpot follows from a restitution. */
SCREE_SPECIALISED double gamma_of(const struct linear *v, double m_eff, const bool by_root)
{
    return by_root ? v->root * sqrt(m_eff) : v->viscous + v->rate * m_eff;
}

SCREE_SPECIALISED void press(struct scree_batch *restrict b, const struct linear *restrict values,
                             const bool by_root, const bool clip)
{
    const struct linear v = *values;
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++)
        scree_normal_damp(b, k, v.stiffness * b->overlap[k], gamma_of(&v, b->m_eff[k], by_root),
                          clip);
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    (void)at;
    const struct linear *v = values;
    SCREE_CALL_SPECIALISED(press, v->root > 0.0, v->tension == SCREE_TENSION_CLIP, b, v);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct linear *v = values;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double elastic = v->stiffness * b->overlap[k];
        view->energy[k] = 0.5 * elastic * b->overlap[k];
        view->power[k] = (elastic - b->fn[k]) * b->vn[k];
        view->stiffness[k] = v->stiffness;
        view->damping[k] = gamma_of(v, b->m_eff[k], v->root > 0.0);
    }
}

static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    const struct linear *v = values;
    double gamma = gamma_of(v, c->m_eff, v->root > 0.0);
    double frequency = sqrt(v->stiffness / c->m_eff), d = gamma / (2.0 * c->m_eff * frequency);
    e->contact_time = d < 1.0 ? acos(-1.0) / (frequency * sqrt(1.0 - d * d)) : INFINITY;
    e->restitution = scree_collision_linear_restitution(d, v->tension);
    e->stiffness = fmax(e->stiffness, v->stiffness);
    e->damping = fmax(e->damping, gamma);
    e->deepest = c->speed / frequency;
    e->normal_slope = v->stiffness;
}

const struct scree_law scree_law_normal_linear = {
    .name = "linear",
    .summary = "linear spring and dashpot",
    .kind = SCREE_LAW_NORMAL,
    .params = params,
    .check = check,
    .shape = scree_normal_shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = estimate,
};
