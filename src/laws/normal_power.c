/* SPDX-License-Identifier: BSD-3-Clause
 * Power law (Wolf, "Modeling and computer simulation of granular media", 10-11):
 * fn = max(0, k overlap^alpha + gamma d(overlap^alpha)/dt). */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "collision.h"
#include "normal.h"
#include "scree/laws.h"

struct power {
    double stiffness;         /* N/m^alpha; k */
    double exponent;          /* alpha */
    double damping;           /* N s/m^alpha; gamma */
    struct scree_touch touch; /* set by check() */
};

/* The units of k and gamma depend on alpha: numbers without unit, in SI. */
#define AT(member) offsetof(struct power, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "constant k, in N/m^exponent (a number without unit)"},
    {"exponent", SCREE_PARAM_REAL, "1", DBL_MIN, 10, "1.5", NULL, AT(exponent),
     "exponent alpha of the overlap: 3/2 for spheres, 1 for disks"},
    {"damping", SCREE_PARAM_REAL, "1", 0, INFINITY, "0", NULL, AT(damping),
     "constant gamma of d(overlap^exponent)/dt, in N s/m^exponent (a number without unit)"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct power *v = values;
    scree_touch_fit(&v->touch, v->exponent);
    if (v->damping > 0.0 && v->exponent < 1.0)
        scree_input_error(input, node,
                          "'exponent' %g with 'damping': the dashpot would be infinite at first "
                          "touch; the exponent must be at least 1",
                          v->exponent);
}

static void shape(const void *values, struct scree_law_shape *shape)
{
    const struct power *v = values;
    if (v->damping > 0.0)
        scree_dashpot_shape(shape);
    else if (v->exponent != 1.0)
        scree_normal_bent_shape(shape);
}

/* overlap^(alpha - 1); roots are vector code, pow() is not. */
static void find_powers(const struct scree_batch *restrict b, double exponent,
                        double *restrict power)
{
    if (exponent == 1.0)
        for (int k = 0; k < scree_batch_n(b); k++) power[k] = 1.0;
    else if (exponent == 1.5)
        for (int k = 0; k < scree_batch_n(b); k++) power[k] = sqrt(b->overlap[k]);
    else if (exponent == 2.0)
        for (int k = 0; k < scree_batch_n(b); k++) power[k] = b->overlap[k];
    else
        for (int k = 0; k < scree_batch_n(b); k++) power[k] = pow(b->overlap[k], exponent - 1.0);
}

/* N; the elastic forces as far as they act. */
static void find_forces(const struct scree_batch *restrict b, const struct power *v,
                        const double *restrict power, double *restrict spring)
{
    for (int k = 0; k < scree_batch_n(b); k++)
        spring[k] = b->spring[k] * (v->stiffness * b->overlap[k] * power[k]);
    for (int k = 0; k < scree_batch_n(b) && b->partial && v->exponent != 1.0; k++) {
        double way = scree_touch_way(b, k), p = b->overlap[k] / way;
        if (!(p < 1.0)) continue;
        spring[k] = v->stiffness * pow(way, v->exponent) * scree_touch_share(&v->touch, p);
    }
}

SCREE_SPECIALISED void apply_damped(struct scree_batch *restrict b,
                                    const struct power *restrict values,
                                    const double *restrict power, const double *restrict spring,
                                    struct scree_dashpot at, const enum scree_moment moment)
{
    const struct power v = *values;
    const double gamma = v.damping * v.exponent;
    const double slope = v.exponent == 1.0 ? 0.0 : v.exponent * v.stiffness;
    double known[SCREE_BATCH];
    const bool again = scree_dashpot_recall(b, at, known);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double dashpot = gamma * power[k];
        scree_normal_damped(b, k, spring[k], dashpot, slope * power[k], at, moment, true, true);
    }
    if (again) scree_dashpot_tell(b, at, known);
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct power v = *(const struct power *)values;
    double power[SCREE_BATCH], spring[SCREE_BATCH];
    find_powers(b, v.exponent, power);
    find_forces(b, values, power, v.damping == 0.0 ? b->fn : spring);
    if (v.damping == 0.0 && v.exponent != 1.0) {
        for (int k = 0; k < scree_batch_n(b); k++) power[k] *= v.exponent * v.stiffness;
        scree_normal_bent(b, power, v.exponent - 1.0, at.even);
    }
    if (v.damping == 0.0) return;
    struct scree_dashpot dashpot = scree_dashpot_at(b, at.even);
    switch (scree_moment_of(b)) {
    case SCREE_SAME_MOMENT:
        apply_damped(b, values, power, spring, dashpot, SCREE_SAME_MOMENT);
        break;
    case SCREE_WHOLE_STEPS:
        apply_damped(b, values, power, spring, dashpot, SCREE_WHOLE_STEPS);
        break;
    case SCREE_PARTIAL_STEPS:
        apply_damped(b, values, power, spring, dashpot, SCREE_PARTIAL_STEPS);
        break;
    }
}

static void expect(struct scree_batch *b, const void *values, struct scree_slots at,
                   const double *gained)
{
    if (((const struct power *)values)->damping > 0.0) scree_dashpot_expect(b, at.even, gained);
}

static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    if (((const struct power *)values)->damping > 0.0) scree_dashpot_opened(b, at.even);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct power *v = values;
    double power[SCREE_BATCH], spring[SCREE_BATCH];
    find_powers(b, v->exponent, power);
    find_forces(b, v, power, spring);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double d = b->overlap[k], f = v->stiffness * d * power[k], slope = v->exponent * f / d;
        double energy = f * d / (v->exponent + 1.0);
        view->energy[k] = energy;
        view->stiffness[k] = slope;
        view->scheme[k] = v->exponent == 1.0
                              ? scree_normal_touching(b, k, spring[k], energy)
                              : scree_normal_scheme(b, k, f, slope, spring[k], energy);
        view->damping[k] = v->damping * v->exponent * power[k];
        view->scheme[k] += scree_normal_ahead(b, k, spring[k]);
    }
}

/* Instead of the rough 15 and 17 the collision itself, by numerical solution. */
static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    const struct power *v = values;
    double slope = pow(c->r_eff, v->exponent - 1.0);
    e->stiffness = fmax(e->stiffness, v->stiffness * slope);
    e->damping = fmax(e->damping, v->damping * v->exponent * slope);
    const struct scree_collision_law law = {.alpha = v->exponent,
                                            .beta = v->exponent - 1.0,
                                            .stiffness = v->stiffness,
                                            .damping = v->damping * v->exponent,
                                            .tension = SCREE_TENSION_CLIP};
    scree_collision_estimate(&law, c, e);
}

const struct scree_law scree_law_normal_power = {
    .name = "power",
    .summary = "power law of the overlap with a dashpot, never attractive",
    .kind = SCREE_LAW_NORMAL,
    .params = params,
    .check = check,
    .shape = shape,
    .apply = apply,
    .expect = expect,
    .inspect = inspect,
    .release = release,
    .estimate = estimate,
};
