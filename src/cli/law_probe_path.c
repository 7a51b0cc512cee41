/* SPDX-License-Identifier: BSD-3-Clause
 * A prescribed loading path: the laws of a pair on one contact whose overlap and shift are given.
 */
#include <math.h>
#include <string.h>

#include "law_probe.h"
#include "scree/alloc.h"

void scree_law_probe_add(struct scree_law_probe_table *table, const struct scree_law_probe_row *row)
{
    if (table->n == table->capacity) {
        size_t capacity = scree_alloc_grown(table->capacity, table->n + 1);
        table->row = scree_alloc_resize(table->row, table->n, capacity, sizeof *table->row);
        table->capacity = capacity;
    }
    table->row[table->n++] = *row;
}

static double mass_of(const struct scree_job *job, const struct scree_law_probe *lab, int k)
{
    double r = lab->radius[k], pi = acos(-1.0);
    double size = job->materials.disks ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    return job->materials.density[lab->material[k]] * size;
}

double scree_law_probe_reduced_mass(const struct scree_job *job, const struct scree_law_probe *lab)
{
    double m = mass_of(job, lab, 0);
    if (lab->wall) return m;
    double other = mass_of(job, lab, 1);
    return m * other / (m + other);
}

/* The contact at one moment: normal along x, shift along y, all rows of the batch alike. */
static void fill(struct scree_batch *b, const struct scree_law_probe *lab, double m_eff,
                 double overlap, const double rate[2], double dt)
{
    memset(b->normal, 0, sizeof b->normal);
    memset(b->vt, 0, sizeof b->vt);
    memset(b->way, 0, sizeof b->way);
    memset(b->couple, 0, sizeof b->couple);
    b->n = SCREE_BATCH_PAD;
    b->wall = lab->wall;
    b->dt = dt;
    b->friction_load = b->fn;
    for (int k = 0; k < b->n; k++) {
        b->normal[0][k] = 1.0;
        b->overlap[k] = overlap;
        b->vn[k] = -rate[0];
        b->vt[1][k] = rate[1];
        b->way[1][k] = rate[1] * dt;
        b->m_eff[k] = m_eff;
        b->r_i[k] = lab->radius[0];
        b->r_j[k] = lab->wall ? 0.0 : lab->radius[1];
    }
    memcpy(b->normal_before, b->normal, sizeof b->normal);
}

static void look(const struct scree_batch *b, const struct scree_pair_law *pair,
                 struct scree_law_probe_row *row)
{
    row->normal = b->fn[0];
    row->tangential = b->ft[1][0];
    row->elastic = 0.0;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        struct scree_law_view view;
        if (pair->law[part]->inspect == NULL) continue;
        memset(&view, 0, sizeof view);
        pair->law[part]->inspect(b, pair->values[part], pair->at[part], &view);
        row->elastic += view.energy[0];
    }
    for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        if (pair->shape.losses >> c & 1u) row->loss[c] += b->loss[c][0];
}

/* A path on the way. */
struct walk {
    const struct scree_law_probe *lab;
    const struct scree_pair_law *pair;
    struct scree_batch *b;
    struct scree_law_probe_row row;
    double m_eff, work; /* kg; J, done on the contact so far */
};

/* To a place in contact, dt later. Work by the trapezoidal rule, as the laws book their losses. */
static void press(struct walk *walk, double overlap, double shift, const double rate[2], double dt)
{
    struct scree_law_probe_row *row = &walk->row;
    const struct scree_law_probe_row before = *row;
    const struct scree_pair_law *pair = walk->pair;
    fill(walk->b, walk->lab, walk->m_eff, overlap, rate, dt);
    walk->b->joint_limit = pair->timing != SCREE_TIMING_SYNCHRONISED;
    memset(walk->b->loss, 0, sizeof walk->b->loss);
    for (int p = 0; p < SCREE_N_LAW_KINDS; p++)
        pair->law[p]->apply(walk->b, pair->values[p], pair->at[p]);
    row->time += dt;
    row->overlap = overlap;
    row->shift = shift;
    look(walk->b, pair, row);
    walk->work += 0.5 * ((row->normal + before.normal) * (overlap - before.overlap) -
                         (row->tangential + before.tangential) * (shift - before.shift));
    row->closure = row->elastic - walk->work;
    for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++) row->closure += row->loss[c];
}

/* The contact opens: what its springs hold is lost, the history is forgotten. */
static void open_contact(struct walk *walk)
{
    walk->row.loss[SCREE_LOSS_SLIDING] += walk->row.elastic;
    memset(walk->b->history, 0, sizeof walk->b->history);
    walk->row.normal = walk->row.tangential = walk->row.elastic = walk->row.overlap = 0.0;
    walk->row.closure = -walk->work;
    for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++) walk->row.closure += walk->row.loss[c];
}

/* One step; one in which the contact closes or opens is cut there. */
static void go(struct walk *walk, const double to[2], const double rate[2], double dt,
               struct scree_law_probe_table *table)
{
    struct scree_law_probe_row *row = &walk->row;
    const double from[2] = {row->overlap, row->shift};
    bool was_closed = from[0] > 0.0, is_closed = to[0] > 0.0;
    double part = was_closed == is_closed ? 1.0 : fabs(from[0] / (from[0] - to[0]));
    double there = from[1] + part * (to[1] - from[1]);
    if (was_closed && is_closed) {
        press(walk, to[0], to[1], rate, dt);
    } else if (was_closed) {
        press(walk, 1e-12 * from[0], there, rate, part * dt);
        open_contact(walk);
        if (part < 1.0) scree_law_probe_add(table, row);
        row->time += (1.0 - part) * dt;
    } else if (is_closed) {
        row->time += part * dt;
        row->overlap = 0.0;
        row->shift = there;
        if (part > 0.0) scree_law_probe_add(table, row);
        press(walk, to[0], to[1], rate, (1.0 - part) * dt);
    } else {
        row->time += dt;
    }
    row->overlap = to[0];
    row->shift = to[1];
}

void scree_law_probe_follow(const struct scree_job *job, const struct scree_law_probe *lab,
                            struct scree_law_probe_table *table)
{
    struct walk walk = {.lab = lab, .b = scree_alloc(1, sizeof *walk.b)};
    walk.pair = scree_laws_between(&job->laws, lab->material[0], lab->material[1]);
    walk.m_eff = scree_law_probe_reduced_mass(job, lab);
    memset(walk.b, 0, sizeof *walk.b);
    scree_law_probe_add(table, &walk.row);
    for (int leg = 0; leg < lab->n_points; leg++) {
        const double *end = lab->point[leg], from[2] = {walk.row.overlap, walk.row.shift};
        double length = hypot(end[0] - from[0], end[1] - from[1]);
        double dt = length / lab->speed / (double)lab->steps;
        if (length == 0.0) continue;
        double rate[2] = {(end[0] - from[0]) / length * lab->speed,
                          (end[1] - from[1]) / length * lab->speed};
        for (int64_t k = 1; k <= lab->steps; k++) {
            double part = (double)k / (double)lab->steps;
            const double to[2] = {from[0] + part * (end[0] - from[0]),
                                  from[1] + part * (end[1] - from[1])};
            go(&walk, to, rate, dt, table);
            scree_law_probe_add(table, &walk.row);
        }
    }
    scree_alloc_free(walk.b);
}
