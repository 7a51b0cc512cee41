/* SPDX-License-Identifier: BSD-3-Clause
 * Small systems of linear equations by elimination with row pivots. */
#include "dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/cones.h"

bool scree_cones_factor(int n, double *a, int *pivot)
{
    double largest = 0.0;
    for (int k = 0; k < n * n; k++) largest = fmax(largest, fabs(a[k]));
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        pivot[k] = best;
        if (!(fabs(a[best * n + k]) > 4.0 * DBL_EPSILON * largest)) return false;
        for (int j = 0; j < n && best != k; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        for (int i = k + 1; i < n; i++) {
            double part = a[i * n + k] /= a[k * n + k];
            if (part == 0.0) continue;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= part * a[k * n + j];
        }
    }
    return true;
}

void scree_cones_substitute(int n, const double *a, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double kept = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) x[i] -= a[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}

bool scree_cones_invert(int n, const double *a, double *inverse)
{
    double factors[SCREE_CONES_DIM * SCREE_CONES_DIM], x[SCREE_CONES_DIM];
    int pivot[SCREE_CONES_DIM];
    memcpy(factors, a, (size_t)(n * n) * sizeof *a);
    if (!scree_cones_factor(n, factors, pivot)) return false;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) x[i] = i == j ? 1.0 : 0.0;
        scree_cones_substitute(n, factors, pivot, x);
        for (int i = 0; i < n; i++) inverse[i * n + j] = x[i];
    }
    return true;
}
