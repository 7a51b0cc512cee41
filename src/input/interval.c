/* SPDX-License-Identifier: BSD-3-Clause
 * Intervals that may be given as simulated time or as a number of steps. */
#include <math.h>

#include "scree/input.h"

int64_t scree_input_interval(struct scree_input *input, const struct scree_node *node,
                             const char *what, const struct scree_interval *given, double dt,
                             int64_t fallback)
{
    bool has_time = !isnan(given->every), has_steps = given->steps != INT64_MIN;
    if (has_time && has_steps)
        scree_input_error(input, node, "%s: give only one of every, steps", what);
    if (has_time) return (int64_t)fmin(fmax(1.0, round(given->every / dt)), 9e15);
    return has_steps ? given->steps : fallback;
}
