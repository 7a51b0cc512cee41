/* SPDX-License-Identifier: BSD-3-Clause
 * One collision, run by the method itself. */
#include <math.h>
#include <string.h>

#include "law_probe.h"
#include "scree/log.h"

/* Grain 1 comes from +x, its partner from -x (or stands there as a wall), in the frame of their
 * centre of mass; they will touch during the first step. */
static void place(struct scree_job *job, const struct scree_law_probe *lab)
{
    struct scree_particles *p = job->run.scene.particles;
    double total = 0.0, gap = 0.5 * lab->speed * cos(lab->angle) * job->run.scene.dt;
    int turn =
        job->domain.box.dimension == 2 ? 2 : 1; /* the axis across the plane of motion is z or y */
    for (scree_lid i = 0; i < p->n_owned; i++) total += p->mass[i];
    for (scree_lid i = 0; i < p->n_owned; i++) {
        bool first = p->gid[i] == 1;
        double side = first ? 1.0 : -1.0, share = lab->wall ? 1.0 : 1.0 - p->mass[i] / total;
        double position[3] = {side * (p->pos[i][3] + (lab->wall ? gap : 0.5 * gap)), 0.0, 0.0};
        for (int a = 0; a < 3; a++) {
            p->pos[i][a] = scree_box_snap(&job->domain.box, a, position[a]);
            p->vel[i][a] = p->spin[i][a] = 0.0;
        }
        p->vel[i][0] = -side * share * lab->speed * cos(lab->angle);
        p->vel[i][job->domain.box.dimension == 2 ? 1 : 2] =
            side * share * lab->speed * sin(lab->angle);
        if (first) p->spin[i][turn] = lab->spin;
    }
}

static void listen(void *context, const struct scree_contact *contact)
{
    struct scree_contact *found = context;
    *found = *contact;
}

static void take_energies(struct scree_job *job, struct scree_law_probe_row *row)
{
    const struct scree_energy_line *lines = job->run.stepper->lines;
    struct scree_energies e;
    scree_run_compute_energies(&job->run, &e);
    row->kinetic = scree_energies_sum(&e, lines, SCREE_ENERGY_KINETIC) +
                   scree_energies_sum(&e, lines, SCREE_ENERGY_ROTATIONAL);
    row->elastic = scree_energies_sum(&e, lines, SCREE_ENERGY_ELASTIC);
    for (int k = 0; lines[k].name != NULL; k++)
        if (lines[k].kind == SCREE_ENERGY_LOST && lines[k].channel < SCREE_N_CONTACT_LOSSES)
            row->loss[lines[k].channel] = e.value[k];
    row->closure = e.closure;
}

static void look(struct scree_job *job, struct scree_law_probe_row *row, double *start)
{
    struct scree_contact contact = {0};
    double before = row->time;
    int across = job->domain.box.dimension == 2 ? 1 : 2;
    job->run.stepper->contacts(job->run.state, &job->run.scene, listen, &contact);
    take_energies(job, row);
    row->time = scree_run_time(&job->run);
    row->overlap = contact.gap < 0.0 ? -contact.gap : 0.0;
    row->normal = contact.normal_force;
    /* The tangential direction is that of the shift; the contact's own normal is close to x. */
    row->tangential = contact.force[across];
    row->shift += row->overlap > 0.0 ? contact.slip[across] * (row->time - before) : 0.0;
    if (isnan(*start) && row->overlap > 0.0) *start = row->time;
}

/* Until the contact has opened again, at most 50 contact times. */
enum scree_status scree_law_probe_collide(struct scree_job *job, const struct scree_law_probe *lab,
                                          struct scree_law_probe_table *table)
{
    struct scree_law_probe_row row = {0};
    double start = NAN;
    place(job, lab);
    SCREE_TRY(scree_job_start(job));
    look(job, &row, &start);
    scree_law_probe_add(table, &row);
    for (int64_t step = 1; step <= 50 * lab->steps; step++) {
        SCREE_TRY(scree_run_advance(&job->run, step, NULL));
        look(job, &row, &start);
        scree_law_probe_add(table, &row);
        if (!isnan(start) && row.overlap <= 0.0) return SCREE_OK;
    }
    scree_log(SCREE_LOG_WARNING, "still in contact after %.3g s: they stick together", row.time);
    return SCREE_OK;
}
