/* SPDX-License-Identifier: BSD-3-Clause
 * A straight line between two points: a piece of wall in two dimensions, a wire in three. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drawing.h"
#include "scree/vec.h"
#include "shape.h"

struct segment {
    double from[3], to[3];       /* m */
    double direction[3], length; /* made by check() */
};
_Static_assert(sizeof(struct segment) <= SCREE_WALL_VALUES * sizeof(double), "fits in a wall");

#define AT(member) offsetof(struct segment, member)
static const struct scree_param params[] = {
    {"from", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(from), "one end"},
    {"to", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(to), "the other end"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    struct segment *v = values;
    for (int k = 0; k < 3; k++) v->direction[k] = v->to[k] - v->from[k];
    v->length = scree_vec_norm(v->direction);
    if (v->length == 0.0)
        scree_input_error(input, scree_node_find(node, "to"),
                          "segment: 'from' and 'to' are the same point");
    for (int k = 0; k < 3; k++) v->direction[k] /= v->length;
}

static void bound(const void *values, double centre[3], double *radius)
{
    const struct segment *v = values;
    for (int k = 0; k < 3; k++) centre[k] = 0.5 * (v->from[k] + v->to[k]);
    *radius = 0.5 * v->length;
}

static bool spans(const void *values, int axis, double period)
{
    const struct segment *v = values;
    return fabs(v->direction[axis]) == 1.0 && scree_shape_is_whole_period(v->length, period);
}

static bool is_flat(const void *values)
{
    const struct segment *v = values;
    return v->from[2] == 0.0 && v->to[2] == 0.0;
}

/* In three dimensions it is a wire, which takes no space but has no face either. */
static void outline(const void *values, int dimension, struct scree_outline *o)
{
    const struct segment *v = values;
    if (dimension == 3) return;
    o->kind = SCREE_OUTLINE_SHEET;
    o->normal[0] = -v->direction[1];
    o->normal[1] = v->direction[0];
    o->area = v->length;
    for (int k = 0; k < 3; k++) o->half[k] = 0.5 * v->length * fabs(v->direction[k]);
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct segment *v = values;
    for (int i = 0; i < n; i++) {
        double d[3] = {pos[i][0] - v->from[0], pos[i][1] - v->from[1], pos[i][2] - v->from[2]};
        double s = scree_vec_dot(d, v->direction);
        found[i].edge = s < 0.0 || s > v->length;
        s = fmin(fmax(s, 0.0), v->length);
        for (int k = 0; k < 3; k++) d[k] -= s * v->direction[k];
        double distance = scree_vec_norm(d);
        found[i].gap = distance - pos[i][3];
        for (int k = 0; k < 3; k++) found[i].normal[k] = d[k] / distance;
        if (distance > 0.0) continue;
        /* A centre on the line: any direction across it, in two dimensions within the plane. */
        struct scree_shape_place place;
        double beside[3] = {v->from[0] - v->direction[1], v->from[1] + v->direction[0], v->from[2]};
        place = scree_shape_find_place(v->from, v->direction, beside);
        memcpy(found[i].normal, place.outwards, sizeof place.outwards);
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    const struct segment *v = values;
    double corner[4][3];
    memcpy(corner[0], v->from, sizeof corner[0]);
    memcpy(corner[1], v->to, sizeof corner[1]);
    memcpy(corner[2], v->to, sizeof corner[2]);
    memcpy(corner[3], v->from, sizeof corner[3]);
    if (v->direction[2] == 0.0 && v->from[2] == 0.0) /* of two dimensions: through the layer */
        for (int c = 0; c < 4; c++) corner[c][2] = c < 2 ? low[2] : high[2];
    scree_drawing_add(drawing, corner[0], corner[1], corner[2]);
    scree_drawing_add(drawing, corner[0], corner[2], corner[3]);
}

const struct scree_wall_shape scree_shape_segment = {
    .name = "segment",
    .summary = "straight line between two points: a piece of wall in 2D, a wire in 3D",
    .params = params,
    .check = check,
    .bound = bound,
    .spans = spans,
    .is_flat = is_flat,
    .outline = outline,
    .draw = draw,
    .locate = locate,
};
