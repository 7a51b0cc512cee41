/* SPDX-License-Identifier: BSD-3-Clause
 * Walls across the directions in which a cell is not periodic. */
#include "scree/deformation_walls.h"

#include <math.h>

#include "scree/vec.h"

#define EQUAL 1e-9 /* stresses that differ by a smaller part of them are the same */

static bool is_across_axis(const struct scree_wall *wall)
{
    double normal[3];
    if (wall->shape->facing == NULL) return false;
    wall->shape->facing(wall->values, normal);
    return fabs(normal[0]) == 1.0 || fabs(normal[1]) == 1.0 || fabs(normal[2]) == 1.0;
}

void scree_deformation_walls_check(const struct scree_walls *walls, struct scree_input *input,
                                   const struct scree_node *node)
{
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        const struct scree_node *entry = scree_node_find(node, wall->name);
        if (entry == NULL) entry = node; /* a piece of one */
        if (!is_across_axis(wall))
            scree_input_error(input, entry,
                              "wall '%s' is not a plane across x, y or z: the flow of a box that "
                              "deforms ('cell') would go through it, or the size of the sample "
                              "would not be known",
                              wall->name);
        else if (wall->turns || wall->tilts)
            scree_input_error(input, entry,
                              "wall '%s' %s: in a box that deforms ('cell') walls stay across "
                              "their axis",
                              wall->name, wall->turns ? "turns" : "tilts");
    }
}

bool scree_deformation_walls_enclose(const struct scree_walls *walls, int axis)
{
    return walls->sides[axis].low_wall >= 0 && walls->sides[axis].high_wall >= 0;
}

void scree_deformation_walls_follow(struct scree_walls *walls, struct scree_deformation *cell,
                                    const struct scree_box *box)
{
    double low[3], high[3], tilt[3];
    if (!cell->on) return;
    scree_deformation_corners(cell, box, low, high, tilt);
    for (int a = 0; a < box->dimension; a++) {
        if (box->periodic[a])
            walls->sides[a].high = high[a];
        else
            cell->span[a] = scree_walls_extent(walls, a, false);
    }
}

bool scree_deformation_walls_strain(const struct scree_walls *walls,
                                    const struct scree_deformation_control *control)
{
    double low, high;
    scree_deformation_control_targets(control, &low, &high);
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        const double *given = wall->servo.on ? wall->steady : wall->velocity;
        if (scree_vec_norm(given) > 0.0) return true;
        if (!wall->servo.on) continue;
        double normal[3], stress = scree_walls_servo_stress(walls, wall);
        wall->shape->facing(wall->values, normal);
        double along = scree_vec_dot(normal, wall->direction);
        if (fabs(along) != 1.0 && stress != 0.0) return true;
        low = fmin(low, along * stress);
        high = fmax(high, along * stress);
    }
    return high - low > EQUAL * fmax(fabs(high), fabs(low));
}
