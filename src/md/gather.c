/* SPDX-License-Identifier: BSD-3-Clause
 * From grains to contacts: the rows of both partners of each pair, combined, as arrays. */
#include <math.h>

#include "md_impl.h"
#include "scree/row.h"
#include "scree/vec.h"

/* Store four rows as columns k .. k + 3 of an array of four. */
static inline void store_columns(double (*to)[SCREE_BATCH], int k, scree_row rows[4])
{
    scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int c = 0; c < 4; c++) scree_row_store(&to[c][k], rows[c]);
}

/* Rows combine as difference in [0..2] and as sum in [3] (radius, 1/mass). */
static const scree_row difference = {-1.0, -1.0, -1.0, 1.0};

void scree_md_gather_places(struct scree_md_batch *batch, const struct scree_particles *p)
{
    const double(*pos)[4] = (const double(*)[4])p->pos;
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k += 4) {
        scree_row apart[4];
        for (int m = 0; m < 4; m++) {
            const double *at_i = pos[batch->i[k + m]], *at_j = pos[batch->j[k + m]];
            apart[m] = scree_row_at(at_i) + difference * scree_row_at(at_j);
            b->r_i[k + m] = at_i[3];
            b->r_j[k + m] = at_j[3];
        }
        store_columns(batch->apart, k, apart);
    }
    scree_md_gather_normals(batch);
}

void scree_md_gather_normals(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double dx = batch->apart[0][k], dy = batch->apart[1][k], dz = batch->apart[2][k];
        double distance = sqrt(dx * dx + dy * dy + dz * dz), inverse = 1.0 / distance;
        b->normal[0][k] = dx * inverse;
        b->normal[1][k] = dy * inverse;
        b->normal[2][k] = dz * inverse;
        b->overlap[k] = batch->apart[3][k] - distance;
    }
}

/* Sums of spins are needed only where arms depend on the overlap, or springs follow the pair. */
SCREE_SPECIALISED void gather_rows(struct scree_md_batch *restrict batch,
                                   struct scree_md_motion motion, const bool sums)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k += 4) {
        scree_row moving[4], radius_spin[4], spins[4];
        for (int m = 0; m < 4; m++) {
            scree_lid i = batch->i[k + m], j = batch->j[k + m];
            scree_row spin_i = scree_row_at(motion.spin[i]), spin_j = scree_row_at(motion.spin[j]);
            moving[m] = scree_row_at(motion.vel[i]) + difference * scree_row_at(motion.vel[j]);
            radius_spin[m] =
                scree_row_fill(b->r_i[k + m]) * spin_i + scree_row_fill(b->r_j[k + m]) * spin_j;
            spins[m] = spin_i + spin_j;
        }
        store_columns(batch->moving, k, moving);
        store_columns(batch->radius_spin, k, radius_spin);
        if (sums) store_columns(batch->spin, k, spins);
    }
}

void scree_md_gather_motion(struct scree_md_batch *batch, struct scree_md_motion motion, bool sums)
{
    if (sums)
        gather_rows(batch, motion, true);
    else
        gather_rows(batch, motion, false);
}

void scree_md_gather_wall_places(struct scree_md_batch *batch, const struct scree_particles *p,
                                 const struct scree_wall_contact *contact, const uint32_t *place)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        const struct scree_wall_contact *c = &contact[place[k]];
        for (int a = 0; a < 3; a++) b->normal[a][k] = c->at.normal[a];
        b->overlap[k] = -c->at.gap;
        b->r_i[k] = p->pos[batch->i[k]][3];
        b->r_j[k] = 0.0;
    }
}

void scree_md_gather_wall_motion(struct scree_md_batch *batch, struct scree_md_motion motion,
                                 const struct scree_wall_contact *contact, const uint32_t *place,
                                 double dt)
{
    struct scree_batch *b = &batch->b;
    const double per_dt = dt > 0.0 ? 1.0 / dt : 0.0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        const struct scree_wall_contact *c = &contact[place[k]];
        const double *vel = motion.vel[batch->i[k]], *spin = motion.spin[batch->i[k]];
        for (int a = 0; a < 3; a++) {
            double velocity = dt > 0.0 ? per_dt * c->moved[a] : c->velocity[a];
            batch->partner_spin[k][a] = dt > 0.0 ? per_dt * c->turned[a] : c->spin[a];
            batch->moving[a][k] = vel[a] - velocity;
            batch->radius_spin[a][k] = b->r_i[k] * spin[a];
            batch->spin[a][k] = spin[a];
        }
        batch->moving[3][k] = vel[3];
    }
}

void scree_md_gather_spins(const struct scree_md_batch *batch, struct scree_md_motion motion,
                           bool gathered, double (*to)[SCREE_BATCH])
{
    for (int k = 0; k < scree_batch_n(&batch->b); k++)
        for (int c = 0; c < 3; c++) {
            double w_j = gathered ? batch->partner_spin[k][c] : motion.spin[batch->j[k]][c];
            to[c][k] = motion.spin[batch->i[k]][c] - w_j;
        }
}

/* The normal of a wall, seen from where the grain was on it before, and the wall turned back. One
 * that lay beyond a joint went on smoothly: from there this wall would show its edge. */
static void wall_normal_before(const struct scree_wall *wall, const struct scree_wall_contact *now,
                               const double pos[4], const double way[3], double n[3])
{
    struct scree_wall_contact then;
    double old[4] = {0.0, 0.0, 0.0, pos[3]}, arm[3], carried[3], turned[3], size = 0.0;
    for (int a = 0; a < 3; a++) arm[a] = pos[a] - now->point[a];
    scree_vec_cross(now->turned, arm, carried);
    for (int a = 0; a < 3; a++) old[a] = pos[a] - (way[a] - (now->moved[a] + carried[a]));
    scree_wall_locate_part(wall, now->part, old, &then);
    scree_vec_cross(now->turned, then.at.normal, turned);
    for (int a = 0; a < 3; a++) {
        n[a] = then.at.normal[a] - turned[a];
        size += n[a] * n[a];
    }
    for (int a = 0; a < 3; a++) n[a] /= sqrt(size);
}

void scree_md_gather_wall_turn(struct scree_md_batch *batch, const struct scree_scene *scene,
                               const struct scree_md *md, struct scree_md_motion motion,
                               const uint32_t *place)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        const struct scree_wall_contact *c = &md->wall_contact[place[k]];
        scree_lid i = batch->i[k];
        double n[3] = {b->normal[0][k], b->normal[1][k], b->normal[2][k]}, way[3];
        for (int a = 0; a < 3; a++) way[a] = b->dt * motion.vel[i][a];
        if (!c->taken_over)
            wall_normal_before(&scene->walls->wall[batch->j[k]], c, scene->particles->pos[i], way,
                               n);
        for (int a = 0; a < 3; a++) b->normal_before[a][k] = n[a];
    }
}
