/* SPDX-License-Identifier: BSD-3-Clause
 * Plastic and cohesive contacts (Luding, "From DEM simulations towards a continuum theory", 1.6 and
 * 1.7): loading along k1 overlap, un- and reloading along k2 (overlap - overlap0), attraction down
 * to -kc overlap, and a dashpot; overlap0 = (1 - k1/k2) overlap_max.
 *
 * Reloading departs from the line -kc overlap along a k2 line as well, so that overlap_max becomes
 * smaller on it: the state of a contact is always a point on the k2 line of its overlap_max, and
 * its elastic energy is f^2 / (2 k2). Beyond the overlap at which k2 has reached its largest value
 * loading goes on along k1 (as 1.7; later papers have an elastic limit there). A contact that opens
 * forgets its overlap_max. */
#include "hysteretic.h"

#define AT(member) offsetof(struct scree_hysteretic, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(loading),
     "spring constant k1 of first loading"},
    {"stiffness_unloading", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(unloading),
     "spring constant k2 of un- and reloading, at least k1"},
    {"cohesion", SCREE_PARAM_REAL, "N/m", 0, INFINITY, "0", NULL, AT(cohesion),
     "constant kc: attraction goes down to -kc overlap"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, 1e60, "", NULL, AT(damping),
     "dashpot constant gamma0"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, 1e60, "", NULL, AT(damping_rate),
     "instead of damping: gamma0 = reduced mass * rate"},
    {"plastic_overlap", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(plastic_overlap),
     "k2 grows from k1 with the largest overlap until this one; default: it is constant"},
    {"plastic_depth", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(plastic_depth),
     "likewise, until the overlap left without force is this fraction of 2 r1 r2 / (r1 + r2)"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct scree_hysteretic *v = values;
    if (v->unloading < v->loading)
        scree_input_error(input, node, "'stiffness_unloading' is %g, below 'stiffness' of %g N/m",
                          v->unloading, v->loading);
    if (!isnan(v->damping) && !isnan(v->damping_rate))
        scree_input_error(input, node, "give only one of damping, damping_rate");
    if (!isnan(v->plastic_overlap) && !isnan(v->plastic_depth))
        scree_input_error(input, node, "give only one of plastic_overlap, plastic_depth");
    v->viscous = isnan(v->damping) ? 0.0 : v->damping;
    v->rate = isnan(v->damping_rate) ? 0.0 : v->damping_rate;
    v->full = isnan(v->plastic_overlap) ? 0.0 : v->plastic_overlap;
    v->full_per = 0.0;
    if (!isnan(v->plastic_depth) && v->unloading > v->loading)
        v->full_per = 2.0 * v->plastic_depth * v->unloading / (v->unloading - v->loading);
}

/* Even history: the largest overlap. */
static void shape(const void *values, struct scree_law_shape *shape)
{
    (void)values;
    shape->n_even += 1;
    shape->losses |= 1u << SCREE_LOSS_PLASTIC | 1u << SCREE_LOSS_NORMAL;
}

SCREE_SPECIALISED void press(struct scree_batch *restrict b,
                             const struct scree_hysteretic *restrict values,
                             double *restrict largest, const bool growing)
{
    const struct scree_hysteretic v = *values;
    double *restrict lost = b->loss[SCREE_LOSS_PLASTIC];
    const double counts = b->dt > 0.0 ? 1.0 : 0.0;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double d = b->overlap[k], full = v.full + v.full_per * radius[k];
        struct scree_hysteretic_state now =
            scree_hysteretic_follow(&v, largest[k], d, full, growing);
        scree_normal_damp(b, k, now.force, v.viscous + v.rate * b->m_eff[k], false);
        b->cohesive_load[k] = b->fn[k] + v.cohesion * d;
        lost[k] = counts * now.lost;
        largest[k] = now.largest;
    }
}

/* Friction goes by what the contact is pressed together with, attraction included. */
static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_hysteretic *v = values;
    if (scree_hysteretic_grows(v))
        press(b, v, b->history[at.even], true);
    else
        press(b, v, b->history[at.even], false);
    if (v->cohesion > 0.0) b->friction_load = b->cohesive_load;
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct scree_hysteretic *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double largest = b->history[at.even][k];
        double full = v->full + v->full_per * radius[k];
        double k2 = scree_hysteretic_unloading(v, largest, full, scree_hysteretic_grows(v));
        double f = scree_hysteretic_force(v->loading, k2, largest, b->overlap[k]);
        view->energy[k] = 0.5 * f * f / k2;
        view->power[k] = (f - b->fn[k]) * b->vn[k];
        view->stiffness[k] = k2;
        view->damping[k] = v->viscous + v->rate * b->m_eff[k];
    }
}

const struct scree_law scree_law_normal_hysteretic = {
    .name = "hysteretic",
    .summary = "plastic and cohesive: stiffer un- than loading, attraction, and a dashpot",
    .kind = SCREE_LAW_NORMAL,
    .params = params,
    .check = check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = scree_hysteretic_estimate,
    .describe = scree_hysteretic_describe,
};
