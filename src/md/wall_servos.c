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
        struct scree_servo_state *state = &wall->servo.state;
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(wall, s);
            if (servo != NULL) servo->state.grain_size = 2.0 * scene->largest_radius;
        }
        if (!wall->servo.on || wall->servo.kind == SCREE_MOTION_TURN) continue;
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

/* Stiffness of the contacts of a batch, after the laws. */
static void inspect(const struct scree_batch *b, const struct scree_pair_law *law,
                    struct scree_law_view view[SCREE_LAW_TANGENTIAL + 1])
{
    memset(view, 0, (SCREE_LAW_TANGENTIAL + 1) * sizeof *view);
    for (int part = 0; part <= SCREE_LAW_TANGENTIAL; part++)
        if (law->law[part]->inspect != NULL)
            law->law[part]->inspect(b, law->values[part], law->at[part], &view[part]);
}

/* One contact that touches the wall, or a grain that is part of it, at `arm`. */
static void add_contact(const struct scree_md_evaluation *e, struct scree_wall *wall, int k,
                        const struct scree_law_view view[SCREE_LAW_TANGENTIAL + 1],
                        const double arm[3])
{
    const struct scree_md *md = e->md;
    const struct scree_batch *b = &md->batch->b;
    double mass = b->m_eff[k], dt = e->scene->dt, sweep[3];
    for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
        struct scree_servo *servo = scree_wall_servo(wall, s);
        if (servo == NULL) continue;
        scree_wall_sweep(wall, s, arm, sweep);
        double all = scree_vec_dot(sweep, sweep);
        double along =
            sweep[0] * b->normal[0][k] + sweep[1] * b->normal[1][k] + sweep[2] * b->normal[2][k];
        double normal = along * along, across = fmax(all - normal, 0.0);
        double stiffness = view[SCREE_LAW_NORMAL].stiffness[k] * normal +
                           view[SCREE_LAW_TANGENTIAL].stiffness[k] * across;
        double inverse = servo->kind == SCREE_MOTION_TURN ? md->inverse_torque : md->inverse_force;
        scree_wide_add_rounded(&servo->stiffness, stiffness * inverse);
        if (isfinite(mass))
            scree_wide_add_rounded(&servo->touching, all * mass * (1.0 / (dt * dt)) * inverse);
    }
}

void scree_md_add_to_servos(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            const uint32_t *place)
{
    const struct scree_md_batch *batch = e->md->batch;
    struct scree_wall *walls = e->scene->walls->wall;
    struct scree_law_view view[SCREE_LAW_TANGENTIAL + 1];
    bool any = false;
    for (int k = 0; k < batch->n_real; k++)
        any = any || scree_wall_has_servo_at_work(&walls[batch->j[k]]);
    if (!any) return;
    inspect(&batch->b, law, view);
    for (int k = 0; k < batch->n_real; k++)
        if (scree_wall_has_servo_at_work(&walls[batch->j[k]]))
            add_contact(e, &walls[batch->j[k]], k, view, e->md->wall_contact[place[k]].arm);
}

/* The wall with a servo that an own grain is part of, or NULL. */
static struct scree_wall *servo_of(const struct scree_scene *scene, int32_t i)
{
    int32_t wall = scene->particles->glued[i];
    if (wall == 0 || !scree_wall_has_servo_at_work(&scene->walls->wall[wall - 1])) return NULL;
    return &scene->walls->wall[wall - 1];
}

/* From the pivot to a glued grain, as the wall has turned by now. */
static void find_arm(const struct scree_wall *wall, const double at_start[3], double arm[3])
{
    double turn[3][3];
    if (!wall->tilts && wall->servo.kind != SCREE_MOTION_TURN) return;
    scree_wall_turned(wall, false, turn);
    for (int a = 0; a < 3; a++) arm[a] = scree_vec_dot(turn[a], at_start);
}

void scree_md_add_glued_to_servos(struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const struct scree_md_batch *batch = e->md->batch;
    const struct scree_particles *p = e->scene->particles;
    /* Of a border pair the other grain is a ghost, for whose wall its owner speaks. */
    int own = e->kind == SCREE_NEAR_BORDER ? 1 : 2;
    bool seam = scree_near_is_seam(e->kind);
    struct scree_law_view view[SCREE_LAW_TANGENTIAL + 1];
    bool inspected = false;
    if (p->glued == NULL || scree_walls_n_servos(e->scene->walls) == 0) return;
    for (int k = 0; k < batch->n_real; k++)
        for (int side = 0; side < own; side++) {
            int32_t i = side == 0 ? batch->i[k] : batch->j[k];
            if (seam) i = scree_contacts_home(e->scene->contacts, e->kind, i);
            if (i >= p->n_owned) continue;
            struct scree_wall *wall = servo_of(e->scene, i);
            double arm[3] = {0.0, 0.0, 0.0};
            if (wall == NULL) continue;
            if (!inspected) inspect(&batch->b, law, view);
            inspected = true;
            find_arm(wall, p->arm[i], arm);
            if (seam && side == 1)
                scree_wedge_turn_by(e->scene->contacts->wedge, batch->turn[k], arm);
            add_contact(e, wall, k, view, arm);
        }
}

/* The work of contacts was booked with the rate before the kick; the rest is the same on all ranks
 * and booked by one. */
void scree_md_drive_servos(struct scree_md *md, struct scree_scene *scene)
{
    double before = md->half_step ? 0.5 * scene->dt : 0.0;
    double taken =
        scree_walls_drive(scene->walls, scree_scene_time(scene, md->step), before, scene->dt);
    if (scene->comm->rank == 0)
        scree_account_add(&md->ledger.loss[SCREE_LOSS_DRIVES], md->ledger.quantum, &taken, 1, 2);
}

void scree_md_reduce_servo_loads(struct scree_scene *scene)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_WAIT);
    scree_walls_reduce_servo_loads(scene->walls, scene->comm, scene->dt);
    scree_timer_switch(scene->timer, before);
}

/* A contact of `wall`, or of a grain that is part of it, as stiff as it may be in any direction:
 * that makes a servo no less stable. */
static void feel_at(const struct scree_md_evaluation *e, struct scree_wall *wall,
                    const double arm[3], double inverse_mass, double stiffness)
{
    double per_dt2 = 1.0 / (e->scene->dt * e->scene->dt), sweep[3];
    for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
        struct scree_servo *servo = scree_wall_servo(wall, s);
        if (servo == NULL) continue;
        double inverse =
            servo->kind == SCREE_MOTION_TURN ? e->md->inverse_torque : e->md->inverse_force;
        scree_wall_sweep(wall, s, arm, sweep);
        double all = scree_vec_dot(sweep, sweep);
        scree_wide_add_rounded(&servo->stiffness, stiffness * all * inverse);
        if (inverse_mass > 0.0)
            scree_wide_add_rounded(&servo->touching, all / inverse_mass * per_dt2 * inverse);
    }
}

static void feel_contact(void *context, const struct scree_contact *seen)
{
    const struct scree_md_contact *contact = scree_md_contact_of(seen);
    const struct scree_md_evaluation *e = context;
    const enum scree_near_kind kind = contact->kind;
    const size_t place = contact->place;
    const struct scree_near *near = &e->scene->contacts->near[kind];
    const struct scree_particles *p = e->scene->particles;
    const int32_t grain[2] = {near->i[place],
                              scree_contacts_home(e->scene->contacts, kind, near->j[place])};
    if (kind == SCREE_NEAR_WALL) {
        struct scree_wall *wall = &e->scene->walls->wall[grain[1]];
        if (scree_wall_has_servo_at_work(wall))
            feel_at(e, wall, e->md->wall_contact[place].arm, p->vel[grain[0]][3],
                    contact->stiffness);
        return;
    }
    for (int side = 0; side < (scree_near_is_cut(kind) ? 1 : 2); side++) {
        struct scree_wall *wall = servo_of(e->scene, grain[side]);
        double arm[3] = {0.0, 0.0, 0.0};
        if (wall == NULL) continue;
        find_arm(wall, p->arm[grain[side]], arm);
        feel_at(e, wall, arm, p->vel[grain[0]][3] + p->vel[grain[1]][3], contact->stiffness);
    }
}

void scree_md_change_servos(struct scree_md *md, struct scree_scene *scene)
{
    struct scree_md_evaluation e = {.md = md, .scene = scene};
    for (int w = 0; w < scene->walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(&scene->walls->wall[w], s);
            if (servo != NULL) servo->stiffness = servo->touching = (struct scree_wide){0, 0};
        }
    scree_md_prepare_servos(scene);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        if (kind == SCREE_NEAR_WALL || scene->particles->glued != NULL)
            scree_md_visit_contacts(md, scene, kind, feel_contact, &e);
    scree_md_reduce_servo_loads(scene);
}
