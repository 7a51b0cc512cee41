/* SPDX-License-Identifier: BSD-3-Clause
 * The strongest direction of the dashpots of a grain. */
#include "md_advise.h"

#include <math.h>

/* Step over decay time. */
static double allowed(enum scree_timing timing)
{
    return timing == SCREE_TIMING_SYNCHRONISED ? 1.0 : 2.0;
}

void scree_dashpots_add(double tensor[6], const double n[3], double gamma, enum scree_timing timing)
{
    double g = gamma / allowed(timing);
    for (int a = 0; a < 3; a++) tensor[a] += g * n[a] * n[a];
    tensor[3] += g * n[0] * n[1];
    tensor[4] += g * n[0] * n[2];
    tensor[5] += g * n[1] * n[2];
}

/* Of a symmetric matrix, by the angle of its cubic equation. */
static double largest_eigenvalue(const double t[6])
{
    double mean = (t[0] + t[1] + t[2]) / 3.0, x = t[0] - mean, y = t[1] - mean, z = t[2] - mean;
    double off = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
    double p = sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
    if (!(p > 0.0)) return mean;
    double det = x * (y * z - t[5] * t[5]) - t[3] * (t[3] * z - t[5] * t[4]) +
                 t[4] * (t[3] * t[5] - y * t[4]);
    double r = fmax(-1.0, fmin(1.0, det / (2.0 * p * p * p)));
    return mean + 2.0 * p * cos(acos(r) / 3.0);
}

double scree_dashpots_strain(const double tensor[6], double inverse_mass, double dt)
{
    return 2.0 * largest_eigenvalue(tensor) * inverse_mass * dt;
}

double scree_dashpots_longest_step(enum scree_timing timing, double gamma, double mass, int n)
{
    return allowed(timing) * mass / (2.0 * gamma * n / 3.0);
}
