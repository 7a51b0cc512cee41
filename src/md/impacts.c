/* SPDX-License-Identifier: BSD-3-Clause
 * Impacts: contacts that close. Of each pair law the worst since somebody asked is kept. */
#include <math.h>

#include "evaluation.h"

/* Below this part of the relative energy that is in the normal motion an impact only grazes:
 * whether grains are turned back by it makes no difference that counts. */
static const double grazing = 0.01;

/* (m/s)^2; of the motion that could carry grains past each other: that of their centres, without
 * spins; nothing passes a wall by moving along it. */
static double passing_speed2(const struct scree_md_batch *batch, int k, double approach)
{
    const double(*v)[SCREE_BATCH] = batch->moving;
    if (batch->b.wall) return approach * approach;
    return v[0][k] * v[0][k] + v[1][k] * v[1][k] + v[2][k] * v[2][k];
}

/* How bad an impact is for the brakes (Wolf, "Modeling and computer simulation of granular media",
 * 26), but for the contact time, which grows with the mass and is found when somebody asks. */
void scree_md_note_impact(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const struct scree_md_queue *queue, int k)
{
    const struct scree_batch *b = &e->md->batch->b;
    const struct scree_near *near = e->near;
    const scree_gid *gid = e->scene->particles->gid;
    double approach = -b->vn[k], width = b->r_i[k] + (b->wall ? b->r_i[k] : b->r_j[k]);
    if (!(e->dt > 0.0 && approach > 0.0 && b->overlap[k] <= approach * e->dt)) return;
    double speed2 = passing_speed2(e->md->batch, k, approach), m = b->m_eff[k];
    if (approach * approach < grazing * speed2) return;
    double weight = speed2 * sqrt(m) / (width * approach);
    struct scree_md_impact *worst = &e->md->impact[law - e->scene->laws->pair];
    if (!(weight > worst->weight)) return;
    uint32_t at = queue->near[k];
    long long i = (long long)gid[near->i[at]], j = near->j[at];
    j = b->wall ? -1 - j : (long long)gid[j];
    *worst = (struct scree_md_impact){
        .weight = weight,
        .speed = sqrt(speed2),
        .approach = approach,
        .reduced_mass = m,
        .reduced_radius = b->wall ? b->r_i[k] : b->r_i[k] * b->r_j[k] / width,
        .width = width,
        .overlap = b->overlap[k],
        .first = !b->wall && j < i ? j : i,
        .second = !b->wall && j < i ? i : j,
    };
}

void scree_md_collect_impacts(struct scree_md *md, const struct scree_scene *scene,
                              struct scree_md_impact *impact)
{
    for (int k = 0; k < scene->laws->n_pairs; k++) {
        impact[k] = md->impact[k];
        md->impact[k] = (struct scree_md_impact){0};
    }
}
