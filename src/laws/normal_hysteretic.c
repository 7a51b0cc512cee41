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

static bool grows(const struct hysteretic *v)
{
    return v->unloading > v->loading && v->full + v->full_per > 0.0;
}

/* Even history: the largest overlap. */
static void shape(const void *values, struct scree_law_shape *shape)
{
    (void)values;
    shape->n_even += 1;
    shape->losses |= 1u << SCREE_LOSS_PLASTIC | 1u << SCREE_LOSS_NORMAL;
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
    double lost;                      /* J; work that is not stored */
};

/* 1.6: from the largest overlap so far to the present one. Loading along k1 loses what the k2 line
 * does not store, k1 d^2 / 2 - (k1 d)^2 / (2 k2); going down the line of cohesion loses its work
 * and what the k2 lines on the way stored, kc d^2 / 2 + (kc d)^2 / (2 k2). */
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
    bool pulls = f < pull, falls = pulls && less < most;
    double k2_before = unloading_of(v, largest, full, growing), last = falls ? less : most;
    double from = most * ((k2 - k1) / (k2 + kc)), k2_now = unloading_of(v, last, full, growing);
    double loaded =
        k1 * (most * most * (1.0 - k1 / k2) - largest * largest * (1.0 - k1 / k2_before));
    double fallen = kc * (from * from * (1.0 + kc / k2) - overlap * overlap * (1.0 + kc / k2_now));
    return (struct state){last, k2_now, pulls ? pull : f, 0.5 * (loaded + (falls ? fallen : 0.0))};
}

SCREE_SPECIALISED void press(struct scree_batch *restrict b,
                             const struct hysteretic *restrict values, double *restrict largest,
                             const bool growing)
{
    const struct hysteretic v = *values;
    double *restrict lost = b->loss[SCREE_LOSS_PLASTIC];
    const double counts = b->dt > 0.0 ? 1.0 : 0.0;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double d = b->overlap[k], full = v.full + v.full_per * radius[k];
        struct state now = follow(&v, largest[k], d, full, growing);
        scree_normal_damp(b, k, now.force, v.viscous + v.rate * b->m_eff[k], false);
        b->cohesive_load[k] = b->fn[k] + v.cohesion * d;
        lost[k] = counts * now.lost;
        largest[k] = now.largest;
    }
}

/* Friction goes by what the contact is pressed together with, attraction included. */
static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct hysteretic *v = values;
    if (grows(v))
        press(b, v, b->history[at.even], true);
    else
        press(b, v, b->history[at.even], false);
    if (v->cohesion > 0.0) b->friction_load = b->cohesive_load;
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct hysteretic *v = values;
    double radius[SCREE_BATCH];
    scree_batch_find_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double largest = b->history[at.even][k];
        double full = v->full + v->full_per * radius[k];
        double k2 = unloading_of(v, largest, full, grows(v));
        double f = force_of(v->loading, k2, largest, b->overlap[k]);
        view->energy[k] = 0.5 * f * f / k2;
        view->power[k] = (f - b->fn[k]) * b->vn[k];
        view->stiffness[k] = k2;
        view->damping[k] = v->viscous + v->rate * b->m_eff[k];
    }
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
    struct state s = {0.0, v->unloading, 0.0, 0.0};
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
    .inspect = inspect,
    .estimate = estimate,
    .describe = describe,
};
