/* SPDX-License-Identifier: BSD-3-Clause
 * A step that is solved once more, in another way, for those who ask how much of an answer is
 * settled: grains that touch in more places than they need bear more than one set of forces. */
#ifndef SCREE_RETRY_H
#define SCREE_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/status.h"
#include "scree/types.h"

enum scree_retry_start {
    SCREE_RETRY_WARM,  /* the forces of the last step, as usual */
    SCREE_RETRY_COLD,  /* none */
    SCREE_RETRY_RANDOM /* up to twice the mean, in any direction that friction allows */
};

/* A contact in the solution; each is shown once over all ranks. */
struct scree_retry_contact {
    scree_gid first, second; /* second < 0: wall -1 - second */
    int32_t image[3];        /* periods between them */
    double normal[3];        /* towards first */
    double branch[3]; /* m; from the other centre, or the contact point on a wall, to first */
    double force[3];  /* N; on first */
};

/* A grain, likewise. */
struct scree_retry_grain {
    scree_gid gid;
    double velocity[3]; /* m/s; after the step */
    double change[3];   /* m/s; of its velocity, if no contact were there */
};

struct scree_cones_bodies;

struct scree_retry {
    enum scree_retry_start start;
    uint64_t forces,
        order; /* draw the random forces, and the order of contacts; 0: the usual one */
    void (*contact)(void *context, const struct scree_retry_contact *contact);
    void (*grain)(void *context, const struct scree_retry_grain *grain);
    /* The whole problem with the impulses that were found, on rank 0; other ranks are told of
     * none. NULL: not asked for. */
    enum scree_status (*problem)(void *context, const struct scree_cones_bodies *bodies,
                                 const double *impulse);
    void *context;
    /* Set by the method, the same on all ranks */
    int64_t sweeps;
    double residual;
    bool converged;
};

#endif
