/* SPDX-License-Identifier: BSD-3-Clause
 * To and fro: amplitude (sin(2 pi f t + phase) - sin(phase)), at its first place when it starts. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/wall_motion.h"

#define PI 3.14159265358979323846

struct oscillation {
    double amplitude, frequency, phase; /* m or rad; 1/s; rad */
};

#define AT(member) offsetof(struct oscillation, member)
#define PARAMS(length)                                                                 \
    {                                                                                  \
        {"amplitude",                                                                  \
         SCREE_PARAM_REAL,                                                             \
         length,                                                                       \
         0,                                                                            \
         0,                                                                            \
         NULL,                                                                         \
         NULL,                                                                         \
         AT(amplitude),                                                                \
         "half the way from end to end"},                                              \
            {"frequency",   SCREE_PARAM_REAL,  "Hz", DBL_MIN, INFINITY, NULL, NULL,    \
             AT(frequency), "periods per time"},                                       \
            {"phase",                                                                  \
             SCREE_PARAM_REAL,                                                         \
             "rad",                                                                    \
             0,                                                                        \
             0,                                                                        \
             "0",                                                                      \
             NULL,                                                                     \
             AT(phase),                                                                \
             "where in its period it starts; 0: fastest, 90 deg: at rest at one end"}, \
        {                                                                              \
            0                                                                          \
        }                                                                              \
    }
static const struct scree_param shift[] = PARAMS("m"), turn[] = PARAMS("rad");

static void at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    const struct oscillation *v = (const struct oscillation *)motion->values;
    double turns = v->frequency * t, phase = 2.0 * PI * (turns - floor(turns)) + v->phase;
    *path = v->amplitude * (sin(phase) - sin(v->phase));
    *rate = v->amplitude * (2.0 * PI * v->frequency) * cos(phase);
}

const struct scree_motion_law scree_motion_oscillate = {
    .name = "oscillate",
    .summary = "to and fro as a sine",
    .params = {shift, turn},
    .at = at,
};
