/* SPDX-License-Identifier: BSD-3-Clause
 * All walls that move by the force on them: what they feel on all ranks, where they go. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/walls.h"

/* Of each servo in the message of a step: three components, stiffness, inertia. */
enum { STIFFNESS = 3, INERTIA, N_SUMS };

int scree_walls_n_servos(const struct scree_walls *walls)
{
    int n = 0;
    for (int w = 0; w < walls->n; w++)
        n += walls->wall[w].has_servo + (walls->wall[w].tilts ? SCREE_WALL_TILTS : 0);
    return n;
}

static int count_active(const struct scree_walls *walls)
{
    int n = 0;
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++)
            n += scree_wall_servo(&walls->wall[w], s) != NULL;
    return n;
}

static double area_of(const struct scree_walls *walls, const struct scree_wall *wall)
{
    if (!isnan(wall->servo.area)) return wall->servo.area;
    return scree_walls_area(walls, (int)(wall - walls->wall));
}

static double target_of(const struct scree_walls *walls, const struct scree_wall *wall)
{
    const struct scree_servo *servo = &wall->servo;
    return isnan(servo->stress) ? servo->push : servo->stress * area_of(walls, wall);
}

double scree_walls_servo_target(const struct scree_walls *walls, const struct scree_wall *wall,
                                int s, double t)
{
    const struct scree_servo *servo = s == 0 ? &wall->servo : &wall->tilt[s - 1];
    return scree_servo_target(servo, t - wall->since, s == 0 ? target_of(walls, wall) : 0.0);
}

double scree_walls_servo_stress(const struct scree_walls *walls, const struct scree_wall *wall)
{
    const struct scree_servo *servo = &wall->servo;
    if (!isnan(servo->stress)) return servo->stress;
    return servo->push / area_of(walls, wall);
}

static bool keeps_stress(const struct scree_servo *servo)
{
    return servo->on && servo->kind == SCREE_MOTION_SHIFT && !isnan(servo->stress);
}

/* Does the first stage give this wall a drive, so that its own never comes to work? */
static bool is_new_at_once(const struct scree_walls *walls, int w)
{
    for (int k = 0; k < walls->n_changes; k++)
        if (walls->change[k].wall == w && walls->change[k].stage == 0) return true;
    return false;
}

void scree_walls_describe_servo_areas(const struct scree_walls *walls, scree_line_writer write,
                                      void *context)
{
    for (int w = 0; w < walls->n; w++)
        if (keeps_stress(&walls->wall[w].servo) && !is_new_at_once(walls, w))
            scree_walls_describe_area(walls, w, walls->wall[w].servo.area, "its servo", write,
                                      context);
    for (int k = 0; k < walls->n_changes; k++) {
        const struct scree_wall_change *change = &walls->change[k];
        char where[64];
        snprintf(where, sizeof where, "its servo of stage %d", change->stage + 1);
        if (keeps_stress(&change->drive.servo))
            scree_walls_describe_area(walls, change->wall, change->drive.servo.area, where, write,
                                      context);
    }
}

/* Of grains, from side to side; a wall that turns may have them on any side. */
static double layers_behind(const struct scree_walls *walls, const struct scree_wall *wall,
                            const struct scree_servo *servo)
{
    double extent = 0.0, size = servo->state.grain_size;
    bool turns = servo->kind == SCREE_MOTION_TURN;
    for (int a = 0; a < walls->dimension; a++)
        extent = fmax(extent, (turns ? 1.0 : fabs(wall->direction[a])) *
                                  scree_walls_extent(walls, a, false));
    return size > 0.0 ? extent / size : 0.0;
}

double scree_walls_drive(struct scree_walls *walls, double t, double before, double dt)
{
    double taken = 0.0;
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(wall, s);
            if (servo == NULL) continue;
            double target = s == 0 ? target_of(walls, wall) : 0.0;
            servo->layers = layers_behind(walls, wall, servo);
            taken += scree_servo_kick(servo, t - wall->since, target, before, dt);
        }
    }
    return taken;
}

void scree_walls_hold_servos(struct scree_walls *walls)
{
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(&walls->wall[w], s);
            if (servo == NULL) continue;
            if (servo->begins) servo->state.first_target = -servo->state.force;
            servo->begins = false;
        }
}

/* Force along the direction or torque about the axis, in quanta. Components are rounded one by one
 * from sums that are exact. */
static double project(const struct scree_wide sum[3], const double along[3])
{
    double value = 0.0;
    for (int a = 0; a < 3; a++)
        if (along[a] != 0.0) value += along[a] * scree_wide_value(sum[a]);
    return value;
}

void scree_walls_reduce_servo_loads(struct scree_walls *walls, struct scree_comm *comm, double dt)
{
    int n = count_active(walls);
    if (n == 0) return;
    struct scree_wide *sums = scree_alloc((size_t)n * N_SUMS, sizeof *sums), *sum = sums;
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_wall *wall = &walls->wall[w];
            const struct scree_servo *servo = scree_wall_servo(wall, s);
            if (servo == NULL) continue;
            bool turns = servo->kind == SCREE_MOTION_TURN;
            memcpy(sum, turns ? wall->torque : wall->force, sizeof wall->force);
            sum[STIFFNESS] = servo->stiffness;
            sum[INERTIA] = servo->touching;
            sum += N_SUMS;
        }
    scree_comm_sum_wide(comm, sums, n * N_SUMS);
    sum = sums;
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_wall *wall = &walls->wall[w];
            struct scree_servo *servo = scree_wall_servo(wall, s);
            if (servo == NULL) continue;
            bool turns = servo->kind == SCREE_MOTION_TURN;
            double quantum = turns ? walls->torque_quantum : walls->force_quantum;
            const double *along = s > 0   ? wall->tilt_axis[s - 1]
                                  : turns ? wall->axis
                                          : wall->direction;
            servo->state.force = quantum * project(sum, along);
            servo->state.stiffness = quantum * scree_wide_value(sum[STIFFNESS]);
            servo->state.inertia = quantum * dt * dt * scree_wide_value(sum[INERTIA]);
            sum += N_SUMS;
        }
    scree_alloc_free(sums);
}

/* All that a wall ever has, at work or not. */
static int list_ever(const struct scree_wall *wall, const struct scree_servo *list[])
{
    int n = 0;
    if (wall->has_servo) list[n++] = &wall->servo;
    for (int s = 0; s < SCREE_WALL_TILTS && wall->tilts; s++) list[n++] = &wall->tilt[s];
    return n;
}

void scree_walls_save_servos(const struct scree_walls *walls, double *numbers)
{
    for (int w = 0; w < walls->n; w++) {
        const struct scree_servo *list[SCREE_WALL_SERVOS];
        int n = list_ever(&walls->wall[w], list);
        for (int k = 0; k < n; k++, numbers += SCREE_SERVO_NUMBERS)
            memcpy(numbers, &list[k]->state, sizeof list[k]->state);
    }
}

void scree_walls_load_servos(struct scree_walls *walls, const double *numbers)
{
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall *wall = &walls->wall[w];
        if (wall->has_servo) {
            memcpy(&wall->servo.state, numbers, sizeof wall->servo.state);
            numbers += SCREE_SERVO_NUMBERS;
        }
        for (int s = 0; s < SCREE_WALL_TILTS && wall->tilts; s++, numbers += SCREE_SERVO_NUMBERS)
            memcpy(&wall->tilt[s].state, numbers, sizeof wall->tilt[s].state);
    }
}
