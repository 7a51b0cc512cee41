/* SPDX-License-Identifier: BSD-3-Clause
 * One moment of a run as plain arrays: grains, loads, the contact network. */
#include "frame.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"

void scree_frame_take_rows(struct scree_job *job, struct scree_state_rows *rows)
{
    const struct scree_particles *p = job->scene.particles;
    scree_state_rows_init(rows, p->n_owned);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        rows->id[i] = p->gid[i];
        rows->species[i] = p->species[i] + 1;
        rows->radius[i] = p->pos[i][3];
        rows->mass[i] = p->mass[i];
        memcpy(rows->position[i], p->pos[i], sizeof rows->position[i]);
        memcpy(rows->image[i], p->image[i], sizeof rows->image[i]);
        scree_box_wrap(&job->domain_built.box, rows->position[i], rows->image[i]);
        job->stepper->velocity(job->state, &job->scene, i, rows->velocity[i], rows->spin[i]);
    }
}

static void take_loads(struct scree_job *job, struct scree_frame_memory *m)
{
    const struct scree_particles *p = job->scene.particles;
    double force = job->stepper->force_quantum(job->state);
    double torque = job->stepper->torque_quantum(job->state);
    m->force = scree_alloc((size_t)p->n_owned, sizeof *m->force);
    m->torque = scree_alloc((size_t)p->n_owned, sizeof *m->torque);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) {
            m->force[i][a] = force * (double)p->load[i][a];
            m->torque[i][a] = torque * (double)p->load[i][4 + a];
        }
}

struct network {
    struct scree_job *job;
    struct scree_frame_memory *memory;
    double (*force[SCREE_N_NEAR])[3]; /* of each near list, on its grain i */
    int64_t n;
};

static double find_overlap(const struct scree_job *job, const struct scree_contact_view *view)
{
    const struct scree_particles *p = job->scene.particles;
    if (view->kind == SCREE_NEAR_WALL) {
        const struct scree_wall *wall = &job->walls.wall[view->j];
        double gap, normal[1][3], velocity[1][3];
        wall->shape->locate(wall, 1, (const double(*)[4])p->pos + view->i, &gap, normal, velocity);
        return -gap;
    }
    const double *a = p->pos[view->i], *b = p->pos[view->j];
    double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return a[3] + b[3] - scree_vec_norm(apart);
}

static void add_contact(void *context, const struct scree_contact_view *view)
{
    struct network *network = context;
    struct scree_job *job = network->job;
    const int32_t *species = job->scene.particles->species;
    int other = view->kind == SCREE_NEAR_WALL ? job->walls.wall[view->j].species : species[view->j];
    const double *force = network->force[view->kind][view->place];
    int64_t k = network->n++;
    for (int a = 0; a < 3; a++)
        network->memory->contact_force[k][a] = view->turned ? -force[a] : force[a];
    network->memory->overlap[k] = find_overlap(job, view);
    network->memory->sliding[k] = (int8_t)scree_pair_law_slides(
        scree_laws_between(&job->laws, species[view->i], other), view->history);
}

/* Rows and the rest come from walking over the contacts twice, in the same order. */
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
        network.force[kind] = scree_alloc(contacts->near[kind].n, sizeof *network.force[kind]);
        job->stepper->contact_forces(job->state, &job->scene, kind, network.force[kind]);
    }
    scree_contacts_visit(contacts, job->scene.particles, add_contact, &network);
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) scree_alloc_free(network.force[kind]);
}

void scree_frame_take(struct scree_job *job, struct scree_frame_memory *m,
                      struct scree_frame *frame)
{
    const struct scree_box *box = &job->domain_built.box;
    memset(m, 0, sizeof *m);
    scree_frame_take_rows(job, &m->rows);
    if (job->snapshots.forces) take_loads(job, m);
    if (job->snapshots.contacts) take_contacts(job, m);
    *frame = (struct scree_frame){.step = scree_job_step(job),
                                  .time = scree_job_time(job),
                                  .n = m->rows.n,
                                  .id = m->rows.id,
                                  .species = m->rows.species,
                                  .position = (const double(*)[3])m->rows.position,
                                  .image = (const int32_t(*)[3])m->rows.image,
                                  .velocity = (const double(*)[3])m->rows.velocity,
                                  .spin = (const double(*)[3])m->rows.spin,
                                  .radius = m->rows.radius,
                                  .mass = m->rows.mass,
                                  .force = (const double(*)[3])m->force,
                                  .torque = (const double(*)[3])m->torque,
                                  .has_contacts = job->snapshots.contacts,
                                  .n_contacts = m->contacts.n,
                                  .pair = (const int64_t(*)[2])m->contacts.pair,
                                  .contact_force = (const double(*)[3])m->contact_force,
                                  .overlap = m->overlap,
                                  .sliding = m->sliding,
                                  .n_history = job->scene.contacts->stride,
                                  .history = m->contacts.history};
    for (int a = 0; a < 3; a++) {
        frame->low[a] = box->low[a];
        frame->high[a] = box->high[a];
        frame->periodic[a] = box->periodic[a];
    }
}

void scree_frame_clear(struct scree_frame_memory *m)
{
    scree_state_rows_clear(&m->rows);
    scree_contact_rows_clear(&m->contacts);
    scree_alloc_free(m->force);
    scree_alloc_free(m->torque);
    scree_alloc_free(m->contact_force);
    scree_alloc_free(m->overlap);
    scree_alloc_free(m->sliding);
}
