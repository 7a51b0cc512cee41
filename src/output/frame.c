/* SPDX-License-Identifier: BSD-3-Clause
 * One moment of a run as plain arrays: grains, loads, the contact network. */
#include "scree/frame.h"

#include <string.h>

#include "scree/alloc.h"

static bool is_selected(const struct scree_selection *selection, const struct scree_particles *p,
                        scree_lid i, const double pos[3])
{
    bool inside = true;
    for (int a = 0; a < 3; a++) /* comparisons with NAN are false: no limit */
        inside = inside && !(pos[a] < selection->low[a]) && !(pos[a] > selection->high[a]);
    return inside && (p->gid[i] - 1) % selection->stride == 0 &&
           (selection->material == NULL || selection->material[p->species[i]]);
}

/* What the frame needs to know of a slot. */
struct sight {
    bool shown;
    int8_t period[3]; /* how many the slot is away from the wrapped position of its grain */
};

/* Owned grains and ghosts alike: wrapping is exact, so that all ranks say the same of a grain. */
static struct sight *look_at_slots(const struct scree_run *run,
                                   const struct scree_selection *selection)
{
    const struct scree_particles *p = run->scene.particles;
    const struct scree_domain *domain = run->scene.domain;
    scree_lid n = p->n_owned + p->n_ghost;
    struct sight *sight = scree_alloc((size_t)n, sizeof *sight);
    for (scree_lid i = 0; i < n; i++) {
        double inner[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]}, pos[3];
        int32_t image[3] = {0};
        scree_box_wrap(&domain->box, inner, image);
        scree_deformation_place(&domain->cell, &domain->box, inner, pos);
        sight[i].shown = is_selected(selection, p, i, pos);
        for (int a = 0; a < 3; a++) sight[i].period[a] = (int8_t)image[a];
    }
    return sight;
}

/* From the home frame of a grain to the wedge, as its position is. */
static void turn_into_wedge(const struct scree_run *run, scree_lid i, double vector[3])
{
    const struct scree_wedge *wedge = &run->scene.domain->box.wedge;
    if (wedge->n == 0) return;
    scree_wedge_turn_by(wedge, -scree_wedge_sector(wedge, run->scene.particles->pos[i]), vector);
}

static void take_row(struct scree_run *run, scree_lid i, struct scree_state_rows *rows, int64_t r)
{
    const struct scree_particles *p = run->scene.particles;
    rows->id[r] = p->gid[i];
    rows->species[r] = p->species[i] + 1;
    rows->radius[r] = p->pos[i][3];
    rows->mass[r] = p->mass[i];
    const struct scree_domain *domain = run->scene.domain;
    double pos[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]};
    memcpy(rows->image[r], p->image[i], sizeof rows->image[r]);
    scree_box_wrap(&domain->box, pos, rows->image[r]);
    scree_deformation_place(&domain->cell, &domain->box, pos, rows->position[r]);
    run->stepper->velocity(run->state, &run->scene, i, rows->velocity[r], rows->spin[r]);
    turn_into_wedge(run, i, rows->velocity[r]);
    turn_into_wedge(run, i, rows->spin[r]);
    scree_deformation_add_flow(&domain->cell, &domain->box, rows->position[r], rows->velocity[r]);
}

void scree_frame_compute_rows(struct scree_run *run, struct scree_state_rows *rows)
{
    const struct scree_particles *p = run->scene.particles;
    scree_state_rows_init(rows, p->n_owned);
    for (scree_lid i = 0; i < p->n_owned; i++) take_row(run, i, rows, i);
}

/* Memory for a row of each grain, if it is wanted. */
static void *rows_if(bool wanted, int64_t n, size_t size)
{
    return wanted ? scree_alloc((size_t)n, size) : NULL;
}

static void take_loads(struct scree_run *run, uint32_t fields, const scree_lid *slot,
                       struct scree_frame_memory *m)
{
    m->force = rows_if(fields & SCREE_WRITE_FORCE, m->rows.n, sizeof *m->force);
    m->torque = rows_if(fields & SCREE_WRITE_TORQUE, m->rows.n, sizeof *m->torque);
    for (int64_t r = 0; r < m->rows.n; r++) {
        double force[3], torque[3];
        run->stepper->load(run->state, &run->scene, slot[r], force, torque);
        turn_into_wedge(run, slot[r], force);
        turn_into_wedge(run, slot[r], torque);
        if (m->force != NULL) memcpy(m->force[r], force, sizeof force);
        if (m->torque != NULL) memcpy(m->torque[r], torque, sizeof torque);
    }
}

static void take_grains(struct scree_run *run, uint32_t fields, const struct sight *sight,
                        struct scree_frame_memory *m)
{
    const struct scree_particles *p = run->scene.particles;
    const struct scree_wedge *wedge = &run->scene.domain->box.wedge;
    scree_lid *slot = scree_alloc((size_t)p->n_owned, sizeof *slot);
    int64_t n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (sight[i].shown) slot[n++] = i;
    scree_state_rows_init(&m->rows, n);
    for (int64_t r = 0; r < n; r++) take_row(run, slot[r], &m->rows, r);
    if (fields & (SCREE_WRITE_FORCE | SCREE_WRITE_TORQUE)) take_loads(run, fields, slot, m);
    m->collision_rate = rows_if(fields & SCREE_WRITE_COLLISION_RATE, n, sizeof *m->collision_rate);
    for (int64_t r = 0; r < n && m->collision_rate != NULL; r++)
        m->collision_rate[r] = run->stepper->collision_rate != NULL
                                   ? run->stepper->collision_rate(run->state, &run->scene, slot[r])
                                   : 0.0;
    m->orientation = rows_if(fields & SCREE_WRITE_ORIENTATION, n, sizeof *m->orientation);
    for (int64_t r = 0; r < n && m->orientation != NULL; r++) {
        const double *home = p->pos[slot[r]];
        memcpy(m->orientation[r], p->orientation[slot[r]], sizeof *m->orientation);
        if (wedge->n > 0)
            scree_wedge_turn_body(wedge, -scree_wedge_sector(wedge, home), m->orientation[r]);
    }
    scree_alloc_free(slot);
}

struct network {
    const struct scree_run *run;
    struct scree_frame_memory *memory;
    const struct sight *sight;
    size_t stride; /* of history; 0: it is not wanted */
};

/* Is a contact one through a side of a wedge, so that its grains are shown far apart? */
static bool is_through_side(const struct scree_run *run, scree_lid i, scree_lid j)
{
    const struct scree_box *box = &run->scene.domain->box;
    const struct scree_particles *p = run->scene.particles;
    if (box->wedge.n == 0) return false;
    double at[2][3], apart = 0.0, touching = (p->pos[i][3] + p->pos[j][3]) * (1.0 + 1e-9);
    for (int k = 0; k < 2; k++) {
        int32_t image[3] = {0};
        memcpy(at[k], p->pos[k == 0 ? i : j], sizeof at[k]);
        scree_box_wrap(box, at[k], image);
    }
    for (int a = 0; a < 3; a++) apart += (at[0][a] - at[1][a]) * (at[0][a] - at[1][a]);
    return apart > touching * touching;
}

/* Room for so many contacts: what is asked for is there even if no contact is. */
static void reserve_contacts(struct scree_frame_memory *m, size_t capacity, size_t stride)
{
    size_t n = (size_t)m->n_contacts;
    m->pair = scree_alloc_resize(m->pair, n, capacity, sizeof *m->pair);
    m->across = scree_alloc_resize(m->across, n, capacity, sizeof *m->across);
    m->overlap = scree_alloc_resize(m->overlap, n, capacity, sizeof *m->overlap);
    m->sliding = scree_alloc_resize(m->sliding, n, capacity, sizeof *m->sliding);
    m->contact_force = scree_alloc_resize(m->contact_force, n, capacity, sizeof *m->contact_force);
    size_t row = (stride > 0 ? stride : 1) * sizeof *m->history;
    m->history = scree_alloc_resize(m->history, n, capacity, row);
    m->contact_capacity = capacity;
}

/* A contact is shown if all grains in it are, and by the rank that owns its first grain. */
static void add_contact(void *context, const struct scree_contact *contact)
{
    const struct network *network = context;
    const scree_lid *slot = contact->slot;
    const size_t stride = network->stride;
    struct scree_frame_memory *m = network->memory;
    bool wall = scree_contact_is_with_wall(contact);
    const struct sight *i = &network->sight[slot[0]], *j = wall ? i : &network->sight[slot[1]];
    if (!i->shown || !j->shown || contact->owned[0] < 0) return;
    size_t n = (size_t)m->n_contacts;
    if (n == UINT32_MAX) SCREE_ABORT("%zu contacts on one rank", n);
    if (n == m->contact_capacity) reserve_contacts(m, scree_alloc_grown(n, n + 1), stride);
    int64_t c = m->n_contacts++;
    m->pair[c][0] = contact->first;
    m->pair[c][1] = contact->second;
    m->across[c] = memcmp(i->period, j->period, sizeof i->period) != 0 ||
                   (!wall && is_through_side(network->run, slot[0], slot[1]));
    memcpy(m->contact_force[c], contact->force, sizeof *m->contact_force);
    turn_into_wedge(network->run, slot[0], m->contact_force[c]);
    m->overlap[c] = -contact->gap;
    m->sliding[c] = contact->slides;
    for (size_t s = 0; s < stride; s++)
        m->history[(size_t)c * stride + s] = contact->history != NULL ? contact->history[s] : 0.0;
}

static void take_contacts(struct scree_run *run, uint32_t fields, const struct sight *sight,
                          struct scree_frame_memory *m)
{
    struct network network = {.run = run, .memory = m, .sight = sight};
    if (fields & SCREE_WRITE_HISTORY) network.stride = (size_t)run->scene.contacts->stride;
    reserve_contacts(m, 64, network.stride);
    run->stepper->contacts(run->state, &run->scene, add_contact, &network);
}

/* Pointers of fields that are not asked for are NULL: they are not written. */
static void choose_fields(const struct scree_snapshots *choice, int stride,
                          const struct scree_frame_memory *m, struct scree_frame *frame)
{
    uint32_t f = choice->fields, c = choice->contact_fields;
    if (f & SCREE_WRITE_IMAGE) frame->image = (const int32_t(*)[3])m->rows.image;
    if (f & SCREE_WRITE_VELOCITY) frame->velocity = (const double(*)[3])m->rows.velocity;
    if (f & SCREE_WRITE_SPIN) frame->spin = (const double(*)[3])m->rows.spin;
    if (f & SCREE_WRITE_SPECIES) frame->species = m->rows.species;
    if (f & SCREE_WRITE_RADIUS) frame->radius = m->rows.radius;
    if (f & SCREE_WRITE_MASS) frame->mass = m->rows.mass;
    if (f & SCREE_WRITE_FORCE) frame->force = (const double(*)[3])m->force;
    if (f & SCREE_WRITE_TORQUE) frame->torque = (const double(*)[3])m->torque;
    if (f & SCREE_WRITE_ORIENTATION) frame->orientation = (const double(*)[4])m->orientation;
    if (f & SCREE_WRITE_COLLISION_RATE) frame->collision_rate = m->collision_rate;
    if (c & SCREE_WRITE_CONTACT_FORCE) frame->contact_force = (const double(*)[3])m->contact_force;
    if (c & SCREE_WRITE_OVERLAP) frame->overlap = m->overlap;
    if (c & SCREE_WRITE_SLIDING) frame->sliding = m->sliding;
    if (c & SCREE_WRITE_HISTORY) {
        frame->history = m->history;
        frame->n_history = stride;
    }
}

void scree_frame_compute(struct scree_run *run, const struct scree_snapshots *choice,
                         struct scree_frame_memory *m, struct scree_frame *frame)
{
    const struct scree_box *box = &run->scene.domain->box;
    memset(m, 0, sizeof *m);
    struct sight *sight = look_at_slots(run, &choice->selection);
    take_grains(run, choice->fields, sight, m);
    if (choice->contacts) take_contacts(run, choice->contact_fields, sight, m);
    scree_alloc_free(sight);
    *frame = (struct scree_frame){.step = scree_run_step(run),
                                  .time = scree_run_time(run),
                                  .n = m->rows.n,
                                  .id = m->rows.id,
                                  .position = (const double(*)[3])m->rows.position,
                                  .has_contacts = choice->contacts,
                                  .n_contacts = m->n_contacts,
                                  .pair = (const int64_t(*)[2])m->pair,
                                  .across = m->across};
    choose_fields(choice, run->scene.contacts->stride, m, frame);
    frame->leans = run->scene.cell_control->on;
    scree_deformation_corners(&run->scene.domain->cell, box, frame->low, frame->high, frame->tilt);
    for (int a = 0; a < 3; a++) frame->periodic[a] = box->periodic[a];
    frame->wedge[0] = box->wedge.n;
    frame->wedge[1] = box->wedge.axis;
}

void scree_frame_clear(struct scree_frame_memory *m)
{
    scree_state_rows_clear(&m->rows);
    scree_alloc_free(m->pair);
    scree_alloc_free(m->across);
    scree_alloc_free(m->history);
    scree_alloc_free(m->force);
    scree_alloc_free(m->torque);
    scree_alloc_free(m->orientation);
    scree_alloc_free(m->collision_rate);
    scree_alloc_free(m->contact_force);
    scree_alloc_free(m->overlap);
    scree_alloc_free(m->sliding);
}
