/* SPDX-License-Identifier: BSD-3-Clause
 * Velocity Verlet with both half kicks in one pass: the columns hold velocities of half steps, and
 * v(n) = v(n-1/2) + dt/2 a(n) is formed on the way to v(n+1/2) = v(n) + dt/2 a(n). Dashpots want
 * the velocity at the moment of the forces to come, which depends on these: the columns now_vel and
 * now_spin predict it by v(n+1/2) + dt/2 a(n), second order, with all forces, so that a grain at
 * rest stays so. Stable while the dashpots of a grain together stay below gamma dt / m = 1. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"

/* Accelerations are forces in quanta times `per_quantum`, plus gravity unless the grain is driven
 * (1/mass = 0). Background friction -gamma_b v(n) is taken at the full step, so that
 * v(n) (1 + h c) = v(n-1/2) + h a with c = gamma_b / m: second order, stable for any gamma_b. */
struct kick {
    double before, after; /* s; half steps; before = 0 in the very first step */
    scree_row drift;      /* s */
    scree_row gravity;
    double force, torque;   /* quanta */
    double friction;        /* kg/s */
    scree_row grid_rounder; /* of the position grid */
};

/* Rows of one grain in which the motion is predicted; NULL: nobody asks. */
struct now {
    double *vel, *spin;
};

/* Element 3 of a row stays as it is: its load, drift, gravity and rounder of the grid are zero. */
SCREE_SPECIALISED scree_row move_grain(const struct kick *restrict kick, double *restrict pos,
                                       double *restrict vel, double *restrict spin,
                                       int64_t *restrict load, struct now now, const bool friction)
{
    const scree_row_int none = {0, 0, 0, 0};
    double c = kick->friction * vel[3], mobile = vel[3] > 0.0 ? 1.0 : 0.0;
    scree_row acceleration =
        scree_row_of_int(scree_row_int_at(load)) * (kick->force * vel[3]) + mobile * kick->gravity;
    scree_row v = scree_row_at(vel) + kick->before * acceleration;
    if (friction) {
        double slowed = 1.0 / (1.0 + kick->before * c);
        v *= (scree_row){slowed, slowed, slowed, 1.0};
        acceleration -= (scree_row){c, c, c, 0.0} * v;
    }
    v += kick->after * acceleration;
    scree_row_store(vel, v);
    if (now.vel != NULL) scree_row_store(now.vel, v + kick->after * acceleration);
    /* The displacement is rounded to the position grid, not the sum: the result must not depend
     * on which side of a periodic border the grain is kept. */
    scree_row_store(pos, scree_row_at(pos) +
                             ((kick->drift * v + kick->grid_rounder) - kick->grid_rounder));
    scree_row turn = scree_row_of_int(scree_row_int_at(load + 4)) * (kick->torque * spin[3]);
    scree_row w = (scree_row_at(spin) + kick->before * turn) + kick->after * turn;
    scree_row_store(spin, w);
    if (now.vel != NULL) scree_row_store(now.spin, w + kick->after * turn);
    scree_row_int_store(load, none);
    scree_row_int_store(load + 4, none);
    return v * v;
}

static struct kick make_kick(const struct scree_md *md, const struct scree_scene *scene)
{
    double half = 0.5 * scene->dt;
    struct kick kick = {.before = md->half_step ? half : 0.0,
                        .after = half,
                        .drift = {scene->dt, scene->dt, scene->dt, 0.0},
                        .force = md->force_quantum,
                        .torque = md->torque_quantum,
                        .friction = scene->background_friction};
    for (int a = 0; a < 3; a++) {
        kick.gravity[a] = scene->gravity[a];
        kick.grid_rounder[a] = scene->domain->box.grid_rounder[a];
    }
    return kick;
}

SCREE_SPECIALISED double move_all(const struct kick *kick, struct scree_particles *p,
                                  const bool friction, const bool predict)
{
    double fastest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct now now = {predict ? p->now_vel[i] : NULL, predict ? p->now_spin[i] : NULL};
        scree_row v2 =
            move_grain(kick, p->pos[i], p->vel[i], p->spin[i], p->load[i], now, friction);
        double speed2 = v2[0] + v2[1] + v2[2];
        fastest = speed2 > fastest ? speed2 : fastest;
    }
    return fastest;
}

double scree_md_kick_drift(struct scree_md *md, const struct scree_scene *scene)
{
    if (scene->domain->cell.on) return scree_md_kick_drift_in_flow(md, scene);
    const struct kick kick = make_kick(md, scene);
    struct scree_particles *p = scene->particles;
    const bool predict = p->now_vel != NULL;
    md->half_step = true;
    if (kick.friction > 0.0)
        return predict ? move_all(&kick, p, true, true) : move_all(&kick, p, true, false);
    return predict ? move_all(&kick, p, false, true) : move_all(&kick, p, false, false);
}

/* Grains that are new, or have not moved yet: their velocity is that of now. Driven grains keep
 * theirs. */
void scree_md_fill_now(const struct scree_particles *p)
{
    if (p->now_vel == NULL) return;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (p->now_vel[i][3] == p->vel[i][3] && p->vel[i][3] > 0.0) continue;
        memcpy(p->now_vel[i], p->vel[i], sizeof p->vel[i]);
        memcpy(p->now_spin[i], p->spin[i], sizeof p->spin[i]);
    }
}

void scree_md_velocity(const void *state, const struct scree_scene *scene, scree_lid i,
                       double velocity[3], double spin[3])
{
    const struct scree_md *md = state;
    if (md->values->integrator == SCREE_INTEGRATOR_GEAR) {
        scree_md_gear_velocity(md, scene, i, velocity, spin);
        return;
    }
    if (scene->domain->cell.on) {
        scree_md_velocity_in_flow(md, scene, i, velocity, spin);
        return;
    }
    const struct scree_particles *p = scene->particles;
    double inverse_mass = p->vel[i][3], half = md->half_step ? 0.5 * scene->dt : 0.0;
    double per_force = md->force_quantum * inverse_mass, mobile = inverse_mass > 0.0 ? 1.0 : 0.0;
    double slowed = 1.0 / (1.0 + half * (scene->background_friction * inverse_mass));
    for (int a = 0; a < 3; a++) {
        double acceleration = (double)p->load[i][a] * per_force + mobile * scene->gravity[a];
        velocity[a] = (p->vel[i][a] + half * acceleration) * slowed;
        double turn = (double)p->load[i][4 + a] * (md->torque_quantum * p->spin[i][3]);
        spin[a] = p->spin[i][a] + half * turn;
    }
}

/* Gear's integrator has velocities of full steps. */
void scree_md_keep_velocities(const struct scree_md *md, const struct scree_scene *scene,
                              const struct scree_surroundings *before)
{
    struct scree_particles *p = scene->particles;
    double half = md->half_step ? 0.5 * scene->dt : 0.0;
    bool same = before->background_friction == scene->background_friction;
    for (int a = 0; a < 3; a++) same = same && before->gravity[a] == scene->gravity[a];
    if (same || md->values->integrator == SCREE_INTEGRATOR_GEAR) return;
    if (scene->domain->cell.on) {
        scree_md_keep_velocities_in_flow(md, scene, before);
        return;
    }
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double inverse_mass = p->vel[i][3];
        double slowed = 1.0 + half * before->background_friction * inverse_mass;
        double slows = 1.0 + half * scene->background_friction * inverse_mass;
        for (int a = 0; a < 3 && inverse_mass > 0.0; a++) {
            double force = (double)p->load[i][a] * (md->force_quantum * inverse_mass);
            double v = (p->vel[i][a] + half * (force + before->gravity[a])) / slowed;
            p->vel[i][a] = v * slows - half * (force + scene->gravity[a]);
        }
    }
}
