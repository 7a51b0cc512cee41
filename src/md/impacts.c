/* SPDX-License-Identifier: BSD-3-Clause
 * Impacts: contacts that close. Of each pair law the worst since somebody asked is kept. */
#include <math.h>

#include "evaluation.h"

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
    double slip2 = b->vtx[k] * b->vtx[k] + b->vty[k] * b->vty[k] + b->vtz[k] * b->vtz[k];
    double speed2 = approach * approach + slip2, m = b->m_eff[k];
    double weight = speed2 * sqrt(m) / (width * approach);
    struct scree_impact *worst = &e->md->impact[law - e->scene->laws->pair];
    if (!(weight > worst->weight)) return;
    uint32_t at = queue->near[k];
    long long i = (long long)gid[near->i[at]], j = near->j[at];
    j = b->wall ? -1 - j : (long long)gid[j];
    *worst = (struct scree_impact){.weight = weight,
                                   .speed = sqrt(speed2),
                                   .approach = approach,
                                   .reduced_mass = m,
                                   .reduced_radius = scree_batch_r_eff(b, k),
                                   .width = width,
                                   .overlap = b->overlap[k],
                                   .first = !b->wall && j < i ? j : i,
                                   .second = !b->wall && j < i ? i : j};
}

void scree_md_take_impacts(void *state, const struct scree_scene *scene,
                           struct scree_impact *impact)
{
    struct scree_md *md = state;
    for (int k = 0; k < scene->laws->n_pairs; k++) {
        impact[k] = md->impact[k];
        md->impact[k] = (struct scree_impact){0};
    }
}
