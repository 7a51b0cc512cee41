/* SPDX-License-Identifier: BSD-3-Clause
 * Keys of rolling and torsion laws. */
#include "couples.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#define AT(member) offsetof(struct scree_resistance, member)
const struct scree_param scree_resistance_params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "spring constant, per reduced radius * relative angle; the couple is reduced radius * force"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, 1e60, "", NULL, AT(damping),
     "dashpot constant, likewise"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, 1e60, "", NULL, AT(damping_rate),
     "instead of damping: reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, 1e6, NULL, NULL, AT(friction),
     "coefficient: the couple is at most friction * reduced radius * normal force"},
    {0},
};

void scree_resistance_check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct scree_resistance *v = values;
    if (!isnan(v->damping) && !isnan(v->damping_rate))
        scree_input_error(input, node, "give only one of damping, damping_rate");
    v->viscous = isnan(v->damping) ? 0.0 : v->damping;
    v->rate = isnan(v->damping_rate) ? 0.0 : v->damping_rate;
}

void scree_resistance_estimate(const void *values, const struct scree_law_case *c,
                               struct scree_law_estimate *e)
{
    const struct scree_resistance *v = values;
    e->stiffness = fmax(e->stiffness, v->stiffness);
    e->damping = fmax(e->damping, v->viscous + v->rate * c->m_eff);
}
