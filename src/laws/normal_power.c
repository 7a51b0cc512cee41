/* SPDX-License-Identifier: BSD-3-Clause
 * Power law (Wolf, "Modeling and computer simulation of granular media", 10-11):
 * fn = max(0, k overlap^alpha + gamma d(overlap^alpha)/dt). */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "collision.h"
#include "normal.h"

struct power {
    double stiffness; /* N/m^alpha; k */
    double exponent;  /* alpha */
    double damping;   /* N s/m^alpha; gamma */
};

/* The units of k and gamma depend on alpha: numbers without unit, in SI. */
#define AT(member) offsetof(struct power, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "constant k, in N/m^exponent (a number without unit)"},
    {"exponent", SCREE_PARAM_REAL, "1", DBL_MIN, 10, "1.5", NULL, AT(exponent),
     "exponent alpha of the overlap: 3/2 for spheres, 1 for disks"},
    {"damping", SCREE_PARAM_REAL, "1", 0, 1e60, "0", NULL, AT(damping),
     "constant gamma of d(overlap^exponent)/dt, in N s/m^exponent (a number without unit)"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    const struct power *v = values;
    if (v->damping > 0.0 && v->exponent < 1.0)
        scree_input_error(input, node,
                          "'exponent' %g with 'damping': the dashpot would be infinite at first "
                          "touch; the exponent must be at least 1",
                          v->exponent);
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

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    (void)at;
    const struct power v = *(const struct power *)values;
    double power[SCREE_BATCH];
    find_powers(b, v.exponent, power);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++)
        scree_normal_damp(b, k, v.stiffness * b->overlap[k] * power[k],
                          v.damping * v.exponent * power[k], true);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct power *v = values;
    double power[SCREE_BATCH];
    find_powers(b, v->exponent, power);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double d = b->overlap[k], f = v->stiffness * d * power[k];
        view->energy[k] = f * d / (v->exponent + 1.0);
        view->power[k] = (f - b->fn[k]) * b->vn[k];
        view->stiffness[k] = v->exponent * v->stiffness * power[k];
        view->damping[k] = v->damping * v->exponent * power[k];
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
    .shape = scree_normal_shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = estimate,
};
