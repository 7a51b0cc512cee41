/* SPDX-License-Identifier: BSD-3-Clause
 * Principal values and directions of a symmetric tensor by Jacobi's rotations (Golub and Van Loan,
 * Matrix Computations, section 8.5), which find them to the last digits. */
#include "principal.h"

#include <math.h>
#include <string.h>

/* Turn the axes p and q so that t[p][q] vanishes. */
static void rotate(double t[3][3], double v[3][3], int p, int q)
{
    if (t[p][q] == 0.0) return;
    double tau = (t[q][q] - t[p][p]) / (2.0 * t[p][q]);
    double tangent = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + tangent * tangent), s = tangent * c;
    for (int k = 0; k < 3; k++) {
        double kp = t[k][p], kq = t[k][q];
        t[k][p] = c * kp - s * kq;
        t[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = t[p][k], qk = t[q][k];
        t[p][k] = c * pk - s * qk;
        t[q][k] = s * pk + c * qk;
        double vp = v[p][k], vq = v[q][k];
        v[p][k] = c * vp - s * vq;
        v[q][k] = s * vp + c * vq;
    }
    t[p][q] = t[q][p] = 0.0;
}

static void swap_rows(double value[3], double v[3][3], int a, int b)
{
    double w = value[a], row[3];
    value[a] = value[b];
    value[b] = w;
    memcpy(row, v[a], sizeof row);
    memcpy(v[a], v[b], sizeof row);
    memcpy(v[b], row, sizeof row);
}

static void point_upward(double v[3])
{
    int largest = 0;
    for (int a = 1; a < 3; a++)
        if (fabs(v[a]) > fabs(v[largest]) * (1.0 + 1e-12)) largest = a;
    if (v[largest] < 0.0)
        for (int a = 0; a < 3; a++) v[a] = -v[a];
}

void scree_principal_find(struct scree_principal *principal, double tensor[3][3], int dimension)
{
    enum { SWEEPS = 30 }; /* convergence is quadratic: more than ten are never needed */
    double t[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < dimension; a++)
        for (int b = 0; b < dimension; b++) t[a][b] = 0.5 * (tensor[a][b] + tensor[b][a]);
    for (int k = 0; k < SWEEPS; k++)
        for (int p = 0; p < dimension; p++)
            for (int q = p + 1; q < dimension; q++) rotate(t, v, p, q);
    for (int a = 0; a < 3; a++) principal->value[a] = t[a][a];
    for (int a = 0; a < dimension; a++)
        for (int b = a + 1; b < dimension; b++)
            if (principal->value[b] > principal->value[a]) swap_rows(principal->value, v, a, b);
    for (int a = 0; a < 3; a++) point_upward(v[a]);
    memcpy(principal->direction, v, sizeof v);
}
