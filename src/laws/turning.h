/* SPDX-License-Identifier: BSD-3-Clause
 * Tangential vectors that turn with their contact, for laws that need SCREE_NEEDS_TWIRL and
 * SCREE_NEEDS_TURN. Between two evaluations the pair turns with the line of centres, which carries
 * the tangent plane along, and about it with the mean spin of both grains, the twirl (Kuhn, Suzuki,
 * Daouadji, "Linear-frictional contact model for 3D DEM simulations", 22-23). Both are rotations
 * here, so that lengths stay what they are. Private to laws. */
#ifndef SCREE_LAWS_TURNING_H
#define SCREE_LAWS_TURNING_H

#include <float.h>

#include "scree/batch.h"

struct scree_triple {
    double x, y, z;
};

SCREE_SPECIALISED double scree_dot(struct scree_triple a, struct scree_triple b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The same for what is booked. */
SCREE_SPECIALISED double scree_product(struct scree_triple a, struct scree_triple b)
{
    return scree_batch_fma(a.z, b.z, scree_batch_fma(a.y, b.y, a.x * b.x));
}

/* a + f b */
SCREE_SPECIALISED struct scree_triple scree_plus(struct scree_triple a, double f,
                                                 struct scree_triple b)
{
    return (struct scree_triple){a.x + f * b.x, a.y + f * b.y, a.z + f * b.z};
}

SCREE_SPECIALISED struct scree_triple scree_times(double f, struct scree_triple a)
{
    return (struct scree_triple){f * a.x, f * a.y, f * a.z};
}

SCREE_SPECIALISED struct scree_triple scree_cross(struct scree_triple a, struct scree_triple b)
{
    return (struct scree_triple){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                 a.x * b.y - a.y * b.x};
}

SCREE_SPECIALISED struct scree_triple scree_normal(const struct scree_batch *b, int k)
{
    return (struct scree_triple){b->nx[k], b->ny[k], b->nz[k]};
}

/* rad; of the pair about its normal since the last evaluation. */
SCREE_SPECIALISED double scree_twirl(const struct scree_batch *b, int k)
{
    struct scree_triple spins = {b->sum_wx[k], b->sum_wy[k], b->sum_wz[k]};
    return 0.5 * b->advance[k] * scree_dot(spins, scree_normal(b, k));
}

/* A tangential vector of the last evaluation, turned with the pair to the present one. */
SCREE_SPECIALISED struct scree_triple scree_carried(const struct scree_batch *b, int k,
                                                    struct scree_triple h)
{
    struct scree_triple n = scree_normal(b, k);
    struct scree_triple p = {b->before_x[k], b->before_y[k], b->before_z[k]};
    /* The smallest rotation that takes p to n, then one by the twirl with q = tan(twirl / 2); at
     * last what rounding has put along n is taken off. Grains that have passed through each other
     * may have p = -n: any rotation will do. */
    double twirl = scree_twirl(b, k), q = 0.5 * twirl * (1.0 + twirl * twirl * (1.0 / 12.0));
    double swing = 1.0 + scree_dot(p, n) + DBL_MIN, longer = 1.0 + q * q;
    double both = 1.0 / (swing * longer), scale = both * swing; /* one quotient for two */
    h = scree_plus(h, -scree_dot(h, n) * (both * longer), scree_plus(p, 1.0, n));
    h = scree_plus(scree_times((1.0 - q * q) * scale, h), 2.0 * q * scale, scree_cross(n, h));
    return scree_plus(h, -scree_dot(h, n), n);
}

/* For how many steps a loop finds what is lost as normals turn (`spans` of the batch; 0: it does
 * not), and a factor. To be asked before the loop, since a compiler suspects its stores to change
 * them. */
struct scree_turns {
    double steps, twice; /* twice: s^2 */
};
SCREE_SPECIALISED struct scree_turns scree_turns_of(const struct scree_batch *b)
{
    return (struct scree_turns){b->spans, b->swing_is_booked ? 0.0 : -2.0 * b->half * b->dt};
}

/* m; times half the stiffness: lost besides by a spring, per length of it in the direction of the
 * present normal, if it was tangential at the last evaluation. The scheme finds the work of a
 * normal force along two normals, of then and of now, which differs from that along the line of
 * centres by 1/4 of the force times the normal acceleration by turning, see scree_normal_turning();
 * what friction does to that acceleration does not come back, and is booked here unless the normal
 * law does, see scree_normal_swing(). */
SCREE_SPECIALISED double scree_turning_faster(const struct scree_batch *b, int k, double twice)
{
    return twice * (b->inverse_m[k] * b->fn[k]);
}

/* J; lost: the work of the mean spring force along the displacement d less what the spring took up,
 * but for half of its present stiffness times s . (d - s). It is s and was h, of the stiffness
 * `before` (N/m); the force then saw another normal, which counts if `spans`. A change of stiffness
 * is a loss or a gain by itself. */
SCREE_SPECIALISED double scree_turning_loss(const struct scree_batch *b, int k,
                                            struct scree_triple h, double before,
                                            struct scree_turns turns, const bool spans)
{
    struct scree_triple seen = {b->vtx[k], b->vty[k], b->vtz[k]};
    if (spans) {
        seen.x = scree_batch_fma(turns.steps, b->then_x[k], seen.x);
        seen.y = scree_batch_fma(turns.steps, b->then_y[k], seen.y);
        seen.z = scree_batch_fma(turns.steps, b->then_z[k], seen.z);
    }
    double way = scree_batch_fma(b->advance[k], scree_product(h, seen), scree_product(h, h));
    if (spans) {
        double along = scree_dot(h, scree_normal(b, k)); /* as scree_carried() has it */
        way = scree_batch_fma(scree_turning_faster(b, k, turns.steps * turns.twice), along, way);
    }
    return 0.5 * before * way;
}

/* m; of the contact point since the last evaluation, seen on the way. */
SCREE_SPECIALISED struct scree_triple scree_way(const struct scree_batch *b, int k)
{
    struct scree_triple v = {b->vtx[k] + b->swing_x[k], b->vty[k] + b->swing_y[k],
                             b->vtz[k] + b->swing_z[k]};
    return scree_times(b->advance[k], v);
}

/* A displacement since the last evaluation happened on the way, at half the twirl on average. */
SCREE_SPECIALISED struct scree_triple scree_carried_half(const struct scree_batch *b, int k,
                                                         struct scree_triple d)
{
    return scree_plus(d, 0.5 * scree_twirl(b, k), scree_cross(scree_normal(b, k), d));
}

#endif
