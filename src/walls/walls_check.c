/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that do not fit their box: mistakes in an input. */
#include <math.h>

#include "walls_read.h"

/* A wall must be the same from all sectors of a wedge, and so must its motion. */
static void check_wedge(const struct scree_wall_entry *e, const struct scree_wall *wall)
{
    const struct scree_wedge *wedge = &e->box->wedge;
    const double origin[3] = {0.0, 0.0, 0.0};
    double axis[3] = {0.0, 0.0, 0.0};
    if (wedge->n == 0) return;
    int u = wedge->u, v = wedge->v;
    if (wall->tilts)
        scree_input_error(e->input, e->node, "wall '%s' tilts, which a wedge does not allow",
                          wall->name);
    axis[wedge->axis] = 1.0;
    if (wall->shape->revolves == NULL || !wall->shape->revolves(wall->values, origin, axis))
        scree_input_error(e->input, e->node,
                          "wall '%s' is not the same after a turn about %c, the axis of the wedge",
                          wall->name, "xyz"[wedge->axis]);
    else if (wall->steady[u] != 0.0 || wall->steady[v] != 0.0 || wall->direction[u] != 0.0 ||
             wall->direction[v] != 0.0)
        scree_input_error(e->input, e->node, "wall '%s' moves across %c, the axis of the wedge",
                          wall->name, "xyz"[wedge->axis]);
    else if (scree_wall_turns(wall) && (fabs(wall->axis[wedge->axis]) != 1.0 ||
                                        wall->pivot[u] != 0.0 || wall->pivot[v] != 0.0))
        scree_input_error(e->input, e->node,
                          "wall '%s' turns about an axis that is not that of the wedge",
                          wall->name);
}

/* A wall without end along a periodic direction must be the same everywhere along it, its motion
 * included; others are seen in their images. In two dimensions walls must push within the plane and
 * stay in it. */
static void check_space(const struct scree_wall_entry *e, const struct scree_wall *wall)
{
    const struct scree_box *box = e->box;
    for (int a = 0; a < box->dimension; a++) {
        if (!wall->endless[a]) continue;
        if (isinf(wall->radius) && !wall->shape->repeats(wall->values, a))
            scree_input_error(e->input, e->node,
                              "wall '%s' is not the same after a shift along %c, which is periodic",
                              wall->name, "xyz"[a]);
        else if (scree_wall_turns(wall) && fabs(wall->axis[a]) != 1.0)
            scree_input_error(e->input, e->node,
                              "wall '%s' has no end, and turns about an axis that is not %c, which "
                              "is periodic",
                              wall->name, "xyz"[a]);
        else if (wall->tilts)
            scree_input_error(e->input, e->node,
                              "wall '%s' has no end along %c, which is periodic, and cannot tilt",
                              wall->name, "xyz"[a]);
    }
    if (wall->tilts && wall->turns)
        scree_input_error(
            e->input, e->node,
            "wall '%s' turns in one stage and tilts in another; it can do one of them", wall->name);
    if (box->dimension == 3) return;
    bool turns_out = scree_wall_turns(wall) && fabs(wall->axis[2]) != 1.0;
    if (wall->shape->is_flat == NULL || !wall->shape->is_flat(wall->values))
        scree_input_error(e->input, e->node,
                          "wall '%s' would push grains out of the plane z = 0 of two dimensions",
                          wall->name);
    else if (wall->steady[2] != 0.0 || wall->direction[2] != 0.0 || turns_out)
        scree_input_error(e->input, e->node,
                          "wall '%s' moves out of the plane z = 0 of two dimensions", wall->name);
}

/* Squares of its coordinates must be numbers, with room for what is computed from them: the sphere
 * around a wall with ends would else look like that of one without. */
static bool check_size(const struct scree_wall_entry *e, const struct scree_wall *wall)
{
    static const double largest = 1e60; /* m */
    bool endless = isinf(wall->radius) && wall->shape->repeats != NULL;
    bool good = endless || wall->radius <= largest;
    for (int k = 0; k < 3; k++) good = good && fabs(wall->centre[k]) <= largest;
    if (!good)
        scree_input_error(e->input, e->node,
                          "wall '%s' reaches farther than can be computed with; expected places up "
                          "to %g m",
                          wall->name, largest);
    return good;
}

void scree_wall_check_box(const struct scree_wall_entry *e, const struct scree_wall *wall)
{
    if (!check_size(e, wall)) return;
    check_space(e, wall);
    check_wedge(e, wall);
}
