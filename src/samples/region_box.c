/* SPDX-License-Identifier: BSD-3-Clause
 * A box along the axes. Over a whole period it has no faces. */
#include <math.h>
#include <stddef.h>

#include "scree/regions.h"

struct box {
    double low[3], high[3]; /* m; NAN: the domain's */
};

#define AT(member) offsetof(struct box, member)
static const struct scree_param params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "lower corner; default: of the domain"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high),
     "upper corner; default: of the domain"},
    {0},
};

static bool check(struct scree_region *region, struct scree_input *input,
                  const struct scree_node *node, const struct scree_box *box)
{
    const struct box *v = (const struct box *)region->values;
    (void)input;
    (void)node;
    for (int a = 0; a < box->dimension; a++) {
        double slack = 1e-9 * box->length[a];
        region->low[a] = isnan(v->low[a]) ? box->low[a] : v->low[a];
        region->high[a] = isnan(v->high[a]) ? box->high[a] : v->high[a];
        region->whole[a] = box->periodic[a] && fabs(region->low[a] - box->low[a]) <= slack &&
                           fabs(region->high[a] - box->high[a]) <= slack;
    }
    return true;
}

static double size(const struct scree_region *region)
{
    double product = 1.0;
    for (int a = 0; a < region->dimension; a++) product *= region->high[a] - region->low[a];
    return product;
}

static double room(const struct scree_region *region, const double pos[3])
{
    double least = INFINITY;
    for (int a = 0; a < region->dimension; a++)
        if (!region->whole[a])
            least = fmin(least, fmin(pos[a] - region->low[a], region->high[a] - pos[a]));
    return least;
}

const struct scree_region_shape scree_region_box = {
    .name = "box",
    .summary = "box along the axes",
    .params = params,
    .fills_bounds = true,
    .check = check,
    .size = size,
    .room = room,
};
