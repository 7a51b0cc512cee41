/* SPDX-License-Identifier: BSD-3-Clause
 * Radii with a density proportional to a power of the radius, between two cut-offs. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "sizes_impl.h"

struct power {
    double low, high, exponent;
    int by;
};

#define AT(member) offsetof(struct power, member)
static const struct scree_param params[] = {
    {"low", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(low), "smallest radius"},
    {"high", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(high), "largest radius"},
    {"exponent", SCREE_PARAM_REAL, "1", -20, 20, NULL, NULL, AT(exponent),
     "a of a density proportional to r^-a"},
    SCREE_SIZE_BY_PARAM(AT(by)),
    {0},
};

static bool read(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node)
{
    struct power v = {0};
    if (!scree_input_read(input, node, NULL, "radius", params, &v)) return false;
    if (!scree_size_check_range(input, scree_node_find(node, "low"), v.low, v.high)) return false;
    scree_size_pieces_init(sizes, 1);
    sizes->piece[0] = (struct scree_size_piece){v.low, v.high, v.exponent, 1.0, 1.0};
    scree_size_pieces_finish(sizes, v.by);
    return true;
}

const struct scree_size_kind scree_size_power = {
    .name = "power",
    .summary = "density proportional to r^-exponent between two radii",
    .params = params,
    .read = read,
};
