/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are part of a wall. */
#include "scree/glued.h"

#include <math.h>

#include "scree/vec.h"

void scree_glued_begin(const struct scree_walls *walls, int wall,
                       const struct scree_wall_contact *contact, struct scree_particles *p,
                       scree_lid i)
{
    const struct scree_wall *w = &walls->wall[wall];
    double swept[3], distance = contact->at.gap + p->pos[i][3];
    for (int k = 0; k < 3; k++) {
        p->arm[i][k] = w->endless[k] ? 0.0 : contact->arm[k] + distance * contact->at.normal[k];
        p->spin[i][k] = contact->spin[k];
    }
    scree_vec_cross(contact->spin, p->arm[i], swept);
    for (int k = 0; k < 3; k++) p->vel[i][k] = w->velocity[k] + swept[k];
    p->vel[i][3] = p->spin[i][3] = 0.0; /* driven: forces do not move it */
    p->glued[i] = 1 + wall;
}

void scree_glued_change_pivots(const struct scree_walls *walls, struct scree_particles *p)
{
    if (p->glued == NULL) return;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (p->glued[i] == 0) continue;
        const struct scree_wall *wall = &walls->wall[p->glued[i] - 1];
        for (int k = 0; k < 3; k++)
            if (!wall->endless[k]) p->arm[i][k] -= wall->pivot_shift[k];
    }
}

/* A wall before and after its last move. */
struct poses {
    double turn[2][3][3], pivot[2][3];
    double spin[3]; /* rad/s; mean between the two */
};

static void find_poses(const struct scree_wall *wall, double dt, struct poses *poses)
{
    scree_wall_turned(wall, true, poses->turn[0]);
    scree_wall_turned(wall, false, poses->turn[1]);
    for (int k = 0; k < 3; k++) {
        poses->pivot[0][k] = wall->pivot[k] + wall->offset_before[k];
        poses->pivot[1][k] = wall->pivot[k] + wall->offset[k];
        poses->spin[k] = (wall->angle - wall->angle_before) / dt * wall->axis[k];
        for (int s = 0; s < SCREE_WALL_TILTS && wall->tilts; s++)
            poses->spin[k] +=
                (wall->tilt_angle[s] - wall->tilt_before[s]) / dt * wall->tilt_axis[s][k];
    }
}

/* Rounding must not add up. In open directions the way is from where the grain is to where it
 * belongs; in periodic ones, where its image is not known, from grid point to grid point. */
static double way(const struct poses *poses, const struct scree_box *box, int k, double pos,
                  const double arm[3])
{
    double to = poses->pivot[1][k] + scree_vec_dot(poses->turn[1][k], arm);
    if (!box->periodic[k]) return to - pos;
    double from = poses->pivot[0][k] + scree_vec_dot(poses->turn[0][k], arm);
    return scree_box_snap(box, k, to) - scree_box_snap(box, k, from);
}

void scree_glued_follow(const struct scree_walls *walls, struct scree_particles *p,
                        const struct scree_box *box, double dt)
{
    if (p->glued == NULL) return;
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        if (!scree_wall_shifts(wall) && !scree_wall_turns(wall) && !wall->tilts) continue;
        struct poses poses;
        find_poses(wall, dt, &poses);
        for (scree_lid i = 0; i < p->n_owned; i++) {
            if (p->glued[i] != 1 + w) continue;
            for (int k = 0; k < 3; k++) {
                p->vel[i][k] = way(&poses, box, k, p->pos[i][k], p->arm[i]) / dt;
                p->spin[i][k] = poses.spin[k];
            }
        }
    }
}
