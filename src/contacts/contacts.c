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
    scree_cell_grid_create(&c->cells);
    scree_neighbours_init(&c->list, skin);
    c->world = *world;
    if (world->domain->cell.on) c->cell = &world->domain->cell;
    if (world->domain->box.wedge.n > 0) c->wedge = &world->domain->box.wedge;
    scree_vote_create(&c->vote, world->comm);
    c->stride = history_slots;
    c->odd = odd;
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) c->near[kind].epoch = 1;
}

void scree_contacts_destroy(struct scree_contacts **contacts)
{
    if (*contacts == NULL) return;
    scree_vote_destroy(&(*contacts)->vote);
    scree_cell_grid_destroy(&(*contacts)->cells);
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

bool scree_contacts_view(const struct scree_contacts *contacts, const struct scree_particles *p,
                         enum scree_near_kind kind, size_t place, double *turned,
                         struct scree_contact_view *view)
{
    const struct scree_near *near = &contacts->near[kind];
    scree_lid i = near->i[place];
    int32_t j = near->j[place];
    *view = (struct scree_contact_view){
        .first = p->gid[i], .i = i, .j = j, .kind = kind, .place = place};
    view->history = near->history + place * (size_t)contacts->stride;
    if (kind == SCREE_NEAR_WALL) {
        view->second = -1 - (scree_gid)j;
        view->image[0] = (int32_t)near->listed[place];
        return true;
    }
    view_pair(contacts, p, i, j, view);
    if (is_first_side(view)) return true;
    view_pair(contacts, p, j, i, view);
    view->turned = true;
    if (scree_near_is_seam(kind)) return false;
    scree_near_turn(contacts, view->history, turned);
    view->history = turned;
    return false;
}

void scree_contacts_visit(const struct scree_contacts *contacts, const struct scree_particles *p,
                          scree_contact_visitor *visit, void *context)
{
    double turned[SCREE_HISTORY_MAX];
    struct scree_contact_view view;
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) {
            if (!scree_near_is_marked(near, k)) continue;
            bool own = scree_contacts_view(contacts, p, kind, k, turned, &view);
            if (own || !scree_near_is_cut(kind)) visit(context, &view);
        }
    }
}

/* One near list: new rows from the old ones. */
static void reshape_near(struct scree_contacts *contacts, const struct scree_particles *p,
                         enum scree_near_kind kind, int stride, uint32_t odd,
                         scree_contact_converter *convert, void *context)
{
    struct scree_near *near = &contacts->near[kind];
    double turned[SCREE_HISTORY_MAX],
        *rows = scree_alloc(near->capacity * (size_t)stride + 1, sizeof *rows);
    struct scree_contact_view view;
    for (size_t k = 0; k < near->n; k++) {
        double *row = rows + k * (size_t)stride;
        if (!scree_near_is_marked(near, k)) continue;
        bool own = scree_contacts_view(contacts, p, kind, k, turned, &view);
        if (!convert(context, &view, row)) near->touched[k] = 0;
        if (!own && !scree_near_is_seam(kind)) scree_near_turn_row(row, row, stride, odd);
    }
    scree_alloc_free(near->history);
    near->history = rows;
}

void scree_contacts_reshape(struct scree_contacts *contacts, const struct scree_particles *p,
                            int stride, uint32_t odd, scree_contact_converter *convert,
                            void *context)
{
    SCREE_ASSERT(stride <= SCREE_HISTORY_MAX);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        reshape_near(contacts, p, kind, stride, odd, convert, context);
        scree_near_clear(&contacts->spare[kind]);
    }
    contacts->stride = stride;
    contacts->odd = odd;
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

void scree_contacts_count_all(const struct scree_contacts *contacts, struct scree_comm *comm,
                              double *grain_contacts, double *wall_contacts)
{
    double count[2];
    scree_contacts_count(contacts, &count[0], &count[1]);
    int64_t doubled[2] = {(int64_t)(2.0 * count[0]), (int64_t)(2.0 * count[1])};
    scree_comm_sum_int(comm, doubled, 2);
    *grain_contacts = 0.5 * (double)doubled[0];
    *wall_contacts = 0.5 * (double)doubled[1];
}
