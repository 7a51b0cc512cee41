/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of cd. Over a step a body gains P (v + v')/2 from an impulse P, with its
 * velocities before and after: exactly, so contacts tell exactly what they take. So does gravity:
 * with the implicit scheme, x' = x + v' dt, its energy is that of the places half a step before,
 * x - v dt/2, which move by (v + v')/2 dt. What is left is rounding. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/vec.h"

const struct scree_energy_line scree_cd_energy_lines[] = {
    {"kinetic energy", SCREE_ENERGY_KINETIC, 0},
    {"rotational energy", SCREE_ENERGY_ROTATIONAL, 0},
    {"gravity", SCREE_ENERGY_GRAVITY, 0},
    {"lost to impacts", SCREE_ENERGY_LOST, SCREE_CD_LOSS_IMPACT},
    {"lost to sliding", SCREE_ENERGY_LOST, SCREE_CD_LOSS_SLIDING},
    {"lost to rolling", SCREE_ENERGY_LOST, SCREE_CD_LOSS_ROLLING},
    {"lost to gap correction", SCREE_ENERGY_LOST, SCREE_CD_LOSS_GAP},
    {"lost to background", SCREE_ENERGY_LOST, SCREE_CD_LOSS_BACKGROUND},
    {"lost to walls and drives", SCREE_ENERGY_WORK, SCREE_CD_LOSS_DRIVES},
    {0},
};

/* Mean velocities of a body over the step. */
static void find_mean(const struct scree_cd_problem *p, int32_t copy, double v[3], double w[3])
{
    const double *before = p->body[p->copy_body[copy]].before;
    for (int k = 0; k < 3; k++) {
        v[k] = 0.5 * (before[k] + p->copy[copy].v[k]);
        w[k] = 0.5 * (before[3 + k] + p->copy[copy].w[k]);
    }
}

/* Velocity of the surface of a body at the contact; of the second with the other sign of the arm.
 */
static void find_surface(const struct scree_cd_contact *c, double arm, const double v[3],
                         const double w[3], double surface[3])
{
    double swept[3];
    scree_vec_cross(c->normal, w, swept);
    for (int k = 0; k < 3; k++) surface[k] = v[k] + arm * swept[k];
}

/* The normal velocity that the step leaves belongs to the correction of an overlap. */
static bool corrects_overlap(const struct scree_cd *cd, const struct scree_cd_record *r)
{
    return cd->values->gap == SCREE_CD_GAP_SIGNED && cd->values->scheme == SCREE_CD_EULER &&
           r->gap < 0.0;
}

/* Mean over the step of what drives add to the relative velocity at a contact. */
static void add_drives(const struct scree_cd_problem *p, size_t at, double drift[3])
{
    for (int m = 0; p->extra != NULL && m < p->extra[at].n_drives; m++) {
        double sweep[3];
        const struct scree_cd_drive *drive =
            &p->drive[scree_cd_find_sweep(p, &p->extra[at], m, sweep)];
        double rate = 0.5 * (drive->before + scree_cd_rate(drive, drive->found));
        for (int k = 0; k < 3; k++) drift[k] += rate * sweep[k];
    }
}

static void add_contact(const struct scree_cd *cd, const struct scree_cd_problem *p, size_t at,
                        double *loss)
{
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_record *r = &cd->all[p->record[at]];
    const struct scree_cd_impulse *impulse = &p->impulse[at];
    double v[3], w[3], first[3], second[3] = {0.0, 0.0, 0.0}, u[3], spin[3];
    double force[3], drift[3], couple[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) force[k] = impulse->n * c->normal[k] + impulse->t[k];
    if (p->couple != NULL) memcpy(couple, p->couple[at], sizeof couple);
    find_mean(p, c->a, v, w);
    find_surface(c, c->arm[0], v, w, first);
    memcpy(spin, w, sizeof spin);
    bool a_driven = !(p->copy[c->a].inverse_mass > 0.0);
    if (a_driven)
        loss[SCREE_CD_LOSS_DRIVES] += scree_vec_dot(force, first) + scree_vec_dot(couple, w);
    if (c->b >= 0) {
        find_mean(p, c->b, v, w);
        if (r->turn != 0) {
            scree_wedge_turn_by(p->wedge, r->turn, v);
            scree_wedge_turn_by(p->wedge, r->turn, w);
        }
        find_surface(c, -c->arm[1], v, w, second);
        for (int k = 0; k < 3; k++) spin[k] -= w[k];
        if (!(p->copy[c->b].inverse_mass > 0.0))
            loss[SCREE_CD_LOSS_DRIVES] -= scree_vec_dot(force, second) + scree_vec_dot(couple, w);
    }
    memcpy(drift, r->drift, sizeof drift);
    add_drives(p, at, drift);
    for (int k = 0; k < 3; k++) {
        u[k] = first[k] - second[k] + drift[k];
        spin[k] += r->spin_drift[k];
    }
    double un = scree_vec_dot(u, c->normal), gap_part = 0.0;
    if (corrects_overlap(cd, r)) gap_part = 0.5 * impulse->n * c->target;
    loss[SCREE_CD_LOSS_IMPACT] -= impulse->n * un - gap_part;
    loss[SCREE_CD_LOSS_GAP] -= gap_part;
    loss[SCREE_CD_LOSS_SLIDING] -= scree_vec_dot(impulse->t, u);
    loss[SCREE_CD_LOSS_ROLLING] -= scree_vec_dot(couple, spin);
    loss[SCREE_CD_LOSS_DRIVES] +=
        scree_vec_dot(force, drift) + scree_vec_dot(couple, r->spin_drift);
}

/* J; that background friction takes from a grain in the step. */
static double background(const struct scree_cd *cd, const struct scree_scene *scene, scree_lid i)
{
    const struct scree_particles *p = scene->particles;
    double free[3], sum = 0.0;
    scree_cd_find_free_velocity(cd, scene, cd->before[i], p->vel[i][3], free);
    for (int k = 0; k < 3; k++) sum += free[k] * 0.5 * (cd->before[i][k] + p->vel[i][k]);
    return scene->background_friction * scene->dt * sum;
}

void scree_cd_add_losses(struct scree_cd *cd, const struct scree_scene *scene,
                         const struct scree_cd_problem *p)
{
    struct scree_exact sum[SCREE_CD_N_LOSSES];
    for (int k = 0; k < SCREE_CD_N_LOSSES; k++) scree_exact_clear(&sum[k]);
    for (int b = 0; b < p->n_blocks; b++) {
        double loss[SCREE_CD_N_LOSSES] = {0.0};
        for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++)
            add_contact(cd, p, (size_t)c, loss);
        for (int k = 0; k < SCREE_CD_N_LOSSES; k++) scree_exact_add(&sum[k], loss[k]);
    }
    const struct scree_particles *grains = scene->particles;
    const bool slowed = scene->background_friction > 0.0, flows = scene->domain->cell.on;
    for (scree_lid i = 0; i < grains->n_owned && (slowed || flows); i++) {
        if (!(grains->vel[i][3] > 0.0)) continue;
        if (slowed) scree_exact_add(&sum[SCREE_CD_LOSS_BACKGROUND], background(cd, scene, i));
        if (flows) scree_exact_add(&sum[SCREE_CD_LOSS_DRIVES], scree_cd_work_on_flow(cd, scene, i));
    }
    scree_comm_sum_exact(scene->comm, sum, SCREE_CD_N_LOSSES);
    for (int k = 0; k < SCREE_CD_N_LOSSES; k++) cd->loss[k] += scree_exact_value(&sum[k]);
}

enum { SUM_KINETIC, SUM_ROTATIONAL, SUM_HEIGHT, N_SUMS };

static void add_grain(const struct scree_cd *cd, const struct scree_scene *scene, scree_lid i,
                      struct scree_exact *sum)
{
    const double back = cd->values->scheme == SCREE_CD_EULER ? 0.5 * scene->dt : 0.0;
    const struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    double mass = p->mass[i], moment = scene->inertia_factor * mass * p->pos[i][3] * p->pos[i][3];
    if (p->glued == NULL || p->glued[i] == 0) { /* walls have no energy */
        scree_exact_add(&sum[SUM_KINETIC], 0.5 * mass * scree_vec_dot(p->vel[i], p->vel[i]));
        scree_exact_add(&sum[SUM_ROTATIONAL], 0.5 * moment * scree_vec_dot(p->spin[i], p->spin[i]));
    }
    if (!(p->vel[i][3] > 0.0)) return;
    for (int a = 0; a < 3; a++) {
        double period = box->periodic[a] ? (double)p->image[i][a] * box->length[a] : 0.0;
        double place = p->pos[i][a] + period - back * p->vel[i][a];
        if (scene->gravity[a] != 0.0)
            scree_exact_add(&sum[SUM_HEIGHT], -mass * scene->gravity[a] * place);
    }
}

void scree_cd_energies(void *state, struct scree_scene *scene, struct scree_energies *e)
{
    const struct scree_cd *cd = state;
    struct scree_exact sum[N_SUMS];
    for (int k = 0; k < N_SUMS; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < scene->particles->n_owned; i++) add_grain(cd, scene, i, sum);
    scree_comm_sum_exact(scene->comm, sum, N_SUMS);
    memset(e, 0, sizeof *e);
    for (int k = 0; k < N_SUMS; k++) e->value[k] = scree_exact_value(&sum[k]);
    e->closure = e->value[0] + e->value[1] + e->value[2] - cd->first_energy;
    e->turnover = e->value[0] + e->value[1] + fabs(e->value[SUM_HEIGHT] - cd->first_height);
    for (int k = 0; k < SCREE_CD_N_LOSSES; k++) {
        e->value[N_SUMS + k] = cd->loss[k];
        e->closure += cd->loss[k];
        e->turnover += fabs(cd->loss[k]);
    }
}
