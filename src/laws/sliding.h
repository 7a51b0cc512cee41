/* SPDX-License-Identifier: BSD-3-Clause
 * The loop of friction laws with a spring, a dashpot and two Coulomb limits, with constant options:
 * one plain loop per combination. Equation numbers are those of Luding, "From DEM simulations
 * towards a continuum theory". The spring advances before the test force is formed, so that force
 * and spring belong to the same moment. Private to laws. */
#ifndef SCREE_LAWS_SLIDING_H
#define SCREE_LAWS_SLIDING_H

#include <float.h>
#include <math.h>

#include "losses.h"
#include "slider.h"
#include "turning.h"

struct scree_sliding {
    bool damped, two_limits;
    bool turns;     /* the spring turns with the grains; else it is projected (1.8) */
    bool by_itself; /* while it slides a spring is cut if its own force is too large (Fazekas); else
                     * it takes the force of the limit alone, without the dashpot (1.13), or, if
                     * Hertzian or if the batch says so, both together make the limit */
    bool hertzian;  /* stiffness and dashpot follow the contact radius ... */
    bool of_force;  /* ... which leaves the force of a spring as it is, else its length ... */
    bool shrinks;   /* ... but while the grains part the force or the length shrinks with it */
    bool plain;     /* the batch is plain */
    bool whole;     /* no contact closes or opens within a step: all shares are 1 */
    bool spans;     /* what turning normals lose is found in this step */
};

/* History of a law, as the options want it. */
struct scree_sliding_history {
    double (*spring)[SCREE_BATCH], (*held)[SCREE_BATCH], *slides, *radius;
};

/* Contacts of one stiffness, or Hertzian ones each with its own. */
struct scree_stiffnesses {
    double now[SCREE_BATCH], before[SCREE_BATCH]; /* N/m; at this and at the last evaluation */
    double gamma[SCREE_BATCH];                    /* kg/s; with a dashpot only */
    double shrink[SCREE_BATCH];                   /* new length of a spring / old one */
};

SCREE_SPECIALISED void scree_hertzian(const struct scree_batch *restrict b,
                                      const struct scree_slider *restrict values,
                                      double *restrict radius, const struct scree_sliding is,
                                      struct scree_stiffnesses *restrict out)
{
    const struct scree_slider v = *values;
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double a = sqrt(scree_batch_r_eff(b, k) * b->overlap[k]), before = radius[k];
        out->now[k] = v.stiffness * a;
        out->before[k] = v.stiffness * before;
        if (is.damped) out->gamma[k] = v.rate * sqrt(a * b->m_eff[k]);
        double ratio = is.of_force ? before / a : a / before;
        bool all = is.of_force ? a > before || !is.shrinks : a < before && is.shrinks;
        out->shrink[k] = all ? ratio : 1.0;
        radius[k] = a;
    }
}

/* m^2; times half the stiffness: the same of a spring that was projected, h + d = test + along n,
 * and then shortened to s: with d, test and s tangential it is (h + s) . (test - s), and this. */
SCREE_SPECIALISED double scree_projected(const struct scree_batch *restrict b, int k,
                                         struct scree_triple h, double along, double twice)
{
    double turned = scree_batch_turned(b, k, h.x, h.y, h.z);
    return scree_batch_fma(along, along + scree_turning_faster(b, k, twice), turned);
}

/* J; lost by sliding alone, from `test` to s; before, the spring was h or what was left of it. */
SCREE_SPECIALISED double scree_sliding_loss(struct scree_triple h, struct scree_triple test,
                                            struct scree_triple s, double stiffness)
{
    return 0.5 * stiffness * scree_dot(scree_plus(h, 1.0, s), scree_plus(test, -1.0, s));
}

/* With a dashpot. */
SCREE_SPECIALISED void scree_slide(struct scree_batch *restrict b,
                                   const struct scree_slider *restrict values,
                                   struct scree_sliding_history at, const struct scree_sliding is)
{
    const struct scree_slider v = *values;
    const struct scree_turns turns = scree_turns_of(b);
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    double rest[3][SCREE_BATCH], slipped[SCREE_BATCH];
    double *restrict slides = is.two_limits ? at.slides : slipped;
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict changed = b->loss[SCREE_LOSS_STIFFNESS];
    struct scree_stiffnesses own;
    const double *ux = b->mean ? b->now_x : b->vtx, *uy = b->mean ? b->now_y : b->vty;
    const double *uz = b->mean ? b->now_z : b->vtz; /* on which the dashpot acts */
    const bool share_limit = is.hertzian || b->together;
    if (is.hertzian) scree_hertzian(b, values, at.radius, is, &own);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple n = scree_normal(b, k), vt = {b->vtx[k], b->vty[k], b->vtz[k]};
        struct scree_triple h = {hx[k], hy[k], hz[k]}, d = scree_times(b->advance[k], vt), s;
        struct scree_triple turned = h; /* what is left of h by now */
        double along = 0.0;
        double elastic = is.hertzian ? own.now[k] : v.stiffness;
        double gamma = is.hertzian ? own.gamma[k] : v.viscous + v.rate * b->m_eff[k];
        /* 1.12, then into the present tangent plane. */
        if (is.turns) {
            turned = scree_carried(b, k, h);
            if (is.hertzian) turned = scree_times(own.shrink[k], turned);
            s = scree_plus(turned, 1.0, scree_carried_half(b, k, scree_way(b, k)));
        } else {
            s = scree_plus(h, 1.0, d);
            along = scree_dot(s, n);
            s = scree_plus(s, -along, n);
        }
        /* 1.11: the test force, were there no limit. */
        double kt = b->shear[k] * elastic, share = b->now[k] + b->later[k];
        const struct scree_triple test = s;
        struct scree_triple f = scree_times(-kt, s);
        const struct scree_triple u = {ux[k], uy[k], uz[k]};
        f = scree_plus(f, -share * gamma, u);
        /* A contact that slides goes on sliding until the test force is below the dynamic limit. */
        double size = sqrt(scree_dot(f, f)), fn = fabs(b->grip[k]);
        double limit = v.friction_dynamic * fn, onset = limit;
        if (is.two_limits) onset = slides[k] == 0.0 ? v.friction * fn : limit;
        bool slips = size > onset;
        double scale = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
        f = scree_times(scale, f);
        struct scree_triple viscous = scree_times(gamma, u);
        if (is.by_itself) {
            double length = kt * sqrt(scree_dot(s, s));
            double shorter = slips && length > limit ? limit / length : 1.0;
            s = scree_times(shorter, s);
            double per_share = -1.0 / share;
            struct scree_triple other = scree_times(per_share, scree_plus(f, kt, s));
            viscous.x = slips ? other.x : viscous.x;
            viscous.y = slips ? other.y : viscous.y;
            viscous.z = slips ? other.z : viscous.z;
        } else {
            double per_force = -1.0 / kt, of_dashpot = share_limit ? share * gamma : 0.0;
            struct scree_triple other = scree_times(per_force, scree_plus(f, of_dashpot, u));
            viscous = scree_times(slips && !share_limit ? 0.0 : 1.0, viscous);
            s.x = slips ? other.x : s.x;
            s.y = slips ? other.y : s.y;
            s.z = slips ? other.z : s.z;
        }
        if (SCREE_LEDGER) {
            lost[k] = scree_sliding_loss(is.hertzian ? turned : h, test, s, elastic);
            double now = 0.5 * elastic * scree_dot(s, scree_plus(d, -1.0, s));
            if (is.hertzian)
                changed[k] +=
                    scree_turning_loss(b, k, h, own.before[k], turns, true) + now - lost[k];
            else if (is.turns)
                lost[k] = scree_turning_loss(b, k, h, elastic, turns, true) + now;
            else
                lost[k] += 0.5 * elastic * scree_projected(b, k, h, along, turns.twice);
        }
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
        slides[k] = slips ? 1.0 : 0.0;
        rest[0][k] = viscous.x;
        rest[1][k] = viscous.y;
        rest[2][k] = viscous.z;
        b->ftx[k] = f.x;
        b->fty[k] = f.y;
        b->ftz[k] = f.z;
    }
    if (SCREE_LEDGER) scree_dashpot_book(b, (const double(*)[SCREE_BATCH])rest, at.held, slides);
    if (!b->partial) return;
    for (int k = 0; k < scree_batch_n(b) && !is.hertzian; k++) own.now[k] = v.stiffness;
    scree_slider_close_or_open(b, own.now, at.spring);
}

/* Projected springs without a dashpot, the usual ones, in three short loops: a processor overlaps
 * the square roots and quotients of many contacts only if little else stands between them. What
 * projecting loses is found while the old spring is at hand, what the limit takes in its loop. */
SCREE_SPECIALISED void scree_slide_springs(struct scree_batch *restrict b,
                                           const struct scree_slider *restrict values,
                                           struct scree_sliding_history at,
                                           const struct scree_sliding is)
{
    const struct scree_slider v = *values;
    const double dt = b->dt;
    const struct scree_turns turns = scree_turns_of(b);
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    double *restrict slides = at.slides, *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    /* Where the forces will be: what is used together should fit into the cache. */
    double *scale = b->ftx, *mixed = b->fty, *squared = b->ftz;
    /* 1.12 and 1.8. */
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple n = scree_normal(b, k), vt = {b->vtx[k], b->vty[k], b->vtz[k]};
        struct scree_triple h = {hx[k], hy[k], hz[k]};
        struct scree_triple s = scree_plus(h, is.plain ? dt : b->advance[k], vt);
        double along = scree_dot(s, n);
        s = scree_plus(s, -along, n);
        squared[k] = scree_dot(s, s);
        if (SCREE_LEDGER) {
            mixed[k] = scree_product(h, s);
            if (is.spans && is.plain)
                lost[k] = turns.steps * along * scree_batch_fma(b->vn[k], dt, along);
            else if (is.spans)
                lost[k] = turns.steps * scree_projected(b, k, h, along, turns.twice);
        }
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
    }
    /* The size of the test force of 1.11. A contact that slides goes on sliding until it is below
     * the dynamic limit. It loses half the stiffness times (h + s) . (test - s) with s = part test,
     * besides what projecting took. */
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double kt = is.whole ? v.stiffness : b->shear[k] * v.stiffness;
        double size = kt * sqrt(squared[k]), fn = fabs(b->grip[k]);
        double limit = v.friction_dynamic * fn, onset = limit;
        if (is.two_limits) onset = slides[k] == 0.0 ? v.friction * fn : limit;
        bool slips = size > onset;
        double part = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
        scale[k] = part;
        if (is.two_limits) slides[k] = slips ? 1.0 : 0.0;
        if (SCREE_LEDGER) {
            double cut = part * squared[k];
            double slip = 1.0 - part, twice = mixed[k] + cut;
            double all = 0.5 * v.stiffness *
                         (is.spans ? scree_batch_fma(slip, twice, lost[k]) : slip * twice);
            double pull = -kt * part * cut;
            if (!is.whole) all += dt * dt * scree_spring_touched(b, k, v.stiffness, pull);
            lost[k] = all;
        }
    }
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double kt = is.whole ? v.stiffness : b->shear[k] * v.stiffness;
        struct scree_triple test = {hx[k], hy[k], hz[k]}, s = scree_times(scale[k], test);
        struct scree_triple f = scree_times(-kt, s);
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
        b->ftx[k] = f.x;
        b->fty[k] = f.y;
        b->ftz[k] = f.z;
    }
    if (!b->opening) return;
    double stiffness[SCREE_BATCH];
    for (int k = 0; k < scree_batch_n(b); k++) stiffness[k] = v.stiffness;
    scree_slider_open(b, stiffness, at.spring);
}

/* Springs that turn, without a dashpot: scree_slide() in three loops as scree_slide_springs(). */
SCREE_SPECIALISED void scree_slide_turning(struct scree_batch *restrict b,
                                           const struct scree_slider *restrict values,
                                           struct scree_sliding_history at,
                                           const struct scree_sliding is)
{
    const struct scree_slider v = *values;
    const double dt = b->dt;
    const struct scree_turns turns = scree_turns_of(b);
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    double *restrict slides = at.slides, *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict changed = b->loss[SCREE_LOSS_STIFFNESS];
    /* Where the forces will be. */
    double *scale = b->ftx, *drawn = b->fty;
    struct scree_stiffnesses own;
    if (is.hertzian) scree_hertzian(b, values, at.radius, is, &own);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple h = {hx[k], hy[k], hz[k]}, turned = scree_carried(b, k, h);
        if (is.hertzian) turned = scree_times(own.shrink[k], turned);
        struct scree_triple s = scree_plus(turned, 1.0, scree_carried_half(b, k, scree_way(b, k)));
        if (SCREE_LEDGER) {
            struct scree_triple vt = {b->vtx[k], b->vty[k], b->vtz[k]};
            drawn[k] = b->advance[k] * scree_product(s, vt);
            lost[k] = scree_turning_loss(b, k, h, is.hertzian ? own.before[k] : v.stiffness, turns,
                                         is.spans);
        }
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
    }
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double elastic = is.hertzian ? own.now[k] : v.stiffness, fn = fabs(b->grip[k]);
        struct scree_triple test = {hx[k], hy[k], hz[k]};
        double squared = scree_dot(test, test), kt = is.whole ? elastic : b->shear[k] * elastic;
        double size = kt * sqrt(squared);
        double limit = v.friction_dynamic * fn, onset = limit;
        if (is.two_limits) onset = slides[k] == 0.0 ? v.friction * fn : limit;
        bool slips = size > onset;
        double part = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
        scale[k] = part;
        if (is.two_limits) slides[k] = slips ? 1.0 : 0.0;
        if (!SCREE_LEDGER) continue;
        /* As scree_sliding_loss() and scree_turning_loss(), with s = part test. */
        double half = 0.5 * elastic, cut = part * squared;
        double mixed = squared - drawn[k]; /* turned . test, but for what turned on the way */
        double slip = half * ((1.0 - part) * (mixed + cut));
        double all = scree_batch_fma(half * part, drawn[k] - cut, lost[k]);
        lost[k] = is.hertzian ? slip : all;
        if (is.hertzian) changed[k] += all - slip;
        double pull = -kt * part * cut;
        if (!is.whole) lost[k] += dt * dt * scree_spring_touched(b, k, elastic, pull);
    }
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double kt = is.hertzian ? own.now[k] : v.stiffness, part = scale[k];
        if (!is.whole) kt *= b->shear[k];
        struct scree_triple s = scree_times(part, (struct scree_triple){hx[k], hy[k], hz[k]});
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
        b->ftx[k] = -kt * s.x;
        b->fty[k] = -kt * s.y;
        b->ftz[k] = -kt * s.z;
    }
    if (!b->opening) return;
    for (int k = 0; k < scree_batch_n(b) && !is.hertzian; k++) own.now[k] = v.stiffness;
    scree_slider_open(b, own.now, at.spring);
}

SCREE_SPECIALISED void scree_slide_undamped(struct scree_batch *restrict b,
                                            const struct scree_slider *v,
                                            struct scree_sliding_history at,
                                            const struct scree_sliding is)
{
    if (is.turns || is.hertzian)
        scree_slide_turning(b, v, at, is);
    else
        scree_slide_springs(b, v, at, is);
}

/* The loop without a dashpot for the batch at hand ... */
SCREE_SPECIALISED void scree_slide_spanned(struct scree_batch *restrict b,
                                           const struct scree_slider *v,
                                           struct scree_sliding_history at,
                                           const struct scree_sliding is)
{
    struct scree_sliding whole = is, plain = is;
    whole.whole = plain.whole = plain.plain = true;
    if (b->plain && !is.turns && !is.hertzian)
        scree_slide_springs(b, v, at, plain);
    else if (b->partial)
        scree_slide_undamped(b, v, at, is);
    else
        scree_slide_undamped(b, v, at, whole);
}

/* ... and for the values; `is` without what depends on these. */
SCREE_SPECIALISED void scree_slide_any(struct scree_batch *restrict b, const struct scree_slider *v,
                                       struct scree_sliding_history at, struct scree_sliding is)
{
    const bool two_limits = scree_slider_has_two_limits(v);
    struct scree_sliding damped = is, both = is, limits = is, spans = is;
    damped.damped = both.damped = both.two_limits = limits.two_limits = true;
    limits.spans = spans.spans = true;
    if (scree_slider_is_damped(v) && two_limits)
        scree_slide(b, v, at, both);
    else if (scree_slider_is_damped(v))
        scree_slide(b, v, at, damped);
    else if (two_limits)
        scree_slide_undamped(b, v, at, limits);
    else if (b->spans == 0.0)
        scree_slide_spanned(b, v, at, is);
    else
        scree_slide_spanned(b, v, at, spans);
}

static inline struct scree_sliding_history scree_slider_history(struct scree_batch *b,
                                                                struct scree_slots at)
{
    return (struct scree_sliding_history){
        .spring = b->history + at.odd + SCREE_SLIDER_SPRING,
        .held = b->history + at.odd + SCREE_SLIDER_HELD,
        .slides = b->history[at.even],
    };
}

#endif
