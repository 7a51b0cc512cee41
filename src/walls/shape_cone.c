/* SPDX-License-Identifier: BSD-3-Clause
 * A round sheet that narrows: hopper, funnel, tip. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "drawing.h"
#include "shape.h"

#define AT(member) offsetof(struct scree_shape_revolved, member)
static const struct scree_param params[] = {
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(point), "middle of its first end"},
    {"axis", SCREE_PARAM_VECTOR, "1", 0, 0, "[0, 0, 1]", NULL, AT(axis),
     "direction from the first end to the other, of any length"},
    {"radius", SCREE_PARAM_REAL, "m", 0, INFINITY, NULL, NULL, AT(from[0]),
     "at the first end; 0: a tip"},
    {"end_radius", SCREE_PARAM_REAL, "m", 0, INFINITY, NULL, NULL, AT(to[0]), "at the other end"},
    {"length", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(to[1]),
     "along the axis, from end to end"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    struct scree_shape_revolved *v = values;
    scree_shape_direction(input, node, "cone", "axis",
                          "the direction from its first end to the other, such as [0, 0, 1]",
                          v->axis);
    if (v->from[0] == 0.0 && v->to[0] == 0.0)
        scree_input_error(input, scree_node_find(node, "end_radius"),
                          "cone: 'radius' and 'end_radius' are both zero");
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    scree_drawing_revolved(drawing, values);
}

const struct scree_wall_shape scree_shape_cone = {
    .name = "cone",
    .summary = "round sheet between two radii: hopper, funnel, tip; both faces push",
    .params = params,
    .check = check,
    .bound = scree_shape_revolved_bound,
    .revolves = scree_shape_revolved_revolves,
    .draw = draw,
    .locate = scree_shape_revolved_locate,
};
