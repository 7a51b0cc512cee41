/* SPDX-License-Identifier: BSD-3-Clause
 * Principal values and directions of a symmetric tensor. Private to analysis. */
#ifndef SCREE_PRINCIPAL_H
#define SCREE_PRINCIPAL_H

struct scree_principal {
    double value[3];        /* from the largest to the smallest */
    double direction[3][3]; /* unit vectors; the largest component of each is positive */
};

/* Of the symmetric part of a tensor in two or three dimensions; in two only value[0] and value[1]
 * are set, to the values in the plane. */
void scree_principal_find(struct scree_principal *principal, double tensor[3][3], int dimension);

#endif
