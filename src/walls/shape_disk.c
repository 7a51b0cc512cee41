/* SPDX-License-Identifier: BSD-3-Clause
 * Flat round sheets: a disk, and a ring around a hole. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "drawing.h"
#include "shape.h"

/* Swept from the inner to the outer radius; a disk is a ring without a hole. */
#define AT(member) offsetof(struct scree_shape_revolved, member)
#define PLACE                                                                                \
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(point), "middle of the sheet"}, \
    {                                                                                        \
        "normal", SCREE_PARAM_VECTOR, "1", 0, 0, "[0, 0, 1]", NULL, AT(axis),                \
            "direction across the sheet, of any length; both faces push"                     \
    }
static const struct scree_param disk_params[] = {
    PLACE,
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(to[0]), "of its edge"},
    {0},
};
static const struct scree_param ring_params[] = {
    PLACE,
    {"inner", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(from[0]),
     "radius of the hole"},
    {"outer", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(to[0]),
     "radius of the outer edge"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    struct scree_shape_revolved *v = values;
    const char *what = scree_node_find(node, "inner") != NULL ? "ring" : "disk";
    scree_shape_direction(input, node, what, "normal", "the direction across it, such as [0, 0, 1]",
                          v->axis);
    if (scree_node_find(node, "inner") != NULL && v->from[0] >= v->to[0])
        scree_input_error(input, scree_node_find(node, "inner"),
                          "ring: 'inner' is %g m, not below 'outer', %g m", v->from[0], v->to[0]);
}

static void outline(const void *values, int dimension, struct scree_outline *o)
{
    const struct scree_shape_revolved *v = values;
    (void)dimension;
    o->kind = SCREE_OUTLINE_SHEET;
    o->inner = v->from[0];
    o->outer = v->to[0];
    o->area = acos(-1.0) * (o->outer - o->inner) * (o->outer + o->inner);
    for (int k = 0; k < 3; k++) {
        o->normal[k] = v->axis[k];
        o->half[k] = o->outer * sqrt(fmax(1.0 - v->axis[k] * v->axis[k], 0.0));
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    scree_drawing_revolved(drawing, values);
}

const struct scree_wall_shape scree_shape_disk = {
    .name = "disk",
    .summary = "flat round sheet",
    .params = disk_params,
    .check = check,
    .bound = scree_shape_revolved_bound,
    .revolves = scree_shape_revolved_revolves,
    .outline = outline,
    .draw = draw,
    .locate = scree_shape_revolved_locate,
};

const struct scree_wall_shape scree_shape_ring = {
    .name = "ring",
    .summary = "flat round sheet with a hole; with a disk in the hole: a split bottom",
    .params = ring_params,
    .check = check,
    .bound = scree_shape_revolved_bound,
    .revolves = scree_shape_revolved_revolves,
    .outline = outline,
    .draw = draw,
    .locate = scree_shape_revolved_locate,
};
