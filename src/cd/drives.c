/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: m x'' = T + Q - gamma x' with the force Q of contacts,
 * which is one of the unknowns of the step. So such a wall is a body of the problem, with one
 * velocity for each of its servos; a wall whose contacts are in k blocks weighs 1/k of its mass in
 * each. Servos of a cell that deforms (cd_strain.c) are drives as well, for all contacts of grains.
 */
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

void scree_cd_set_free_rate(const struct scree_servo *servo, double inertia, double target,
                            bool at_work, double dt, struct scree_cd_drive *drive)
{
    const struct scree_servo_state *s = &servo->state;
    double damping = isnan(servo->damping) ? 0.0 : servo->damping;
    drive->before = s->rate;
    drive->inverse_mass = at_work ? 1.0 / inertia : 0.0;
    drive->free =
        at_work ? (s->rate + dt * target / inertia) / (1.0 + dt * damping / inertia) : 0.0;
    drive->low = fmax(-servo->fastest, (servo->low - s->path) / dt);
    drive->high = fmin(servo->fastest, (servo->high - s->path) / dt);
}

double scree_cd_drive_bound(const struct scree_cd_drive *drive)
{
    return (2.0 * fabs(scree_cd_rate(drive, drive->free)) + fabs(drive->before)) * drive->reach;
}

static void add_servo(struct scree_cd *cd, struct scree_scene *scene, int w, int s, double end)
{
    struct scree_wall *wall = &scene->walls->wall[w];
    struct scree_servo *servo = scree_wall_servo(wall, s);
    cd->drive_of[w * SCREE_WALL_SERVOS + s] = servo != NULL ? cd->n_drives : -1;
    if (servo == NULL) return;
    struct scree_cd_drive *drive = &cd->drive[cd->n_drives++];
    *drive = (struct scree_cd_drive){.wall = w, .servo = s, .share = 1.0};
    drive->reach = servo->kind == SCREE_MOTION_TURN ? wall->reach : 1.0;
    bool at_work = end - wall->since >= servo->start;
    servo->state.target = scree_walls_servo_target(scene->walls, wall, s, end);
    scree_cd_set_free_rate(servo, inertia_of(servo, scene), servo->state.target, at_work, scene->dt,
                           drive);
    cd->drive_speed = fmax(cd->drive_speed, scree_cd_drive_bound(drive));
}

void scree_cd_begin_drives(struct scree_cd *cd, struct scree_scene *scene, double end)
{
    const size_t n_servos = (size_t)scene->walls->n * SCREE_WALL_SERVOS;
    if (cd->drive == NULL) {
        cd->drive = scree_alloc(n_servos + SCREE_DEFORMATION_SERVOS, sizeof *cd->drive);
        cd->drive_of = scree_alloc(n_servos + 1, sizeof *cd->drive_of);
    }
    cd->n_drives = 0;
    cd->drive_speed = 0.0;
    for (int w = 0; w < scene->walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) add_servo(cd, scene, w, s, end);
    cd->n_wall_drives = cd->n_drives;
    scree_cd_begin_strain(cd, scene, end - scene->dt);
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

/* A rate of the cell moves the contact along one axis for each of its components. */
int scree_cd_find_sweep(const struct scree_cd_problem *p, const struct scree_cd_extra *extra, int k,
                        double sweep[3])
{
    const struct scree_cd_coupling *coupling = &extra->coupling;
    if (k < coupling->n) {
        memcpy(sweep, coupling->sweep[k], sizeof coupling->sweep[k]);
        return coupling->drive[k];
    }
    int d = p->first_of_cell + k - coupling->n;
    sweep[0] = sweep[1] = sweep[2] = 0.0;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if ((p->drive[d].moved >> c & 1U) != 0)
            sweep[scree_deformation_row[c]] += extra->branch[scree_deformation_column[c]];
    return d;
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
        const struct scree_cd_record *r = &cd->all[k];
        size_t block = (size_t)scree_cd_find_block(problem, r->block);
        for (int c = 0; c < r->coupling.n; c++)
            has[block * n + (size_t)r->coupling.drive[c]] = true;
        for (int d = cd->n_wall_drives; d < cd->n_drives && r->second >= 0; d++)
            has[block * n + (size_t)d] = true;
    }
    for (size_t k = 0; k < (size_t)problem->n_blocks * n; k++) count[k % n] += has[k];
    scree_comm_sum_int(problem->comm, count, (int)n);
    for (size_t d = 0; d < n; d++) cd->drive[d].share = (double)(count[d] > 0 ? count[d] : 1);
    scree_alloc_free(has);
    scree_alloc_free(count);
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
        p->drive[d].found = p->drive[d].remembered + mean;
        for (int b = 0; b < p->n_blocks; b++) p->rate[b * n + d] = p->drive[d].found;
    }
    scree_alloc_free(sum);
}

/* A grain that is part of a wall moves with it also by what its servos do. */
static void carry_glued(struct scree_scene *scene, const struct scree_cd_problem *p)
{
    struct scree_particles *grains = scene->particles;
    for (scree_lid i = 0; i < grains->n_owned && grains->glued != NULL; i++)
        for (int d = 0; d < p->n_drives; d++) {
            const struct scree_cd_drive *drive = &p->drive[d];
            if (drive->wall < 0 || grains->glued[i] != 1 + drive->wall) continue;
            struct scree_wall *wall = &scene->walls->wall[drive->wall];
            double turn[3][3], arm[3], sweep[3];
            scree_wall_turned(wall, false, turn);
            for (int k = 0; k < 3; k++) arm[k] = scree_vec_dot(turn[k], grains->arm[i]);
            scree_wall_sweep(wall, drive->servo, arm, sweep);
            double rate = scree_cd_rate(drive, drive->found);
            for (int k = 0; k < 3; k++) grains->vel[i][k] += rate * sweep[k];
        }
}

/* `work`: of the wall on the grains before this step (J). */
static void end_servo(const struct scree_cd_drive *drive, double work, double dt,
                      struct scree_servo_state *s)
{
    s->rate = scree_cd_rate(drive, drive->found);
    s->path += dt * s->rate;
    work -= s->force * dt * 0.5 * (drive->before + s->rate);
    s->work = work + 0.5 * dt * s->force * s->rate; /* see scree_servo_work() */
}

void scree_cd_end_drives(const struct scree_cd *cd, struct scree_scene *scene,
                         const struct scree_cd_problem *p, double end)
{
    const int n = p->first_of_cell;
    const double dt = scene->dt;
    if (n == 0) return;
    carry_glued(scene, p);
    double *work = scree_alloc((size_t)n, sizeof *work);
    for (int d = 0; d < n; d++)
        work[d] = scree_servo_work(
            scree_wall_servo(&scene->walls->wall[p->drive[d].wall], p->drive[d].servo), dt);
    scree_walls_reduce_servo_loads(scene->walls, scene->comm, cd->tick_dt);
    for (int d = 0; d < n; d++) {
        const struct scree_cd_drive *drive = &p->drive[d];
        struct scree_wall *wall = &scene->walls->wall[drive->wall];
        end_servo(drive, work[d], dt, &scree_wall_servo(wall, drive->servo)->state);
    }
    scree_alloc_free(work);
    scree_walls_move(scene->walls, end);
}

void scree_cd_change_work(struct scree_walls *walls, double longer)
{
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(&walls->wall[w], s);
            if (servo != NULL)
                servo->state.work += 0.5 * longer * servo->state.force * servo->state.rate;
        }
}
