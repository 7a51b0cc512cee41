/* SPDX-License-Identifier: BSD-3-Clause
 * Motion at a constant rate. */
#include <stddef.h>

#include "scree/wall_motion.h"

#define PARAMS(speed)                                                                            \
    {                                                                                            \
        {"rate", SCREE_PARAM_REAL, speed, 0, 0, NULL, NULL, 0, "how fast; negative: backwards"}, \
        {                                                                                        \
            0                                                                                    \
        }                                                                                        \
    }
static const struct scree_param shift[] = PARAMS("m/s"), turn[] = PARAMS("rad/s");

static void at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    *rate = motion->values[0];
    *path = *rate * t;
}

const struct scree_motion_law scree_motion_constant = {
    .name = "constant",
    .summary = "at a constant rate",
    .params = {shift, turn},
    .at = at,
};
