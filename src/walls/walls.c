/* SPDX-License-Identifier: BSD-3-Clause
 * The walls of a run: the list of shapes, and all walls at once. */
#include "scree/walls.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"

#define SCREE_WALL_SHAPE(name) extern const struct scree_wall_shape scree_shape_##name;
#include "scree/wall_shapes.def"
#undef SCREE_WALL_SHAPE

#define SCREE_WALL_SHAPE(name) &scree_shape_##name,
static const struct scree_wall_shape *const shapes[] = {
#include "scree/wall_shapes.def"
};
#undef SCREE_WALL_SHAPE

const struct scree_wall_shape *const *scree_walls_shapes(int *n)
{
    *n = sizeof shapes / sizeof shapes[0];
    return shapes;
}

void scree_walls_clear(struct scree_walls *walls)
{
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        if (wall->is_piece) scree_alloc_free((void *)(uintptr_t)wall->name);
        scree_motion_clear(&wall->move);
        scree_motion_clear(&wall->spin);
        if (wall->shape->release != NULL) wall->shape->release(wall->values);
    }
    for (int k = 0; k < walls->n_changes; k++) {
        scree_motion_clear(&walls->change[k].drive.move);
        scree_motion_clear(&walls->change[k].drive.spin);
    }
    scree_alloc_free(walls->change);
    scree_alloc_free(walls->wall);
    *walls = (struct scree_walls){0};
}

void scree_walls_check_images(const struct scree_walls *walls, struct scree_input *input,
                              const struct scree_node *node, double largest_radius)
{
    for (int w = 0; w < walls->n; w++)
        for (int a = 0; a < 3; a++) {
            const struct scree_wall *wall = &walls->wall[w];
            double period = wall->period[a], size = 2.0 * (wall->radius + largest_radius);
            if (period == 0.0 || size <= period) continue;
            scree_input_error(
                input, scree_node_find(node, wall->name),
                "wall '%s' is too large for the period of %g m along %c: it measures "
                "up to %g m with a grain on either side, which could touch two images",
                wall->name, period, "xyz"[a], size);
        }
}

void scree_walls_move(struct scree_walls *walls, double t)
{
    for (int w = 0; w < walls->n; w++) scree_wall_move(&walls->wall[w], t);
}

double scree_walls_moved(const struct scree_walls *walls)
{
    double farthest = 0.0;
    for (int w = 0; w < walls->n; w++) farthest = fmax(farthest, walls->wall[w].moved);
    return farthest;
}

void scree_walls_clear_forces(struct scree_walls *walls)
{
    for (int w = 0; w < walls->n; w++) {
        memset(walls->wall[w].force, 0, sizeof walls->wall[w].force);
        memset(walls->wall[w].torque, 0, sizeof walls->wall[w].torque);
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(&walls->wall[w], s);
            if (servo != NULL) servo->stiffness = servo->touching = (struct scree_wide){0, 0};
        }
    }
}

void scree_walls_total(const struct scree_walls *walls, int w, struct scree_comm *comm,
                       struct scree_wall_total *total)
{
    const struct scree_wall *wall = &walls->wall[w];
    struct scree_wide sum[6];
    memcpy(sum, wall->force, sizeof wall->force);
    memcpy(sum + 3, wall->torque, sizeof wall->torque);
    scree_comm_sum_wide(comm, sum, 6);
    for (int a = 0; a < 3; a++) {
        total->force[a] = walls->force_quantum * scree_wide_value(sum[a]);
        total->torque[a] = walls->torque_quantum * scree_wide_value(sum[3 + a]);
    }
}
