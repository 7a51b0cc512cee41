/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: what md tells their servos, and the books of their work. */
#include <math.h>
#include <string.h>

#include "evaluation.h"
#include "scree/vec.h"

/* For gains `auto` before the first contact: one contact of the largest grain. */
void scree_md_prepare_servos(const struct scree_scene *scene)
{
    const struct scree_laws *laws = scene->laws;
    for (int w = 0; w < scene->walls->n; w++) {
        struct scree_wall *wall = &scene->walls->wall[w];
        if (!wall->servo.on || wall->servo.kind == SCREE_MOTION_TURN) continue;
        struct scree_servo_state *state = &wall->servo.state;
        state->least_inertia = scene->largest_mass;
        for (int m = 0; m < laws->n_materials; m++) {
            int pair = laws->table[m * laws->n_materials + wall->species];
            if (pair < 0) continue;
            struct scree_law_case c = {.m_eff = scene->largest_mass,
                                       .r_eff = scene->largest_radius};
            struct scree_law_estimate estimate;
            scree_pair_law_estimate(&laws->pair[pair], &c, &estimate);
            state->least_stiffness = fmax(state->least_stiffness, estimate.stiffness);
        }
    }
}

/* Velocity of the wall's surface at a contact per rate of its servo. */
static void find_sweep(const struct scree_wall *wall, const struct scree_wall_contact *contact,
                       double sweep[3])
{
    if (wall->servo.kind == SCREE_MOTION_TURN)
        scree_vec_cross(wall->axis, contact->arm, sweep);
    else
        memcpy(sweep, wall->direction, 3 * sizeof(double));
}

void scree_md_add_to_servos(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            const uint32_t *place)
{
    const struct scree_md *md = e->md;
    const struct scree_md_batch *batch = md->batch;
    const struct scree_batch *b = &batch->b;
    struct scree_wall *walls = e->scene->walls->wall;
    struct scree_law_view view[SCREE_LAW_TANGENTIAL + 1];
    bool any = false;
    for (int k = 0; k < batch->n_real; k++) any = any || walls[batch->j[k]].servo.on;
    if (!any) return;
    memset(view, 0, sizeof view);
    for (int part = 0; part <= SCREE_LAW_TANGENTIAL; part++)
        if (law->law[part]->inspect != NULL)
            law->law[part]->inspect(b, law->values[part], law->at[part], &view[part]);
    double per_dt2 = 1.0 / (e->scene->dt * e->scene->dt);
    for (int k = 0; k < batch->n_real; k++) {
        struct scree_wall *wall = &walls[batch->j[k]];
        double inverse_mass = batch->moving[3][k], sweep[3];
        if (!wall->servo.on) continue;
        find_sweep(wall, &md->wall_contact[place[k]], sweep);
        double all = scree_vec_dot(sweep, sweep);
        double along = sweep[0] * b->nx[k] + sweep[1] * b->ny[k] + sweep[2] * b->nz[k];
        double normal = along * along, across = fmax(all - normal, 0.0);
        double stiffness = view[SCREE_LAW_NORMAL].stiffness[k] * normal +
                           view[SCREE_LAW_TANGENTIAL].stiffness[k] * across;
        double inverse =
            wall->servo.kind == SCREE_MOTION_TURN ? md->inverse_torque : md->inverse_force;
        scree_wide_add_rounded(&wall->servo.stiffness, stiffness * inverse);
        if (inverse_mass > 0.0)
            scree_wide_add_rounded(&wall->servo.touching, all / inverse_mass * per_dt2 * inverse);
    }
}

/* The work of contacts was booked with the rate before the kick; the rest is the same on all ranks
 * and booked by one. */
void scree_md_drive_servos(struct scree_md *md, struct scree_scene *scene)
{
    double before = md->half_step ? 0.5 * scene->dt : 0.0;
    double taken =
        scree_boundaries_drive(scene->walls, (double)md->step * scene->dt, before, scene->dt);
    if (scene->comm->rank == 0)
        scree_account_add(&md->ledger.loss[SCREE_LOSS_DRIVES], md->ledger.quantum, &taken, 1, 2);
}

void scree_md_feel_servos(const struct scree_md *md, struct scree_scene *scene)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_WAIT);
    scree_boundaries_feel(scene->walls, scene->comm, md->force_quantum, md->torque_quantum,
                          scene->dt);
    scree_timer_switch(scene->timer, before);
}

/* Of a contact: the stiffest it may be in any direction, which makes a servo no less stable. */
static void feel_contact(void *context, enum scree_near_kind kind, size_t place,
                         const struct scree_contact_detail *detail)
{
    const struct scree_md_evaluation *e = context;
    const struct scree_near *near = &e->scene->contacts->near[kind];
    struct scree_wall *wall = &e->scene->walls->wall[near->j[place]];
    double inverse_mass = e->scene->particles->vel[near->i[place]][3], sweep[3];
    double per_dt2 = 1.0 / (e->scene->dt * e->scene->dt);
    if (!wall->servo.on) return;
    find_sweep(wall, &e->md->wall_contact[place], sweep);
    double all = scree_vec_dot(sweep, sweep);
    double inverse =
        wall->servo.kind == SCREE_MOTION_TURN ? e->md->inverse_torque : e->md->inverse_force;
    scree_wide_add_rounded(&wall->servo.stiffness, detail->stiffness * all * inverse);
    if (inverse_mass > 0.0)
        scree_wide_add_rounded(&wall->servo.touching, all / inverse_mass * per_dt2 * inverse);
}

void scree_md_change_servos(struct scree_md *md, struct scree_scene *scene)
{
    struct scree_md_evaluation e = {.md = md, .scene = scene};
    for (int w = 0; w < scene->walls->n; w++) {
        struct scree_servo *servo = &scene->walls->wall[w].servo;
        servo->stiffness = servo->touching = (struct scree_wide){0, 0};
    }
    scree_md_prepare_servos(scene);
    scree_md_tell_contacts(md, scene, SCREE_NEAR_WALL, feel_contact, &e);
    scree_md_feel_servos(md, scene);
}
