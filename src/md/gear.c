/* SPDX-License-Identifier: BSD-3-Clause
 * Gear's predictor-corrector with five values for x'' = f(x, v): c = 19/90, 3/4, 1, 1/2, 1/12
 * (Radjai; Allen and Tildesley, "Computer simulation of liquids", E.1, forces that depend on
 * velocities). Forces are taken at the predicted place and velocity, which is what the columns pos,
 * vel and spin hold; the correction comes with the next prediction, in one pass. What contacts
 * remember follows the ways from one prediction to the next, mean_vel and mean_spin. */
#include <math.h>

#include "md_impl.h"

struct corrector {
    double c0, c1, c3, c4;
};

/* At the start the third and fourth derivatives are unknown, and the usual corrections would leave
 * errors of second order for good. From the first two differences of accelerations follow both
 * derivatives, and what places and velocities missed without them. */
static const struct corrector first_step = {1.0 / 3.0, 1.0, 1.0 / 3.0, 0.0};
static const struct corrector second_step = {0.0, 2.0 / 3.0, 1.0 / 2.0, 1.0 / 12.0};
static const struct corrector usual = {19.0 / 90.0, 3.0 / 4.0, 1.0 / 2.0, 1.0 / 12.0};

/* For the state predicted for step n. */
static struct corrector corrector_of(const struct scree_md *md, const struct scree_scene *scene)
{
    int64_t step = md->step - scene->since_tick;
    return step == 1 ? first_step : step == 2 ? second_step : usual;
}

/* One coordinate: q[k] = dt^(k+2) x^(k+2) / (k+2)!, for k = 0, 1, 2; `first` = dt x'. Corrects by
 * the acceleration found at the predicted state and predicts the next one; returns the
 * displacement. */
static inline double go_on(double q[3], double *first, double scaled_acceleration, bool begins,
                           struct corrector c)
{
    double back = 0.0;
    if (begins) {
        q[0] = scaled_acceleration;
    } else {
        double error = scaled_acceleration - q[0];
        back = c.c0 * error;
        *first += c.c1 * error;
        q[0] += error;
        q[1] += c.c3 * error;
        q[2] += c.c4 * error;
    }
    double way = back + (*first + q[0] + q[1] + q[2]);
    *first += 2.0 * q[0] + 3.0 * q[1] + 4.0 * q[2];
    q[0] += 3.0 * q[1] + 6.0 * q[2];
    q[1] += 4.0 * q[2];
    return way;
}

/* Accelerations at the predicted state. */
static void accelerations(const struct scree_md *md, const struct scree_scene *scene, scree_lid i,
                          double a[3], double turn[3])
{
    const struct scree_particles *p = scene->particles;
    double mobile = p->vel[i][3] > 0.0 ? 1.0 : 0.0, c = scene->background_friction * p->vel[i][3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)p->load[i][k] * (md->force_quantum * p->vel[i][3]) +
               mobile * scene->gravity[k] - c * p->vel[i][k];
        turn[k] = (double)p->load[i][4 + k] * (md->torque_quantum * p->spin[i][3]);
    }
}

double scree_md_gear(struct scree_md *md, const struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    const double dt = scene->dt, scale = 0.5 * dt * dt,
                 *grid_rounder = scene->domain->box.grid_rounder;
    const bool begins = !md->half_step;
    const struct corrector c = corrector_of(md, scene);
    double fastest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double a[3], turn[3], speed2 = 0.0;
        accelerations(md, scene, i, a, turn);
        for (int k = 0; k < 3; k++) {
            double first = dt * p->vel[i][k], spin = dt * p->spin[i][k];
            double way = go_on(p->gear[i] + 3 * k, &first, scale * a[k], begins, c);
            p->pos[i][k] += (way + grid_rounder[k]) - grid_rounder[k]; /* see integrate.c */
            p->vel[i][k] = first / dt;
            double angle = go_on(p->gear[i] + 9 + 3 * k, &spin, scale * turn[k], begins, c);
            p->spin[i][k] = spin / dt;
            p->mean_vel[i][k] = way / dt;
            p->mean_spin[i][k] = angle / dt;
            speed2 += (way / dt) * (way / dt);
        }
        for (int k = 0; k < 8; k++) p->load[i][k] = 0;
        fastest = speed2 > fastest ? speed2 : fastest;
    }
    md->half_step = true;
    return fastest;
}

void scree_md_gear_velocity(const struct scree_md *md, const struct scree_scene *scene, scree_lid i,
                            double velocity[3], double spin[3])
{
    const struct scree_particles *p = scene->particles;
    double a[3], turn[3], scale = 0.5 * scene->dt * scene->dt;
    accelerations(md, scene, i, a, turn);
    for (int k = 0; k < 3; k++) {
        double part = md->half_step ? corrector_of(md, scene).c1 / scene->dt : 0.0;
        velocity[k] = p->vel[i][k] + part * (scale * a[k] - p->gear[i][3 * k]);
        spin[k] = p->spin[i][k] + part * (scale * turn[k] - p->gear[i][9 + 3 * k]);
    }
}
