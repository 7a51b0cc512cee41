/* SPDX-License-Identifier: BSD-3-Clause
 * Small systems of linear equations. Private to cones. */
#ifndef SCREE_CONES_DENSE_H
#define SCREE_CONES_DENSE_H

#include <stdbool.h>

/* a[n][n] becomes its factors, with rows exchanged as in pivot[n]; false: singular. */
bool scree_cones_factor(int n, double *a, int *pivot);
/* x becomes the solution of a x = x. */
void scree_cones_substitute(int n, const double *a, const int *pivot, double *x);
/* Of a block of at most SCREE_CONES_DIM rows; false: singular. */
bool scree_cones_invert(int n, const double *a, double *inverse);

#endif
