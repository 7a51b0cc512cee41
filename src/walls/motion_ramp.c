/* SPDX-License-Identifier: BSD-3-Clause
 * Motion whose rate rises smoothly from zero, as half a cosine, and stays: rate (1 - cos wt) / 2
 * while wt < pi. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/wall_motion.h"

#define PI 3.14159265358979323846

struct ramp {
    double rate, rise; /* m/s or rad/s; s */
};

#define AT(member) offsetof(struct ramp, member)
#define PARAMS(speed)                                                                         \
    {                                                                                         \
        {"rate", SCREE_PARAM_REAL, speed, 0, 0, NULL, NULL, AT(rate), "how fast in the end"}, \
            {"rise",  SCREE_PARAM_REAL, "s",                                                  \
             DBL_MIN, INFINITY,         NULL,                                                 \
             NULL,    AT(rise),         "time until this rate is reached, smoothly"},         \
        {                                                                                     \
            0                                                                                 \
        }                                                                                     \
    }
static const struct scree_param shift[] = PARAMS("m/s"), turn[] = PARAMS("rad/s");

static void at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    const struct ramp *v = (const struct ramp *)motion->values;
    if (t < v->rise) {
        double phase = PI * (t / v->rise);
        *path = 0.5 * v->rate * (t - v->rise / PI * sin(phase));
        *rate = 0.5 * v->rate * (1.0 - cos(phase));
    } else {
        *path = v->rate * (t - 0.5 * v->rise);
        *rate = v->rate;
    }
}

const struct scree_motion_law scree_motion_ramp = {
    .name = "ramp",
    .summary = "the rate rises smoothly from zero and stays",
    .params = {shift, turn},
    .at = at,
};
