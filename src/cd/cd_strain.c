/* SPDX-License-Identifier: BSD-3-Clause
 * A periodic cell that deforms, in cd. Velocities v are relative to the flow L (x - low) of the
 * cell, so that dv/dt = f/m + g - L v, and places are x = low + F (X - low); see deformation.h.
 *
 * A rate that is given adds L b to the relative velocity at a contact with the branch b. A servo is
 * a body of the problem, as one of a wall is (drives.c), with W dL/dt = V (stress - target): an
 * impulse P adds the products of P and b to W L. So the stress that a servo keeps is a condition of
 * the step and is solved together with the contacts. What a servo feels but does not move, under
 * `pressure` the stress of directions with a rate of their own, would make the problem unsymmetric:
 * it counts as it was in the steps before. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/deformation_walls.h"
#include "scree/vec.h"

/* Part of a change of that stress that is believed in each step. Directions that yield answer it by
 * up to four times as much: slowly enough that this does not swing. */
static const double belief = 0.2;

static bool has(unsigned components, int c)
{
    return (components >> c & 1U) != 0;
}

static int count(unsigned components)
{
    int n = 0;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) n += has(components, c);
    return n;
}

/* J; V times the stress, summed over components. */
static double sum_virial(const struct scree_deformation_state *s, unsigned components)
{
    double sum = 0.0;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if (has(components, c)) sum += s->contact[c] + s->kinetic[c];
    return sum;
}

/* Normal components of periodic directions that a servo feels but does not move. */
static unsigned find_felt(const struct scree_deformation_control *control, int servo,
                          unsigned moved)
{
    unsigned periodic = 0;
    for (int a = 0; a < 3; a++)
        if (control->periodic[a]) periodic |= 1U << a;
    return servo == SCREE_DEFORMATION_ISOTROPIC ? periodic & ~moved : 0U;
}

/* J; what the outside exerts on the components that the servo moves. The others have what they
 * have, so these make up for it in the mean. */
static double find_target(const struct scree_scene *scene, int s, unsigned moved, double t)
{
    const struct scree_deformation_control *control = scene->cell_control;
    const struct scree_deformation *cell = &scene->domain->cell;
    struct scree_servo_state *state = &scene->cell_control->servo[s].state;
    const unsigned felt = find_felt(control, s, moved);
    double end = scree_deformation_control_target(control, cell, &scene->domain->box, s);
    state->target = scree_servo_target(&control->servo[s], t, end);
    state->force = scree_deformation_control_virial(control, cell, s);
    if (felt == 0) return state->target;
    double *held = &state->relief, now = sum_virial(&cell->state, felt); /* J; 0: not known yet */
    *held = *held == 0.0 ? now : *held + belief * (now - *held);
    return state->target * count(moved | felt) / count(moved) + *held;
}

static void add_drive(struct scree_cd *cd, const struct scree_scene *scene, int s, unsigned moved,
                      double t)
{
    struct scree_servo *servo = &scene->cell_control->servo[s];
    const struct scree_deformation_state *state = &scene->domain->cell.state;
    struct scree_cd_drive *drive = &cd->drive[cd->n_drives++];
    double inertia = isnan(servo->inertia) ? servo->state.least_inertia : servo->inertia;
    double target = find_target(scene, s, moved, t);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if (has(moved, c)) target += state->kinetic[c];
    *drive = (struct scree_cd_drive){.wall = -1, .servo = s, .moved = moved, .share = 1.0};
    drive->reach = 2.0 * scene->largest_radius * sqrt((double)count(moved));
    scree_cd_set_free_rate(servo, inertia, target, true, scene->dt, drive);
    cd->drive_speed += scree_cd_drive_bound(drive);
}

void scree_cd_begin_strain(struct scree_cd *cd, struct scree_scene *scene, double t)
{
    const struct scree_deformation_control *control = scene->cell_control;
    double rate[SCREE_DEFORMATION_COMPONENTS];
    if (!scene->domain->cell.on) return;
    scree_deformation_control_given(control, t + 0.5 * scene->dt, rate);
    scree_deformation_unpack(rate, cd->given_flow);
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        if (!control->servo[s].on) continue;
        unsigned moved = scree_deformation_control_components(control, s);
        add_drive(cd, scene, s, moved, t);
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
            if (has(moved, c)) rate[c] = control->servo[s].state.rate;
    }
    scree_deformation_unpack(rate, cd->known_flow);
}

double scree_cd_flow_closing(const struct scree_cd *cd, double distance)
{
    return scree_deformation_closing_rate((const double(*)[3])cd->given_flow) * distance;
}

/* The mean of the velocities before and without contacts goes with the flow; L is triangular, so
 * the last component is found first. */
void scree_cd_find_free_velocity(const struct scree_cd *cd, const struct scree_scene *scene,
                                 const double before[3], double inverse_mass, double v[3])
{
    const double dt = scene->dt, factor = 1.0 + scene->background_friction * inverse_mass * dt;
    for (int a = 2; a >= 0; a--) {
        double half = 0.5 * dt * cd->known_flow[a][a], carried = half * before[a];
        for (int b = a + 1; b < 3; b++)
            carried += 0.5 * dt * cd->known_flow[a][b] * (before[b] + v[b]);
        v[a] = (before[a] + dt * scene->gravity[a] - carried) / (factor + half);
    }
}

double scree_cd_work_on_flow(const struct scree_cd *cd, const struct scree_scene *scene,
                             scree_lid i)
{
    const struct scree_particles *p = scene->particles;
    const double *before = cd->before[i];
    double free[3], power = 0.0;
    scree_cd_find_free_velocity(cd, scene, before, p->vel[i][3], free);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++)
            power += cd->known_flow[a][b] * (before[a] + p->vel[i][a]) * (before[b] + free[b]);
    return 0.25 * p->mass[i] * power * scene->dt;
}

/* J; sums over all ranks of force times branch. */
static void sum_contacts(const struct scree_cd *cd, const struct scree_cd_problem *p,
                         double virial[SCREE_DEFORMATION_COMPONENTS])
{
    struct scree_exact sum[SCREE_DEFORMATION_COMPONENTS];
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) scree_exact_clear(&sum[c]);
    for (int b = 0; b < p->n_blocks; b++) {
        double part[SCREE_DEFORMATION_COMPONENTS] = {0.0};
        for (int k = p->block_contacts[b]; k < p->block_contacts[b + 1]; k++) {
            const struct scree_cd_impulse *impulse = &p->impulse[k];
            const double *branch = cd->all[p->record[k]].branch;
            for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
                int row = scree_deformation_row[c];
                part[c] += (impulse->n * p->contact[k].normal[row] + impulse->t[row]) / p->dt *
                           branch[scree_deformation_column[c]];
            }
        }
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) scree_exact_add(&sum[c], part[c]);
    }
    scree_comm_sum_exact(p->comm, sum, SCREE_DEFORMATION_COMPONENTS);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) virial[c] = scree_exact_value(&sum[c]);
}

/* J; sums of m v v, and of m d^2 for servos. */
static double sum_grains(const struct scree_scene *scene,
                         double kinetic[SCREE_DEFORMATION_COMPONENTS])
{
    enum { INERTIA = SCREE_DEFORMATION_COMPONENTS, N };
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum[N];
    for (int c = 0; c < N; c++) scree_exact_clear(&sum[c]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        const double *v = p->vel[i], d = 2.0 * p->pos[i][3];
        scree_exact_add(&sum[INERTIA], p->mass[i] * d * d);
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS && v[3] > 0.0; c++)
            scree_exact_add(&sum[c], p->mass[i] * v[scree_deformation_row[c]] *
                                         v[scree_deformation_column[c]]);
    }
    scree_comm_sum_exact(scene->comm, sum, N);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) kinetic[c] = scree_exact_value(&sum[c]);
    return scree_exact_value(&sum[INERTIA]);
}

void scree_cd_end_strain(const struct scree_cd *cd, struct scree_scene *scene,
                         const struct scree_cd_problem *p)
{
    struct scree_deformation *cell = &scene->domain->cell;
    struct scree_deformation_state *s = &cell->state;
    if (!cell->on) return;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        s->rate[c] = cd->given_flow[scree_deformation_row[c]][scree_deformation_column[c]];
    for (int d = 0; d < p->n_drives; d++) {
        const struct scree_cd_drive *drive = &p->drive[d];
        if (drive->wall >= 0) continue;
        struct scree_servo_state *servo = &scene->cell_control->servo[drive->servo].state;
        servo->rate = scree_cd_rate(drive, drive->found);
        servo->path += scene->dt * servo->rate;
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
            if (has(drive->moved, c)) s->rate[c] = servo->rate;
    }
    sum_contacts(cd, p, s->contact);
    sum_grains(scene, s->kinetic);
}

void scree_cd_advance_cell(struct scree_scene *scene, double dt)
{
    struct scree_deformation *cell = &scene->domain->cell;
    double rate[SCREE_DEFORMATION_COMPONENTS];
    if (!cell->on) return;
    memcpy(rate, cell->state.rate, sizeof rate);
    scree_deformation_advance(cell, rate, dt);
}

void scree_cd_finish_strain(struct scree_scene *scene)
{
    struct scree_deformation *cell = &scene->domain->cell;
    scree_deformation_walls_follow(scene->walls, cell, &scene->domain->box);
    if (cell->on) scree_deformation_add_impulse(cell, &scene->domain->box, scene->dt);
}

void scree_cd_start_strain(struct scree_scene *scene)
{
    struct scree_deformation *cell = &scene->domain->cell;
    if (!cell->on) return;
    double inertia = sum_grains(scene, cell->state.kinetic);
    scree_deformation_control_prepare(scene->cell_control, inertia, 0.0);
    scree_deformation_control_given(scene->cell_control, 0.0, cell->state.rate);
    scree_deformation_refresh(cell);
}
