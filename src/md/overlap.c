/* SPDX-License-Identifier: BSD-3-Clause
 * The worst overlap of new grains: those that would fly apart end the run before its first step.
 *
 * The rule: an overlap of more than `warnings.start_overlap` of the smaller radius, or than what
 * the input lets a sample leave behind, is a mistake. At a tenth of the radius the contacts of most
 * laws hold far more energy than grains have that move as they should in a soft-sphere model. */
#include <math.h>
#include <stdio.h>

#include "md_advise.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/status.h"

struct worst {
    double share;          /* of the smaller radius */
    int64_t first, second; /* the lower gid first; second < 0: wall -1 - second; 0: no contact */
};

struct search {
    const struct scree_particles *particles;
    scree_gid after; /* contacts of grains with higher gids count */
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
    if (contact->first <= search->after && contact->second <= search->after) return;
    if (!scree_contact_is_with_wall(contact)) radius = fmin(radius, p->pos[contact->slot[1]][3]);
    keep_worse(&search->worst,
               (struct worst){-contact->gap / radius, contact->first, contact->second});
}

/* Over all ranks; worst.first is 0 if nothing touches. Collective. */
static struct worst find_worst(struct scree_md *md, struct scree_scene *scene, scree_gid after)
{
    struct search search = {.particles = scene->particles, .after = after};
    int n_ranks = scene->comm->n_ranks;
    scree_md_show_contacts(md, scene, look_at, &search);
    struct worst *all = scree_alloc((size_t)n_ranks, sizeof *all), worst = {0};
    scree_comm_allgather(scene->comm, &search.worst, sizeof search.worst, all);
    for (int r = 0; r < n_ranks; r++) keep_worse(&worst, all[r]);
    scree_alloc_free(all);
    return worst;
}

static void name_partner(const struct scree_scene *scene, const struct worst *worst, char *text,
                         size_t size)
{
    if (worst->second < 0)
        snprintf(text, size, "wall '%.96s'", scene->walls->wall[-1 - worst->second].name);
    else
        snprintf(text, size, "grain %lld", (long long)worst->second);
}

void scree_md_log_overlap(struct scree_md *md, struct scree_scene *scene)
{
    struct worst worst = find_worst(md, scene, 0);
    char partner[128];
    if (worst.first == 0) return;
    name_partner(scene, &worst, partner, sizeof partner);
    scree_log(SCREE_LOG_INFO,
              "worst overlap at the start: %.3g of the smaller radius, grain %lld and %s",
              worst.share, (long long)worst.first, partner);
}

enum scree_status scree_md_check_overlap(struct scree_md *md, struct scree_scene *scene,
                                         scree_gid after)
{
    struct worst worst = find_worst(md, scene, after);
    double limit = fmax(md->values->start_overlap, scene->sample_overlap);
    char partner[128];
    if (worst.first == 0 || !(worst.share > limit * (1.0 + 1e-9))) return SCREE_OK;
    name_partner(scene, &worst, partner, sizeof partner);
    return SCREE_FAIL(
        SCREE_INPUT,
        "grain %lld and %s overlap by %.3g of the smaller radius when they come in: they would fly "
        "apart (allowed: %g, see warnings.start_overlap)%s",
        (long long)worst.first, partner, worst.share, limit,
        worst.second < 0 && worst.share > 1.0 ? "; the grain is on the wrong side of the wall"
                                              : "");
}
