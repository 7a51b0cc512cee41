/* SPDX-License-Identifier: BSD-3-Clause
 * Velocity Verlet in a cell that deforms. Velocities v are relative to the flow,
 * dv/dt = f/m + g - L v - gamma_b v / m, and positions follow by dX/dt = F^-1 v. For simple shear
 * this is Newton's equation; the acceleration of the flow itself, which would depend on where the
 * origin is, is left out (as in Evans and Morriss, "Statistical mechanics of nonequilibrium
 * liquids", 6.3).
 *
 * With both half kicks in one pass, v(n) = v(n-1/2) + h (a(n) - L v(n)) is solved for v(n), which
 * is simple because L is triangular. L is that of the step before: the cell is always half a step
 * ahead of what it can know. */
#include <string.h>

#include "md_impl.h"

struct kick {
    double before, after, drift; /* s */
    double force, torque;        /* quanta */
    double gravity[3];           /* m/s^2; 0 along the flow */
    double friction;             /* kg/s */
    const double (*flow)[3];
    const double (*inverse)[3];
    const double *grid_rounder;
};

/* v(n) of one grain in `v`, and its acceleration with everything. */
static void find_velocity(const struct kick *kick, const struct scree_particles *p, scree_lid i,
                          double v[3], double acceleration[3])
{
    double per_mass = p->vel[i][3], per_force = kick->force * per_mass;
    double c = kick->friction * per_mass, h = kick->before, mobile = per_mass > 0.0 ? 1.0 : 0.0;
    for (int a = 2; a >= 0; a--) {
        double other = 0.0;
        for (int b = 2; b > a; b--) other += kick->flow[a][b] * v[b];
        double own = c + mobile * kick->flow[a][a];
        double push =
            ((double)p->load[i][a] * per_force + mobile * kick->gravity[a]) - mobile * other;
        v[a] = (p->vel[i][a] + h * push) / (1.0 + h * own);
        acceleration[a] = push - own * v[a];
    }
}

static struct kick make_kick(const struct scree_md *md, const struct scree_scene *scene)
{
    double half = 0.5 * scene->dt;
    struct kick kick = {.before = md->half_step ? half : 0.0,
                        .after = half,
                        .drift = scene->dt,
                        .force = md->force_quantum,
                        .torque = md->torque_quantum,
                        .friction = scene->background_friction,
                        .grid_rounder = scene->domain->box.grid_rounder};
    memcpy(kick.gravity, scene->gravity, sizeof kick.gravity);
    return kick;
}

double scree_md_kick_drift_in_flow(struct scree_md *md, const struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    const struct scree_deformation *cell = &scene->domain->cell;
    struct kick kick = make_kick(md, scene);
    double fastest = 0.0;
    kick.flow = (const double(*)[3])cell->flow_before;
    kick.inverse = (const double(*)[3])cell->step_inverse;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double v[3], acceleration[3], speed2 = 0.0, per_torque = kick.torque * p->spin[i][3];
        find_velocity(&kick, p, i, v, acceleration);
        for (int a = 0; a < 3; a++) {
            p->vel[i][a] = v[a] = v[a] + kick.after * acceleration[a];
            speed2 += v[a] * v[a];
            double turn = (double)p->load[i][4 + a] * per_torque;
            p->spin[i][a] = (p->spin[i][a] + kick.before * turn) + kick.after * turn;
            if (p->now_vel == NULL) continue;
            p->now_vel[i][a] = v[a] + kick.after * acceleration[a];
            p->now_spin[i][a] = p->spin[i][a] + kick.after * turn;
        }
        for (int a = 0; a < 3; a++) {
            double way = 0.0;
            for (int b = a; b < 3; b++) way += kick.inverse[a][b] * v[b];
            p->pos[i][a] += (kick.drift * way + kick.grid_rounder[a]) -
                            kick.grid_rounder[a]; /* see integrate.c */
        }
        for (int k = 0; k < 8; k++) p->load[i][k] = 0;
        fastest = speed2 > fastest ? speed2 : fastest;
    }
    md->half_step = true;
    return fastest;
}

void scree_md_velocity_in_flow(const struct scree_md *md, const struct scree_scene *scene,
                               scree_lid i, double velocity[3], double spin[3])
{
    const struct scree_particles *p = scene->particles;
    struct kick kick = make_kick(md, scene);
    double acceleration[3];
    kick.flow = (const double(*)[3])scene->domain->cell.flow;
    find_velocity(&kick, p, i, velocity, acceleration);
    for (int a = 0; a < 3; a++)
        spin[a] = p->spin[i][a] +
                  kick.before * ((double)p->load[i][4 + a] * (kick.torque * p->spin[i][3]));
}

void scree_md_keep_velocities_in_flow(const struct scree_md *md, const struct scree_scene *scene,
                                      const struct scree_surroundings *before)
{
    struct scree_particles *p = scene->particles;
    struct kick kick = make_kick(md, scene);
    double more = scene->background_friction - before->background_friction;
    kick.friction = before->background_friction;
    memcpy(kick.gravity, before->gravity, sizeof kick.gravity);
    kick.flow = (const double(*)[3])scene->domain->cell.flow;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double v[3], acceleration[3], mobile = p->vel[i][3] > 0.0 ? 1.0 : 0.0;
        find_velocity(&kick, p, i, v, acceleration);
        for (int a = 0; a < 3; a++) {
            acceleration[a] += mobile * (scene->gravity[a] - before->gravity[a]);
            p->vel[i][a] = v[a] - kick.before * (acceleration[a] - more * p->vel[i][3] * v[a]);
        }
    }
}
