/* SPDX-License-Identifier: BSD-3-Clause
 * From the solved problem back to grains, contacts and walls. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* The result of a contact, for one of those who hold it. */
struct result {
    int64_t place; /* of the claim */
    double force[3], couple[3];
    int32_t acts, bonded, slides, unused;
};

/* A grain's new velocity, for its home rank. */
struct motion {
    int64_t slot;
    double velocity[6];
};

static bool is_sliding(double friction, double load, const double t[3])
{
    double size = scree_vec_norm(t);
    return size > 0.0 && size >= friction * load * (1.0 - 1e-9);
}

static void find_result(const struct scree_cd_problem *p, const struct scree_cd_record *r,
                        const struct scree_laws *laws, struct result *result)
{
    size_t at = (size_t)r->order; /* the number of its contact, see problem_contacts.c */
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_impulse *impulse = &p->impulse[at];
    const struct scree_rigid_law *law = &laws->pair[r->pair].rigid;
    double cohesion = p->extra != NULL ? p->extra[at].cohesion : 0.0;
    memset(result, 0, sizeof *result);
    result->place = r->place;
    for (int k = 0; k < 3; k++) {
        result->force[k] = (impulse->n * c->normal[k] + impulse->t[k]) / p->dt;
        if (p->couple != NULL) result->couple[k] = p->couple[at][k] / p->dt;
    }
    bool touches = impulse->n > 0.0;
    result->bonded = law->cohesion > 0.0 && (touches || cohesion > 0.0);
    result->acts = touches || impulse->n < 0.0 || result->bonded;
    result->slides = is_sliding(c->friction, impulse->n + cohesion, impulse->t);
}

static void take_result(struct scree_cd *cd, const struct result *result)
{
    struct scree_cd_claim *claim = &cd->claim[result->place];
    memcpy(claim->force, result->force, sizeof claim->force);
    memcpy(claim->couple, result->couple, sizeof claim->couple);
    claim->acts = result->acts != 0;
    claim->bonded = result->bonded != 0;
    claim->slides = result->slides != 0;
}

/* Count, fill and exchange items that belong to ranks; `rank_of` is -1 for what stays here. */
static void return_forces(struct scree_cd *cd, const struct scree_scene *scene,
                          const struct scree_cd_problem *p)
{
    struct scree_comm *comm = scene->comm;
    const size_t n_ranks = (size_t)comm->n_ranks;
    int *count = scree_alloc(2 * n_ranks, sizeof *count), *n_received = count + n_ranks;
    size_t *at = scree_alloc(n_ranks + 1, sizeof *at), n = 0;
    memset(count, 0, 2 * n_ranks * sizeof *count);
    for (size_t k = 0; k < cd->n_all; k++)
        if (cd->all[k].holder != comm->rank) count[cd->all[k].holder]++;
    for (size_t r = 0; r < n_ranks; r++) {
        at[r] = n;
        n += (size_t)count[r];
    }
    struct result *sent = scree_alloc(n + 1, sizeof *sent), *received, own;
    for (size_t k = 0; k < cd->n_all; k++) {
        const struct scree_cd_record *r = &cd->all[k];
        if (r->holder != comm->rank) {
            find_result(p, r, scene->laws, &sent[at[r->holder]++]);
        } else {
            find_result(p, r, scene->laws, &own);
            take_result(cd, &own);
        }
    }
    scree_comm_exchange(comm, count, sent, sizeof *sent, n_received, (void **)&received);
    size_t n_all = 0;
    for (size_t r = 0; r < n_ranks; r++) n_all += (size_t)n_received[r];
    for (size_t k = 0; k < n_all; k++) take_result(cd, &received[k]);
    scree_alloc_free(received);
    scree_alloc_free(sent);
    scree_alloc_free(at);
    scree_alloc_free(count);
}

static void set_velocity(struct scree_particles *p, scree_lid i, const double velocity[6])
{
    for (int a = 0; a < 3; a++) {
        p->vel[i][a] = velocity[a];
        p->spin[i][a] = velocity[3 + a];
    }
}

static void copy_velocity(const struct scree_cd_copy *copy, double velocity[6])
{
    memcpy(velocity, copy->v, sizeof copy->v);
    memcpy(velocity + 3, copy->w, sizeof copy->w);
}

/* Must this rank tell the home of a body? The owner of its first block does, unless the home has a
 * block itself. */
static bool is_mine_to_tell(const struct scree_cd *cd, const struct scree_scene *scene,
                            const struct scree_cd_problem *p, size_t b)
{
    const int me = scene->comm->rank, home = p->body[b].home;
    if (home == me) return false;
    for (size_t k = p->first_member[b]; k < p->first_member[b + 1]; k++)
        if (scree_cd_block_owner(cd, scene, p->member[k]) == home) return false;
    return scree_cd_block_owner(cd, scene, p->member[p->first_member[b]]) == me;
}

static void return_velocities(const struct scree_cd *cd, struct scree_scene *scene,
                              const struct scree_cd_problem *p)
{
    struct scree_comm *comm = scene->comm;
    const size_t n_ranks = (size_t)comm->n_ranks;
    int *count = scree_alloc(2 * n_ranks, sizeof *count), *n_received = count + n_ranks;
    size_t *at = scree_alloc(n_ranks + 1, sizeof *at), n = 0;
    bool *tell = scree_alloc(p->n_bodies + 1, sizeof *tell);
    memset(count, 0, 2 * n_ranks * sizeof *count);
    for (size_t b = 0; b < p->n_bodies; b++) {
        double velocity[6];
        tell[b] = is_mine_to_tell(cd, scene, p, b);
        if (tell[b]) count[p->body[b].home]++;
        if (p->body[b].home != comm->rank) continue;
        copy_velocity(&p->copy[p->copy_of[b]], velocity);
        set_velocity(scene->particles, p->body[b].slot, velocity);
    }
    for (size_t r = 0; r < n_ranks; r++) {
        at[r] = n;
        n += (size_t)count[r];
    }
    struct motion *sent = scree_alloc(n + 1, sizeof *sent), *received;
    for (size_t b = 0; b < p->n_bodies; b++) {
        if (!tell[b]) continue;
        struct motion *motion = &sent[at[p->body[b].home]++];
        motion->slot = p->body[b].slot;
        copy_velocity(&p->copy[p->copy_of[b]], motion->velocity);
    }
    scree_comm_exchange(comm, count, sent, sizeof *sent, n_received, (void **)&received);
    size_t n_all = 0;
    for (size_t r = 0; r < n_ranks; r++) n_all += (size_t)n_received[r];
    for (size_t k = 0; k < n_all; k++)
        set_velocity(scene->particles, (scree_lid)received[k].slot, received[k].velocity);
    scree_alloc_free(received);
    scree_alloc_free(sent);
    scree_alloc_free(tell);
    scree_alloc_free(at);
    scree_alloc_free(count);
}

/* What a contact keeps for the next step, as its near list sees it. */
static void write_history(const struct scree_contacts *contacts, const struct scree_cd_claim *claim,
                          const struct scree_cd_record *r)
{
    double *history = contacts->near[claim->kind].history + claim->near * (size_t)contacts->stride;
    double sign = claim->turned ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        history[SCREE_CD_FORCE + k] = sign * claim->force[k];
        history[SCREE_CD_NORMAL + k] = sign * r->normal[k];
        history[SCREE_CD_COUPLE + k] = sign * claim->couple[k];
    }
    history[SCREE_CD_BOND] = claim->bonded ? 1.0 : 0.0;
    history[SCREE_CD_SLIDES] = claim->slides ? 1.0 : 0.0;
}

static void mark_contacts(const struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_near_pass pass[SCREE_N_NEAR];
    for (int kind = 0; kind < SCREE_N_NEAR; kind++)
        pass[kind] = scree_near_begin(&scene->contacts->near[kind]);
    for (size_t k = 0; k < cd->n_records; k++) {
        const struct scree_cd_claim *claim = &cd->claim[k];
        if (!claim->acts) continue;
        scree_near_mark(&pass[claim->kind], claim->near);
        write_history(scene->contacts, claim, &cd->record[k]);
    }
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) scree_near_end(&pass[kind]);
}

static void add_load(const struct scree_cd *cd, int64_t load[8], const double force[3],
                     const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        load[k] += llrint(force[k] / cd->quantum[0]);
        load[4 + k] += llrint(torque[k] / cd->quantum[1]);
    }
}

/* The grains that touch a wall count for servos whose mass is `auto`. */
static void add_touching(const struct scree_cd *cd, struct scree_wall *wall, const double arm[3],
                         double inverse_mass)
{
    for (int s = 0; s < SCREE_WALL_SERVOS && inverse_mass > 0.0; s++) {
        struct scree_servo *servo = scree_wall_servo(wall, s);
        double sweep[3], unit = cd->quantum[servo != NULL && servo->kind == SCREE_MOTION_TURN];
        if (servo == NULL) continue;
        scree_wall_sweep(wall, s, arm, sweep);
        scree_wide_add_rounded(&servo->touching,
                               scree_vec_dot(sweep, sweep) /
                                   (inverse_mass * cd->tick_dt * cd->tick_dt * unit));
    }
}

static void load_wall(const struct scree_cd *cd, struct scree_wall *wall, const double arm[3],
                      const double force[3], const double couple[3])
{
    double torque[3];
    scree_vec_cross(arm, force, torque);
    for (int k = 0; k < 3; k++) {
        scree_wide_add_rounded(&wall->force[k], force[k] / cd->quantum[0]);
        scree_wide_add_rounded(&wall->torque[k], (torque[k] + couple[k]) / cd->quantum[1]);
    }
}

/* Forces on both sides of a contact that are owned here; sums of quanta know no order. */
static void load_contact(const struct scree_cd *cd, struct scree_scene *scene, size_t k)
{
    struct scree_particles *p = scene->particles;
    const struct scree_cd_claim *claim = &cd->claim[k];
    const struct scree_cd_record *r = &cd->record[k];
    double turn[3], torque[3], reaction[3], couple[3];
    scree_lid i = scree_cd_owned_side(scene, claim, 0), j = scree_cd_owned_side(scene, claim, 1);
    scree_vec_cross(r->normal, claim->force, turn);
    for (int a = 0; a < 3; a++) torque[a] = claim->couple[a] - r->arm[0] * turn[a];
    if (i >= 0) add_load(cd, p->load[i], claim->force, torque);
    for (int a = 0; a < 3; a++) {
        reaction[a] = -claim->force[a];
        couple[a] = -claim->couple[a];
        torque[a] = couple[a] - r->arm[1] * turn[a];
    }
    if (claim->kind == SCREE_NEAR_WALL) {
        add_touching(cd, &scene->walls->wall[claim->slot[1]],
                     scene->contacts->wall_contact[claim->near].arm, p->vel[claim->slot[0]][3]);
        load_wall(cd, &scene->walls->wall[claim->slot[1]],
                  scene->contacts->wall_contact[claim->near].arm, reaction, couple);
        return;
    }
    if (j < 0) return;
    if (r->turn != 0) {
        const struct scree_wedge *wedge = scene->contacts->wedge;
        scree_wedge_turn_by(wedge, -r->turn, reaction);
        scree_wedge_turn_by(wedge, -r->turn, torque);
    }
    add_load(cd, p->load[j], reaction, torque);
}

/* Grains that are part of a wall hand on what they feel. */
static void load_walls_of_glued(const struct scree_cd *cd, struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    if (p->glued == NULL) return;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (p->glued[i] == 0) continue;
        struct scree_wall *wall = &scene->walls->wall[p->glued[i] - 1];
        double turn[3][3], arm[3], force[3], torque[3];
        scree_wall_turned(wall, false, turn);
        for (int k = 0; k < 3; k++) {
            arm[k] = scree_vec_dot(turn[k], p->arm[i]);
            force[k] = cd->quantum[0] * (double)p->load[i][k];
            torque[k] = cd->quantum[1] * (double)p->load[i][4 + k];
        }
        load_wall(cd, wall, arm, force, torque);
    }
}

static void load_all(const struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    memset(p->load, 0, (size_t)p->n_owned * sizeof *p->load);
    scree_walls_clear_forces(scene->walls);
    for (size_t k = 0; k < cd->n_records; k++)
        if (cd->claim[k].acts) load_contact(cd, scene, k);
    load_walls_of_glued(cd, scene);
}

void scree_cd_share_forces(struct scree_cd *cd, struct scree_scene *scene)
{
    mark_contacts(cd, scene);
    load_all(cd, scene);
}

void scree_cd_return_results(struct scree_cd *cd, struct scree_scene *scene,
                             struct scree_cd_problem *problem)
{
    return_forces(cd, scene, problem);
    return_velocities(cd, scene, problem);
    scree_cd_share_forces(cd, scene);
}
