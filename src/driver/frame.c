/* SPDX-License-Identifier: BSD-3-Clause
 * One moment of a run as plain arrays: grains, loads, the contact network. */
#include "frame.h"

#include <string.h>

#include "scree/alloc.h"

/* Owned grains and ghosts alike: wrapping is exact, so that all ranks say the same of a grain. */
static bool is_selected(const struct scree_job *job, scree_lid i)
{
    const struct scree_selection *selection = &job->snapshots.selection;
    const struct scree_particles *p = job->scene.particles;
    double pos[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]};
    int32_t image[3] = {0};
    scree_box_wrap(&job->domain_built.box, pos, image);
    bool inside = true;
    for (int a = 0; a < 3; a++) /* comparisons with NAN are false: no limit */
        inside = inside && !(pos[a] < selection->low[a]) && !(pos[a] > selection->high[a]);
    return inside && (p->gid[i] - 1) % selection->stride == 0 &&
           (selection->material == NULL || selection->material[p->species[i]]);
}

/* The slots of grains that the trajectory is to show; n of them. */
static scree_lid *pick_grains(const struct scree_job *job, int64_t *n)
{
    const struct scree_particles *p = job->scene.particles;
    scree_lid *slot = scree_alloc((size_t)p->n_owned, sizeof *slot);
    *n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (is_selected(job, i)) slot[(*n)++] = i;
    return slot;
}

/* From the home frame of a grain to the wedge, as its position is. */
static void turn_into_wedge(const struct scree_job *job, scree_lid i, double vector[3])
{
    const struct scree_wedge *wedge = &job->domain_built.box.wedge;
    if (wedge->n == 0) return;
    scree_wedge_turn_by(wedge, -scree_wedge_sector(wedge, job->scene.particles->pos[i]), vector);
}

static void take_row(struct scree_job *job, scree_lid i, struct scree_state_rows *rows, int64_t r)
{
    const struct scree_particles *p = job->scene.particles;
    rows->id[r] = p->gid[i];
    rows->species[r] = p->species[i] + 1;
    rows->radius[r] = p->pos[i][3];
    rows->mass[r] = p->mass[i];
    memcpy(rows->position[r], p->pos[i], sizeof rows->position[r]);
    memcpy(rows->image[r], p->image[i], sizeof rows->image[r]);
    scree_box_wrap(&job->domain_built.box, rows->position[r], rows->image[r]);
    job->stepper->velocity(job->state, &job->scene, i, rows->velocity[r], rows->spin[r]);
    turn_into_wedge(job, i, rows->velocity[r]);
    turn_into_wedge(job, i, rows->spin[r]);
}

void scree_frame_take_rows(struct scree_job *job, struct scree_state_rows *rows)
{
    const struct scree_particles *p = job->scene.particles;
    scree_state_rows_init(rows, p->n_owned);
    for (scree_lid i = 0; i < p->n_owned; i++) take_row(job, i, rows, i);
}

static void take_grains(struct scree_job *job, struct scree_frame_memory *m)
{
    const struct scree_particles *p = job->scene.particles;
    const struct scree_wedge *wedge = &job->domain_built.box.wedge;
    double force = job->stepper->force_quantum(job->state);
    double torque = job->stepper->torque_quantum(job->state);
    int64_t n;
    scree_lid *slot = pick_grains(job, &n);
    scree_state_rows_init(&m->rows, n);
    m->force = scree_alloc((size_t)n, sizeof *m->force);
    m->torque = scree_alloc((size_t)n, sizeof *m->torque);
    m->orientation = scree_alloc((size_t)n, sizeof *m->orientation);
    for (int64_t r = 0; r < n; r++) {
        scree_lid i = slot[r];
        take_row(job, i, &m->rows, r);
        for (int a = 0; a < 3; a++) {
            m->force[r][a] = force * (double)p->load[i][a];
            m->torque[r][a] = torque * (double)p->load[i][4 + a];
        }
        turn_into_wedge(job, i, m->force[r]);
        turn_into_wedge(job, i, m->torque[r]);
        if (!job->orientation) continue;
        memcpy(m->orientation[r], p->orientation[i], sizeof *m->orientation);
        if (wedge->n > 0)
            scree_wedge_turn_body(wedge, -scree_wedge_sector(wedge, p->pos[i]), m->orientation[r]);
    }
    scree_alloc_free(slot);
}

/* What is wanted of each contact, by place in its near list. */
struct told {
    double force[3], overlap;
    bool slides;
};

struct network {
    struct scree_frame_memory *memory;
    struct scree_job *job;
    struct told *told[SCREE_N_NEAR];
    int64_t n_seen;
};

static void listen(void *context, enum scree_near_kind kind, size_t place,
                   const struct scree_contact_detail *detail)
{
    struct told *told = &((struct network *)context)->told[kind][place];
    memcpy(told->force, detail->force, sizeof told->force);
    told->overlap = detail->overlap;
    told->slides = detail->slides;
}

/* A contact is shown if all grains in it are. Rows were made for all contacts in the same order:
 * those that stay move up. */
static void add_contact(void *context, const struct scree_contact_view *view)
{
    struct network *network = context;
    struct scree_job *job = network->job;
    struct scree_frame_memory *m = network->memory;
    const struct told *told = &network->told[view->kind][view->place];
    bool wall = view->kind == SCREE_NEAR_WALL;
    int64_t from = network->n_seen++, to = m->contacts.n, stride = job->scene.contacts->stride;
    if (!is_selected(job, view->i) || (!wall && !is_selected(job, view->j))) return;
    bool opposite = view->turned && !scree_near_is_seam(view->kind);
    for (int a = 0; a < 3; a++)
        m->contact_force[to][a] = opposite ? -told->force[a] : told->force[a];
    turn_into_wedge(job, view->i, m->contact_force[to]);
    m->overlap[to] = told->overlap;
    m->sliding[to] = (int8_t)told->slides;
    memmove(m->contacts.pair[to], m->contacts.pair[from], sizeof *m->contacts.pair);
    memmove(m->contacts.history + to * stride, m->contacts.history + from * stride,
            (size_t)stride * sizeof *m->contacts.history);
    m->contacts.n++;
}

static void take_contacts(struct scree_job *job, struct scree_frame_memory *m)
{
    struct scree_contacts *contacts = job->scene.contacts;
    struct network network = {.job = job, .memory = m};
    scree_contacts_export(contacts, job->scene.particles, &m->contacts);
    size_t n = (size_t)m->contacts.n;
    m->contact_force = scree_alloc(n, sizeof *m->contact_force);
    m->overlap = scree_alloc(n, sizeof *m->overlap);
    m->sliding = scree_alloc(n, sizeof *m->sliding);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        network.told[kind] = scree_alloc(contacts->near[kind].n, sizeof *network.told[kind]);
        job->stepper->tell_contacts(job->state, &job->scene, kind, listen, &network);
    }
    m->contacts.n = 0;
    scree_contacts_visit(contacts, job->scene.particles, add_contact, &network);
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) scree_alloc_free(network.told[kind]);
}

/* Pointers of fields that are not asked for are NULL: they are not written. */
static void choose_fields(const struct scree_job *job, const struct scree_frame_memory *m,
                          struct scree_frame *frame)
{
    uint32_t f = job->snapshots.fields, c = job->snapshots.contact_fields;
    if (f & SCREE_WRITE_IMAGE) frame->image = (const int32_t(*)[3])m->rows.image;
    if (f & SCREE_WRITE_VELOCITY) frame->velocity = (const double(*)[3])m->rows.velocity;
    if (f & SCREE_WRITE_SPIN) frame->spin = (const double(*)[3])m->rows.spin;
    if (f & SCREE_WRITE_SPECIES) frame->species = m->rows.species;
    if (f & SCREE_WRITE_RADIUS) frame->radius = m->rows.radius;
    if (f & SCREE_WRITE_MASS) frame->mass = m->rows.mass;
    if (f & SCREE_WRITE_FORCE) frame->force = (const double(*)[3])m->force;
    if (f & SCREE_WRITE_TORQUE) frame->torque = (const double(*)[3])m->torque;
    if (f & SCREE_WRITE_ORIENTATION) frame->orientation = (const double(*)[4])m->orientation;
    if (c & SCREE_WRITE_CONTACT_FORCE) frame->contact_force = (const double(*)[3])m->contact_force;
    if (c & SCREE_WRITE_OVERLAP) frame->overlap = m->overlap;
    if (c & SCREE_WRITE_SLIDING) frame->sliding = m->sliding;
    if (c & SCREE_WRITE_HISTORY) {
        frame->history = m->contacts.history;
        frame->n_history = job->scene.contacts->stride;
    }
}

void scree_frame_take(struct scree_job *job, struct scree_frame_memory *m,
                      struct scree_frame *frame)
{
    const struct scree_box *box = &job->domain_built.box;
    memset(m, 0, sizeof *m);
    take_grains(job, m);
    if (job->snapshots.contacts) take_contacts(job, m);
    *frame = (struct scree_frame){.step = scree_job_step(job),
                                  .time = scree_job_time(job),
                                  .n = m->rows.n,
                                  .id = m->rows.id,
                                  .position = (const double(*)[3])m->rows.position,
                                  .has_contacts = job->snapshots.contacts,
                                  .n_contacts = m->contacts.n,
                                  .pair = (const int64_t(*)[2])m->contacts.pair};
    choose_fields(job, m, frame);
    for (int a = 0; a < 3; a++) {
        frame->low[a] = box->low[a];
        frame->high[a] = box->high[a];
        frame->periodic[a] = box->periodic[a];
    }
    frame->wedge[0] = box->wedge.n;
    frame->wedge[1] = box->wedge.axis;
    if (box->wedge.n > 0) frame->longest = 2.0 * job->scene.largest_radius * (1.0 + 1e-9);
}

void scree_frame_clear(struct scree_frame_memory *m)
{
    scree_state_rows_clear(&m->rows);
    scree_contact_rows_clear(&m->contacts);
    scree_alloc_free(m->force);
    scree_alloc_free(m->torque);
    scree_alloc_free(m->orientation);
    scree_alloc_free(m->contact_force);
    scree_alloc_free(m->overlap);
    scree_alloc_free(m->sliding);
}
