/* SPDX-License-Identifier: BSD-3-Clause
 * A round wall about an axis: without end, seen from inside or outside, or a tube of some length.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "drawing.h"
#include "shape.h"

struct cylinder {
    struct scree_shape_revolved sheet; /* used whole if there is a length */
    double length;                     /* m; NAN: without end */
    int side;                          /* where the grains are; -1 for a tube */
};
_Static_assert(sizeof(struct cylinder) <= SCREE_WALL_VALUES * sizeof(double), "fits in a wall");

#define AT(member) offsetof(struct cylinder, member)
static const struct scree_param params[] = {
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(sheet.point),
     "a point of the axis; with 'length': the middle of the first end"},
    {"axis", SCREE_PARAM_VECTOR, "1", 0, 0, "[0, 0, 1]", NULL, AT(sheet.axis),
     "direction of the axis, of any length"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, 1e60, NULL, NULL, AT(sheet.from[0]),
     "of the cylinder"},
    {"side", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_shape_sides, AT(side),
     "where the grains are; needed unless there is a 'length'"},
    {"length", SCREE_PARAM_REAL, "m", DBL_MIN, 1e60, "", NULL, AT(length),
     "a tube of this length with open ends, both faces of which push; default: without end"},
    {0},
};

static bool is_tube(const struct cylinder *v)
{
    return !isnan(v->length);
}

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    struct cylinder *v = values;
    scree_shape_direction(input, node, "cylinder", "axis",
                          "the direction of its axis, such as [0, 0, 1]", v->sheet.axis);
    v->sheet.to[0] = v->sheet.from[0];
    v->sheet.to[1] = v->length;
    const struct scree_node *side = scree_node_find(node, "side");
    bool has_length = scree_node_find(node, "length") != NULL;
    if (side == NULL && !has_length)
        scree_input_error(input, node,
                          "cylinder: 'side' is missing; where are the grains, "
                          "inside or outside?");
    if (side != NULL && has_length)
        scree_input_error(input, side,
                          "cylinder: both faces of a tube push; leave out 'side' or "
                          "'length'");
}

static void bound(const void *values, double centre[3], double *radius)
{
    const struct cylinder *v = values;
    if (is_tube(v)) {
        scree_shape_revolved_bound(&v->sheet, centre, radius);
        return;
    }
    for (int k = 0; k < 3; k++) centre[k] = v->sheet.point[k];
    *radius = INFINITY;
}

static bool repeats(const void *values, int axis)
{
    return fabs(((const struct cylinder *)values)->sheet.axis[axis]) == 1.0;
}

/* A tube must also reach over the plane of the grains. */
static bool is_flat(const void *values)
{
    const struct cylinder *v = values;
    double low = v->sheet.point[2], high = low + v->length * v->sheet.axis[2];
    return repeats(values, 2) && (!is_tube(v) || fmin(low, high) * fmax(low, high) < 0.0);
}

/* Grains may be on both sides of a tube. */
static void outline(const void *values, int dimension, struct scree_outline *o)
{
    const struct cylinder *v = values;
    (void)dimension;
    if (is_tube(v)) return;
    o->kind = SCREE_OUTLINE_CYLINDER;
    for (int k = 0; k < 3; k++) o->normal[k] = v->sheet.axis[k];
    o->inside = v->side == SCREE_SHAPE_INSIDE;
    o->outer = v->sheet.from[0];
}

static void locate_endless(const struct cylinder *v, int n, const double (*pos)[4],
                           struct scree_wall_point *found)
{
    double outward = v->side == SCREE_SHAPE_OUTSIDE ? 1.0 : -1.0;
    for (int i = 0; i < n; i++) {
        struct scree_shape_place place =
            scree_shape_find_place(v->sheet.point, v->sheet.axis, pos[i]);
        found[i].gap = outward * (place.off - v->sheet.from[0]) - pos[i][3];
        for (int k = 0; k < 3; k++) found[i].normal[k] = outward * place.outwards[k];
        found[i].edge = false;
    }
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct cylinder *v = values;
    if (is_tube(v))
        scree_shape_revolved_locate(&v->sheet, n, pos, found);
    else
        locate_endless(v, n, pos, found);
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    const struct cylinder *v = values;
    struct scree_shape_revolved sheet = v->sheet;
    double from = INFINITY, to = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++)
            along += ((corner >> k & 1) != 0 ? high[k] : low[k]) * sheet.axis[k] -
                     sheet.point[k] * sheet.axis[k];
        from = fmin(from, along);
        to = fmax(to, along);
    }
    sheet.to[0] = sheet.from[0];
    sheet.from[1] = is_tube(v) ? 0.0 : from;
    sheet.to[1] = is_tube(v) ? v->length : to;
    scree_drawing_revolved(drawing, &sheet);
}

const struct scree_wall_shape scree_shape_cylinder = {
    .name = "cylinder",
    .summary = "round wall about an axis, without end or a tube; in 2D a circle",
    .params = params,
    .check = check,
    .bound = bound,
    .repeats = repeats,
    .is_flat = is_flat,
    .revolves = scree_shape_revolved_revolves,
    .outline = outline,
    .draw = draw,
    .locate = locate,
};
