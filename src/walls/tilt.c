/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that tilt: turns by a vector of angles, and the servos of a wall one by one. */
#include <math.h>
#include <string.h>

#include "scree/vec.h"
#include "scree/wall.h"
#include "tilt.h"

void scree_wall_tilt_vector(const struct scree_wall *wall, bool before, double tilt[3])
{
    const double *angle = before ? wall->tilt_before : wall->tilt_angle;
    for (int k = 0; k < 3; k++)
        tilt[k] = angle[0] * wall->across[0][k] + angle[1] * wall->across[1][k];
}

void scree_wall_turned(const struct scree_wall *wall, bool before, double turn[3][3])
{
    if (!wall->tilts) {
        scree_wall_rotation(wall->axis, before ? wall->angle_before : wall->angle, turn);
        return;
    }
    double tilt[3], axis[3] = {0.0, 0.0, 0.0};
    scree_wall_tilt_vector(wall, before, tilt);
    double angle = scree_vec_norm(tilt);
    for (int k = 0; k < 3 && angle > 0.0; k++) axis[k] = tilt[k] / angle;
    scree_wall_rotation(axis, angle, turn);
}

/* The turn by the vector u of length a has the angular velocity
 * u' + (1 - cos a) / a^2 u x u' + (a - sin a) / a^3 u x (u x u'). */
static void find_axis(const double tilt[3], const double across[3], double axis[3])
{
    double a = scree_vec_norm(tilt), once[3], twice[3];
    double first = 0.5, second = 1.0 / 6.0; /* limits; from 1e-4 on the rest is below 1e-9 */
    if (a > 1e-4) {
        double half = sin(0.5 * a) / (0.5 * a);
        first = 0.5 * half * half;
        second = (a - sin(a)) / (a * a * a);
    }
    scree_vec_cross(tilt, across, once);
    scree_vec_cross(tilt, once, twice);
    for (int k = 0; k < 3; k++) axis[k] = across[k] + first * once[k] + second * twice[k];
}

double scree_tilt_move(struct scree_wall *wall)
{
    double tilt[3], sum = 0.0;
    for (int s = 0; s < SCREE_WALL_TILTS; s++) {
        const struct scree_servo *servo = &wall->tilt[s];
        wall->tilt_before[s] = wall->tilt_angle[s];
        wall->tilt_angle[s] = wall->base_tilt[s] + (servo->on ? servo->state.path : 0.0);
        double went = wall->tilt_angle[s] - wall->tilt_before[s];
        sum += went * went;
    }
    scree_wall_tilt_vector(wall, false, tilt);
    for (int s = 0; s < SCREE_WALL_TILTS; s++) {
        double rate = wall->tilt[s].on ? wall->tilt[s].state.rate : 0.0;
        find_axis(tilt, wall->across[s], wall->tilt_axis[s]);
        for (int k = 0; k < 3; k++) wall->omega[k] += rate * wall->tilt_axis[s][k];
    }
    return sqrt(sum);
}

struct scree_servo *scree_wall_servo(struct scree_wall *wall, int s)
{
    struct scree_servo *servo = s == 0 ? &wall->servo : &wall->tilt[s - 1];
    return servo->on ? servo : NULL;
}

bool scree_wall_has_servo_at_work(const struct scree_wall *wall)
{
    return wall->servo.on || wall->tilt[0].on || wall->tilt[1].on;
}

void scree_wall_sweep(const struct scree_wall *wall, int s, const double arm[3], double sweep[3])
{
    if (s > 0)
        scree_vec_cross(wall->tilt_axis[s - 1], arm, sweep);
    else if (wall->servo.kind == SCREE_MOTION_TURN)
        scree_vec_cross(wall->axis, arm, sweep);
    else
        memcpy(sweep, wall->direction, 3 * sizeof(double));
}
