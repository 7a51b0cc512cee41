/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors in the loops of laws, and tangential vectors that turn with their contact. Private to
 * laws. */
#ifndef SCREE_LAWS_TANGENT_H
#define SCREE_LAWS_TANGENT_H

#include <float.h>

#include "scree/batch.h"

struct scree_triple {
    double x, y, z;
};

/* Of contact k, from an array of three components. */
#define SCREE_TRIPLE(from, k) ((struct scree_triple){(from)[0][k], (from)[1][k], (from)[2][k]})

SCREE_SPECIALISED void scree_triple_store(double (*to)[SCREE_BATCH], int k, struct scree_triple a)
{
    to[0][k] = a.x;
    to[1][k] = a.y;
    to[2][k] = a.z;
}

SCREE_SPECIALISED double scree_dot(struct scree_triple a, struct scree_triple b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
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

SCREE_SPECIALISED struct scree_triple scree_select(bool first, struct scree_triple a,
                                                   struct scree_triple b)
{
    return (struct scree_triple){first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z};
}

/* A tangential vector of the last evaluation, turned with the pair to the present one, for laws
 * that need SCREE_NEEDS_TURN. The pair turns with the line of centres, which carries the tangent
 * plane along, and about it with the mean spin of both grains (Kuhn, Suzuki, Daouadji,
 * "Linear-frictional contact model for 3D DEM simulations", 22-23). Both are rotations here, so
 * that lengths stay what they are. */
SCREE_SPECIALISED struct scree_triple scree_turned(const struct scree_batch *b, int k,
                                                   struct scree_triple h)
{
    struct scree_triple n = SCREE_TRIPLE(b->normal, k);
    struct scree_triple p = SCREE_TRIPLE(b->normal_before, k);
    /* The smallest rotation that takes p to n, then one by the twist with q = tan(twist / 2); at
     * last what rounding has put along n is taken off. Grains that have passed through each other
     * may have p = -n: any rotation will do. */
    double twist = b->pair_twist[k], q = 0.5 * twist * (1.0 + twist * twist * (1.0 / 12.0));
    double tilt = 1.0 + scree_dot(p, n) + DBL_MIN, longer = 1.0 + q * q;
    double both = 1.0 / (tilt * longer), scale = both * tilt; /* one quotient for two */
    h = scree_plus(h, -scree_dot(h, n) * (both * longer), scree_plus(p, 1.0, n));
    h = scree_plus(scree_times((1.0 - q * q) * scale, h), 2.0 * q * scale, scree_cross(n, h));
    return scree_plus(h, -scree_dot(h, n), n);
}

/* A spring h of the last evaluation that follows the pair while it is drawn out by `way`: half of
 * the way before the turn, half after it. */
SCREE_SPECIALISED struct scree_triple scree_drawn(const struct scree_batch *b, int k,
                                                  struct scree_triple h, struct scree_triple way)
{
    return scree_plus(scree_turned(b, k, scree_plus(h, 0.5, way)), 0.5, way);
}

#endif
