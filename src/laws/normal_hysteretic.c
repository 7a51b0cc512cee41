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
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "normal.h"
#include "scree/laws.h"

struct hysteretic {
    double loading;         /* N/m; k1 */
    double unloading;       /* N/m; k2, or its largest value */
    double cohesion;        /* N/m; kc */
    double damping;         /* kg/s; gamma0; NAN if not given */
    double damping_rate;    /* 1/s; NAN if not given */
    double plastic_overlap; /* m; where k2 is largest; NAN if not given */
    double plastic_depth;   /* likewise as a fraction; NAN if not given */
    /* Set by check() */
    double viscous, rate;  /* gamma0 = viscous + rate m_eff */
    double full, full_per; /* m, 1; k2 is largest at full + full_per r_eff */
};

#define AT(member) offsetof(struct hysteretic, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(loading),
     "spring constant k1 of first loading"},
    {"stiffness_unloading", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(unloading),
     "spring constant k2 of un- and reloading, at least k1"},
    {"cohesion", SCREE_PARAM_REAL, "N/m", 0, INFINITY, "0", NULL, AT(cohesion),
     "constant kc: attraction goes down to -kc overlap"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "", NULL, AT(damping),
     "dashpot constant gamma0"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "", NULL, AT(damping_rate),
     "instead of damping: gamma0 = reduced mass * rate"},
    {"plastic_overlap", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(plastic_overlap),
     "k2 grows from k1 with the largest overlap until this one; default: it is constant"},
    {"plastic_depth", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(plastic_depth),
     "likewise, until the overlap left without force is this fraction of 2 r1 r2 / (r1 + r2)"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct hysteretic *v = values;
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

/* Even history: the largest overlap; overlap (< 0: the contact was about to open) and k2 of the
 * last evaluation; then what a dashpot needs (normal.h). */
enum { LARGEST, OVERLAP, UNLOADING, DASHPOT };

static bool is_damped(const struct hysteretic *v)
{
    return v->viscous + v->rate > 0.0;
}

static bool grows(const struct hysteretic *v)
{
    return v->unloading > v->loading && v->full + v->full_per > 0.0;
}

static void shape(const void *values, struct scree_law_shape *shape)
{
    shape->n_even += DASHPOT;
    shape->losses |= 1u << SCREE_LOSS_PLASTIC;
    if (is_damped(values)) scree_dashpot_shape(shape);
}

/* N; at an overlap up to the largest one, on the k2 line. */
static inline double force_of(double k1, double k2, double largest, double overlap)
{
    double f = k2 * (overlap - (1.0 - k1 / k2) * largest);
    return overlap >= largest ? k1 * overlap : f;
}

/* N/m; k2 of a contact, 1.7; `full`: m, where it is largest. */
SCREE_SPECIALISED double unloading_of(const struct hysteretic *v, double largest, double full,
                                      const bool growing)
{
    if (!growing) return v->unloading;
    double part = largest / full;
    part = part < 1.0 ? part : 1.0;
    return v->loading + (v->unloading - v->loading) * part;
}

struct state {
    double largest, unloading, force; /* m, N/m, N */
};

/* 1.6: from the largest overlap so far to the present one. */
SCREE_SPECIALISED struct state follow(const struct hysteretic *v, double largest, double overlap,
                                      double full, const bool growing)
{
    const double k1 = v->loading, kc = v->cohesion, difference = v->unloading - k1;
    double most = overlap >= largest ? overlap : largest;
    double k2 = unloading_of(v, most, full, growing);
    double f = force_of(k1, k2, most, overlap), pull = -kc * overlap;
    /* The largest overlap whose k2 line ends here on the line of cohesion. */
    double less = overlap * ((v->unloading + kc) / (difference > 0.0 ? difference : DBL_MIN));
    if (growing) {
        double root = sqrt(overlap * overlap + 4.0 * (k1 + kc) / difference * full * overlap);
        less = less < full ? 0.5 * (overlap + root) : less;
    }
    bool pulls = f < pull;
    most = pulls && less < most ? less : most;
    return (struct state){most, unloading_of(v, most, full, growing), pulls ? pull : f};
}

/* Lost is the work of the spring over the step, by the trapezoidal rule, that is not stored. The
 * work of a contact about to open is booked until then, and what it stores by release(). */
SCREE_SPECIALISED void deform(struct scree_batch *restrict b, const struct hysteretic *restrict of,
                              double (*restrict history)[SCREE_BATCH], double *restrict force,
                              const bool growing)
{
    const struct hysteretic v = *of;
    double *restrict lost = b->loss[SCREE_LOSS_PLASTIC], *restrict largest = history[LARGEST];
    double *restrict last = history[OVERLAP], *restrict unloading = history[UNLOADING];
    const double half = b->dt > 0.0 ? 0.5 : 0.0;
    const bool flat = b->wall;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double d = b->overlap[k], r_i = b->r_i[k], r_j = b->r_j[k];
        double full = v.full + v.full_per * (flat ? r_i : r_i * r_j / (r_i + r_j));
        double k2_before = unloading[k] > 0.0 ? unloading[k] : v.unloading;
        double d_before = fabs(last[k]);
        double before = force_of(v.loading, k2_before, largest[k], d_before);
        struct state now = follow(&v, largest[k], d, full, growing);
        double stored = now.force * now.force / now.unloading - before * before / k2_before;
        bool opens = b->later[k] == 0.0;
        double acted = last[k] < 0.0 ? now.force : before + now.force;
        double to_come = opens ? now.force * d : 0.0;
        lost[k] = half * ((acted * (d - d_before) - stored) - to_come);
        largest[k] = now.largest;
        last[k] = opens ? -d : d;
        unloading[k] = now.unloading;
        force[k] = now.force;
    }
}

SCREE_SPECIALISED void apply_damped(struct scree_batch *restrict b,
                                    const struct hysteretic *restrict v,
                                    const double *restrict force, struct scree_dashpot at,
                                    const enum scree_moment moment)
{
    const double viscous = v->viscous, rate = v->rate;
    double known[SCREE_BATCH];
    const bool again = scree_dashpot_recall(b, at, known);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++)
        scree_normal_damped(b, k, b->spring[k] * force[k], viscous + rate * b->m_eff[k], 0.0, at,
                            moment, false, false);
    if (again) scree_dashpot_tell(b, at, known);
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct hysteretic *v = values;
    double(*history)[SCREE_BATCH] = b->history + at.even, force[SCREE_BATCH];
    if (grows(v))
        deform(b, v, history, force, true);
    else
        deform(b, v, history, force, false);
    if (!is_damped(v))
        for (int k = 0; k < scree_batch_n(b); k++) b->fn[k] = b->spring[k] * force[k];
    else if (b->half > 0.0)
        apply_damped(b, v, force, scree_dashpot_at(b, at.even + DASHPOT), SCREE_PARTIAL_STEPS);
    else
        apply_damped(b, v, force, scree_dashpot_at(b, at.even + DASHPOT), SCREE_SAME_MOMENT);
    if (v->cohesion == 0.0) return;
    const double cohesion = v->cohesion;
    for (int k = 0; k < scree_batch_n(b); k++) b->own_grip[k] = b->fn[k] + cohesion * b->overlap[k];
    b->grip = b->own_grip;
}

/* J; from the history of one contact. */
static double energy_of(const struct hysteretic *v, double largest, double overlap, double k2)
{
    double f = force_of(v->loading, k2, largest, fabs(overlap));
    return 0.5 * f * f / k2;
}

static void expect(struct scree_batch *b, const void *values, struct scree_slots at,
                   const double *gained)
{
    if (is_damped(values)) scree_dashpot_expect(b, at.even + DASHPOT, gained);
}

/* J/s^2; as scree_normal_touching(), of the force f (N): while a contact closes, deform() books the
 * work of the whole force, and before it opens the work to come. */
static double touching(const struct scree_batch *b, int k, double f)
{
    double way = scree_touch_way(b, k), spring = b->spring[k] * f;
    double turning = scree_normal_turning(b, k, spring, 0.0);
    if (!(way > b->overlap[k])) return turning;
    double booked = b->later[k] == 0.0 ? 0.0 : f * b->overlap[k];
    return turning + 0.5 * (spring * way - booked) / (4.0 * b->half * b->half);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct hysteretic *v = values;
    const double(*h)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])b->history + at.even;
    for (int k = 0; k < scree_batch_n(b); k++) {
        view->energy[k] = energy_of(values, h[LARGEST][k], h[OVERLAP][k], h[UNLOADING][k]);
        view->stiffness[k] = h[UNLOADING][k];
        double f = force_of(v->loading, h[UNLOADING][k], h[LARGEST][k], b->overlap[k]);
        view->damping[k] = v->viscous + v->rate * b->m_eff[k];
        view->scheme[k] = scree_normal_ahead(b, k, b->spring[k] * f) + touching(b, k, f);
    }
}

/* The work of the last force is booked already if the contact was about to open. */
static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    const struct hysteretic *v = values;
    const double(*h)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])b->history + at.even;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double k2 = h[UNLOADING][k], d = h[OVERLAP][k], largest = h[LARGEST][k];
        double to_come = d > 0.0 ? 0.5 * d * force_of(v->loading, k2, largest, d) : 0.0;
        b->loss[SCREE_LOSS_PLASTIC][k] += energy_of(v, largest, d, k2) - to_come;
    }
    if (is_damped(v)) scree_dashpot_opened(b, at.even + DASHPOT);
}

/* One collision, step by step, with the law itself; grains that have not parted after five periods
 * stick, and their contact time is twice that until they have come to rest. */
static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    enum { PER_PERIOD = 2000 };
    const struct hysteretic *v = values;
    double gamma = v->viscous + v->rate * c->m_eff, full = v->full + v->full_per * c->r_eff;
    double half_period = acos(-1.0) * sqrt(c->m_eff / v->unloading);
    double slowest = half_period * sqrt(v->unloading / v->loading);
    e->stiffness = fmax(e->stiffness, fmax(v->unloading, v->cohesion));
    e->damping = fmax(e->damping, gamma);
    e->deepest = c->speed * sqrt(c->m_eff / v->loading);
    e->normal_slope = v->unloading;
    e->contact_time = slowest;
    if (!(c->speed > 0.0)) return;
    double dt = half_period / PER_PERIOD, d = 0.0, speed = c->speed;
    struct state s = {0.0, v->unloading, 0.0};
    double at_rest = 0.0; /* s */
    e->restitution = 0.0;
    for (double t = 0.0; t < 10.0 * slowest; t += dt) {
        d += dt * speed;
        if (d <= 0.0) {
            e->restitution = -speed / c->speed;
            e->contact_time = t + dt - d / speed;
            return;
        }
        s = follow(v, s.largest, d, full, grows(v));
        double kick = 0.5 * dt * gamma / c->m_eff;
        speed = (speed * (1.0 - kick) - dt * s.force / c->m_eff) / (1.0 + kick);
        if (at_rest == 0.0 && speed <= 0.0) at_rest = t;
    }
    if (at_rest > 0.0) e->contact_time = 2.0 * at_rest;
}

/* Without damping the grains keep r^2 = k1/k2 - kc (k2 - k1)^2 / (k1 k2 (k2 + kc)) of their energy;
 * the pull is strongest where the k2 line meets the line of cohesion. */
static void describe(const void *values, const struct scree_law_case *c, char *text, size_t size)
{
    const struct hysteretic *v = values;
    const double k1 = v->loading, kc = v->cohesion;
    double full = v->full + v->full_per * c->r_eff;
    double deepest = c->speed * sqrt(c->m_eff / k1);
    double k2 = unloading_of(v, deepest, full, grows(v)), excess = k2 - k1;
    double left = 1.0 - k1 / k2, strongest = kc * excess / (k2 + kc) * deepest;
    double kept = k1 / k2 - kc * excess * excess / (k1 * k2 * (k2 + kc));
    struct scree_law_estimate e = {0};
    estimate(values, c, &e);
    snprintf(text, size,
             "k1/k2 %.4g, kc/k2 %.4g, overlap left without force %.4g of the largest (%.3g m), "
             "strongest pull %.3g N = %.3g of the impact, r^2 %.4g without damping: %s",
             k1 / k2, kc / k2, left, deepest, strongest, strongest / (k1 * deepest), kept,
             e.restitution > 0.0 ? "they part" : "they stick");
}

const struct scree_law scree_law_normal_hysteretic = {
    .name = "hysteretic",
    .summary = "plastic and cohesive: stiffer un- than loading, attraction, and a dashpot",
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
