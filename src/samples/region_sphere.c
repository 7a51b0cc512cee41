/* SPDX-License-Identifier: BSD-3-Clause
 * A ball (2D: a disk), or a shell if there is an inner radius. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/regions.h"

struct sphere {
    double centre[3], radius, inner;
};

#define AT(member) offsetof(struct sphere, member)
static const struct scree_param params[] = {
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, "[0, 0, 0]", NULL, AT(centre), "of the sphere"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(radius), "of the sphere"},
    {"inner", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(inner),
     "radius of a hollow at its centre"},
    {0},
};

static bool check(struct scree_region *region, struct scree_input *input,
                  const struct scree_node *node, const struct scree_box *box)
{
    const struct sphere *v = (const struct sphere *)region->values;
    for (int a = 0; a < box->dimension; a++) {
        region->low[a] = v->centre[a] - v->radius;
        region->high[a] = v->centre[a] + v->radius;
    }
    if (v->inner < v->radius) return true;
    scree_input_error(input, scree_node_find(node, "inner"),
                      "region: 'inner' is %g m, not below 'radius' of %g m", v->inner, v->radius);
    return false;
}

static double size(const struct scree_region *region)
{
    const struct sphere *v = (const struct sphere *)region->values;
    const double pi = acos(-1.0);
    if (region->dimension == 2) return pi * (v->radius * v->radius - v->inner * v->inner);
    return 4.0 / 3.0 * pi * (pow(v->radius, 3.0) - pow(v->inner, 3.0));
}

static double room(const struct scree_region *region, const double pos[3])
{
    const struct sphere *v = (const struct sphere *)region->values;
    double square = 0.0;
    for (int a = 0; a < region->dimension; a++)
        square += (pos[a] - v->centre[a]) * (pos[a] - v->centre[a]);
    double distance = sqrt(square);
    return v->inner > 0.0 ? fmin(v->radius - distance, distance - v->inner) : v->radius - distance;
}

const struct scree_region_shape scree_region_sphere = {
    .name = "sphere",
    .summary = "ball or shell (2D: disk or ring)",
    .params = params,
    .check = check,
    .size = size,
    .room = room,
};
