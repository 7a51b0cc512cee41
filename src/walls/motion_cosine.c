/* SPDX-License-Identifier: BSD-3-Clause
 * Motion over a given distance as half a cosine, which starts and ends smoothly (Luding 1.27):
 * z(t) = z_f + (z_0 - z_f)/2 (1 + cos wt) while wt < pi, at rest in z_f afterwards. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/wall_motion.h"

#define PI 3.14159265358979323846

struct cosine {
    double distance, duration; /* m or rad; s, half a period */
};

#define AT(member) offsetof(struct cosine, member)
#define PARAMS(key, length)                                                                    \
    {                                                                                          \
        {key, SCREE_PARAM_REAL, length, 0, 0, NULL, NULL, AT(distance), "how far in the end"}, \
            {"duration", SCREE_PARAM_REAL, "s",                                                \
             DBL_MIN,    INFINITY,         NULL,                                               \
             NULL,       AT(duration),     "time that it takes: half a period of the cosine"}, \
        {                                                                                      \
            0                                                                                  \
        }                                                                                      \
    }
static const struct scree_param shift[] = PARAMS("distance", "m"), turn[] = PARAMS("angle", "rad");

static void at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    const struct cosine *v = (const struct cosine *)motion->values;
    if (t < v->duration) {
        double phase = PI * (t / v->duration);
        *path = 0.5 * v->distance * (1.0 - cos(phase));
        *rate = 0.5 * v->distance * (PI / v->duration) * sin(phase);
    } else {
        *path = v->distance;
        *rate = 0.0;
    }
}

const struct scree_motion_law scree_motion_cosine = {
    .name = "cosine",
    .summary = "over a given distance or angle, starting and ending smoothly",
    .params = {shift, turn},
    .at = at,
};
