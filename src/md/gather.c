/* SPDX-License-Identifier: BSD-3-Clause
 * From grains to contacts: the rows of both partners of each pair, combined, as arrays. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"
#include "scree/vec.h"

/* Store four rows as columns k .. k + 3 of an array of four. */
static inline void store_columns(double (*to)[SCREE_BATCH], int k, scree_row rows[4])
{
    scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int c = 0; c < 4; c++) scree_row_store(&to[c][k], rows[c]);
}

/* Sums of spins are needed only where levers depend on the overlap. */
SCREE_SPECIALISED void gather_rows(struct scree_md_batch *batch, const struct scree_particles *p,
                                   const bool levers)
{
    /* pos and vel combine as difference in [0..2] and as sum in [3] (radius, 1/mass). */
    const scree_row sign = {-1.0, -1.0, -1.0, 1.0};
    const double(*pos)[4] = (const double(*)[4])p->pos, (*vel)[4] = (const double(*)[4])p->vel;
    const double(*spin)[4] = (const double(*)[4])p->spin;
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k += 4) {
        scree_row apart[4], moving[4], radius_spin[4], spins[4];
        for (int m = 0; m < 4; m++) {
            scree_lid i = batch->i[k + m], j = batch->j[k + m];
            scree_row spin_i = scree_row_at(spin[i]), spin_j = scree_row_at(spin[j]);
            double r_i = pos[i][3], r_j = pos[j][3];
            apart[m] = scree_row_at(pos[i]) + sign * scree_row_at(pos[j]);
            moving[m] = scree_row_at(vel[i]) + sign * scree_row_at(vel[j]);
            radius_spin[m] = scree_row_fill(r_i) * spin_i + scree_row_fill(r_j) * spin_j;
            spins[m] = spin_i + spin_j;
            b->r_i[k + m] = r_i;
            b->r_j[k + m] = r_j;
        }
        store_columns(batch->apart, k, apart);
        store_columns(batch->moving, k, moving);
        store_columns(batch->radius_spin, k, radius_spin);
        if (levers) store_columns(batch->spin, k, spins);
    }
}

void scree_md_gather_grains(struct scree_md_batch *batch, const struct scree_particles *p,
                            double overlap_share)
{
    if (overlap_share == 0.0)
        gather_rows(batch, p, false);
    else
        gather_rows(batch, p, true);
    scree_md_gather_normals(batch);
}

void scree_md_gather_normals(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double dx = batch->apart[0][k], dy = batch->apart[1][k], dz = batch->apart[2][k];
        double distance = sqrt(dx * dx + dy * dy + dz * dz);
        double inverse = 1.0 / distance;
        b->nx[k] = dx * inverse;
        b->ny[k] = dy * inverse;
        b->nz[k] = dz * inverse;
        b->overlap[k] = batch->apart[3][k] - distance;
        batch->radius_spin[3][k] = inverse;
    }
}

void scree_md_gather_walls(struct scree_md_batch *batch, const struct scree_particles *p,
                           const struct scree_wall_contact *contact, const uint32_t *place)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        const struct scree_wall_contact *c = &contact[place[k]];
        scree_lid i = batch->i[k];
        b->nx[k] = c->at.normal[0];
        b->ny[k] = c->at.normal[1];
        b->nz[k] = c->at.normal[2];
        b->overlap[k] = -c->at.gap;
        b->r_i[k] = p->pos[i][3];
        b->r_j[k] = 0.0;
        for (int a = 0; a < 3; a++) {
            batch->wall_velocity[k][a] = c->velocity[a];
            batch->wall_spin[k][a] = c->spin[a];
            batch->moving[a][k] = p->vel[i][a] - (c->velocity[a] - c->jump[a]);
            batch->radius_spin[a][k] = p->pos[i][3] * p->spin[i][a];
            batch->spin[a][k] = p->spin[i][a];
        }
        batch->moving[3][k] = p->vel[i][3];
    }
}

void scree_md_gather_spins(struct scree_md_batch *batch, const struct scree_particles *p,
                           enum scree_near_kind kind)
{
    struct scree_batch *b = &batch->b;
    const double(*of_j)[3] = (const double(*)[3])(b->wall ? batch->wall_spin : batch->partner_spin);
    bool gathered = b->wall || scree_near_is_seam(kind);
    double *difference[3] = {b->wx, b->wy, b->wz}, *sum[3] = {b->sum_wx, b->sum_wy, b->sum_wz};
    for (int k = 0; k < scree_batch_n(b); k++)
        for (int c = 0; c < 3; c++) {
            double w_i = p->spin[batch->i[k]][c];
            double w_j = gathered ? of_j[k][c] : p->spin[batch->j[k]][c];
            difference[c][k] = w_i - w_j;
            sum[c][k] = w_i + w_j;
        }
}

void scree_md_gather_twirl(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    const size_t size = (size_t)b->n * sizeof *b->sum_wx;
    memcpy(b->sum_wx, batch->spin[0], size);
    memcpy(b->sum_wy, batch->spin[1], size);
    memcpy(b->sum_wz, batch->spin[2], size);
}

/* The normal of a wall, seen from where the grain was on it before, and the wall turned back. One
 * that lay beyond a joint went on smoothly: from there this wall would show its edge. */
static void wall_normal_before(const struct scree_wall *wall, const struct scree_wall_contact *now,
                               const double pos[4], const double vel[4], double dt, double n[3])
{
    struct scree_wall_contact then;
    double old[1][4] = {{0.0, 0.0, 0.0, pos[3]}}, arm[3], carried[3], turned[3], size = 0.0;
    for (int a = 0; a < 3; a++) arm[a] = pos[a] - now->point[a];
    scree_vec_cross(now->spin, arm, carried);
    for (int a = 0; a < 3; a++)
        old[0][a] = pos[a] - dt * (vel[a] - (now->velocity[a] + carried[a]));
    scree_wall_locate(wall, 1, (const double(*)[4])old, &then);
    scree_vec_cross(now->spin, then.at.normal, turned);
    for (int a = 0; a < 3; a++) {
        n[a] = then.at.normal[a] - dt * turned[a];
        size += n[a] * n[a];
    }
    for (int a = 0; a < 3; a++) n[a] /= sqrt(size);
}

static void along_before(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++)
        b->vn_before[k] = batch->moving[0][k] * b->before_x[k] +
                          batch->moving[1][k] * b->before_y[k] +
                          batch->moving[2][k] * b->before_z[k];
}

void scree_md_gather_wall_turn(struct scree_md_batch *batch, const struct scree_particles *p,
                               const struct scree_boundaries *walls,
                               const struct scree_wall_contact *contact, const uint32_t *place,
                               double dt)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        scree_lid i = batch->i[k];
        double n[3] = {b->nx[k], b->ny[k], b->nz[k]};
        if (dt > 0.0 && !contact[place[k]].taken_over)
            wall_normal_before(&walls->wall[batch->j[k]], &contact[place[k]], p->pos[i], p->vel[i],
                               dt, n);
        b->before_x[k] = n[0];
        b->before_y[k] = n[1];
        b->before_z[k] = n[2];
    }
    along_before(batch);
}

/* Positions moved by dt times the present velocities since the last evaluation. */
void scree_md_gather_turn(struct scree_md_batch *batch, double dt)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double dx = batch->apart[0][k] - dt * batch->moving[0][k];
        double dy = batch->apart[1][k] - dt * batch->moving[1][k];
        double dz = batch->apart[2][k] - dt * batch->moving[2][k];
        double inverse = 1.0 / sqrt(dx * dx + dy * dy + dz * dz);
        b->before_x[k] = dx * inverse;
        b->before_y[k] = dy * inverse;
        b->before_z[k] = dz * inverse;
    }
    along_before(batch);
}
