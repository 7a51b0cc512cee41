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
#include "scree/laws.h"
#include "touch.h"

struct hertz {
    struct scree_elastic elastic; /* first: `mindlin` takes it from here */
    double restitution;           /* NAN if not given */
    double viscous_time;          /* s; A; NAN if not given */
    int tension;
    /* Set by check() */
    double modulus; /* Pa; E* */
    double root;    /* gamma = root sqrt(S m*) + lag S */
    double lag;     /* s */
    struct scree_touch touch;
};

static const char *const tensions[] = {"allow", "clip", NULL};

#define AT(member) offsetof(struct hertz, member)
static const struct scree_param params[] = {
    SCREE_ELASTIC_PARAMS(AT(elastic), NULL, "elastic",
                         ", and of the second if it has none of its own", "the same"),
    {"restitution", SCREE_PARAM_REAL, "1", 0, 1, "", NULL, AT(restitution),
     "outgoing / incoming speed of a collision, at any speed"},
    {"viscous_time", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, AT(viscous_time),
     "instead of restitution: A of viscoelastic spheres, k (d^1.5 + 1.5 A d^0.5 d(d)/dt)"},
    {"tension", SCREE_PARAM_CHOICE, "", 0, 0, "allow", tensions, AT(tension),
     "allow or clip the attraction that damping causes while grains part"},
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
    scree_touch_fit(&v->touch, 1.5);
    v->lag = isnan(v->viscous_time) ? 0.0 : v->viscous_time;
    v->root = 0.0;
    if (isnan(v->restitution)) return;
    if (v->restitution == 0.0) {
        scree_input_error(input, node,
                          "'restitution' 0 needs infinite damping; give a value above 0");
        return;
    }
    const struct scree_collision_law law = {.alpha = 1.5, .beta = 0.25, .tension = v->tension};
    v->root = scree_collision_damping_for(&law, v->restitution) * sqrt(per_slope);
}

static bool is_damped(const struct hertz *v)
{
    return v->root + v->lag > 0.0;
}

static void shape(const void *values, struct scree_law_shape *shape)
{
    if (is_damped(values))
        scree_dashpot_shape(shape);
    else
        scree_normal_bent_shape(shape);
}

/* N/m; S of each contact. */
static void find_slopes(const struct scree_batch *restrict b, double modulus, double *restrict s)
{
    for (int k = 0; k < scree_batch_n(b); k++)
        s[k] = 2.0 * modulus * sqrt(scree_batch_r_eff(b, k) * b->overlap[k]);
}

/* N; the elastic forces as far as they act. */
static void find_forces(const struct scree_batch *restrict b, const struct hertz *v,
                        const double *restrict s, double *restrict spring)
{
    for (int k = 0; k < scree_batch_n(b); k++)
        spring[k] = b->spring[k] * (s[k] * b->overlap[k] * per_slope);
    for (int k = 0; k < scree_batch_n(b) && b->partial; k++) {
        double way = scree_touch_way(b, k), d = b->overlap[k];
        if (!(way > d)) continue;
        double slope = 2.0 * v->modulus * sqrt(scree_batch_r_eff(b, k) * way);
        spring[k] = slope * way * per_slope * scree_touch_share(&v->touch, d / way);
    }
}

SCREE_SPECIALISED double gamma_of(const struct hertz *v, double slope, double m_eff,
                                  const bool by_root)
{
    return by_root ? v->root * sqrt(slope * m_eff) : v->lag * slope;
}

SCREE_SPECIALISED void apply_damped(struct scree_batch *restrict b,
                                    const struct hertz *restrict values, const double *restrict s,
                                    const double *restrict spring, struct scree_dashpot at,
                                    const bool by_root, const enum scree_moment moment,
                                    const bool clip, const bool bent)
{
    const struct hertz v = *values;
    double known[SCREE_BATCH];
    const bool again = scree_dashpot_recall(b, at, known);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double gamma = gamma_of(&v, s[k], b->m_eff[k], by_root);
        scree_normal_damped(b, k, spring[k], gamma, s[k], at, moment, clip, bent);
    }
    if (again) scree_dashpot_tell(b, at, known);
}

/* The loop for the values at hand. */
SCREE_SPECIALISED void apply_at(struct scree_batch *restrict b, const struct hertz *restrict v,
                                const double *restrict s, const double *restrict spring,
                                struct scree_dashpot at, const bool by_root, const bool clip)
{
    switch (scree_moment_of(b)) {
    case SCREE_SAME_MOMENT:
        apply_damped(b, v, s, spring, at, by_root, SCREE_SAME_MOMENT, clip, false);
        break;
    case SCREE_WHOLE_STEPS:
        if (b->spans > 0.0)
            apply_damped(b, v, s, spring, at, by_root, SCREE_WHOLE_STEPS, clip, true);
        else
            apply_damped(b, v, s, spring, at, by_root, SCREE_WHOLE_STEPS, clip, false);
        break;
    case SCREE_PARTIAL_STEPS:
        apply_damped(b, v, s, spring, at, by_root, SCREE_PARTIAL_STEPS, clip, true);
        break;
    }
}

SCREE_SPECIALISED void apply_any(struct scree_batch *restrict b, const struct hertz *restrict v,
                                 const double *restrict s, const double *restrict spring,
                                 struct scree_dashpot at, const bool clip)
{
    if (v->root > 0.0)
        apply_at(b, v, s, spring, at, true, clip);
    else
        apply_at(b, v, s, spring, at, false, clip);
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct hertz *v = values;
    double s[SCREE_BATCH], spring[SCREE_BATCH];
    find_slopes(b, v->modulus, s);
    find_forces(b, v, s, is_damped(v) ? spring : b->fn);
    if (!is_damped(v)) {
        scree_normal_bent(b, s, 0.5, at.even);
        return;
    }
    if (v->tension == SCREE_TENSION_CLIP)
        apply_any(b, v, s, spring, scree_dashpot_at(b, at.even), true);
    else
        apply_any(b, v, s, spring, scree_dashpot_at(b, at.even), false);
}

static void expect(struct scree_batch *b, const void *values, struct scree_slots at,
                   const double *gained)
{
    if (is_damped(values)) scree_dashpot_expect(b, at.even, gained);
}

static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    if (is_damped(values)) scree_dashpot_opened(b, at.even);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    (void)at;
    const struct hertz *v = values;
    double spring[SCREE_BATCH];
    find_slopes(b, v->modulus, view->stiffness);
    find_forces(b, v, view->stiffness, spring);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double f = view->stiffness[k] * b->overlap[k] * per_slope;
        view->energy[k] = f * b->overlap[k] * per_energy;
        view->scheme[k] =
            scree_normal_scheme(b, k, f, view->stiffness[k], spring[k], view->energy[k]);
    }
    for (int k = 0; k < scree_batch_n(b) && is_damped(v); k++) {
        view->damping[k] = gamma_of(v, view->stiffness[k], b->m_eff[k], v->root > 0.0);
        view->scheme[k] += scree_normal_ahead(b, k, spring[k]);
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
    .shape = shape,
    .apply = apply,
    .expect = expect,
    .inspect = inspect,
    .release = release,
    .estimate = estimate,
    .describe = describe,
};
