/* SPDX-License-Identifier: BSD-3-Clause
 * Migration: grains go to the rank that owns their brick, with their contact history. */
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/domain.h"

/* A message is a run of words: [words of this parcel][particle record][passenger words] ... */
struct parcels {
    uint64_t *words; /* in rank order of the receivers */
    int *n_words;    /* per receiving rank */
};

static size_t record_words(const struct scree_particles *p)
{
    return (scree_particles_record_size(p, SCREE_MIGRATE) + 7) / 8;
}

static size_t passenger_words(const struct scree_passengers *passengers,
                              const struct scree_particles *p, scree_lid slot)
{
    return passengers != NULL ? passengers->n_words(passengers->owner, p, slot) : 0;
}

/* Wrap every grain and note its destination; returns how many leave. */
static int64_t find_destinations(const struct scree_domain *domain, const struct scree_comm *comm,
                                 struct scree_particles *p, int32_t *destination)
{
    const struct scree_wedge *wedge = &domain->box.wedge;
    int64_t n_leaving = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (wedge->n > 0) memcpy(p->home[i], p->pos[i], sizeof p->home[i]);
        scree_box_wrap(&domain->box, p->pos[i], p->image[i]);
        if (wedge->n > 0) p->home[i][wedge->axis] = p->pos[i][wedge->axis];
        int64_t brick = scree_bricks_find(&domain->bricks, &domain->box, p->pos[i]);
        destination[i] = domain->bricks.owner[brick];
        n_leaving += destination[i] != comm->rank;
    }
    return n_leaving;
}

static void pack_leavers(const struct scree_comm *comm, const struct scree_particles *p,
                         const struct scree_passengers *passengers, const int32_t *destination,
                         struct parcels *out)
{
    size_t *start = scree_alloc((size_t)comm->n_ranks + 1, sizeof *start);
    memset(start, 0, ((size_t)comm->n_ranks + 1) * sizeof *start);
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (destination[i] != comm->rank)
            start[destination[i] + 1] += 1 + record_words(p) + passenger_words(passengers, p, i);
    for (int r = 0; r < comm->n_ranks; r++) {
        out->n_words[r] = (int)start[r + 1];
        start[r + 1] += start[r];
    }
    out->words = scree_alloc(start[comm->n_ranks], sizeof *out->words);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (destination[i] == comm->rank) continue;
        size_t n_extra = passenger_words(passengers, p, i);
        uint64_t *at = out->words + start[destination[i]];
        at[0] = 1 + record_words(p) + n_extra;
        at[record_words(p)] = 0; /* the last word of the record may be partly unused */
        scree_particles_pack(p, i, SCREE_MIGRATE, at + 1);
        if (n_extra > 0) passengers->board(passengers->owner, p, i, at + 1 + record_words(p));
        start[destination[i]] += at[0];
    }
    scree_alloc_free(start);
}

static void keep_stayers(const struct scree_comm *comm, struct scree_particles *p,
                         const int32_t *destination)
{
    scree_lid *order = scree_alloc((size_t)p->n_owned, sizeof *order);
    scree_lid n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (destination[i] == comm->rank) order[n++] = i;
    scree_particles_reorder(p, order, n);
    scree_alloc_free(order);
}

static void unpack_comers(struct scree_particles *p, const struct scree_passengers *passengers,
                          const uint64_t *words, size_t n_words)
{
    size_t n_comers = 0;
    for (size_t at = 0; at < n_words; at += words[at]) n_comers++;
    scree_particles_reserve(p, (size_t)p->n_owned + n_comers);
    for (size_t at = 0; at < n_words; at += words[at]) {
        scree_lid slot = scree_particles_append(p);
        scree_particles_unpack(p, slot, SCREE_MIGRATE, words + at + 1);
        size_t n_head = 1 + record_words(p);
        if (passengers != NULL)
            passengers->alight(passengers->owner, p, slot, words + at + n_head, words[at] - n_head);
    }
}

int64_t scree_domain_migrate(const struct scree_domain *domain, struct scree_comm *comm,
                             struct scree_particles *p, const struct scree_passengers *passengers)
{
    int32_t *destination = scree_alloc((size_t)p->n_owned, sizeof *destination);
    p->n_ghost = 0;
    int64_t n_leaving = find_destinations(domain, comm, p, destination);

    struct parcels out = {.n_words = scree_alloc((size_t)comm->n_ranks, sizeof(int))};
    int *n_receive = scree_alloc((size_t)comm->n_ranks, sizeof *n_receive);
    void *received;
    pack_leavers(comm, p, passengers, destination, &out);
    scree_comm_exchange(comm, out.n_words, out.words, sizeof *out.words, n_receive, &received);
    scree_alloc_free(out.words);

    size_t n_words = 0;
    for (int r = 0; r < comm->n_ranks; r++) n_words += (size_t)n_receive[r];
    if (n_leaving > 0) keep_stayers(comm, p, destination);
    unpack_comers(p, passengers, received, n_words);

    scree_alloc_free(received);
    scree_alloc_free(n_receive);
    scree_alloc_free(out.n_words);
    scree_alloc_free(destination);
    return n_leaving;
}

void scree_domain_return_home(const struct scree_domain *domain, struct scree_particles *p)
{
    if (domain->box.wedge.n == 0) return;
    for (scree_lid i = 0; i < p->n_owned + p->n_ghost; i++)
        memcpy(p->pos[i], p->home[i], sizeof p->home[i]);
    for (scree_lid i = 0; i < p->n_owned; i++) memcpy(p->listed[i], p->home[i], sizeof p->home[i]);
}

enum scree_status scree_domain_check_wedge(const struct scree_domain *domain,
                                           struct scree_comm *comm, const struct scree_particles *p,
                                           double reach)
{
    const struct scree_wedge *wedge = &domain->box.wedge;
    enum scree_status status = SCREE_OK;
    if (wedge->n == 0) return SCREE_OK;
    for (scree_lid i = 0; i < p->n_owned && status == SCREE_OK; i++) {
        double least = scree_wedge_clear_radius(wedge, (p->pos[i][3] + reach) * (1.0 + 1e-6));
        double distance = hypot(p->pos[i][wedge->u], p->pos[i][wedge->v]);
        if (!(distance < least)) continue;
        status = SCREE_FAIL(
            SCREE_PHYSICS,
            "grain %lld is %g m from the axis of the wedge of 360/%d degrees, where it could meet "
            "two images of one grain at once; grains of radius %g m must stay %g m away: put a "
            "cylinder around the axis",
            (long long)p->gid[i], distance, wedge->n, p->pos[i][3], least);
    }
    return scree_comm_agree(comm, status);
}
