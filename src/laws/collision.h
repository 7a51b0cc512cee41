/* SPDX-License-Identifier: BSD-3-Clause
 * Collisions of two grains, and the dashpot that gives them a wanted restitution. Private to laws.
 */
#ifndef SCREE_LAWS_COLLISION_H
#define SCREE_LAWS_COLLISION_H

#include "scree/laws.h"

/* Elastic force k overlap^alpha, dashpot gamma = damping overlap^beta. */
struct scree_collision_law {
    double alpha, beta; /* beta > -1 */
    double stiffness;   /* N/m^alpha */
    double damping;     /* kg/s/m^beta */
    int tension;        /* enum scree_tension: clip: ends when the force does */
};

struct scree_collision {
    double restitution; /* outgoing / incoming speed; 0: the grains do not part */
    double time;        /* s; INFINITY if they do not part */
};

/* Of grains that meet at a speed > 0 (m/s) with a reduced mass (kg). */
struct scree_collision scree_collision_of(const struct scree_collision_law *law, double mass,
                                          double speed);
/* Contact time, restitution and largest overlap of a case; nothing is told for one without a speed.
 */
void scree_collision_estimate(const struct scree_collision_law *law, const struct scree_law_case *c,
                              struct scree_law_estimate *estimate);
/* The constant c of the dashpot c sqrt(m k) overlap^beta that gives a wanted restitution in (0, 1],
 * for beta = (alpha - 1) / 2: only then does it not depend on the speed. Only the exponents and
 * the tension of `law` matter. */
double scree_collision_damping_for(const struct scree_collision_law *law, double restitution);

/* The linear law: restitution of a collision with dimensionless damping d = gamma / (2 sqrt(k m)),
 * and the constant c of the dashpot c sqrt(m k) that gives a wanted one in (0, 1]. */
double scree_collision_linear_restitution(double d, int tension);
double scree_collision_linear_damping_for(double restitution, int tension);

/* Whether a law is given a restitution, NAN if it is not, that a dashpot can have; refuses 0. */
bool scree_collision_check_restitution(struct scree_input *input, const struct scree_node *node,
                                       double restitution);

#endif
