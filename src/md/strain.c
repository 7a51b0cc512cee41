/* SPDX-License-Identifier: BSD-3-Clause
 * The contacts that strain the time step most: to blame if the energy ledger does not close. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "md_advise.h"

/* How hard a contact is on the time step: half periods of its oscillation per step. */
static double strain_of(const struct scree_md_contact *d, double dt)
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
    double dt;
    struct worst worst[N_WORST]; /* of this rank, the worst first */
};

/* This order does not depend on the number of ranks. */
static bool is_worse(const struct worst *a, const struct worst *b)
{
    if (a->strain != b->strain) return a->strain > b->strain;
    if (a->first != b->first) return a->first < b->first;
    return a->second < b->second;
}

static void compare(void *context, const struct scree_contact *seen)
{
    struct search *search = context;
    struct worst now = {strain_of(scree_md_contact_of(seen), search->dt), seen->first, seen->second,
                        -seen->gap, seen->approach};
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

static void describe_worst(const struct scree_walls *walls, const struct worst worst[N_WORST],
                           char *text, size_t size)
{
    int used = snprintf(text, size, "usually the time step is too long. %s",
                        worst[0].strain > 0.0 ? "Contacts that strain it most:"
                                              : "There are no contacts at this moment");
    for (int w = 0; w < N_WORST && worst[w].strain > 0.0 && (size_t)used < size; w++) {
        char partner[80];
        if (worst[w].second < 0)
            snprintf(partner, sizeof partner, "wall '%s'", walls->wall[-1 - worst[w].second].name);
        else
            snprintf(partner, sizeof partner, "grain %lld", worst[w].second);
        used += snprintf(text + used, size - (size_t)used,
                         "%s grain %lld with %s (overlap %.3g m, approaching at %.3g m/s, contact "
                         "time %.3g steps)",
                         w == 0 ? "" : ";", worst[w].first, partner, worst[w].overlap,
                         worst[w].approach, 1.0 / worst[w].strain);
    }
}

void scree_md_describe_strain(struct scree_md *md, struct scree_scene *scene, char *text,
                              size_t size)
{
    struct search search = {.dt = scene->dt};
    scree_md_show_contacts(md, scene, compare, &search);
    agree_on_worst(scene->comm, search.worst);
    describe_worst(scene->walls, search.worst, text, size);
}
