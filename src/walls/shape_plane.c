/* SPDX-License-Identifier: BSD-3-Clause
 * A flat wall without end: grains stay on the side to which its normal points. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drawing.h"
#include "scree/vec.h"
#include "shape.h"

struct plane {
    double point[3];  /* m; anywhere on the surface */
    double normal[3]; /* into the grains; unit length after check() */
};
_Static_assert(sizeof(struct plane) <= SCREE_WALL_VALUES * sizeof(double), "plane fits in a wall");

#define AT(member) offsetof(struct plane, member)
static const struct scree_param params[] = {
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(point), "any point of the surface"},
    {"normal", SCREE_PARAM_VECTOR, "1", 0, 0, NULL, NULL, AT(normal),
     "direction from the wall to the grains, of any length"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    (void)dimension;
    scree_shape_direction(input, node, "plane", "normal",
                          "the direction from the wall to the grains, such as [0, 0, 1]",
                          ((struct plane *)values)->normal);
}

static void bound(const void *values, double centre[3], double *radius)
{
    memcpy(centre, ((const struct plane *)values)->point, 3 * sizeof(double));
    *radius = INFINITY;
}

static bool repeats(const void *values, int axis)
{
    return ((const struct plane *)values)->normal[axis] == 0.0;
}

static bool is_flat(const void *values)
{
    return repeats(values, 2);
}

static bool revolves(const void *values, const double point[3], const double axis[3])
{
    (void)point;
    return scree_shape_is_parallel(((const struct plane *)values)->normal, axis);
}

static void facing(const void *values, double normal[3])
{
    memcpy(normal, ((const struct plane *)values)->normal, 3 * sizeof(double));
}

static void outline(const void *values, int dimension, struct scree_outline *o)
{
    (void)dimension;
    o->kind = SCREE_OUTLINE_PLANE;
    facing(values, o->normal);
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct plane *v = values;
    for (int i = 0; i < n; i++) {
        double x = pos[i][0] - v->point[0], y = pos[i][1] - v->point[1];
        double z = pos[i][2] - v->point[2];
        found[i].gap = (x * v->normal[0] + y * v->normal[1] + z * v->normal[2]) - pos[i][3];
        memcpy(found[i].normal, v->normal, sizeof v->normal);
        found[i].edge = false;
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    const struct plane *v = values;
    scree_drawing_plane(drawing, v->point, v->normal, low, high);
}

const struct scree_wall_shape scree_shape_plane = {
    .name = "plane",
    .summary = "flat wall without end; grains stay on the side of its normal",
    .params = params,
    .check = check,
    .bound = bound,
    .repeats = repeats,
    .is_flat = is_flat,
    .revolves = revolves,
    .facing = facing,
    .outline = outline,
    .draw = draw,
    .locate = locate,
};
