/* SPDX-License-Identifier: BSD-3-Clause
 * The worst overlap at the start of a run: a start that is far from equilibrium must not be silent.
 */
#include <math.h>
#include <stdio.h>

#include "advise.h"
#include "scree/alloc.h"
#include "scree/log.h"

static const double alarming = 0.1;

struct worst {
    double share;          /* of the smaller radius */
    int64_t first, second; /* the lower gid first; second < 0: wall -1 - second; 0: no contact */
};

struct search {
    const struct scree_particles *particles;
    struct worst worst;
};

/* Ties go to the lower grain, whatever the order. */
static void keep_worse(struct worst *worst, struct worst other)
{
    if (other.first == 0 || other.share < worst->share) return;
    bool tie = other.share == worst->share && worst->first != 0;
    if (tie && (other.first > worst->first ||
                (other.first == worst->first && other.second >= worst->second)))
        return;
    *worst = other;
}

static void look_at(void *context, const struct scree_contact *contact)
{
    struct search *search = context;
    const struct scree_particles *p = search->particles;
    double radius = p->pos[contact->slot[0]][3];
    if (!scree_contact_is_with_wall(contact)) radius = fmin(radius, p->pos[contact->slot[1]][3]);
    keep_worse(&search->worst,
               (struct worst){-contact->gap / radius, contact->first, contact->second});
}

void scree_md_tell_overlap(struct scree_md *md, struct scree_scene *scene)
{
    struct search search = {.particles = scene->particles};
    int n_ranks = scene->comm->n_ranks;
    scree_md_show_contacts(md, scene, look_at, &search);
    struct worst *all = scree_alloc((size_t)n_ranks, sizeof *all), worst = {0};
    scree_comm_allgather(scene->comm, &search.worst, sizeof search.worst, all);
    for (int r = 0; r < n_ranks; r++) keep_worse(&worst, all[r]);
    scree_alloc_free(all);
    if (worst.first == 0) return;
    char partner[128];
    if (worst.second < 0)
        snprintf(partner, sizeof partner, "wall '%s'", scene->walls->wall[-1 - worst.second].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)worst.second);
    bool alarm = worst.share > alarming;
    scree_log(alarm ? SCREE_LOG_WARNING : SCREE_LOG_INFO,
              "worst overlap at the start: %.3g of the smaller radius, grain %lld and %s%s",
              worst.share, (long long)worst.first, partner,
              alarm ? "; the grains will fly apart" : "");
}
