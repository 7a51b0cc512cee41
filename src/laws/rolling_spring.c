/* SPDX-License-Identifier: BSD-3-Clause
 * Resistance to rolling by a spring, slider and dashpot. The rolling velocity is r* times the
 * tangential part of w_i - w_j, along the axis of rolling; the spring turns with the grains. See
 * couples.h for the units and the limit. */
#include <float.h>
#include <math.h>

#include "couples.h"
#include "losses.h"
#include "turning.h"

/* Odd history: the spring (m), and if there is a dashpot the share of its force that acts until
 * now. */
enum { SPRING = 0, HELD = 3 };

static void shape(const void *values, struct scree_law_shape *shape)
{
    shape->n_odd += scree_resistance_is_damped(values) ? 6 : 3;
    shape->losses |= 1u << SCREE_LOSS_ROLLING;
    shape->needs |= SCREE_NEEDS_SPINS | SCREE_NEEDS_TWIRL | SCREE_NEEDS_TURN;
}

static void find_reduced_radii(const struct scree_batch *restrict b, double *restrict r)
{
    for (int k = 0; k < scree_batch_n(b); k++) r[k] = scree_batch_r_eff(b, k);
}

SCREE_SPECIALISED void roll(struct scree_batch *restrict b,
                            const struct scree_resistance *restrict values,
                            double (*restrict spring)[SCREE_BATCH],
                            double (*restrict held)[SCREE_BATCH], const bool damped,
                            const bool mean)
{
    const struct scree_resistance v = *values;
    double *restrict hx = spring[0], *restrict hy = spring[1], *restrict hz = spring[2];
    double *restrict gx = held[0], *restrict gy = held[1], *restrict gz = held[2];
    double *restrict lost = b->loss[SCREE_LOSS_ROLLING];
    double radius[SCREE_BATCH];
    find_reduced_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = radius[k], step = b->advance[k];
        struct scree_triple n = scree_normal(b, k), w = {b->wx[k], b->wy[k], b->wz[k]};
        struct scree_triple h = {hx[k], hy[k], hz[k]}, all = scree_times(r, w);
        struct scree_triple u = scree_plus(all, -scree_dot(all, n), n), d = scree_times(step, u);
        struct scree_triple s =
            scree_plus(scree_carried(b, k, h), 1.0, scree_carried_half(b, k, d));
        double kr = b->shear[k] * v.stiffness, share = b->now[k] + b->later[k];
        double gamma = damped ? v.viscous + v.rate * b->m_eff[k] : 0.0;
        struct scree_triple f = scree_times(-kr, s);
        struct scree_triple now_w = {b->now_wx[k], b->now_wy[k], b->now_wz[k]}, drag = u;
        if (mean) drag = scree_times(r, scree_plus(now_w, -scree_dot(now_w, n), n));
        if (damped) f = scree_plus(f, -share * gamma, drag);
        double size = sqrt(scree_dot(f, f)), limit = v.friction * fabs(b->grip[k]);
        bool slips = size > limit;
        double scale = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
        f = scree_times(scale, f);
        struct scree_triple now = scree_times(gamma, drag);
        if (damped) {
            double own = kr * sqrt(scree_dot(s, s));
            s = scree_times(slips && own > limit ? limit / own : 1.0, s);
            struct scree_triple other = scree_times(-1.0 / share, scree_plus(f, kr, s));
            now.x = slips ? other.x : now.x;
            now.y = slips ? other.y : now.y;
            now.z = slips ? other.z : now.z;
        } else {
            s = scree_times(scale, s);
        }
        /* The old couple saw the whole relative spin, of which a part was tangential then. */
        struct scree_triple sum = scree_plus(h, 1.0, s), grown = scree_plus(s, -1.0, h);
        double turned = step * scree_dot(all, n) * scree_dot(h, n);
        double loss = 0.5 * v.stiffness * (scree_dot(sum, scree_plus(d, -1.0, grown)) + turned);
        if (damped) {
            struct scree_triple g = {gx[k], gy[k], gz[k]};
            double half = 0.5 * share;
            loss += b->dt *
                    (scree_dot(scree_plus(g, half, now), u) + scree_dot(all, n) * scree_dot(g, n));
            gx[k] = half * now.x;
            gy[k] = half * now.y;
            gz[k] = half * now.z;
        }
        lost[k] = loss;
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
        b->cx[k] += r * f.x;
        b->cy[k] += r * f.y;
        b->cz[k] += r * f.z;
    }
}

/* m/s; r* w, of which springs know only the part across their normal. */
static void find_rolling(const struct scree_batch *restrict b, double (*restrict v)[SCREE_BATCH])
{
    double radius[SCREE_BATCH];
    find_reduced_radii(b, radius);
    for (int k = 0; k < scree_batch_n(b); k++) {
        v[0][k] = radius[k] * b->wx[k];
        v[1][k] = radius[k] * b->wy[k];
        v[2][k] = radius[k] * b->wz[k];
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_resistance *v = values;
    double(*spring)[SCREE_BATCH] = b->history + at.odd + SPRING;
    double(*held)[SCREE_BATCH] = b->history + at.odd + HELD;
    if (scree_resistance_is_damped(v) && b->mean)
        roll(b, v, spring, held, true, true);
    else if (scree_resistance_is_damped(v))
        roll(b, v, spring, held, true, false);
    else
        roll(b, v, spring, held, false, false);
    if (!b->opening) return;
    double rolling[3][SCREE_BATCH], stiffness[SCREE_BATCH];
    find_rolling(b, rolling);
    for (int k = 0; k < scree_batch_n(b); k++) stiffness[k] = v->stiffness;
    scree_spring_part(b, stiffness, spring,
                      (const double *const[3]){rolling[0], rolling[1], rolling[2]},
                      b->loss[SCREE_LOSS_ROLLING]);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct scree_resistance *v = values;
    for (int k = 0; k < scree_batch_n(b); k++) {
        const double s[3] = {b->history[at.odd][k], b->history[at.odd + 1][k],
                             b->history[at.odd + 2][k]};
        view->energy[k] = scree_spring_energy(v->stiffness, s);
        view->stiffness[k] = v->stiffness;
    }
}

static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    const struct scree_resistance *v = values;
    const double(*history)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])b->history + at.odd;
    double rolling[3][SCREE_BATCH], stiffness[SCREE_BATCH], *lost = b->loss[SCREE_LOSS_ROLLING];
    const double(*seen)[SCREE_BATCH] = (const double(*)[SCREE_BATCH])rolling;
    find_rolling(b, rolling);
    for (int k = 0; k < scree_batch_n(b); k++) stiffness[k] = v->stiffness;
    scree_spring_release(b, stiffness, history + SPRING, seen, lost);
    if (scree_resistance_is_damped(v)) scree_dashpot_release(b, history + HELD, seen, lost);
}

const struct scree_law scree_law_rolling_spring = {
    .name = "spring",
    .summary = "spring, slider and dashpot that resist rolling",
    .kind = SCREE_LAW_ROLLING,
    .params = scree_resistance_params,
    .check = scree_resistance_check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .release = release,
    .estimate = scree_resistance_estimate,
};
