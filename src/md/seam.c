/* SPDX-License-Identifier: BSD-3-Clause
 * Pairs of a wedge whose home frames are turned against each other: all is computed in the frame of
 * the lower gid, by whichever rank, and what the other grain gets is turned back. */
#include <math.h>
#include <string.h>

#include "evaluation.h"
#include "scree/vec.h"

static struct scree_seam seam_at(const struct scree_md_evaluation *e, size_t k)
{
    return scree_contacts_seam(e->scene->contacts, e->scene->particles, e->near->i[k],
                               e->near->j[k]);
}

static bool touches(const struct scree_md_evaluation *e, size_t k)
{
    const struct scree_particles *p = e->scene->particles;
    struct scree_seam seam = seam_at(e, k);
    double branch[3], reach = p->pos[seam.first][3] + p->pos[seam.second][3];
    scree_contacts_seam_branch(e->scene->contacts, p, seam, branch);
    return scree_vec_dot(branch, branch) < reach * reach;
}

void scree_md_find_touching_seams(struct scree_md_evaluation *e)
{
    const struct scree_particles *p = e->scene->particles;
    const struct scree_laws *laws = e->scene->laws;
    for (size_t k = 0; k < e->near->n; k++) {
        if (!touches(e, k)) continue;
        int first = p->species[e->near->i[k]], second = p->species[e->near->j[k]];
        int pair = laws->table[first * laws->n_materials + second];
        struct scree_md_queue *queue = &e->md->queue[pair];
        queue->near[queue->n++] = (uint32_t)k;
        if (queue->n == SCREE_MD_QUEUE) scree_md_flush(e, &laws->pair[pair], queue);
    }
}

void scree_md_gather_seam_places(struct scree_md_evaluation *e, const uint32_t *place)
{
    const struct scree_particles *p = e->scene->particles;
    struct scree_md_batch *batch = e->md->batch;
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < b->n; k++) {
        struct scree_seam seam = seam_at(e, place[k]);
        scree_lid i = batch->i[k] = seam.first, j = batch->j[k] = seam.second;
        double pos[3];
        batch->turn[k] = seam.turn;
        scree_wedge_turn(e->scene->contacts->wedge, seam.turn, p->pos[j], pos);
        for (int c = 0; c < 3; c++) batch->apart[c][k] = p->pos[i][c] - pos[c];
        b->r_i[k] = p->pos[i][3];
        b->r_j[k] = p->pos[j][3];
        batch->apart[3][k] = b->r_i[k] + b->r_j[k];
    }
    scree_md_gather_normals(batch);
}

void scree_md_gather_seam_motion(struct scree_md_evaluation *e, struct scree_md_motion motion)
{
    const struct scree_wedge *wedge = e->scene->contacts->wedge;
    struct scree_md_batch *batch = e->md->batch;
    const struct scree_batch *b = &batch->b;
    for (int k = 0; k < b->n; k++) {
        scree_lid i = batch->i[k], j = batch->j[k];
        double vel[3];
        scree_wedge_turn(wedge, batch->turn[k], motion.vel[j], vel);
        scree_wedge_turn(wedge, batch->turn[k], motion.spin[j], batch->partner_spin[k]);
        for (int c = 0; c < 3; c++) {
            double w_i = motion.spin[i][c], w_j = batch->partner_spin[k][c];
            batch->moving[c][k] = motion.vel[i][c] - vel[c];
            batch->radius_spin[c][k] = b->r_i[k] * w_i + b->r_j[k] * w_j;
            batch->spin[c][k] = w_i + w_j;
        }
        batch->moving[3][k] = motion.vel[i][3] + motion.vel[j][3];
    }
}

static void add_load(const double force[3], const double torque[3], int64_t load[8])
{
    for (int c = 0; c < 3; c++) {
        load[c] += (int64_t)nearbyint(force[c]);
        load[4 + c] += (int64_t)nearbyint(torque[c]);
    }
}

/* To both grains, or to the one that is owned here. */
void scree_md_scatter_seams(struct scree_md_evaluation *e)
{
    const struct scree_contacts *contacts = e->scene->contacts;
    const struct scree_md_batch *batch = e->md->batch;
    struct scree_particles *p = e->scene->particles;
    for (int k = 0; k < batch->n_real; k++) {
        scree_lid i = scree_contacts_home(contacts, e->kind, batch->i[k]);
        scree_lid j = scree_contacts_home(contacts, e->kind, batch->j[k]);
        double force[3], torque_i[3], torque_j[3], reaction[3];
        for (int c = 0; c < 3; c++) {
            force[c] = batch->force[c][k];
            reaction[c] = -force[c];
            torque_i[c] = batch->torque_i[c][k];
            torque_j[c] = batch->torque_j[c][k];
        }
        scree_wedge_turn_by(contacts->wedge, -batch->turn[k], reaction);
        scree_wedge_turn_by(contacts->wedge, -batch->turn[k], torque_j);
        if (i < p->n_owned) add_load(force, torque_i, p->load[i]);
        if (j < p->n_owned) add_load(reaction, torque_j, p->load[j]);
    }
}
