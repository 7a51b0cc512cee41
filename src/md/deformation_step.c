/* SPDX-License-Identifier: BSD-3-Clause
 * A cell that deforms, in md: its step, its stress, and the books of its work.
 *
 * d/dt (kinetic + elastic energy) + losses = - V stress : L, with V stress_ab = sum m v_a v_b + sum
 * f_a b_b over grains and contacts, also those with walls: L has no part across these, so that they
 * add to the stress but not to the work. In the scheme of the grains (integrate.c) the kinetic part
 * goes with L of the step before, the contact part with the mean of L before and after. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/deformation_walls.h"

#define LARGEST 2251799813685248.0 /* quanta; 2^51 fit into a block */

/* Part of the estimated stiffness of a dense sample, k d^2 for each grain, below which gains `auto`
 * do not fall: damping that follows the contacts of a flow up and down would shift its mean stress.
 */
#define LEAST_STIFFNESS 0.5

static double largest_stiffness(const struct scree_scene *scene)
{
    double largest = 0.0;
    for (int k = 0; k < scene->laws->n_pairs; k++) {
        struct scree_law_case c = {.m_eff = scene->largest_mass, .r_eff = scene->largest_radius};
        struct scree_law_estimate estimate;
        scree_pair_law_estimate(&scene->laws->pair[k], &c, &estimate);
        largest = fmax(largest, estimate.stiffness);
    }
    return largest;
}

void scree_md_find_gains(struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum[2];
    if (!scene->domain->cell.on) return;
    scree_exact_clear(&sum[0]);
    scree_exact_clear(&sum[1]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double square = 4.0 * p->pos[i][3] * p->pos[i][3];
        scree_exact_add(&sum[0], square);
        scree_exact_add(&sum[1], p->mass[i] * square);
    }
    scree_comm_sum_exact(scene->comm, sum, 2);
    scree_deformation_control_prepare(scene->cell_control, scree_exact_value(&sum[1]),
                                      LEAST_STIFFNESS * largest_stiffness(scene) *
                                          scree_exact_value(&sum[0]));
}

void scree_md_start_deformation(struct scree_scene *scene)
{
    struct scree_deformation *cell = &scene->domain->cell;
    if (!cell->on) return;
    scree_md_find_gains(scene);
    /* Rates that are given are there from the beginning. */
    double rate[SCREE_DEFORMATION_COMPONENTS];
    struct scree_deformation_control given = *scene->cell_control;
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) given.servo[s].on = false;
    scree_deformation_control_drive(&given, cell, &scene->domain->box, 0.0, 0.0, scene->dt, rate);
    memcpy(cell->state.rate, rate, sizeof rate);
    scree_deformation_refresh(cell);
}

double scree_md_deformation_power(const struct scree_scene *scene)
{
    const struct scree_deformation_state *s = &scene->domain->cell.state;
    double power = 0.0;
    if (!scene->domain->cell.on) return 0.0;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        power += (s->kinetic[c] + s->contact[c]) * s->rate[c];
    return power;
}

double scree_md_flow_energy(const struct scree_scene *scene)
{
    const struct scree_deformation_state *s = &scene->domain->cell.state;
    double sum = 0.0;
    if (!scene->domain->cell.on) return 0.0;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) sum += s->rate[c] * s->rate[c];
    return 0.5 * scene->cell_control->servo[SCREE_DEFORMATION_ISOTROPIC].state.least_inertia * sum;
}

void scree_md_drive_deformation(struct scree_md *md, struct scree_scene *scene)
{
    struct scree_deformation *cell = &scene->domain->cell;
    const struct scree_deformation_state *s = &cell->state;
    double half = 0.5 * scene->dt, before = md->half_step ? half : 0.0, taken = 0.0;
    double rate[SCREE_DEFORMATION_COMPONENTS];
    if (!cell->on) return;
    scree_deformation_control_drive(scene->cell_control, cell, &scene->domain->box,
                                    scree_scene_time(scene, md->step), before, scene->dt, rate);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        taken += s->kinetic[c] * s->rate[c] * (before + half) +
                 s->contact[c] * (before * s->rate[c] + half * rate[c]);
    if (scene->comm->rank == 0) {
        struct scree_account *drives = &md->ledger.loss[SCREE_LOSS_DRIVES];
        if (fabs(taken) < LARGEST * md->ledger.quantum)
            scree_account_add(drives, md->ledger.quantum, &taken, 1, 2);
        else
            scree_account_add_large(drives, md->ledger.quantum, taken, 2);
    }
    scree_deformation_advance(cell, rate, scene->dt);
}

/* Sums of m v v of the grains owned here; amounts are rounded one by one. */
static void add_kinetic(const struct scree_md *md, const struct scree_scene *scene,
                        struct scree_account *sum)
{
    const struct scree_particles *p = scene->particles;
    double amount[SCREE_DEFORMATION_COMPONENTS][SCREE_BATCH];
    int n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double v[3], spin[3];
        if (p->vel[i][3] > 0.0) {
            scree_md_velocity(md, scene, i, v, spin);
            for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
                double a =
                    p->mass[i] * v[scree_deformation_row[c]] * v[scree_deformation_column[c]];
                bool large = !(fabs(a) < LARGEST * md->ledger.quantum);
                amount[c][n] = large ? 0.0 : a;
                if (large) scree_account_add_large(&sum[c], md->ledger.quantum, a, 2);
            }
            n++;
        }
        if (n < SCREE_BATCH && i + 1 < p->n_owned) continue;
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
            scree_account_add(&sum[c], md->ledger.quantum, amount[c], n, 2);
        n = 0;
    }
}

void scree_md_reduce_stress(struct scree_md *md, struct scree_scene *scene)
{
    enum {
        N_VIRIAL = SCREE_DEFORMATION_COMPONENTS + 1,
        N_SUMS = N_VIRIAL + SCREE_DEFORMATION_COMPONENTS
    };
    struct scree_deformation *cell = &scene->domain->cell;
    struct scree_account sum[N_SUMS];
    if (!cell->on) return;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_WAIT);
    memset(sum, 0, sizeof sum);
    memcpy(sum, md->virial, sizeof md->virial);
    memset(md->virial, 0, sizeof md->virial);
    add_kinetic(md, scene, sum + N_VIRIAL);
    scree_comm_sum_wide(scene->comm, &sum->coarse, 2 * N_SUMS);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        cell->state.contact[c] = scree_account_value(&sum[c], md->ledger.quantum);
        cell->state.kinetic[c] = scree_account_value(&sum[N_VIRIAL + c], md->ledger.quantum);
    }
    scree_deformation_control_set_stiffness(
        scene->cell_control, cell,
        scree_account_value(&sum[SCREE_DEFORMATION_COMPONENTS], md->ledger.quantum),
        scree_deformation_walls_strain(scene->walls, scene->cell_control));
    if (md->step > 0) scree_deformation_add_impulse(cell, &scene->domain->box, scene->dt);
    scree_timer_switch(scene->timer, before);
}
