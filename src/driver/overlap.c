/* SPDX-License-Identifier: BSD-3-Clause
 * The worst overlap at the start of a run: a start that is far from equilibrium must not be silent.
 */
#include <math.h>
#include <stdio.h>

#include "job.h"
#include "scree/alloc.h"
#include "scree/log.h"

static const double alarming = 0.1;

struct worst {
    double share;          /* of the smaller radius */
    int64_t first, second; /* the lower gid first; second < 0: wall -1 - second; 0: no contact */
};

struct search {
    const struct scree_job *job;
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

static void look_at(void *context, enum scree_near_kind kind, size_t place,
                    const struct scree_contact_detail *detail)
{
    struct search *search = context;
    const struct scree_particles *p = search->job->scene.particles;
    const struct scree_near *near = &search->job->scene.contacts->near[kind];
    int32_t i = near->i[place], j = near->j[place];
    struct worst now = {detail->overlap / p->pos[i][3], p->gid[i], -1 - (int64_t)j};
    if (kind != SCREE_NEAR_WALL) {
        now.share = detail->overlap / fmin(p->pos[i][3], p->pos[j][3]);
        now.first = p->gid[i] < p->gid[j] ? p->gid[i] : p->gid[j];
        now.second = p->gid[i] < p->gid[j] ? p->gid[j] : p->gid[i];
    }
    keep_worse(&search->worst, now);
}

void scree_job_log_overlap(struct scree_job *job)
{
    struct search search = {.job = job};
    int n_ranks = job->comm->n_ranks;
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        job->stepper->tell_contacts(job->state, &job->scene, kind, look_at, &search);
    struct worst *all = scree_alloc((size_t)n_ranks, sizeof *all), worst = {0};
    scree_comm_allgather(job->comm, &search.worst, sizeof search.worst, all);
    for (int r = 0; r < n_ranks; r++) keep_worse(&worst, all[r]);
    scree_alloc_free(all);
    if (worst.first == 0) return;
    char partner[128];
    if (worst.second < 0)
        snprintf(partner, sizeof partner, "wall '%s'", job->walls.wall[-1 - worst.second].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)worst.second);
    bool alarm = worst.share > alarming;
    scree_log(alarm ? SCREE_LOG_WARNING : SCREE_LOG_INFO,
              "worst overlap at the start: %.3g of the smaller radius, grain %lld and %s%s",
              worst.share, (long long)worst.first, partner,
              alarm ? "; the grains will fly apart" : "");
}
