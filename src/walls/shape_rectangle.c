/* SPDX-License-Identifier: BSD-3-Clause
 * A flat rectangular sheet. */
#include <math.h>
#include <stddef.h>

#include "drawing.h"
#include "scree/vec.h"
#include "shape.h"

struct rectangle {
    double corner[3];            /* m */
    double side[2][3];           /* m, as read; unit vectors after check() */
    double normal[3], length[2]; /* made by check() */
};
_Static_assert(sizeof(struct rectangle) <= SCREE_WALL_VALUES * sizeof(double), "fits in a wall");

#define AT(member) offsetof(struct rectangle, member)
static const struct scree_param params[] = {
    {"corner", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(corner), "one of its corners"},
    {"along", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(side[0]),
     "one side, from the corner to the next"},
    {"across", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(side[1]),
     "the other side from the same corner, at a right angle to 'along'; both faces push"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    static const char *const key[] = {"along", "across"};
    struct rectangle *v = values;
    bool good = true;
    for (int s = 0; s < 2; s++) {
        v->length[s] = scree_vec_norm(v->side[s]);
        good = scree_shape_direction(input, node, "rectangle", key[s],
                                     "the side as a vector, such as [10 mm, 0, 0]", v->side[s]) &&
               good;
    }
    if (!good) return;
    double cosine = scree_vec_dot(v->side[0], v->side[1]);
    if (fabs(cosine) > 1e-9)
        scree_input_error(input, scree_node_find(node, "across"),
                          "rectangle: 'along' and 'across' are not at a right angle");
    for (int k = 0; k < 3; k++) v->side[1][k] -= cosine * v->side[0][k];
    scree_vec_cross(v->side[0], v->side[1], v->normal);
}

static void bound(const void *values, double centre[3], double *radius)
{
    const struct rectangle *v = values;
    double a = 0.5 * v->length[0], b = 0.5 * v->length[1];
    for (int k = 0; k < 3; k++) centre[k] = v->corner[k] + a * v->side[0][k] + b * v->side[1][k];
    *radius = sqrt(a * a + b * b);
}

static bool spans(const void *values, int axis, double period)
{
    const struct rectangle *v = values;
    for (int s = 0; s < 2; s++)
        if (fabs(v->side[s][axis]) == 1.0) return scree_shape_is_whole_period(v->length[s], period);
    return false;
}

static void outline(const void *values, int dimension, struct scree_outline *o)
{
    const struct rectangle *v = values;
    (void)dimension;
    o->kind = SCREE_OUTLINE_SHEET;
    o->area = v->length[0] * v->length[1];
    for (int k = 0; k < 3; k++) {
        o->normal[k] = v->normal[k];
        o->half[k] =
            0.5 * (v->length[0] * fabs(v->side[0][k]) + v->length[1] * fabs(v->side[1][k]));
    }
}

/* How far a coordinate is outside [0, length]. */
static double outside(double x, double length)
{
    return x < 0.0 ? x : x > length ? x - length : 0.0;
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct rectangle *v = values;
    for (int i = 0; i < n; i++) {
        double d[3] = {pos[i][0] - v->corner[0], pos[i][1] - v->corner[1],
                       pos[i][2] - v->corner[2]};
        double height = scree_vec_dot(d, v->normal);
        double a = outside(scree_vec_dot(d, v->side[0]), v->length[0]);
        double b = outside(scree_vec_dot(d, v->side[1]), v->length[1]);
        found[i].edge = a != 0.0 || b != 0.0;
        double distance = found[i].edge ? sqrt(height * height + (a * a + b * b)) : fabs(height);
        found[i].gap = distance - pos[i][3];
        for (int k = 0; k < 3; k++) {
            double away = height * v->normal[k] + (a * v->side[0][k] + b * v->side[1][k]);
            found[i].normal[k] =
                found[i].edge ? away / distance : (height < 0.0 ? -v->normal[k] : v->normal[k]);
        }
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    const struct rectangle *v = values;
    double corner[4][3];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            corner[c][k] = v->corner[k] + (c == 1 || c == 2 ? v->length[0] * v->side[0][k] : 0.0) +
                           (c >= 2 ? v->length[1] * v->side[1][k] : 0.0);
    scree_drawing_add(drawing, corner[0], corner[1], corner[2]);
    scree_drawing_add(drawing, corner[0], corner[2], corner[3]);
}

const struct scree_wall_shape scree_shape_rectangle = {
    .name = "rectangle",
    .summary = "flat rectangular sheet; both faces push",
    .params = params,
    .check = check,
    .bound = bound,
    .spans = spans,
    .outline = outline,
    .draw = draw,
    .locate = locate,
};
