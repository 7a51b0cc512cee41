/* SPDX-License-Identifier: BSD-3-Clause
 * The loops of springs without a dashpot. All contacts are treated as if they stuck; then those
 * that slip are looked for, in dense samples a few of a hundred, and only these need roots and
 * quotients. Private to laws. */
#ifndef SCREE_LAWS_SLIDING_UNDAMPED_H
#define SCREE_LAWS_SLIDING_UNDAMPED_H

#include <float.h>
#include <string.h>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "sliding_parts.h"

/* Bit r: some of the numbers r SCREE_BATCH_PAD and following, as many, are positive. */
static inline unsigned scree_rows_positive(const double *value, int n)
{
    unsigned rows = 0;
    for (int k = 0; k < n; k += SCREE_BATCH_PAD) {
#ifdef __AVX512F__
        __m512d row = _mm512_load_pd(value + k);
        bool any = _mm512_cmp_pd_mask(row, _mm512_setzero_pd(), _CMP_GT_OQ) != 0;
#else
        bool any = false;
        for (int m = 0; m < SCREE_BATCH_PAD; m++) any = any || value[k + m] > 0.0;
#endif
        rows |= (unsigned)any << k / SCREE_BATCH_PAD;
    }
    return rows;
}

/* Contacts as if they stuck. */
struct scree_stuck {
    alignas(SCREE_ALIGNMENT) double squared[SCREE_BATCH]; /* m^2; of the spring */
    alignas(SCREE_ALIGNMENT) double mixed[SCREE_BATCH];  /* m^2; spring of then times that of now */
    alignas(SCREE_ALIGNMENT) double beyond[SCREE_BATCH]; /* N^2; positive: slips, see below */
    struct scree_stiffnesses own;                        /* if Hertzian */
};

/* N/m; of contact k, and as far as it acts. */
SCREE_SPECIALISED double scree_stuck_elastic(const struct scree_stuck *restrict stuck,
                                             const struct scree_slider *restrict v, int k,
                                             const struct scree_sliding is)
{
    return is.hertzian ? stuck->own.now[k] : v->stiffness;
}
SCREE_SPECIALISED double scree_stuck_kt(const struct scree_batch *restrict b,
                                        const struct scree_stuck *restrict stuck,
                                        const struct scree_slider *restrict v, int k,
                                        const struct scree_sliding is)
{
    double elastic = scree_stuck_elastic(stuck, v, k, is);
    return is.whole ? elastic : b->shear[k] * elastic;
}

/* Force and spring s of contact k, and whether that is too long: by how much the square of the test
 * force of 1.11 is beyond that of the limit. A contact that slides goes on sliding until it is
 * below the dynamic limit. */
SCREE_SPECIALISED void scree_stick(struct scree_batch *restrict b,
                                   const struct scree_slider *restrict v,
                                   struct scree_sliding_history at,
                                   struct scree_stuck *restrict stuck, int k, struct scree_triple s,
                                   const struct scree_sliding is)
{
    double kt = scree_stuck_kt(b, stuck, v, k, is), squared = scree_dot(s, s);
    double friction = v->friction_dynamic;
    if (is.two_limits) friction = at.slides[k] == 0.0 ? v->friction : friction;
    double onset = friction * b->grip[k], beyond = kt * kt * squared - onset * onset;
    if (is.two_limits) at.slides[k] = beyond > 0.0 ? 1.0 : 0.0;
    stuck->squared[k] = squared;
    stuck->beyond[k] = beyond;
    at.spring[0][k] = s.x;
    at.spring[1][k] = s.y;
    at.spring[2][k] = s.z;
    b->ftx[k] = -kt * s.x;
    b->fty[k] = -kt * s.y;
    b->ftz[k] = -kt * s.z;
}

/* Projected springs, the usual ones. */
SCREE_SPECIALISED void scree_stick_projected(struct scree_batch *restrict b,
                                             const struct scree_slider *restrict v,
                                             struct scree_sliding_history at,
                                             struct scree_stuck *restrict stuck,
                                             const struct scree_sliding is)
{
    const double dt = b->dt;
    const struct scree_turns turns = scree_turns_of(b);
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple n = scree_normal(b, k), vt = {b->vtx[k], b->vty[k], b->vtz[k]};
        struct scree_triple h = {hx[k], hy[k], hz[k]};
        /* 1.12 and 1.8. */
        struct scree_triple s = scree_plus(h, is.plain ? dt : b->advance[k], vt);
        double along = scree_dot(s, n), half = 0.5 * v->stiffness * turns.steps;
        s = scree_plus(s, -along, n);
        if (SCREE_LEDGER) {
            stuck->mixed[k] = scree_product(h, s);
            if (is.spans && is.plain)
                lost[k] = half * (along * scree_batch_fma(b->vn[k], dt, along));
            else if (is.spans)
                lost[k] = half * scree_projected(b, k, h, along, turns.twice);
        }
        scree_stick(b, v, at, stuck, k, s, is);
    }
}

/* Springs that turn with the grains. What the turn and a change of stiffness take is the same
 * whether a contact then slips or not. */
SCREE_SPECIALISED void scree_stick_turned(struct scree_batch *restrict b,
                                          const struct scree_slider *restrict v,
                                          struct scree_sliding_history at,
                                          struct scree_stuck *restrict stuck,
                                          const struct scree_sliding is)
{
    const struct scree_turns turns = scree_turns_of(b);
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict changed = b->loss[SCREE_LOSS_STIFFNESS];
    const double *already = b->softens ? changed : scree_nothing_changed;
    if (is.hertzian) scree_hertzian(b, v, at.radius, is, &stuck->own);
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple h = {hx[k], hy[k], hz[k]}, turned = scree_carried(b, k, h);
        if (is.hertzian) turned = scree_times(stuck->own.shrink[k], turned);
        struct scree_triple s = scree_plus(turned, 1.0, scree_carried_half(b, k, scree_way(b, k)));
        scree_stick(b, v, at, stuck, k, s, is);
        if (!SCREE_LEDGER) continue;
        struct scree_triple vt = {b->vtx[k], b->vty[k], b->vtz[k]};
        double elastic = scree_stuck_elastic(stuck, v, k, is);
        double before = is.hertzian ? stuck->own.before[k] : v->stiffness;
        /* turned . s, but for what turned on the way */
        double mixed = scree_batch_fma(-b->advance[k], scree_product(s, vt), stuck->squared[k]);
        double all = scree_batch_fma(-0.5 * elastic, mixed,
                                     scree_turning_loss(b, k, h, before, turns, is.spans));
        stuck->mixed[k] = mixed;
        if (is.hertzian)
            changed[k] = already[k] + all;
        else
            lost[k] = all;
    }
}

/* Of a contact that slips: the part of its spring that remains (1.13), and what it loses (J): half
 * the stiffness times (h + s) . (test - s) with s = part test. */
SCREE_SPECIALISED double scree_slip_part(double squared, double kt, double limit)
{
    double size = kt * sqrt(squared);
    return limit / (size > DBL_MIN ? size : DBL_MIN);
}
SCREE_SPECIALISED double scree_slip_loss(double squared, double mixed, double part, double elastic)
{
    return 0.5 * elastic * ((1.0 - part) * scree_batch_fma(part, squared, mixed));
}

/* A row of SCREE_BATCH_PAD contacts from `first` on, some of which slip. `add`: what is lost comes
 * to what there is in `lost`. */
SCREE_SPECIALISED void
scree_slip_row(struct scree_batch *restrict b, const struct scree_slider *restrict v,
               struct scree_sliding_history at, const struct scree_stuck *restrict stuck, int first,
               double *restrict lost, const bool add, const struct scree_sliding is)
{
    double *restrict hx = at.spring[0], *restrict hy = at.spring[1], *restrict hz = at.spring[2];
    SCREE_EACH_BY_ITSELF
    for (int m = 0; m < SCREE_BATCH_PAD; m++) {
        const int k = first + m;
        double kt = scree_stuck_kt(b, stuck, v, k, is), squared = stuck->squared[k];
        double part = scree_slip_part(squared, kt, v->friction_dynamic * fabs(b->grip[k]));
        part = stuck->beyond[k] > 0.0 ? part : 1.0;
        double x = part * hx[k], y = part * hy[k], z = part * hz[k];
        hx[k] = x;
        hy[k] = y;
        hz[k] = z;
        b->ftx[k] = -kt * x;
        b->fty[k] = -kt * y;
        b->ftz[k] = -kt * z;
        if (!SCREE_LEDGER) continue;
        double elastic = scree_stuck_elastic(stuck, v, k, is);
        double all = scree_slip_loss(squared, stuck->mixed[k], part, elastic);
        lost[m] = add ? lost[m] + all : all;
    }
}

SCREE_SPECIALISED void scree_slide_undamped(struct scree_batch *restrict b,
                                            const struct scree_slider *restrict values,
                                            struct scree_sliding_history at,
                                            const struct scree_sliding is)
{
    const struct scree_slider copy = *values, *v = &copy; /* which no result overwrites */
    struct scree_stuck stuck;
    if (is.turns || is.hertzian)
        scree_stick_turned(b, v, at, &stuck, is);
    else
        scree_stick_projected(b, v, at, &stuck, is);
    const bool booked = is.turns ? !is.hertzian : is.spans; /* something is lost already */
    const bool brief = is.whole && !booked && b->may_be_brief;
    double *lost = b->loss[SCREE_LOSS_SLIDING];
    if (SCREE_LEDGER && !booked && !brief) memset(lost, 0, sizeof b->loss[SCREE_LOSS_SLIDING]);
    unsigned rows = scree_rows_positive(stuck.beyond, scree_batch_n(b));
    for (; rows != 0; rows &= rows - 1) {
        int first = __builtin_ctz(rows) * SCREE_BATCH_PAD;
        if (brief) {
            scree_slip_row(b, v, at, &stuck, first, b->slipped + b->n_slipped, false, is);
            b->n_slipped += SCREE_BATCH_PAD;
        } else {
            scree_slip_row(b, v, at, &stuck, first, lost + first, true, is);
        }
    }
    b->brief = brief;
    if (!b->partial) return;
    for (int k = 0; k < scree_batch_n(b) && !is.hertzian; k++) stuck.own.now[k] = v->stiffness;
    scree_slider_close_or_open(b, stuck.own.now, at.spring);
}

#endif
