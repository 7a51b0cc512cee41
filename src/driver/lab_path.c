/* SPDX-License-Identifier: BSD-3-Clause
 * A prescribed loading path: the laws of a pair on one contact whose overlap and shift are given.
 */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "scree/alloc.h"

void scree_lab_add(struct scree_lab_table *table, const struct scree_lab_row *row)
{
    if (table->n == table->capacity) {
        size_t capacity = scree_alloc_grown(table->capacity, table->n + 1);
        table->row = scree_alloc_resize(table->row, table->n, capacity, sizeof *table->row);
        table->capacity = capacity;
    }
    table->row[table->n++] = *row;
}

static double mass_of(const struct scree_job *job, const struct scree_lab *lab, int k)
{
    double r = lab->radius[k], pi = acos(-1.0);
    double size = job->disks ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    return job->material[lab->material[k]].density * size;
}

double scree_lab_reduced_mass(const struct scree_job *job, const struct scree_lab *lab)
{
    double m = mass_of(job, lab, 0);
    if (lab->wall) return m;
    double other = mass_of(job, lab, 1);
    return m * other / (m + other);
}

/* The contact at one moment: normal along x, shift along y, all rows of the batch alike. */
static void fill(struct scree_batch *b, const struct scree_lab *lab, double m_eff, double overlap,
                 const double rate[2], double dt)
{
    b->n = SCREE_BATCH_PAD;
    b->wall = lab->wall;
    b->opening = b->partial = false;
    b->dt = dt;
    b->half = 0.0;
    b->grip = b->fn;
    for (int k = 0; k < b->n; k++) {
        b->nx[k] = 1.0;
        b->ny[k] = b->nz[k] = 0.0;
        b->before_x[k] = 1.0;
        b->before_y[k] = b->before_z[k] = 0.0;
        b->overlap[k] = overlap;
        b->vn[k] = -rate[0];
        b->vty[k] = rate[1];
        b->vtx[k] = b->vtz[k] = 0.0;
        b->lx[k] = b->ly[k] = b->lz[k] = 0.0;
        b->m_eff[k] = m_eff;
        b->inverse_m[k] = 1.0 / m_eff;
        b->r_i[k] = lab->radius[0];
        b->r_j[k] = lab->wall ? 0.0 : lab->radius[1];
        b->wx[k] = b->wy[k] = b->wz[k] = 0.0;
        b->sum_wx[k] = b->sum_wy[k] = b->sum_wz[k] = 0.0;
        b->spring[k] = b->shear[k] = 1.0;
        b->now[k] = b->later[k] = 0.5;
        b->advance[k] = dt;
        b->cx[k] = b->cy[k] = b->cz[k] = 0.0;
    }
}

static void look(const struct scree_batch *b, const struct scree_pair_law *pair,
                 struct scree_lab_row *row)
{
    row->normal = b->fn[0];
    row->tangential = b->fty[0];
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

void scree_lab_follow(const struct scree_job *job, const struct scree_lab *lab,
                      struct scree_lab_table *table)
{
    const struct scree_pair_law *pair =
        scree_laws_between(&job->laws, lab->material[0], lab->material[1]);
    struct scree_batch *b = scree_alloc(1, sizeof *b);
    struct scree_lab_row row = {0};
    double m_eff = scree_lab_reduced_mass(job, lab);
    memset(b, 0, sizeof *b);
    scree_lab_add(table, &row);
    for (int leg = 0; leg < lab->n_points; leg++) {
        const double *to = lab->point[leg];
        double from[2] = {row.overlap, row.shift};
        double length = hypot(to[0] - from[0], to[1] - from[1]);
        double dt = length / lab->speed / (double)lab->steps;
        if (length == 0.0) continue;
        double rate[2] = {(to[0] - from[0]) / length * lab->speed,
                          (to[1] - from[1]) / length * lab->speed};
        for (int64_t k = 1; k <= lab->steps; k++) {
            double part = (double)k / (double)lab->steps;
            row.time += dt;
            row.overlap = from[0] + part * (to[0] - from[0]);
            row.shift = from[1] + part * (to[1] - from[1]);
            if (row.overlap > 0.0) {
                fill(b, lab, m_eff, row.overlap, rate, dt);
                for (int p = 0; p < SCREE_N_LAW_KINDS; p++)
                    pair->law[p]->apply(b, pair->values[p], pair->at[p]);
                look(b, pair, &row);
            } else { /* open: the history is forgotten */
                memset(b->history, 0, sizeof b->history);
                row.normal = row.tangential = row.elastic = 0.0;
            }
            scree_lab_add(table, &row);
        }
    }
    scree_alloc_free(b);
}
