/* SPDX-License-Identifier: BSD-3-Clause
 * Keeping the pair lists valid: when to rebuild, the rebuild itself, and the near lists. */
#include <math.h>

#include "md_impl.h"
#include "scree/log.h"
#include "scree/status.h"

enum { NEAR_STEPS = 16, LONGEST_INTERVAL = 1024 };

/* A margin that the present speed uses up in NEAR_STEPS steps: long enough that picking is rare,
 * short enough that few of the picked pairs do not touch. */
static double near_margin(const struct scree_scene *scene, double closing_speed)
{
    double skin = scene->contacts->list.skin;
    double margin = NEAR_STEPS * closing_speed * scene->dt;
    return fmin(fmax(margin, 0.01 * skin), skin);
}

void scree_md_freshen(struct scree_scene *scene, enum scree_near_kind kind, double closing_speed)
{
    struct scree_near *near = &scene->contacts->near[kind];
    near->used += closing_speed * scene->dt;
    if (near->used <= near->margin) return;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_NEIGHBOURS);
    scree_contacts_prune(scene->contacts, kind, scene->particles, scene->walls,
                         near_margin(scene, closing_speed));
    scree_timer_switch(scene->timer, before);
}

static enum scree_status balance(struct scree_md *md, struct scree_scene *scene, bool *moved)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_BALANCE);
    const double *s = scene->timer->seconds;
    const double busy[SCREE_BALANCE_KINDS] = {[SCREE_BALANCE_GRAINS] = s[SCREE_PHASE_INTEGRATE] +
                                                                       s[SCREE_PHASE_NEIGHBOURS],
                                              [SCREE_BALANCE_CONTACTS] = s[SCREE_PHASE_CONTACTS]};
    enum scree_status status = scree_balance_decide(scene->balance, scene->domain, scene->comm,
                                                    scene->particles, busy, md->step, moved);
    scree_timer_switch(scene->timer, before);
    return status;
}

enum scree_status scree_md_rebuild(struct scree_md *md, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    struct scree_contacts *contacts = scene->contacts;
    struct scree_passengers passengers = scree_contacts_passengers(contacts);
    struct scree_cell *cell = &scene->domain->cell;
    double skin = scree_cell_search_skin(cell, contacts->list.skin, scene->largest_radius);
    double began = scree_timer_now();
    bool moved = false;

    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_MIGRATE);
    SCREE_TRY(balance(md, scene, &moved));
    scree_domain_migrate(scene->domain, scene->comm, p, &passengers);
    if (moved) scree_balance_paid(scene->balance, scene->comm, scree_timer_now() - began);
    scree_particles_trim(p);
    SCREE_TRY(
        scree_domain_check_wedge(scene->domain, scene->comm, p, scene->largest_radius + skin));
    contacts->list.search = skin;
    scree_timer_switch(scene->timer, SCREE_PHASE_NEIGHBOURS);
    scree_contacts_sort(contacts, p, scene->largest_radius);
    scree_timer_switch(scene->timer, SCREE_PHASE_HALO);
    scree_halo_build(scene->halo, scene->domain, scene->comm, p, skin);
    scree_timer_switch(scene->timer, SCREE_PHASE_NEIGHBOURS);
    scree_contacts_list(contacts, p, scree_halo_images(scene->halo));
    scree_domain_return_home(scene->domain, p);
    scree_contacts_build(contacts, p, scene->walls,
                         near_margin(scene, 2.0 * md->speed + md->closing));
    enum scree_status torn = scree_membrane_mesh_find(scene->mesh, scene->membranes, p);
    if (md->status == SCREE_OK) md->status = torn;
    scree_cell_remember_listed(cell);
    scree_timer_switch(scene->timer, before);
    return SCREE_OK;
}

/* Steps until half of `distance` could be covered from `speed` with `acceleration`. */
static int64_t steps_to_cover(double distance, double speed, double acceleration, double dt)
{
    double half = 0.5 * distance;
    double time = 2.0 * half / (speed + sqrt(speed * speed + 2.0 * acceleration * half) + 1e-300);
    double steps = floor(time / dt);
    return steps > LONGEST_INTERVAL ? LONGEST_INTERVAL : (int64_t)steps;
}

/* How far has anybody moved? The next look is agreed on now, early enough that nobody can have
 * outrun the lists by then unless speeds more than double; should that happen, the run stops. */
enum scree_status scree_md_check_lists(struct scree_md *md, struct scree_scene *scene,
                                       bool *rebuilt)
{
    double whole = scene->contacts->list.skin, skin = scree_md_skin_left(scene);
    double farthest[2], seen[3];
    scree_lid slot;
    scree_md_moved(scene, farthest, &slot);
    seen[0] = farthest[0];
    seen[1] = md->speed;
    seen[2] = md->acceleration;
    scree_comm_max(scene->comm, seen, 3);

    enum scree_status status = SCREE_OK;
    if (farthest[0] > 0.5 * skin)
        status = SCREE_FAIL(SCREE_PHYSICS,
                            "step %lld: grain %lld moved %g m between two list checks %lld steps "
                            "apart, more than half the skin of %g m: its speed of %g m/s rose too "
                            "suddenly; use a smaller time step or a larger neighbours.skin",
                            (long long)md->step, (long long)scene->particles->gid[slot],
                            farthest[0], (long long)md->check_interval, skin, md->speed);
    SCREE_TRY(scree_comm_agree(scene->comm, status));

    double dt = scene->dt;
    seen[1] += 0.5 * scree_md_closing_to_come(md, scene);
    seen[2] += 0.5 * scree_md_closing_acceleration(scene);
    int64_t steps = steps_to_cover(0.5 * skin - seen[0], seen[1], seen[2], dt);
    *rebuilt = steps < 2 || scree_balance_is_due(scene->balance, md->step);
    if (*rebuilt) {
        scree_contacts_collect(scene->contacts, scene->particles);
        SCREE_TRY(scree_md_rebuild(md, scene));
        skin = whole;
        steps = steps_to_cover(0.5 * skin, seen[1], seen[2], dt);
        SCREE_CHECK(steps >= 1, SCREE_PHYSICS,
                    "step %lld: grains move %g m per step, too much for the skin of %g m; use a "
                    "smaller time step or a larger neighbours.skin",
                    (long long)md->step, seen[1] * dt, skin);
    }
    /* A wall may set grains in motion that were at rest, to twice its speed. */
    double pushed = 2.0 * scree_boundaries_moved(scene->walls) / dt;
    double pushing = 2.0 * scree_boundaries_acceleration(scene->walls);
    int64_t steps_pushed = steps_to_cover(0.5 * skin, pushed, pushing, dt);
    if (steps > steps_pushed) steps = steps_pushed > 1 ? steps_pushed : 1;
    if (steps > 2 * md->check_interval + 8) steps = 2 * md->check_interval + 8;
    int64_t due = scree_balance_next_due(scene->balance, md->step) - md->step;
    if (steps > due) steps = due;
    md->check_interval = steps;
    md->next_check = md->step + steps;
    return SCREE_OK;
}
