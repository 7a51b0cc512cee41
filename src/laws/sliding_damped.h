/* SPDX-License-Identifier: BSD-3-Clause
 * The loop of springs with a dashpot. Private to laws. */
#ifndef SCREE_LAWS_SLIDING_DAMPED_H
#define SCREE_LAWS_SLIDING_DAMPED_H

#include <float.h>

#include "sliding_parts.h"

/* J; lost by sliding alone, from `test` to s; before, the spring was h or what was left of it. */
SCREE_SPECIALISED double scree_sliding_loss(struct scree_triple h, struct scree_triple test,
                                            struct scree_triple s, double stiffness)
{
    return 0.5 * stiffness * scree_dot(scree_plus(h, 1.0, s), scree_plus(test, -1.0, s));
}

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
    const double *already = b->softens ? changed : scree_nothing_changed;
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
                changed[k] = already[k] + scree_turning_loss(b, k, h, own.before[k], turns, true) +
                             now - lost[k];
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

#endif
