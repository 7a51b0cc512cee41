/* SPDX-License-Identifier: BSD-3-Clause
 * Joints of walls: which of the contacts of one grain are real. The rule is in walls.h. */
#include <math.h>

#include "scree/vec.h"
#include "scree/walls.h"

/* Is this point on the surface of a wall or of a part of it, or inside of it? */
static bool is_on(const struct scree_wall *wall, int32_t part, const double point[3],
                  double tolerance)
{
    struct scree_wall_contact found;
    const double pos[4] = {point[0], point[1], point[2], 0.0};
    scree_wall_locate_part(wall, part, pos, &found);
    return found.at.gap <= fmax(tolerance, wall->slack);
}

/* Which of two contacts stays where one can; a total order, so that one always does. */
static bool comes_before(const struct scree_walls *walls, const int32_t wall[2],
                         const struct scree_wall_contact *a, const struct scree_wall_contact *b)
{
    if (a->at.edge != b->at.edge) return b->at.edge;
    bool by_gap = a->at.edge || wall[0] == wall[1];
    double size_a = by_gap ? a->at.gap : walls->wall[wall[0]].radius;
    double size_b = by_gap ? b->at.gap : walls->wall[wall[1]].radius;
    if (size_a != size_b) return size_a < size_b;
    return wall[0] < wall[1] || (wall[0] == wall[1] && a->part < b->part);
}

/* Parts of one wall that are one surface where a grain is. */
static bool is_smooth(const struct scree_walls *walls, const int32_t wall[2],
                      const struct scree_wall_contact *a, const struct scree_wall_contact *b)
{
    const struct scree_wall *its = &walls->wall[wall[0]];
    return wall[0] == wall[1] && its->shape->parts != NULL &&
           scree_vec_dot(a->at.normal, b->at.normal) > its->smooth;
}

static bool covers(const struct scree_walls *walls, const int32_t wall[2],
                   const struct scree_wall_contact *its, const struct scree_wall_contact *other,
                   double tolerance)
{
    if (other->at.edge) return is_on(&walls->wall[wall[0]], its->part, other->point, tolerance);
    if (is_smooth(walls, wall, its, other)) return true;
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = its->point[k] - other->point[k];
    return scree_vec_norm(apart) <= tolerance;
}

void scree_joints_resolve(const struct scree_walls *walls, const double pos[4], double reach, int n,
                          const int32_t *wall, struct scree_wall_contact *contact)
{
    double tolerance = SCREE_JOINT_TOLERANCE * pos[3];
    for (int b = 0; b < n; b++)
        for (int a = 0; a < n && contact[b].at.gap < reach && contact[b].hidden_by < 0; a++) {
            const int32_t pair[2] = {wall[a], wall[b]};
            if (a != b && comes_before(walls, pair, &contact[a], &contact[b]) &&
                covers(walls, pair, &contact[a], &contact[b], tolerance))
                contact[b].hidden_by = wall[a];
        }
}

bool scree_joints_continues(const struct scree_walls *walls, double radius, const int32_t wall[2],
                            const struct scree_wall_contact *before,
                            const struct scree_wall_contact *now)
{
    return is_on(&walls->wall[wall[1]], now->part, before->point, SCREE_JOINT_TOLERANCE * radius) ||
           is_smooth(walls, wall, before, now);
}
