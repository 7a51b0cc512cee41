/* SPDX-License-Identifier: BSD-3-Clause
 * Resistance to spinning about the normal by a spring, slider and dashpot. The twisting velocity is
 * r* (w_i - w_j) . n. See couples.h for the units and the limit. */
#include <math.h>

#include "couples.h"

/* Even history: the spring (m) and, if there is a dashpot, the share of its force that acts until
 * now. Both are numbers along n, the same for (i, j) and (j, i). */
enum { SPRING = 0, HELD = 1 };

static void shape(const void *values, struct scree_law_shape *shape)
{
    shape->n_even += scree_resistance_is_damped(values) ? 2 : 1;
    shape->losses |= 1u << SCREE_LOSS_TORSION;
    shape->needs |= SCREE_NEEDS_SPINS | SCREE_NEEDS_TURN;
}

struct twisting {
    double r[SCREE_BATCH];        /* m; reduced radii */
    double u[SCREE_BATCH];        /* m/s; twisting velocities ... */
    double u_before[SCREE_BATCH]; /* ... and along the normal of the last evaluation */
    double u_now[SCREE_BATCH];    /* m/s; at the end of the step, if u is its mean */
};

static void find_twist(const struct scree_batch *restrict b, struct twisting *restrict to)
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        double r = scree_batch_r_eff(b, k), wx = b->wx[k], wy = b->wy[k], wz = b->wz[k];
        to->r[k] = r;
        to->u[k] = r * (wx * b->nx[k] + wy * b->ny[k] + wz * b->nz[k]);
        to->u_before[k] = r * (wx * b->before_x[k] + wy * b->before_y[k] + wz * b->before_z[k]);
    }
    for (int k = 0; b->mean && k < scree_batch_n(b); k++)
        to->u_now[k] = to->r[k] * (b->now_wx[k] * b->nx[k] + b->now_wy[k] * b->ny[k] +
                                   b->now_wz[k] * b->nz[k]);
}

/* The spring grows from first touch on like tangential ones: the same shares of a step. */
SCREE_SPECIALISED void twist(struct scree_batch *restrict b,
                             const struct scree_resistance *restrict values,
                             double *restrict spring, double *restrict held,
                             const struct twisting *restrict at, const bool damped)
{
    const struct scree_resistance v = *values;
    double *restrict lost = b->loss[SCREE_LOSS_TORSION];
    const double *acts_on = b->mean ? at->u_now : at->u;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double u = at->u[k], h = spring[k], d = u * b->advance[k], s = h + d;
        double d_before = at->u_before[k] * b->advance[k];
        double kt = b->shear[k] * v.stiffness, share = b->now[k] + b->later[k];
        double drag = damped ? (v.viscous + v.rate * b->m_eff[k]) * acts_on[k] : 0.0;
        double f = -kt * s - share * drag, limit = v.friction * fabs(b->grip[k]);
        bool slips = fabs(f) > limit;
        f = slips ? copysign(limit, f) : f;
        if (damped) {
            s = slips && kt * fabs(s) > limit ? copysign(limit / kt, s) : s;
            drag = slips ? -(f + kt * s) / share : drag;
        } else {
            s = slips ? f / -kt : s;
        }
        s = b->later[k] == 0.0 ? b->shear[k] * s : s; /* as scree_spring_part() */
        /* Lost: what the spring did not take up, times its mean force, and the dashpot; the old
         * couple was about the old normal. */
        double slip = (h + s) * (d - (s - h)) + h * (d_before - d);
        double loss = 0.5 * v.stiffness * slip;
        if (damped) {
            double half = 0.5 * share;
            loss += (held[k] * at->u_before[k] + half * drag * u) * b->dt;
            held[k] = half * drag;
        }
        lost[k] = loss;
        spring[k] = s;
        double couple = at->r[k] * f;
        b->cx[k] += couple * b->nx[k];
        b->cy[k] += couple * b->ny[k];
        b->cz[k] += couple * b->nz[k];
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_resistance *v = values;
    struct twisting twisting;
    double *spring = b->history[at.even + SPRING], *held = b->history[at.even + HELD];
    find_twist(b, &twisting);
    if (scree_resistance_is_damped(v))
        twist(b, v, spring, held, &twisting, true);
    else
        twist(b, v, spring, held, &twisting, false);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct scree_resistance *v = values;
    const double *spring = b->history[at.even + SPRING];
    for (int k = 0; k < scree_batch_n(b); k++) {
        view->energy[k] = 0.5 * v->stiffness * spring[k] * spring[k];
        view->stiffness[k] = v->stiffness;
    }
}

static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    const struct scree_resistance *v = values;
    const double *spring = b->history[at.even + SPRING], *held = b->history[at.even + HELD];
    const bool damped = scree_resistance_is_damped(v);
    double *lost = b->loss[SCREE_LOSS_TORSION];
    struct twisting twisting;
    find_twist(b, &twisting);
    for (int k = 0; k < scree_batch_n(b); k++) {
        double half_force = 0.5 * v->stiffness * spring[k], way = twisting.u_before[k] * b->dt;
        lost[k] += half_force * (spring[k] + way) + (damped ? held[k] * way : 0.0);
    }
}

const struct scree_law scree_law_torsion_spring = {
    .name = "spring",
    .summary = "spring, slider and dashpot that resist spinning about the normal",
    .kind = SCREE_LAW_TORSION,
    .params = scree_resistance_params,
    .check = scree_resistance_check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .release = release,
    .estimate = scree_resistance_estimate,
};
