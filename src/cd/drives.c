/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: m x'' = T + Q - gamma x' with the force Q of contacts,
 * which is one of the unknowns of the step. So such a wall is a body of the problem, with one
 * velocity for each of its servos; a wall whose contacts are in k blocks weighs 1/k of its mass in
 * each. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* kg or kg m^2; `auto` is the inertia of the grains that touch it, at least that of one. */
static double inertia_of(const struct scree_servo *servo, const struct scree_scene *scene)
{
    double one = servo->kind == SCREE_MOTION_TURN
                     ? scene->largest_mass * scene->largest_radius * scene->largest_radius
                     : scene->largest_mass;
    return isnan(servo->inertia) ? fmax(servo->state.inertia, one) : servo->inertia;
}

/* The rate that the outside and its own damping give to a wall, and the limits of its motion: a
 * brake that acts only as much as it must. */
static void set_free_rate(const struct scree_scene *scene, struct scree_servo *servo, double target,
                          bool at_work, struct scree_cd_drive *drive)
{
    struct scree_servo_state *s = &servo->state;
    const double dt = scene->dt, inertia = inertia_of(servo, scene);
    double damping = isnan(servo->damping) ? 0.0 : servo->damping;
    s->target = target;
    drive->before = s->rate;
    drive->inverse_mass = at_work ? 1.0 / inertia : 0.0;
    drive->free =
        at_work ? (s->rate + dt * target / inertia) / (1.0 + dt * damping / inertia) : 0.0;
    drive->least = fmax(-servo->fastest, (servo->low - s->path) / dt);
    drive->most = fmin(servo->fastest, (servo->high - s->path) / dt);
}

static double brake(const struct scree_cd_drive *drive, double rate)
{
    return fmin(fmax(rate, drive->least), drive->most);
}

void scree_cd_begin_drives(struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_walls *walls = scene->walls;
    const size_t most = (size_t)walls->n * SCREE_WALL_SERVOS + 1;
    if (cd->drive == NULL) {
        cd->drive = scree_alloc(most, sizeof *cd->drive);
        cd->drive_of = scree_alloc(most, sizeof *cd->drive_of);
    }
    double t = (double)cd->step * scene->dt;
    cd->n_drives = 0;
    cd->drive_speed = 0.0;
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_wall *wall = &walls->wall[w];
            struct scree_servo *servo = scree_wall_servo(wall, s);
            cd->drive_of[w * SCREE_WALL_SERVOS + s] = servo != NULL ? cd->n_drives : -1;
            if (servo == NULL) continue;
            struct scree_cd_drive *drive = &cd->drive[cd->n_drives++];
            *drive = (struct scree_cd_drive){.wall = w, .servo = s, .share = 1.0};
            bool at_work = t - wall->since >= servo->start;
            set_free_rate(scene, servo, scree_walls_servo_target(walls, wall, s, t), at_work,
                          drive);
            double reach = servo->kind == SCREE_MOTION_TURN ? wall->reach : 1.0;
            double rate = 2.0 * fabs(brake(drive, drive->free)) + fabs(drive->before);
            cd->drive_speed = fmax(cd->drive_speed, rate * reach);
        }
}

void scree_cd_couple(const struct scree_cd *cd, const struct scree_scene *scene, int wall,
                     const double arm[3], double sign, struct scree_cd_coupling *coupling)
{
    for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
        int drive = cd->drive_of[wall * SCREE_WALL_SERVOS + s];
        if (drive < 0) continue;
        double *sweep = coupling->sweep[coupling->n];
        scree_wall_sweep(&scene->walls->wall[wall], s, arm, sweep);
        for (int k = 0; k < 3; k++) sweep[k] *= sign;
        coupling->drive[coupling->n++] = drive;
    }
}

void scree_cd_share_drives(struct scree_cd *cd, const struct scree_cd_problem *problem)
{
    const size_t n = (size_t)cd->n_drives;
    if (n == 0) return;
    int64_t *count = scree_alloc(n, sizeof *count);
    bool *has = scree_alloc((size_t)problem->n_blocks * n + 1, sizeof *has);
    memset(count, 0, n * sizeof *count);
    memset(has, 0, ((size_t)problem->n_blocks * n + 1) * sizeof *has);
    for (size_t k = 0; k < cd->n_all; k++) {
        const struct scree_cd_coupling *coupling = &cd->all[k].coupling;
        size_t block = (size_t)scree_cd_find_block(problem, cd->all[k].block);
        for (int c = 0; c < coupling->n; c++) {
            bool *mark = &has[block * n + (size_t)coupling->drive[c]];
            if (!*mark) count[coupling->drive[c]]++;
            *mark = true;
        }
    }
    scree_comm_sum_int(problem->comm, count, (int)n);
    for (size_t d = 0; d < n; d++) cd->drive[d].share = (double)(count[d] > 0 ? count[d] : 1);
    scree_alloc_free(has);
    scree_alloc_free(count);
}

/* The brake is one more unknown of the problem, solved exactly whenever the others have moved. */
void scree_cd_brake_rates(struct scree_cd_problem *p)
{
    for (int d = 0; d < p->n_drives; d++) {
        p->drive[d].found = brake(&p->drive[d], p->drive[d].pushed);
        for (int b = 0; b < p->n_blocks; b++) p->rate[b * p->n_drives + d] = p->drive[d].found;
    }
}

void scree_cd_exchange_rates(struct scree_cd_problem *p)
{
    const int n = p->n_drives;
    if (n == 0) return;
    struct scree_exact *sum = scree_alloc((size_t)n, sizeof *sum);
    for (int d = 0; d < n; d++) {
        scree_exact_clear(&sum[d]);
        for (int b = 0; b < p->n_blocks; b++)
            scree_exact_add(&sum[d], p->rate[b * n + d] - p->rate_before[b * n + d]);
    }
    scree_comm_sum_exact(p->comm, sum, n);
    for (int d = 0; d < n; d++) {
        double mean = scree_exact_value(&sum[d]) / p->drive[d].share;
        p->drive[d].pushed = p->drive[d].remembered + mean;
    }
    scree_cd_brake_rates(p);
    scree_alloc_free(sum);
}

/* A grain that is part of a wall moves with it also by what its servos do. */
static void carry_glued(struct scree_scene *scene, const struct scree_cd_problem *p)
{
    struct scree_particles *grains = scene->particles;
    for (scree_lid i = 0; i < grains->n_owned && grains->glued != NULL; i++)
        for (int d = 0; d < p->n_drives; d++) {
            const struct scree_cd_drive *drive = &p->drive[d];
            if (grains->glued[i] != 1 + drive->wall) continue;
            struct scree_wall *wall = &scene->walls->wall[drive->wall];
            double turn[3][3], arm[3], sweep[3];
            scree_wall_turned(wall, false, turn);
            for (int k = 0; k < 3; k++) arm[k] = scree_vec_dot(turn[k], grains->arm[i]);
            scree_wall_sweep(wall, drive->servo, arm, sweep);
            for (int k = 0; k < 3; k++) grains->vel[i][k] += drive->found * sweep[k];
        }
}

void scree_cd_end_drives(struct scree_cd *cd, struct scree_scene *scene,
                         const struct scree_cd_problem *p)
{
    if (p->n_drives == 0) return;
    const double dt = scene->dt;
    carry_glued(scene, p);
    double *work = scree_alloc((size_t)p->n_drives, sizeof *work);
    for (int d = 0; d < p->n_drives; d++)
        work[d] = scree_servo_work(
            scree_wall_servo(&scene->walls->wall[p->drive[d].wall], p->drive[d].servo), dt);
    scree_walls_reduce_servo_loads(scene->walls, scene->comm, dt);
    for (int d = 0; d < p->n_drives; d++) {
        const struct scree_cd_drive *drive = &p->drive[d];
        struct scree_servo_state *s =
            &scree_wall_servo(&scene->walls->wall[drive->wall], drive->servo)->state;
        s->rate = drive->found;
        s->path += dt * drive->found;
        work[d] -= s->force * dt * 0.5 * (drive->before + drive->found);
        s->work = work[d] + 0.5 * dt * s->force * s->rate; /* see scree_servo_work() */
    }
    scree_alloc_free(work);
    scree_walls_move(scene->walls, (double)cd->step * dt);
}
