/* SPDX-License-Identifier: BSD-3-Clause
 * A profile: its keys, its sums. Private to analysis. */
#ifndef SCREE_PROFILE_H
#define SCREE_PROFILE_H

#include "scree/analysis.h"

struct scree_profile {
    int along, axis; /* axis: of r, or along which slabs follow */
    int64_t bins, slabs;
    double low, high; /* m; range of the bins */
    double centre[3]; /* m; a point of the axis */
    double angle;     /* rad; of the sample about the axis */
    int dimension;
};
enum { SCREE_ALONG_R = 3 };

/* Sums of a bin; components are x, y, z, or radial, azimuthal, axial. */
enum scree_profile_sum {
    SCREE_PROFILE_COUNT,
    SCREE_PROFILE_SOLID,
    SCREE_PROFILE_MASS,
    SCREE_PROFILE_PLACE, /* the following are weighted by mass; coordinate along the bins */
    SCREE_PROFILE_VELOCITY,
    SCREE_PROFILE_SQUARE = SCREE_PROFILE_VELOCITY + 3, /* of the velocity */
    SCREE_PROFILE_OMEGA = SCREE_PROFILE_SQUARE + 3,    /* angular velocity about the axis */
    SCREE_PROFILE_SPIN,
    SCREE_N_PROFILE_SUMS
};

extern const char *const scree_profile_axes[];   /* x, y, z */
extern const char *const scree_profile_alongs[]; /* and r */

/* Direction of the spin in the table: the axis, or across a plane of bins, or z. */
int scree_profile_spin_axis(const struct scree_profile *v);
/* The table from the mean sums of all bins. */
void scree_profile_write(const struct scree_measurement *m, const struct scree_scene *scene,
                         const double *mean, FILE *f);

/* Says so if densities cannot be given. */
void scree_profile_describe(const struct scree_measurement *m, const struct scree_walls *walls,
                            scree_line_writer write, void *context);

#endif
