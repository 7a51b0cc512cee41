/* SPDX-License-Identifier: BSD-3-Clause
 * Everything about neighbours made anew, by all ranks together: owners, ghosts, pair lists, near
 * pairs with their history, the mesh of membranes. */
#include "lists.h"
#include "near_impl.h"

static enum scree_status balance(struct scree_contacts *contacts,
                                 const struct scree_contacts_motion *motion, bool *moved)
{
    const struct scree_contacts_world *world = &contacts->world;
    enum scree_phase before = scree_timer_switch(world->timer, SCREE_PHASE_BALANCE);
    enum scree_status status =
        scree_balance_decide(world->balance, world->domain, world->comm, world->particles,
                             motion->busy, motion->step, moved);
    scree_timer_switch(world->timer, before);
    return status;
}

/* Every grain goes to the rank that owns its brick, with its records. */
static enum scree_status migrate(struct scree_contacts *contacts,
                                 const struct scree_contacts_motion *motion)
{
    const struct scree_contacts_world *world = &contacts->world;
    struct scree_passengers passengers = scree_history_passengers(contacts);
    double began = scree_timer_now();
    bool moved = false;
    SCREE_TRY(balance(contacts, motion, &moved));
    scree_domain_migrate(world->domain, world->comm, world->particles, &passengers);
    if (moved) scree_balance_paid(world->balance, world->comm, scree_timer_now() - began);
    scree_particles_trim(world->particles);
    enum scree_status status =
        scree_domain_check_wedge(world->domain, world->comm, world->particles,
                                 motion->largest_radius + contacts->list.search);
    if (status != SCREE_OK) scree_domain_return_home(world->domain, world->particles);
    return status;
}

/* With a wedge, positions are turned into it from migration up to the end of this. */
static void list_pairs(struct scree_contacts *contacts, double largest_radius)
{
    const struct scree_contacts_world *world = &contacts->world;
    struct scree_particles *p = world->particles;
    double search = contacts->list.search;
    scree_timer_switch(world->timer, SCREE_PHASE_NEIGHBOURS);
    scree_cell_grid_sort_owned(contacts->cells, p, largest_radius, search);
    scree_timer_switch(world->timer, SCREE_PHASE_HALO);
    scree_halo_build(world->halo, world->domain, world->comm, p, search);
    scree_timer_switch(world->timer, SCREE_PHASE_NEIGHBOURS);
    contacts->images = scree_halo_images(world->halo);
    scree_cell_grid_bin_ghosts(contacts->cells, p);
    scree_neighbours_build(&contacts->list, contacts->cells, p, contacts->images, contacts->wedge);
    if (contacts->cell != NULL) scree_neighbours_tighten(&contacts->list, contacts->cell, p);
    scree_glued_pairs_warn(contacts);
    scree_domain_return_home(world->domain, p);
    scree_deformation_remember_listed(&world->domain->cell);
}

static void find_near(struct scree_contacts *contacts, double margin)
{
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        scree_near_select(contacts, kind, margin);
        scree_history_attach(contacts, kind);
    }
    scree_history_free_records(contacts);
}

/* Torn membranes are found by single ranks. */
static enum scree_status find_mesh(const struct scree_contacts_world *world)
{
    enum scree_status status =
        scree_membrane_mesh_find(world->mesh, world->membranes, world->particles);
    return world->membranes->n > 0 ? scree_comm_agree(world->comm, status) : status;
}

enum scree_status scree_contacts_rebuild(struct scree_contacts *contacts,
                                         const struct scree_contacts_motion *motion)
{
    const struct scree_contacts_world *world = &contacts->world;
    double closing = 2.0 * motion->speed, radius = motion->largest_radius;
    contacts->left = 0.5 * contacts->list.skin;
    contacts->used = 0.0;
    contacts->must_look = true;
    contacts->pace = scree_lists_pace(contacts, motion);
    scree_comm_max(world->comm, &contacts->pace, 1);
    contacts->list.reach = motion->reach;
    contacts->list.search = scree_deformation_search_skin(
        &world->domain->cell, contacts->list.reach + contacts->list.skin, radius);
    enum scree_phase before = scree_timer_switch(world->timer, SCREE_PHASE_MIGRATE);
    for (int kind = 0; kind < SCREE_N_NEAR; kind++)
        contacts->near[kind].n = 0; /* what is in there refers to slots of before */
    SCREE_TRY(migrate(contacts, motion));
    list_pairs(contacts, radius);
    closing += scree_flow_closing(contacts, radius);
    find_near(contacts, scree_lists_near_margin(contacts, motion, closing));
    contacts->n_rebuilds++;
    enum scree_status status = find_mesh(world);
    scree_timer_switch(world->timer, before);
    return status;
}
