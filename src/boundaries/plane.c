/* SPDX-License-Identifier: BSD-3-Clause
 * A flat wall without end: grains stay on the side to which its normal points. */
#include <math.h>
#include <stddef.h>

#include "scree/boundaries.h"
#include "scree/vec.h"

struct plane {
    double point[3];  /* m; anywhere on the surface, at time 0 */
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

/* Scaled by the largest component first, so that very long and very short vectors neither overflow
 * nor vanish when squared. */
static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct plane *v = values;
    double largest = fmax(fabs(v->normal[0]), fmax(fabs(v->normal[1]), fabs(v->normal[2])));
    if (isnan(v->normal[0])) return; /* missing or unreadable: reported already */
    if (!(largest > 0.0)) {
        scree_input_error(input, scree_node_find(node, "normal"),
                          "plane: 'normal' is zero; give the direction from the wall to the "
                          "grains, such as [0, 0, 1]");
        return;
    }
    for (int k = 0; k < 3; k++) v->normal[k] /= largest;
    double length = scree_vec_norm(v->normal);
    for (int k = 0; k < 3; k++) v->normal[k] /= length;
}

static bool repeats(const struct scree_wall *wall, int axis)
{
    return ((const struct plane *)wall->shape_values)->normal[axis] == 0.0;
}

static void locate(const struct scree_wall *wall, int n, const double (*pos)[4], double *gap,
                   double (*normal)[3], double (*velocity)[3])
{
    const struct plane *v = (const struct plane *)wall->shape_values;
    double now[3]; /* where `point` is by now */
    for (int k = 0; k < 3; k++) now[k] = v->point[k] + wall->offset[k];
    for (int i = 0; i < n; i++) {
        double x = pos[i][0] - now[0], y = pos[i][1] - now[1], z = pos[i][2] - now[2];
        gap[i] = (x * v->normal[0] + y * v->normal[1] + z * v->normal[2]) - pos[i][3];
        for (int k = 0; k < 3; k++) {
            normal[i][k] = v->normal[k];
            velocity[i][k] = wall->velocity[k];
        }
    }
}

const struct scree_wall_shape scree_boundary_plane = {
    .name = "plane",
    .summary = "flat wall without end; grains stay on the side of its normal",
    .params = params,
    .check = check,
    .repeats = repeats,
    .locate = locate,
};
