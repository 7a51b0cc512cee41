/* SPDX-License-Identifier: BSD-3-Clause
 * The force of the first evaluation of a contact, as a polynomial. */
#include "touch.h"

/* Hurwitz zeta(-a, q) for q >= 1: the first terms, and Euler and Maclaurin for the rest. */
static double zeta_of_minus(double a, double q)
{
    enum { FIRST = 8 };
    double sum = 0.0;
    for (int j = 0; j < FIRST; j++) sum += pow(q + j, a);
    double x = q + FIRST, f = pow(x, a);
    sum += f * (0.5 - x / (a + 1.0) - a / (12.0 * x));
    sum += f * a * (a - 1.0) * (a - 2.0) / (720.0 * x * x * x);
    return sum - f * a * (a - 1.0) * (a - 2.0) * (a - 3.0) * (a - 4.0) / (30240.0 * pow(x, 5.0));
}

/* Through the values at the zeros of a Chebyshev polynomial: divided differences, multiplied out.
 */
void scree_touch_fit(struct scree_touch *touch, double exponent)
{
    enum { N = SCREE_TOUCH_TERMS };
    double x[N], c[N], *t = touch->term, pi = acos(-1.0);
    for (int k = 0; k < N; k++) {
        x[k] = 0.5 - 0.5 * cos(pi * (k + 0.5) / N);
        c[k] = -zeta_of_minus(exponent, 1.0 + x[k]);
    }
    for (int order = 1; order < N; order++)
        for (int k = N - 1; k >= order; k--) c[k] = (c[k] - c[k - 1]) / (x[k] - x[k - order]);
    for (int m = 0; m < N; m++) t[m] = 0.0;
    for (int k = N - 1; k >= 0; k--) {
        for (int m = N - 1; m > 0; m--) t[m] = t[m - 1] - x[k] * t[m];
        t[0] = c[k] - x[k] * t[0];
    }
}
