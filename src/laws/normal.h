/* SPDX-License-Identifier: BSD-3-Clause
 * What normal laws of an elastic force and a dashpot share. Private to laws. */
#ifndef SCREE_LAWS_NORMAL_H
#define SCREE_LAWS_NORMAL_H

#include <float.h>
#include <stdbool.h>

#include "scree/laws.h"
#include "touch.h"

enum scree_tension { SCREE_TENSION_ALLOW, SCREE_TENSION_CLIP };

/* Even history of a law with a dashpot, and its losses. `alone` only if the shape is synchronised.
 */
struct scree_dashpot {
    double *held;  /* N; the share of the dashpot's force that acts until now */
    double *alone; /* m/s; the normal velocity to come if nothing else acts; 0: new contact */
    double *loss;
    /* Not synchronised, m/s: the velocity on which it acts, and the one that its last force saw. */
    const double *acts_on, *before;
};
enum { SCREE_DASHPOT_HELD, SCREE_DASHPOT_ALONE };

/* `first`: of the slots. */
static inline struct scree_dashpot scree_dashpot_at(struct scree_batch *b, int first)
{
    return (struct scree_dashpot){.held = b->history[first + SCREE_DASHPOT_HELD],
                                  .alone = b->history[first + SCREE_DASHPOT_ALONE],
                                  .loss = b->loss[SCREE_LOSS_NORMAL],
                                  .acts_on = b->mean ? b->now_n : b->vn,
                                  .before = b->mean ? b->vn_before : b->vn};
}

/* Around the loop of a law. Where nothing advances (dt = 0), which recall() says, forces are those
 * of which the history tells, but for new contacts. `known`: room for it. */
static inline bool scree_dashpot_recall(const struct scree_batch *b, struct scree_dashpot at,
                                        double *known)
{
    if (b->dt != 0.0 || b->half == 0.0) return false;
    for (int k = 0; k < scree_batch_n(b); k++) known[k] = at.alone[k];
    return true;
}
static inline void scree_dashpot_tell(struct scree_batch *b, struct scree_dashpot at,
                                      const double *known)
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        if (known[k] == 0.0) continue;
        b->fn[k] = (known[k] - b->vn[k]) * (0.5 * b->m_eff[k] / b->half);
        at.alone[k] = known[k];
    }
}

/* As expect() of a law. */
static inline void scree_dashpot_expect(struct scree_batch *b, int first, const double *gained)
{
    double *alone = scree_dashpot_at(b, first).alone;
    for (int k = 0; k < scree_batch_n(b); k++) alone[k] += alone[k] != 0.0 ? gained[k] : 0.0;
}

/* As release() of a law: the contact opened before it was foreseen. */
static inline void scree_dashpot_opened(struct scree_batch *b, int first)
{
    const double *held = b->history[first + SCREE_DASHPOT_HELD];
    for (int k = 0; k < scree_batch_n(b); k++)
        b->loss[SCREE_LOSS_NORMAL][k] -= held[k] * b->vn_before[k] * b->dt;
}

static inline void scree_dashpot_shape(struct scree_law_shape *shape)
{
    shape->n_even += shape->synchronised ? 2 : 1;
    shape->losses |= 1u << SCREE_LOSS_NORMAL;
    if (shape->synchronised) shape->needs |= SCREE_NEEDS_TURN;
}

/* What a loop has to know of its batch. Forces of contacts that are closed all the time have the
 * same bits in all loops but the first. */
enum scree_moment {
    SCREE_SAME_MOMENT,   /* velocities are those of the moment of the forces */
    SCREE_WHOLE_STEPS,   /* those of half a step before; all contacts stay closed */
    SCREE_PARTIAL_STEPS, /* those of half a step before; some contacts close or open */
};
static inline enum scree_moment scree_moment_of(const struct scree_batch *b)
{
    return b->half == 0.0 ? SCREE_SAME_MOMENT
           : b->partial   ? SCREE_PARTIAL_STEPS
                          : SCREE_WHOLE_STEPS;
}

/* J; lost by a spring that is not linear (slope, N/m), as the pair gets faster by
 * `pushed` (m/s; a dt) in a step because of something else: in f = m a, what the trapezoidal rule
 * finds too much is more than scree_normal_scheme() by minus the integral of dt^2 f' v a / 6, which
 * does not come back. */
static inline double scree_normal_late(double slope, double vn, double pushed, double dt)
{
    return slope * vn * pushed * (dt * dt * (-1.0 / 6.0));
}

/* Force of contact k from its elastic force, as far as that acts (`spring`, N), and its dashpot
 * (gamma, kg/s), not below 0 if `clip`. `bent`: the spring is not linear (slope, N/m), and
 * what that loses is found in this step, see scree_normal_late(); its dashpot is something else to
 * it.
 *
 * The velocity at the moment of the overlap is vn + half (f / m + a), where a is what all others do
 * to the pair: gravity, walls, further contacts. It changes slowly, and a step ago it was what vn
 * has become beyond `alone`. With it in the dashpot,
 * f (1 + gamma half / m) = elastic - gamma (vn + half a): second order, exact for a pair on its own
 * and for one at rest. The loss is the work of the dashpot over the last step, that is of what the
 * force is beyond its spring: of the force then, along the normal of then, and of the force now,
 * each for its share; a whole force does (now + later) f v(n), of which later f v(n + 1/2) is left
 * for the next step. */
SCREE_SPECIALISED void scree_normal_damped(struct scree_batch *restrict b, int k, double spring,
                                           double gamma, double slope, struct scree_dashpot at,
                                           const enum scree_moment moment, const bool clip,
                                           const bool bent)
{
    const double half = b->half;
    const bool synchronised = moment != SCREE_SAME_MOMENT, whole = moment != SCREE_PARTIAL_STEPS;
    double share = whole ? 1.0 : b->now[k] + b->later[k], later = whole ? 0.5 : b->later[k];
    double m = b->m_eff[k], vn = b->vn[k], pushed, before, others = 0.0;
    double dashpot = whole ? gamma : share * gamma;
    if (synchronised) {
        /* A factor, since a compiler makes branches of choices that come twice. */
        double expected = at.alone[k], known = expected != 0.0 ? 1.0 : 0.0;
        before = b->vn_before[k];
        pushed = vn + known * (0.5 * (before - expected));
        if (bent) others = known * (vn - expected);
    } else {
        before = at.before[k];
        pushed = at.acts_on[k];
    }
    double free = (spring - dashpot * pushed) * (m / (m + dashpot * half));
    double f = clip && free < 0.0 ? 0.0 : free, kick = half * f * b->inverse_m[k];
    if (synchronised) at.alone[k] = vn + 2.0 * kick;
    if (SCREE_LEDGER) {
        double acts = whole ? f - spring : (f - spring) / share;
        double held = later * acts, now = held * vn;
        if (!whole) now = scree_batch_fma((b->now[k] - later) * acts, pushed + kick, now);
        double lost = scree_batch_fma(at.held[k], before, now) * -b->dt;
        if (bent && synchronised) {
            double faster = scree_batch_fma(acts, b->dt * b->inverse_m[k], others);
            lost += scree_normal_late(slope, vn, faster, b->dt) * b->spans;
        }
        at.loss[k] = lost;
        at.held[k] = held;
    }
    b->fn[k] = f;
}

/* The same, but for rounding of the loss, if the batch is plain: velocities of the same moment,
 * whole steps. */
SCREE_SPECIALISED void scree_normal_damped_plain(struct scree_batch *restrict b, int k,
                                                 double elastic, double gamma, const bool clip,
                                                 double *restrict held, double *restrict loss)
{
    double vn = b->vn[k], viscous = -gamma * vn, f = elastic + viscous;
    bool clipped = clip && f < 0.0;
    double later = 0.5 * (clipped ? -elastic : viscous);
    if (SCREE_LEDGER) {
        loss[k] = (held[k] + later) * (vn * -b->dt);
        held[k] = later;
    }
    b->fn[k] = clipped ? 0.0 : f;
}

/* m; between the centres of two grains. */
static inline double scree_normal_distance(const struct scree_batch *b, int k)
{
    return b->r_i[k] + b->r_j[k] - b->overlap[k];
}

/* J/s^2; in inspect(). With the normals n before and n' after a step and the distance r of what
 * turns about each other, the work of two forces f n and f' n' is (f + f') (r' - r) / 2 +
 * (1 - n . n') (f' r - f r') / 2. With the normal acceleration by turning a = vt^2 / r, the last
 * term adds up to dt^2 / 4 times f a less the integral of f (da + a dr / r). On its own a pair has
 * da = -3 a dr / r and the integral of 2 f a dr / r, which is 2 a / r times minus its elastic
 * energy, since a / r hardly changes over an overlap; scree_normal_swing() books what others do to
 * a. The radius about which grains turn on a wall is not known. */
static inline double scree_normal_turning(const struct scree_batch *b, int k, double spring,
                                          double energy)
{
    if (b->half == 0.0) return 0.0;
    double f = b->wall ? spring : spring - 2.0 * energy / scree_normal_distance(b, k);
    return f * (b->vn_before[k] - b->vn[k]) / (8.0 * b->half);
}

/* What the turning of a normal law without a dashpot adds to its shape, and what it books after the
 * forces are known, in the steps of `spans`. One even slot, m/s: a dt of the last evaluation; 0:
 * new contact. With this, tangential laws need not book what they do to a. */
static inline void scree_normal_swing_shape(struct scree_law_shape *shape)
{
    if (!shape->synchronised) return;
    shape->n_even += 1;
    shape->needs |= SCREE_NEEDS_TURN;
    shape->losses |= 1u << SCREE_LOSS_STIFFNESS;
    shape->softens = true;
}
static inline void scree_normal_swing(struct scree_batch *restrict b, double *restrict swing)
{
    double *restrict loss = b->loss[SCREE_LOSS_STIFFNESS];
    const double dt = b->dt, quarter = 0.25 * dt * b->spans;
    if (!SCREE_LEDGER || b->half == 0.0 || dt == 0.0 || b->wall) return;
    b->swing_is_booked = true;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double vn = b->vn[k], now = vn - b->vn_before[k], then = swing[k];
        double alone = then - 3.0 * now * vn * dt / scree_normal_distance(b, k);
        loss[k] += then != 0.0 ? quarter * b->fn[k] * (now - alone) : 0.0;
        swing[k] = now;
    }
}

/* J/s^2; in inspect(), of a linear spring. In the step of first touch the trapezoidal rule finds
 * half of `spring` (N; what acts of the force) times the way of the step, not the energy (J);
 * likewise in the step of parting. */
static inline double scree_normal_touching(const struct scree_batch *b, int k, double spring,
                                           double energy)
{
    double way = scree_touch_way(b, k), turning = scree_normal_turning(b, k, spring, energy);
    if (!(way > b->overlap[k])) return turning;
    return turning + (0.5 * spring * way - energy) / (4.0 * b->half * b->half);
}

/* J/s^2; in inspect(), of a spring that is not linear. The trapezoidal rule finds
 * sum f'' (v dt)^3 / 12 more than the work of the force f, which for a pair on its own is
 * dt^2 (f' v^2 + f^2 / m) / 12; scree_normal_damped() and scree_normal_bent() book what others add.
 */
static inline double scree_normal_scheme(const struct scree_batch *b, int k, double force,
                                         double slope, double spring, double energy)
{
    double way = scree_touch_way(b, k);
    if (way > b->overlap[k]) return scree_normal_touching(b, k, spring, energy);
    double v = b->vn[k] + b->half * b->fn[k] * b->inverse_m[k];
    return (slope * v * v + force * force * b->inverse_m[k]) / 12.0 +
           scree_normal_turning(b, k, spring, energy);
}

/* A spring that is not linear, without a dashpot: what its law adds to its shape, and what it books
 * after the forces are known. Even slots: that of its swing, and `alone` as of a dashpot. */
static inline void scree_normal_bent_shape(struct scree_law_shape *shape)
{
    scree_normal_swing_shape(shape);
    if (shape->synchronised) shape->n_even += 1;
}

/* `first` of the slots. Slopes (N/m) grow with this exponent of the overlap. The push was at the
 * last evaluation. What is lost is found in the steps of `spans`. */
static inline void scree_normal_bent(struct scree_batch *restrict b, const double *restrict slope,
                                     double exponent, int first)
{
    double *restrict loss = b->loss[SCREE_LOSS_STIFFNESS], *restrict alone = b->history[first + 1];
    const double dt = b->dt;
    if (!SCREE_LEDGER || b->half == 0.0) return;
    scree_normal_swing(b, b->history[first]);
    if (b->spans == 0.0) {
        for (int k = 0; k < scree_batch_n(b); k++)
            alone[k] = b->vn[k] + 2.0 * (b->half * b->fn[k] * b->inverse_m[k]);
        return;
    }
    SCREE_EACH_BY_ITSELF
    for (int k = 0; k < scree_batch_n(b); k++) {
        double vn = b->vn[k], kick = b->half * b->fn[k] * b->inverse_m[k];
        double pushed = alone[k] != 0.0 ? vn - alone[k] : 0.0;
        double deeper = vn * dt / b->overlap[k], part = deeper < 1.0 ? deeper : 1.0;
        double then = slope[k] * (1.0 + exponent * part);
        loss[k] += scree_normal_late(then, vn - kick - 0.5 * pushed, pushed, dt) * b->spans;
        alone[k] = vn + 2.0 * kick;
    }
}

/* J/s^2; of what contact k has booked of its dashpot, the part that has not acted by now, with the
 * sign of a debt: while contacts close or open the books of a whole step are ahead or behind.
 * `spring` as in scree_normal_damped(). */
static inline double scree_normal_ahead(const struct scree_batch *b, int k, double spring)
{
    if (b->now[k] == b->later[k]) return 0.0;
    double acts = (b->fn[k] - spring) / (b->now[k] + b->later[k]);
    return 0.5 * (b->now[k] - b->later[k]) * acts * b->vn[k] / (2.0 * b->half);
}

#endif
