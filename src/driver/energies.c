/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of a job: its lines, and the end of a run whose ledger does not close. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

void scree_job_energies(struct scree_job *job, struct scree_energies *energies)
{
    job->stepper->energies(job->state, &job->scene, energies);
}

void scree_job_energies_or(struct scree_job *job, const struct scree_energies *known,
                           struct scree_energies *energies)
{
    if (known != NULL)
        *energies = *known;
    else
        scree_job_energies(job, energies);
}

double scree_job_closure(const struct scree_energies *e)
{
    return e->turnover > 0.0 ? e->closure / e->turnover : 0.0;
}

int scree_job_ledger(const struct scree_job *job, const struct scree_energies *e,
                     struct scree_ledger_line *line)
{
    (void)job;
    static const char *const elastic[SCREE_N_LAW_KINDS] = {
        "elastic energy normal", "elastic energy tangential", "elastic energy rolling",
        "elastic energy torsion"};
    static const char *const loss[SCREE_N_LOSSES] = {"lost to normal damping",
                                                     "lost to tangential damping",
                                                     "lost to sliding",
                                                     "lost to rolling",
                                                     "lost to torsion",
                                                     "lost to plastic deformation",
                                                     "lost to changes of stiffness",
                                                     "lost to background",
                                                     "lost to walls and drives"};
    int n = 0;
    line[n++] = (struct scree_ledger_line){"kinetic energy", e->kinetic};
    line[n++] = (struct scree_ledger_line){"rotational energy", e->rotational};
    for (int k = 0; k < SCREE_N_LAW_KINDS; k++)
        line[n++] = (struct scree_ledger_line){elastic[k], e->elastic[k]};
    line[n++] = (struct scree_ledger_line){"gravity", e->gravity};
    for (int k = 0; k < SCREE_N_LOSSES; k++)
        line[n++] = (struct scree_ledger_line){loss[k], e->loss[k]};
    line[n++] = (struct scree_ledger_line){"closure error", scree_job_closure(e)};
    return n;
}

/* How hard a contact is on the time step: half periods of its oscillation per step. */
static double strain_of(const struct scree_contact_detail *d, double dt)
{
    return d->reduced_mass > 0.0 ? dt * sqrt(d->stiffness / d->reduced_mass) / acos(-1.0) : 0.0;
}

struct worst {
    double strain;
    long long first, second; /* second < 0: wall */
    double overlap, approach;
};

enum { N_WORST = 3 };

struct search {
    const struct scree_job *job;
    struct worst worst[N_WORST]; /* of this rank, the worst first */
};

/* The same order on any number of ranks. */
static bool is_worse(const struct worst *a, const struct worst *b)
{
    if (a->strain != b->strain) return a->strain > b->strain;
    if (a->first != b->first) return a->first < b->first;
    return a->second < b->second;
}

static void compare(void *context, enum scree_near_kind kind, size_t place,
                    const struct scree_contact_detail *detail)
{
    struct search *search = context;
    const struct scree_job *job = search->job;
    const struct scree_near *near = &job->scene.contacts->near[kind];
    const scree_gid *gid = job->scene.particles->gid;
    int32_t j = near->j[place];
    bool wall = kind == SCREE_NEAR_WALL;
    long long first = (long long)gid[near->i[place]];
    long long second = wall ? -1 - (long long)j : (long long)gid[j];
    bool swap = !wall && second < first;
    struct worst now = {strain_of(detail, job->scene.dt), swap ? second : first,
                        swap ? first : second, detail->overlap, detail->approach};
    for (int w = 0; w < N_WORST; w++)
        if (is_worse(&now, &search->worst[w])) {
            struct worst less = search->worst[w];
            search->worst[w] = now;
            now = less;
        }
}

/* Of all ranks; contacts cut by a border are known to two of them. Collective. */
static void agree_on_worst(struct scree_comm *comm, struct worst worst[N_WORST])
{
    struct worst all[N_WORST];
    int used = 0; /* of this rank's own */
    for (int w = 0; w < N_WORST; w++) {
        const struct worst none = {0}, *mine = used < N_WORST ? &worst[used] : &none;
        double largest = mine->strain;
        scree_comm_max(comm, &largest, 1);
        double first = mine->strain == largest ? (double)mine->first : INFINITY;
        scree_comm_min(comm, &first, 1);
        bool tied = mine->strain == largest && (double)mine->first == first;
        double second = tied ? (double)mine->second : INFINITY;
        scree_comm_min(comm, &second, 1);
        tied = tied && (double)mine->second == second;
        double rank = tied ? (double)comm->rank : INFINITY;
        scree_comm_min(comm, &rank, 1);
        all[w] = *mine;
        scree_comm_broadcast(comm, &all[w], sizeof all[w], (int)rank);
        used += tied ? 1 : 0;
    }
    memcpy(worst, all, sizeof all);
}

static void describe_worst(const struct scree_job *job, const struct worst worst[N_WORST],
                           char *text, size_t size)
{
    int used = 0;
    text[0] = '\0';
    for (int w = 0; w < N_WORST && worst[w].strain > 0.0 && (size_t)used < size; w++) {
        char partner[80];
        if (worst[w].second < 0)
            snprintf(partner, sizeof partner, "wall '%s'",
                     job->walls.wall[-1 - worst[w].second].name);
        else
            snprintf(partner, sizeof partner, "grain %lld", worst[w].second);
        used += snprintf(text + used, size - (size_t)used,
                         "%s grain %lld with %s (overlap %.3g m, approaching at %.3g m/s, contact "
                         "time %.3g steps)",
                         w == 0 ? "" : ";", worst[w].first, partner, worst[w].overlap,
                         worst[w].approach, 1.0 / worst[w].strain);
    }
}

enum scree_status scree_job_check_closure(struct scree_job *job, const struct scree_energies *e)
{
    double closure = scree_job_closure(e);
    double rounding = 1e-12 * (fabs(e->gravity) + e->turnover);
    if (fabs(e->closure) <= job->energy.tolerance * e->turnover + rounding) return SCREE_OK;
    struct search search = {.job = job};
    char text[600];
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        job->stepper->tell_contacts(job->state, &job->scene, kind, compare, &search);
    agree_on_worst(job->comm, search.worst);
    describe_worst(job, search.worst, text, sizeof text);
    return SCREE_FAIL(SCREE_PHYSICS, /* the same on all ranks */
                      "step %lld: the energy ledger does not close: %.3g J (%.2g of what was "
                      "turned over) came out of nothing or got lost, the tolerance is %g "
                      "(energy.tolerance); usually the time step is too long. %s%s",
                      (long long)scree_job_step(job), e->closure, closure, job->energy.tolerance,
                      text[0] != '\0' ? "Contacts that strain it most:"
                                      : "There are no contacts at this moment",
                      text);
}
