/* SPDX-License-Identifier: BSD-3-Clause
 * A container of flat walls around the grains, one for each face, with edges along x, y, z. */
#include <math.h>
#include <stddef.h>

#include "shape.h"

extern const struct scree_wall_shape scree_shape_plane;

struct box {
    double low[3], high[3]; /* m */
};

#define AT(member) offsetof(struct box, member)
static const struct scree_param params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(low), "lower corner"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(high),
     "upper corner; there are no walls across periodic directions, nor across z in 2D"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    scree_shape_check_corners(input, node, "box", dimension, values);
}

static void bound(const void *values, double centre[3], double *radius)
{
    scree_shape_bound_corners(values, centre, radius);
    *radius = INFINITY; /* its faces are */
}

static int split(const void *values, const struct scree_box *box,
                 struct scree_wall_piece piece[SCREE_WALL_PIECES])
{
    static const char *const suffix[3][2] = {
        {"x_low", "x_high"}, {"y_low", "y_high"}, {"z_low", "z_high"}};
    const struct box *v = values;
    int n = 0;
    for (int a = 0; a < box->dimension; a++)
        for (int end = 0; end < 2 && !box->periodic[a]; end++) {
            struct scree_wall_piece *p = &piece[n++];
            *p = (struct scree_wall_piece){.suffix = suffix[a][end], .shape = &scree_shape_plane};
            double *point = p->values, *normal = p->values + 3; /* the values of a plane */
            for (int k = 0; k < 3; k++) point[k] = end == 0 ? v->low[k] : v->high[k];
            normal[a] = end == 0 ? 1.0 : -1.0;
        }
    return n;
}

const struct scree_wall_shape scree_shape_box = {
    .name = "box",
    .summary = "container with flat faces: walls NAME.x_low ... NAME.z_high",
    .params = params,
    .check = check,
    .bound = bound,
    .split = split,
};
