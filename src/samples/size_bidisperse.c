/* SPDX-License-Identifier: BSD-3-Clause
 * Two sizes. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "sizes_impl.h"

struct bidisperse {
    double small, large, share;
    int by;
};

#define AT(member) offsetof(struct bidisperse, member)
static const struct scree_param params[] = {
    {"small", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(small),
     "radius of the small grains"},
    {"large", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(large),
     "radius of the large grains"},
    {"share", SCREE_PARAM_REAL, "1", 0, 1, "0.5", NULL, AT(share), "of the large grains"},
    SCREE_SIZE_BY_PARAM(AT(by)),
    {0},
};

static bool read(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node)
{
    struct bidisperse v = {0};
    if (!scree_input_read(input, node, NULL, "radius", params, &v)) return false;
    if (!scree_size_check_range(input, scree_node_find(node, "small"), v.small, v.large))
        return false;
    scree_size_pieces_init(sizes, 2);
    sizes->piece[0] = (struct scree_size_piece){.low = v.small, .high = v.small};
    sizes->piece[1] = (struct scree_size_piece){.low = v.large, .high = v.large};
    sizes->piece[0].share = 1.0 - v.share;
    sizes->piece[1].share = v.share;
    scree_size_pieces_finish(sizes, v.by);
    return true;
}

const struct scree_size_kind scree_size_bidisperse = {
    .name = "bidisperse",
    .summary = "two radii, each grain large with the probability of the large ones' share",
    .params = params,
    .read = read,
};
