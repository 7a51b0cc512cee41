/* SPDX-License-Identifier: BSD-3-Clause
 * A solid cuboid among the grains, with edges along x, y, z when it is not turned. */
#include <math.h>
#include <stddef.h>

#include "drawing.h"
#include "scree/vec.h"
#include "shape.h"

struct block {
    double low[3], high[3]; /* m */
};

#define AT(member) offsetof(struct block, member)
static const struct scree_param params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(low), "lower corner"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(high), "upper corner"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    scree_shape_check_corners(input, node, "block", dimension, values);
}

static bool spans(const void *values, int axis, double period)
{
    const struct block *v = values;
    return scree_shape_is_whole_period(v->high[axis] - v->low[axis], period);
}

/* In two dimensions it has no faces across z. */
static bool is_flat(const void *values)
{
    const struct block *v = values;
    return v->low[2] == 0.0 && v->high[2] == 0.0;
}

/* The face through which a centre inside the block is closest to the outside. */
static void locate_inside(const struct block *v, const double *pos, struct scree_wall_point *found)
{
    found->gap = -INFINITY;
    for (int k = 0; k < 3; k++)
        for (int end = 0; end < 2 && v->high[k] > v->low[k]; end++) {
            double gap = (end == 0 ? v->low[k] - pos[k] : pos[k] - v->high[k]) - pos[3];
            if (gap <= found->gap) continue;
            found->gap = gap;
            for (int c = 0; c < 3; c++) found->normal[c] = 0.0;
            found->normal[k] = end == 0 ? -1.0 : 1.0;
        }
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct block *v = values;
    for (int i = 0; i < n; i++) {
        double away[3];
        int n_outside = 0;
        for (int k = 0; k < 3; k++) {
            away[k] = pos[i][k] - fmin(fmax(pos[i][k], v->low[k]), v->high[k]);
            n_outside += away[k] != 0.0;
        }
        double distance = scree_vec_norm(away);
        found[i].edge = n_outside > 1; /* or a corner */
        found[i].gap = distance - pos[i][3];
        for (int k = 0; k < 3; k++) found[i].normal[k] = away[k] / distance;
        if (distance == 0.0) locate_inside(v, pos[i], &found[i]);
    }
}

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    const struct block *v = values;
    scree_drawing_block(drawing, v->low, v->high);
}

const struct scree_wall_shape scree_shape_block = {
    .name = "block",
    .summary = "solid cuboid among the grains",
    .params = params,
    .check = check,
    .bound = scree_shape_bound_corners,
    .spans = spans,
    .is_flat = is_flat,
    .draw = draw,
    .locate = locate,
};
