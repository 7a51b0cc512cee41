/* SPDX-License-Identifier: BSD-3-Clause
 * How grains are turned: q(n+1) = exp(w dt / 2) q(n) with the spin w of the step between, as a
 * quaternion product. Exact while a grain spins evenly, of second order otherwise. */
#include <math.h>

#include "scree/particles.h"

static void turn(double q[4], const double w[3], double half)
{
    double speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(speed > 0.0)) return;
    double c = cos(half * speed), s = sin(half * speed) / speed;
    double x = s * w[0], y = s * w[1], z = s * w[2];
    double turned[4] = {
        c * q[0] - x * q[1] - y * q[2] - z * q[3], c * q[1] + x * q[0] + y * q[3] - z * q[2],
        c * q[2] + y * q[0] + z * q[1] - x * q[3], c * q[3] + z * q[0] + x * q[2] - y * q[1]};
    /* Rounding must not add up to a length other than 1. */
    double norm = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                       turned[3] * turned[3]);
    for (int k = 0; k < 4; k++) q[k] = turned[k] / norm;
}

void scree_particles_turn(struct scree_particles *p, const double (*spin)[4], double dt)
{
    if (p->orientation == NULL) return;
    for (scree_lid i = 0; i < p->n_owned; i++) turn(p->orientation[i], spin[i], 0.5 * dt);
}
