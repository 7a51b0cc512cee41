/* SPDX-License-Identifier: BSD-3-Clause
 * Contact problems of others, and for others: files in the format FCLIB (Acary, Bremond, Koziara,
 * Perignon, Inria RT-0444 (2014)). Local. */
#ifndef SCREE_HDF5_FCLIB_H
#define SCREE_HDF5_FCLIB_H

#include "scree/cones.h"

enum { SCREE_FCLIB_TEXT = 1024 };

struct scree_fclib {
    bool is_local; /* W and q, else bodies */
    int dim;
    size_t n; /* contacts */
    struct scree_cones_matrix w;
    double *q;                        /* [n dim] */
    struct scree_cones_bodies bodies; /* its limits are those of this file */
    scree_cones_limits *limit;        /* [n]; borrowed from bodies unless local */
    char title[SCREE_FCLIB_TEXT], description[SCREE_FCLIB_TEXT];
};

/* Refuses what is not such a file, is damaged, does not fit together or has bilateral
 * constraints. */
enum scree_status scree_fclib_read(const char *path, struct scree_fclib *file);
void scree_fclib_clear(struct scree_fclib *file);

/* With a solution: impulses, velocities at contacts and, unless local, of bodies. The file appears
 * whole. Torsion has no place in the format: problems of dimension 6 are refused. */
enum scree_status scree_fclib_write(const char *path, const struct scree_fclib *file,
                                    const double *r, const double *u, const double *v);

#endif
