/* SPDX-License-Identifier: BSD-3-Clause
 * What md shows of a contact to files, measurements and conditions: the neutral view. */
#include <math.h>
#include <string.h>

#include "evaluation.h"
#include "scree/vec.h"

/* At its friction limit, as far as rounding lets one tell. Laws without friction never slip. */
static bool slides(const struct scree_batch *b, const struct scree_pair_law *law, int k)
{
    const struct scree_law *tangential = law->law[SCREE_LAW_TANGENTIAL];
    if (tangential->friction == NULL) return false;
    double friction = tangential->friction(law->values[SCREE_LAW_TANGENTIAL]);
    const double ft[3] = {b->ft[0][k], b->ft[1][k], b->ft[2][k]};
    double size = scree_vec_norm(ft);
    return size > 0.0 && size >= friction * fabs(b->friction_load[k]) * (1.0 - 1e-9);
}

/* Motion and forces as the batch has them, on its first grain; sign = -1: on its second. */
static void view_forces(const struct scree_md_batch *batch, const struct scree_pair_law *law, int k,
                        double sign, struct scree_contact *c)
{
    const struct scree_batch *b = &batch->b;
    for (int a = 0; a < 3; a++) {
        c->force[a] = sign * (b->fn[k] * b->normal[a][k] + b->ft[a][k]);
        c->normal[a] = sign * b->normal[a][k];
        c->couple[a] = scree_md_has_couples(law) ? sign * b->couple[a][k] : 0.0;
        c->slip[a] = sign * b->vt[a][k];
    }
    c->normal_force = b->fn[k];
    c->gap = -b->overlap[k];
    c->approach = -b->vn[k];
    c->slides = slides(b, law, k);
}

/* From positions rather than from the normal, so that sums of branches are exact. */
static void view_branch(const struct scree_md_evaluation *e, int k, struct scree_contact *c)
{
    const struct scree_particles *p = e->scene->particles;
    const double *first = p->pos[c->slot[0]];
    double second[3], apart[3];
    memcpy(c->place, first, sizeof c->place);
    if (e->kind == SCREE_NEAR_WALL) {
        for (int a = 0; a < 3; a++) c->branch[a] = (first[3] + c->gap) * c->normal[a];
        return;
    }
    memcpy(second, p->pos[c->slot[1]], sizeof second);
    if (scree_near_is_seam(e->kind))
        scree_wedge_turn(e->scene->contacts->wedge, e->md->batch->turn[k], p->pos[c->slot[1]],
                         second);
    for (int a = 0; a < 3; a++) apart[a] = first[a] - second[a];
    scree_deformation_branch(&e->scene->domain->cell, apart, c->branch);
}

void scree_md_view_contact(const struct scree_md_evaluation *e, const struct scree_pair_law *law,
                           int k, double *turned, struct scree_md_contact *contact)
{
    const struct scree_contacts *contacts = e->scene->contacts;
    const struct scree_particles *p = e->scene->particles;
    struct scree_contact *c = &contact->seen;
    struct scree_contact_view sides;
    bool same = scree_contacts_view(contacts, p, e->kind, contact->place, turned, &sides);
    /* The batch has turned seam pairs already. */
    view_forces(e->md->batch, law, k, same || scree_near_is_seam(e->kind) ? 1.0 : -1.0, c);
    c->first = sides.first;
    c->second = sides.second;
    c->part = e->kind == SCREE_NEAR_WALL ? sides.image[0] : 0;
    c->slot[0] = sides.i;
    c->slot[1] = sides.j;
    c->weight = scree_near_is_cut(e->kind) ? 0.5 : 1.0;
    for (int s = 0; s < 2; s++) {
        scree_lid slot = c->slot[s];
        bool wall = s == 1 && e->kind == SCREE_NEAR_WALL, own = slot < p->n_owned;
        if (!wall && !own) slot = scree_contacts_home(contacts, e->kind, slot);
        c->owned[s] = !wall && slot < p->n_owned ? slot : -1;
    }
    if (e->near->touched[contact->place] == e->near->epoch) c->history = sides.history;
    view_branch(e, k, c);
}

void scree_md_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context)
{
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        scree_md_visit_contacts(state, scene, kind, listen, context);
}
