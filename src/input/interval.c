/* SPDX-License-Identifier: BSD-3-Clause
 * Intervals that may be given as simulated time or as a number of steps, and their moments. */
#include <math.h>

#include "scree/input.h"

double scree_input_interval(struct scree_input *input, const struct scree_node *node,
                            const char *what, const struct scree_interval *given, double dt,
                            double fallback)
{
    bool has_time = !isnan(given->every), has_steps = given->steps != INT64_MIN;
    if (has_time && has_steps)
        scree_input_error(input, node, "%s: give only one of every, steps", what);
    if (has_time) return scree_interval_steps(given->every, dt, fallback);
    return has_steps ? (double)given->steps : fallback;
}

double scree_interval_steps(double every, double dt, double steps)
{
    return isnan(every) ? steps : fmin(fmax(1.0, every / dt), 9e15);
}

/* The interval is at least 1, so that no two moments are the same step. */
int64_t scree_interval_next(double interval, int64_t step, int64_t since)
{
    if (!(interval > 0.0)) return INT64_MAX;
    double at = (double)(step - since), k = floor(at / interval);
    while (round(k * interval) <= at) k += 1.0;
    return since + (int64_t)round(k * interval);
}

bool scree_interval_is_due(double interval, int64_t step, int64_t since)
{
    if (!(interval > 0.0)) return false;
    double at = (double)(step - since);
    return round(round(at / interval) * interval) == at;
}
