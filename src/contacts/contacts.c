/* SPDX-License-Identifier: BSD-3-Clause
 * The contact store: life, counting, and walking over all touching contacts. */
#include "scree/contacts.h"

#include <string.h>

#include "near_impl.h"
#include "scree/alloc.h"
#include "scree/status.h"

void scree_contacts_create(struct scree_contacts **contacts,
                           const struct scree_contacts_world *world, double skin, int history_slots,
                           uint32_t odd)
{
    SCREE_ASSERT(history_slots <= SCREE_HISTORY_MAX);
    struct scree_contacts *c = *contacts = scree_alloc(1, sizeof *c);
    memset(c, 0, sizeof *c);
    scree_cells_create(&c->cells);
    scree_neighbours_init(&c->list, skin);
    c->world = *world;
    if (world->domain->cell.on) c->cell = &world->domain->cell;
    if (world->domain->box.wedge.n > 0) c->wedge = &world->domain->box.wedge;
    c->check_interval = 1;
    c->stride = history_slots;
    c->odd = odd;
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) c->near[kind].epoch = 1;
}

void scree_contacts_destroy(struct scree_contacts **contacts)
{
    if (*contacts == NULL) return;
    scree_cells_destroy(&(*contacts)->cells);
    scree_neighbours_clear(&(*contacts)->list);
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        scree_near_clear(&(*contacts)->near[kind]);
        scree_near_clear(&(*contacts)->spare[kind]);
    }
    scree_alloc_free((*contacts)->wall_contact);
    scree_alloc_free((*contacts)->record);
    scree_alloc_free(*contacts);
    *contacts = NULL;
}

/* A cut contact is seen from both of its grains; it is visited from the lower gid, and a grain that
 * touches its own image from the side where the first non-zero period is positive. */
static bool is_first_side(const struct scree_contact_view *view)
{
    if (view->first != view->second) return view->first < view->second;
    for (int a = 0; a < 3; a++)
        if (view->image[a] != 0) return view->image[a] > 0;
    return true;
}

static void view_pair(const struct scree_contacts *contacts, const struct scree_particles *p,
                      scree_lid i, scree_lid j, struct scree_contact_view *view)
{
    view->first = p->gid[i];
    view->second = p->gid[j];
    view->i = i;
    view->j = j;
    scree_near_periods(contacts, p, i, j, view->image);
}

void scree_contacts_visit(const struct scree_contacts *contacts, const struct scree_particles *p,
                          scree_contact_visitor *visit, void *context)
{
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) {
            if (!scree_near_is_marked(near, k)) continue;
            const double *history = near->history + k * (size_t)contacts->stride;
            double turned[SCREE_HISTORY_MAX];
            struct scree_contact_view view = {
                .kind = (enum scree_near_kind)kind, .place = k, .history = history};
            if (kind == SCREE_NEAR_WALL) {
                view.first = p->gid[near->i[k]];
                view.second = -1 - (scree_gid)near->j[k];
                view.i = near->i[k];
                view.j = near->j[k];
            } else {
                view_pair(contacts, p, near->i[k], near->j[k], &view);
            }
            bool whole = kind != SCREE_NEAR_WALL && !scree_near_is_cut(view.kind);
            if (whole && !is_first_side(&view)) {
                view_pair(contacts, p, near->j[k], near->i[k], &view);
                scree_near_turn(contacts, history, turned);
                if (!scree_near_is_seam(view.kind)) view.history = turned;
                view.turned = true;
            }
            if (!scree_near_is_cut(view.kind) || is_first_side(&view)) visit(context, &view);
        }
    }
}

int64_t scree_contacts_most(const struct scree_contacts *contacts)
{
    int64_t n = 0;
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) n += scree_near_is_marked(near, k);
    }
    return n;
}

void scree_contacts_count(const struct scree_contacts *contacts, double *grain_contacts,
                          double *wall_contacts)
{
    double count[SCREE_N_NEAR] = {0};
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) count[kind] += scree_near_is_marked(near, k);
    }
    *grain_contacts = 0.0;
    for (enum scree_near_kind kind = 0; kind < SCREE_NEAR_WALL; kind++)
        *grain_contacts += scree_near_is_cut(kind) ? 0.5 * count[kind] : count[kind];
    *wall_contacts = count[SCREE_NEAR_WALL];
}
