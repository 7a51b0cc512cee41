/* SPDX-License-Identifier: BSD-3-Clause
 * Hertz: fn = 4/3 E* sqrt(R*) overlap^(3/2), from the elastic constants of both partners. With
 * S = 2 E* sqrt(R* overlap), the slope of the force, its dashpot is either
 * c sqrt(S m*), which gives one restitution at all speeds (Tsuji, Tanaka and Ishida, Powder
 * Technology 71, 239 (1992); c = 2 sqrt(5/6) beta with tension), or
 * A S, linear viscoelasticity (Brilliantov, Spahn, Hertzsch and Poeschel, Phys. Rev. E 53, 5382
 * (1996): fn = k (d^(3/2) + 3/2 A sqrt(d) d(d)/dt)). */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "collision.h"
#include "elastic.h"
#include "normal.h"

struct hertz {
    struct scree_elastic elastic; /* first: `mindlin` takes it from here */
    double restitution;           /* NAN if not given */
    double viscous_time;          /* s; A; NAN if not given */
    int tension;
    /* Set by check() */
    double modulus; /* Pa; E* */
    double root;    /* gamma = root sqrt(S m*) + lag S */
    double lag;     /* s */
};

#define AT(member) offsetof(struct hertz, member)
static const struct scree_param params[] = {
    SCREE_ELASTIC_PARAMS(AT(elastic), NULL, "elastic",
                         ", and of the second if it has none of its own", "the same"),
    {"restitution", SCREE_PARAM_REAL, "1", 0, 1, "", NULL, AT(restitution),
     "outgoing / incoming speed of a collision, at any speed"},
    {"viscous_time", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, AT(viscous_time),
     "instead of restitution: A of viscoelastic spheres, k (d^1.5 + 1.5 A d^0.5 d(d)/dt)"},
    SCREE_NORMAL_TENSION_PARAM(AT(tension)),
    {0},
};

/* fn = 2/3 S d, energy = 2/5 fn d. */
static const double per_slope = 2.0 / 3.0, per_energy = 2.0 / 5.0;

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct hertz *v = values;
    scree_elastic_check(input, node, &v->elastic);
    v->modulus = scree_elastic_modulus(&v->elastic);
    if (!isnan(v->restitution) && !isnan(v->viscous_time))
        scree_input_error(input, node, "give only one of restitution, viscous_time");
    v->lag = isnan(v->viscous_time) ? 0.0 : v->viscous_time;
    v->root = 0.0;
    if (!scree_collision_check_restitution(input, node, v->restitution)) return;
    const struct scree_collision_law law = {.alpha = 1.5, .beta = 0.25, .tension = v->tension};
    v->root = scree_collision_damping_for(&law, v->restitution) * sqrt(per_slope);
}

/* N/m; S of a contact. */
static inline double slope_of(double modulus, double radius, double overlap)
{
    return 2.0 * modulus * sqrt(radius * overlap);
}

SCREE_SPECIALISED double gamma_of(const struct hertz *v, double slope, double m_eff,
                                  const bool by_root)
{
    return by_root ? v->root * sqrt(slope * m_eff) : v->lag * slope;
}

SCREE_SPECIALISED void press(struct scree_batch *restrict b, const struct hertz *restrict values,
                             const bool by_root, const bool clip)
{
    const struct hertz v = *values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double s = slope_of(v.modulus, radius[k], b->overlap[k]),
               gamma = gamma_of(&v, s, b->m_eff[k], by_root);
        scree_normal_damp(b, k, s * b->overlap[k] * per_slope, gamma, clip);
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    (void)at;
    const struct hertz *v = values;
    SCREE_CALL_SPECIALISED(press, v->root > 0.0, v->tension == SCREE_TENSION_CLIP, b, v);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct hertz *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double s = slope_of(v->modulus, radius[k], b->overlap[k]), d = b->overlap[k];
        double elastic = s * d * per_slope;
        view->energy[k] = elastic * d * per_energy;
        view->power[k] = (elastic - b->fn[k]) * b->vn[k];
        view->stiffness[k] = s;
        view->damping[k] = gamma_of(v, s, b->m_eff[k], v->root > 0.0);
    }
}

static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    const struct hertz *v = values;
    double s = 2.0 * v->modulus * c->r_eff; /* at an overlap of r_eff */
    double k = 4.0 / 3.0 * v->modulus * sqrt(c->r_eff);
    e->stiffness = fmax(e->stiffness, s);
    e->damping = fmax(e->damping, v->root * sqrt(s * c->m_eff) + v->lag * s);
    struct scree_collision_law law = {
        .alpha = 1.5, .beta = 0.5, .stiffness = k, .tension = v->tension};
    law.damping = v->lag * k / per_slope;
    if (v->root > 0.0) {
        law.beta = 0.25;
        law.damping = v->root * sqrt(k / per_slope * c->m_eff);
    }
    scree_collision_estimate(&law, c, e);
}

/* The largest overlap of an elastic impact has taken up all energy: m v^2 / 2 = 2/5 f d. */
static void describe(const void *values, const struct scree_law_case *c, char *text, size_t size)
{
    const struct hertz *v = values;
    double k = 4.0 / 3.0 * v->modulus * sqrt(c->r_eff);
    double deepest = pow(0.5 * c->m_eff * c->speed * c->speed / (per_energy * k), 0.4);
    snprintf(
        text, size,
        "reduced modulus %.4g Pa; overlap %.4g m = %.3g of the reduced radius and force %.4g N "
        "at most, without damping",
        v->modulus, deepest, deepest / c->r_eff, k * deepest * sqrt(deepest));
}

const struct scree_law scree_law_normal_hertz = {
    .name = "hertz",
    .summary = "elastic spheres after Hertz, with constant restitution or viscoelastic",
    .kind = SCREE_LAW_NORMAL,
    .params = params,
    .check = check,
    .shape = scree_normal_shape,
    .apply = apply,
    .inspect = inspect,
    .estimate = estimate,
    .describe = describe,
};
