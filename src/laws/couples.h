/* SPDX-License-Identifier: BSD-3-Clause
 * What rolling and torsion laws have in common: keys and limits of a spring, slider and dashpot
 * that act on a relative velocity r* w, with w the part of w_i - w_j that the law resists and r*
 * the reduced radius (Brendel, Unger, Wolf, "Contact dynamics for beginners", 1.7; Luding, Granular
 * Matter 10, 235 (2008)). A force f in these terms is a couple r* f on i and its opposite on j.
 * It is at most mu times the normal load: the lengths mu_r and mu_t of the former are r* mu.
 * Private to laws. */
#ifndef SCREE_LAWS_COUPLES_H
#define SCREE_LAWS_COUPLES_H

#include "scree/laws.h"

struct scree_resistance {
    double stiffness;     /* N/m */
    double damping;       /* kg/s; NAN if not given */
    double damping_rate;  /* 1/s; NAN if not given */
    double friction;      /* mu; limit of the force per normal load */
    double viscous, rate; /* set by check(): gamma = viscous + rate m_eff */
};

extern const struct scree_param scree_resistance_params[];
void scree_resistance_check(struct scree_input *input, const struct scree_node *node, void *values);
void scree_resistance_estimate(const void *values, const struct scree_law_case *c,
                               struct scree_law_estimate *estimate);

#endif
