/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic on three-component vectors, for code outside the batched kernels. */
#ifndef SCREE_VEC_H
#define SCREE_VEC_H

#include <math.h>

static inline double scree_vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double scree_vec_norm(const double a[3])
{
    return sqrt(scree_vec_dot(a, a));
}

static inline void scree_vec_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
