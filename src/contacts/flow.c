/* SPDX-License-Identifier: BSD-3-Clause
 * What a box that deforms does to lists: its flow brings grains together that do not move against
 * it, and its lattice is now and then described anew. */
#include <math.h>

#include "lists.h"
#include "near_impl.h"

/* Distance (m) of two grains that are listed, at most. */
static double listed_distance(const struct scree_contacts *contacts, double largest_radius)
{
    return 2.0 * largest_radius + (contacts->list.reach + contacts->list.skin);
}

double scree_flow_closing(const struct scree_contacts *contacts, double largest_radius)
{
    if (contacts->cell == NULL) return 0.0;
    return scree_deformation_approach_rate(contacts->cell) *
           listed_distance(contacts, largest_radius);
}

double scree_flow_skin_left(const struct scree_contacts *contacts, double largest_radius)
{
    if (contacts->cell == NULL) return contacts->list.skin;
    return contacts->list.skin -
           scree_deformation_narrowing(contacts->cell) * listed_distance(contacts, largest_radius);
}

double scree_flow_moved(const struct scree_contacts *contacts, scree_lid *slot)
{
    const struct scree_particles *p = contacts->world.particles;
    double farthest = 0.0;
    if (contacts->cell == NULL) return scree_neighbours_moved(p, slot);
    *slot = -1;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double way[3], moved[3];
        for (int a = 0; a < 3; a++) way[a] = p->pos[i][a] - p->listed[i][a];
        scree_deformation_branch(contacts->cell, way, moved);
        double d2 = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
        if (d2 > farthest) *slot = i;
        farthest = fmax(farthest, d2);
    }
    return sqrt(farthest);
}

bool scree_contacts_flip(struct scree_contacts *contacts)
{
    struct scree_domain *domain = contacts->world.domain;
    struct scree_deformation_flip flip[SCREE_DEFORMATION_MOST_FLIPS];
    if (contacts->cell == NULL) return false;
    int n = scree_deformation_apply_flips(&domain->cell, &domain->box, flip);
    if (n == 0) return false;
    scree_contacts_detach_history(contacts);
    for (int k = 0; k < n; k++) {
        scree_deformation_flip_grains(&domain->box, &flip[k], contacts->world.particles);
        scree_history_flip(contacts, &flip[k]);
    }
    return true;
}
