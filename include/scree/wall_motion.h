/* SPDX-License-Identifier: BSD-3-Clause
 * Motion of walls as functions of time: how far along a direction, or by what angle about an axis.
 * Laws are listed in wall_motions.def. */
#ifndef SCREE_WALL_MOTION_H
#define SCREE_WALL_MOTION_H

#include <stdbool.h>

#include "scree/input.h"

enum { SCREE_MOTION_VALUES = 8 };
/* A law serves both; only the units of its keys differ. */
enum scree_motion_kind { SCREE_MOTION_SHIFT, SCREE_MOTION_TURN, SCREE_N_MOTIONS };

struct scree_motion;
struct scree_motion_law {
    const char *name, *summary;
    const struct scree_param *params[SCREE_N_MOTIONS]; /* of struct scree_motion::values */
    /* Complete what was read, collecting mistakes at `node`. May be NULL. */
    void (*check)(struct scree_input *input, const struct scree_node *node,
                  struct scree_motion *motion);
    /* Path (m or rad; 0 at time 0) and its rate at t >= 0 since the motion began. Must be functions
     * of t alone: nothing is summed from step to step, so that a resumed run has the same bits. */
    void (*at)(const struct scree_motion *motion, double t, double *path, double *rate);
};

struct scree_motion {
    const struct scree_motion_law *law; /* NULL: at rest */
    enum scree_motion_kind kind;
    double start, stop; /* s; at rest before and after */
    double values[SCREE_MOTION_VALUES];
    int n_table;
    double *table; /* owned; time, path and rate at time, n_table of each */
};

const struct scree_motion_law *const *scree_motion_laws(int *n);
/* Keys of every motion of a kind, whatever its law. */
const struct scree_param *scree_motion_common_params(enum scree_motion_kind kind);

/* Read the map `node` of the wall `name`: the motion, its direction or axis (unit length) and, for
 * a turn, a point of the axis (NANs if not given). False if it cannot be used. */
bool scree_motion_read(struct scree_motion *motion, struct scree_input *input,
                       const struct scree_node *node, const char *name, double direction[3],
                       double point[3]);
void scree_motion_copy(struct scree_motion *to, const struct scree_motion *from);
void scree_motion_clear(struct scree_motion *motion);
void scree_motion_at(const struct scree_motion *motion, double t, double *path, double *rate);

#endif
