/* SPDX-License-Identifier: BSD-3-Clause
 * What grains that are part of walls feel is felt by their walls. */
#include "md_impl.h"
#include "scree/vec.h"

/* `torque_of_force`: torque quanta per m and force quantum. */
static void load_wall(struct scree_wall *wall, const double arm[3], const int64_t load[8],
                      double torque_of_force)
{
    double force[3], torque[3];
    for (int k = 0; k < 3; k++) {
        scree_wide_add(&wall->force[k], load[k]);
        scree_wide_add(&wall->torque[k], load[4 + k]);
        force[k] = torque_of_force * (double)load[k];
    }
    scree_vec_cross(arm, force, torque);
    for (int k = 0; k < 3; k++) scree_wide_add_rounded(&wall->torque[k], torque[k]);
}

void scree_md_load_walls(const struct scree_md *md, struct scree_scene *scene)
{
    struct scree_walls *walls = scene->walls;
    const struct scree_particles *p = scene->particles;
    const double torque_of_force = md->force_quantum * md->inverse_torque;
    if (p->glued == NULL) return;
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        double turn[3][3], arm[3];
        scree_wall_turned(wall, false, turn);
        for (scree_lid i = 0; i < p->n_owned; i++) {
            if (p->glued[i] != 1 + w) continue;
            for (int k = 0; k < 3; k++) arm[k] = scree_vec_dot(turn[k], p->arm[i]);
            load_wall(wall, arm, p->load[i], torque_of_force);
        }
    }
}
