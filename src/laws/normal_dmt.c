/* SPDX-License-Identifier: BSD-3-Clause
 * Adhesive elastic spheres after Derjaguin, Muller and Toporov (J. Colloid Interface Sci. 53, 314
 * (1975)), for small or stiff grains: Hertz, and while the grains touch a constant attraction
 * F = 2 pi R* w with the work of adhesion w. fn = 2/3 S d - F - A S vn with the slope S = 2 E*
 * sqrt(R* d) of the elastic force and the viscoelastic dashpot of `hertz`. Friction goes by fn + F.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "collision.h"
#include "elastic.h"
#include "normal.h"

struct dmt {
    struct scree_elastic elastic;
    double adhesion;     /* J/m^2; w */
    double viscous_time; /* s; A */
    double modulus;      /* Pa; E*; set by check() */
};

#define AT(member) offsetof(struct dmt, member)
static const struct scree_param params[] = {
    SCREE_ELASTIC_PARAMS(AT(elastic), NULL, "elastic",
                         ", and of the second if it has none of its own", "the same"),
    {"adhesion", SCREE_PARAM_REAL, "J/m^2", 0, INFINITY, NULL, NULL, AT(adhesion),
     "work of adhesion w: the contact attracts with 2 pi w times the reduced radius"},
    {"viscous_time", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(viscous_time),
     "A of viscoelastic spheres, k (d^1.5 + 1.5 A d^0.5 d(d)/dt)"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct dmt *v = values;
    scree_elastic_check(input, node, &v->elastic);
    v->modulus = scree_elastic_modulus(&v->elastic);
}

static double attraction_of(const struct dmt *v, double r_eff)
{
    return 2.0 * acos(-1.0) * v->adhesion * r_eff;
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    (void)at;
    const struct dmt v = *(const struct dmt *)values;
    const double per_radius = attraction_of(&v, 1.0);
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = radius[k], d = b->overlap[k], pull = per_radius * r;
        double slope = 2.0 * v.modulus * sqrt(r * d);
        scree_normal_damp(b, k, slope * d * (2.0 / 3.0) - pull, v.viscous_time * slope, false);
        b->cohesive_load[k] = b->fn[k] + pull;
    }
    b->friction_load = b->cohesive_load;
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct dmt *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = radius[k], d = b->overlap[k];
        double slope = 2.0 * v->modulus * sqrt(r * d);
        double elastic = slope * d * (2.0 / 3.0), pull = attraction_of(v, r);
        view->energy[k] = elastic * d * (2.0 / 5.0) - pull * d;
        view->power[k] = (elastic - pull - b->fn[k]) * b->vn[k];
        view->stiffness[k] = slope;
        view->damping[k] = v->viscous_time * slope;
    }
}

/* The collision is that of the elastic spheres without attraction, on top of the overlap at rest.
 */
static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    const struct dmt *v = values;
    double k = 4.0 / 3.0 * v->modulus * sqrt(c->r_eff), slope = 2.0 * v->modulus * c->r_eff;
    struct scree_collision_law law = {
        .alpha = 1.5, .beta = 0.5, .stiffness = k, .damping = 1.5 * v->viscous_time * k};
    e->stiffness = fmax(e->stiffness, slope);
    e->damping = fmax(e->damping, v->viscous_time * slope);
    scree_collision_estimate(&law, c, e);
}

/* At rest 2/3 S d = F; grains that hit each other more slowly than the attraction can hold stick.
 */
static void describe(const void *values, const struct scree_law_case *c, char *text, size_t size)
{
    const struct dmt *v = values;
    double pull = attraction_of(v, c->r_eff), k = 4.0 / 3.0 * v->modulus * sqrt(c->r_eff);
    double rest = pow(pull / k, 2.0 / 3.0);
    snprintf(text, size,
             "pull-off force %.4g N; overlap at rest %.3g m = %.3g of the reduced radius", pull,
             rest, rest / c->r_eff);
}

const struct scree_law scree_law_normal_dmt = {
    .name = "dmt",
    .summary = "adhesive elastic spheres after Derjaguin, Muller and Toporov",
    .kind = SCREE_LAW_NORMAL,
    .params = params,
    .check = check,
    .shape = scree_normal_shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = estimate,
    .describe = describe,
};
