/* SPDX-License-Identifier: BSD-3-Clause
 * A spherical wall: a bowl around the grains, or a ball among them. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drawing.h"
#include "scree/vec.h"
#include "shape.h"

struct sphere {
    double centre[3], radius; /* m */
    int side;                 /* where the grains are */
};
_Static_assert(sizeof(struct sphere) <= SCREE_WALL_VALUES * sizeof(double), "fits in a wall");

#define AT(member) offsetof(struct sphere, member)
static const struct scree_param params[] = {
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(centre), "of the sphere"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(radius), "of the sphere"},
    {"side", SCREE_PARAM_CHOICE, "", 0, 0, NULL, scree_shape_sides, AT(side),
     "where the grains are"},
    {0},
};

static void bound(const void *values, double centre[3], double *radius)
{
    const struct sphere *v = values;
    memcpy(centre, v->centre, sizeof v->centre);
    *radius = v->radius;
}

static bool is_flat(const void *values)
{
    return ((const struct sphere *)values)->centre[2] == 0.0;
}

static bool revolves(const void *values, const double point[3], const double axis[3])
{
    return scree_shape_is_on_line(((const struct sphere *)values)->centre, point, axis);
}

/* In two dimensions it is a circle. A bowl has no sections that are the same all along. */
static void outline(const void *values, int dimension, struct scree_outline *o)
{
    const struct sphere *v = values;
    o->inside = v->side == SCREE_SHAPE_INSIDE;
    o->outer = v->radius;
    o->normal[2] = 1.0;
    if (dimension == 2)
        o->kind = SCREE_OUTLINE_CYLINDER;
    else if (!o->inside)
        o->kind = SCREE_OUTLINE_BALL;
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct sphere *v = values;
    double outward = v->side == SCREE_SHAPE_OUTSIDE ? 1.0 : -1.0;
    for (int i = 0; i < n; i++) {
        double d[3], to_centre;
        for (int k = 0; k < 3; k++) d[k] = pos[i][k] - v->centre[k];
        to_centre = scree_vec_norm(d);
        found[i].gap = outward * (to_centre - v->radius) - pos[i][3];
        for (int k = 0; k < 3; k++) /* at the very centre any direction is as good */
            found[i].normal[k] = outward * (to_centre > 0.0 ? d[k] / to_centre : (double)(k == 0));
        found[i].edge = false;
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    const struct sphere *v = values;
    scree_drawing_sphere(drawing, v->centre, v->radius);
}

const struct scree_wall_shape scree_shape_sphere = {
    .name = "sphere",
    .summary = "bowl around the grains or ball among them",
    .params = params,
    .bound = bound,
    .is_flat = is_flat,
    .revolves = revolves,
    .outline = outline,
    .draw = draw,
    .locate = locate,
};
