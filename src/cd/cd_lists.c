/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of pairs, for steps: how far they have to reach, when they are made anew, ghosts at the
 * present places, and whether a grain outran what they were made for. */
#include <math.h>

#include "cd_impl.h"
#include "scree/vec.h"

static struct scree_contacts_motion present_motion(const struct scree_cd *cd,
                                                   const struct scree_scene *scene, double speed)
{
    const double *s = scene->timer->seconds;
    return (struct scree_contacts_motion){
        .step = cd->step,
        .dt = scene->dt,
        .largest_radius = scene->largest_radius,
        .reach = cd->reach,
        .speed = speed,
        .speed_around = speed,
        .busy = {[SCREE_BALANCE_GRAINS] = s[SCREE_CD_PHASE_GRAINS] + s[SCREE_PHASE_NEIGHBOURS],
                 [SCREE_BALANCE_CONTACTS] = s[SCREE_CD_PHASE_SWEEPS] + s[SCREE_CD_PHASE_PROBLEM]},
    };
}

/* Largest of all ranks. */
static double largest_speed(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    double largest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        largest = fmax(largest, scree_vec_dot(p->vel[i], p->vel[i]));
    largest = sqrt(largest);
    scree_comm_max(scene->comm, &largest, 1);
    return largest;
}

/* m; that gaps may close in the step, for which lists must reach. */
static double needed_reach(const struct scree_cd *cd, const struct scree_scene *scene)
{
    double fall = scree_vec_norm(scene->gravity) * scene->dt;
    double bound = 2.0 * (cd->speed + fall) + cd->slack + cd->drive_speed +
                   scree_walls_moved(scene->walls) / scene->dt;
    double flow = fmin(scree_cd_flow_closing(cd, scene->dt), 0.5); /* of a distance, in the step */
    double needed = (2.0 * bound * scene->dt + flow * 2.0 * scene->largest_radius) / (1.0 - flow);
    for (int k = 0; k < scene->laws->n_pairs; k++)
        needed = fmax(needed, scene->laws->pair[k].rigid.range);
    return needed;
}

/* Steps are few and have messages to all ranks anyway, so all look together how far grains have
 * moved. */
enum scree_status scree_cd_update_lists(struct scree_cd *cd, struct scree_scene *scene, bool anew)
{
    scree_lid slot;
    bool flipped = !anew && scree_contacts_flip(scene->contacts);
    double left = anew ? 0.0 : scree_contacts_left(scene->contacts, scene->largest_radius, &slot);
    scree_comm_min(scene->comm, &left, 1);
    cd->speed = largest_speed(scene);
    double needed = needed_reach(cd, scene);
    if (!anew && !flipped && needed <= cd->reach && left >= 0.0 &&
        !scree_balance_is_due(scene->balance, cd->step))
        return SCREE_OK;
    cd->reach = 1.5 * needed; /* also less than before: grains may have come to rest */
    if (!anew && !flipped) scree_contacts_detach_history(scene->contacts);
    struct scree_contacts_motion motion = present_motion(cd, scene, cd->speed);
    return scree_contacts_rebuild(scene->contacts, &motion);
}

void scree_cd_refresh_ghosts(const struct scree_cd *cd, struct scree_scene *scene)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_HALO);
    scree_halo_begin_refresh(scene->halo, scene->particles,
                             SCREE_HALO_POS | SCREE_HALO_VEL | SCREE_HALO_SPIN, cd->speed);
    scree_halo_end_refresh(scene->halo, scene->particles, cd->speed);
    scree_timer_switch(scene->timer, before);
}

void scree_cd_refresh(struct scree_cd *cd, struct scree_scene *scene)
{
    double speed = cd->speed + cd->drive_speed;
    struct scree_contacts_motion motion = present_motion(cd, scene, speed);
    scree_cd_refresh_ghosts(cd, scene);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        scree_contacts_update_near(scene->contacts, kind, &motion);
}

double scree_cd_find_surprise(const struct scree_cd *cd, const struct scree_cd_problem *p)
{
    double largest = 0.0;
    for (size_t k = 0; k < p->n_copies; k++) {
        double bound = scree_cd_speed_bound(cd, p->body[p->copy_body[k]].free);
        double speed = scree_vec_norm(p->copy[k].v);
        if (speed > bound) largest = fmax(largest, speed);
    }
    for (int d = 0; d < p->n_drives; d++) {
        double speed = fabs(scree_cd_rate(&p->drive[d], p->drive[d].found)) * p->drive[d].reach;
        if (speed > cd->slack + cd->drive_speed) largest = fmax(largest, speed);
    }
    scree_comm_max(p->comm, &largest, 1);
    return largest;
}

void scree_cd_reset_slack(struct scree_cd *cd, const struct scree_scene *scene)
{
    static const double least = 0.005; /* of the smallest scale of speeds, radius / dt */
    cd->slack = least * scene->largest_radius / scene->dt;
}
