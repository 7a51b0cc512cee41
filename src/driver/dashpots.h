/* SPDX-License-Identifier: BSD-3-Clause
 * Are the dashpots of a grain too strong for the time step? With G = sum of gamma n n over the
 * contacts of a grain of mass m, no mode of a packing decays faster than 2 g / m, where g is the
 * largest eigenvalue of any G: (n . (v_i - v_j))^2 <= 2 (n . v_i)^2 + 2 (n . v_j)^2. Equal grains
 * on a cubic or face-centred cubic lattice have such a mode. The step must be below its
 * decay time with `timing: synchronised`, twice that with `half-step` (tests/mpi/dashpots.c).
 * Private to driver. */
#ifndef SCREE_DASHPOTS_H
#define SCREE_DASHPOTS_H

#include "scree/laws.h"

/* xx, yy, zz, xy, xz, yz of one grain: G over what the timing of each contact allows. */
void scree_dashpots_add(double tensor[6], const double normal[3], double gamma,
                        enum scree_timing timing);
/* Step over the longest one that is stable for a grain of such a mass; 0 without dashpots. */
double scree_dashpots_strain(const double tensor[6], double inverse_mass, double dt);

/* s; the longest stable one of a grain with n equal contacts, in all directions alike. */
double scree_dashpots_longest_step(enum scree_timing timing, double gamma, double mass, int n);

#endif
