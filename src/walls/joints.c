/* SPDX-License-Identifier: BSD-3-Clause
 * Joints of walls: which of the contacts of one grain are real. The rule is in walls.h. */
#include <math.h>

#include "scree/vec.h"
#include "scree/walls.h"

/* Is this point on the surface of a wall, or inside of it? */
static bool is_on(const struct scree_wall *wall, const double point[3], double tolerance)
{
    struct scree_wall_contact found;
    const double pos[1][4] = {{point[0], point[1], point[2], 0.0}};
    scree_wall_locate(wall, 1, pos, &found);
    return found.at.gap <= tolerance;
}

/* Which of two contacts stays where one can; a total order, so that one always does. */
static bool comes_before(const struct scree_walls *walls, const int32_t wall[2],
                         const struct scree_wall_contact *a, const struct scree_wall_contact *b)
{
    if (a->at.edge != b->at.edge) return b->at.edge;
    double size_a = a->at.edge ? a->at.gap : walls->wall[wall[0]].radius;
    double size_b = a->at.edge ? b->at.gap : walls->wall[wall[1]].radius;
    if (size_a != size_b) return size_a < size_b;
    return wall[0] < wall[1];
}

static bool covers(const struct scree_walls *walls, int32_t wall,
                   const struct scree_wall_contact *its, const struct scree_wall_contact *other,
                   double tolerance)
{
    if (other->at.edge) return is_on(&walls->wall[wall], other->point, tolerance);
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = its->point[k] - other->point[k];
    return scree_vec_norm(apart) <= tolerance;
}

void scree_joints_resolve(const struct scree_walls *walls, const double pos[4], int n,
                          const int32_t *wall, struct scree_wall_contact *contact)
{
    double tolerance = SCREE_JOINT_TOLERANCE * pos[3];
    for (int b = 0; b < n; b++)
        for (int a = 0; a < n && contact[b].hidden_by < 0; a++) {
            const int32_t pair[2] = {wall[a], wall[b]};
            if (a != b && comes_before(walls, pair, &contact[a], &contact[b]) &&
                covers(walls, wall[a], &contact[a], &contact[b], tolerance))
                contact[b].hidden_by = wall[a];
        }
}

bool scree_joints_continues(const struct scree_walls *walls, double radius,
                            const struct scree_wall_contact *before, int wall)
{
    return is_on(&walls->wall[wall], before->point, SCREE_JOINT_TOLERANCE * radius);
}
