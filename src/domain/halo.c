/* SPDX-License-Identifier: BSD-3-Clause
 * Ghost exchange: one message per neighbour rank per step, planned when lists are built. */
#include "scree/halo.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "halo_plan.h"
#include "scree/alloc.h"
#include "scree/status.h"

/* One column that may be refreshed. */
struct refreshed {
    unsigned bit;
    size_t offset; /* of its pointer in struct scree_particles; rows have WIDTH doubles, the first
                    * three travel */
};
enum { WIDTH = 4, N_REFRESHED = 7 };
static const struct refreshed refreshed[N_REFRESHED] = {
    {SCREE_HALO_POS, offsetof(struct scree_particles, pos)}, /* the first: it is displaced */
    {SCREE_HALO_VEL, offsetof(struct scree_particles, vel)},
    {SCREE_HALO_SPIN, offsetof(struct scree_particles, spin)},
    {SCREE_HALO_MEAN_VEL, offsetof(struct scree_particles, mean_vel)},
    {SCREE_HALO_MEAN_SPIN, offsetof(struct scree_particles, mean_spin)},
    {SCREE_HALO_NOW_VEL, offsetof(struct scree_particles, now_vel)},
    {SCREE_HALO_NOW_SPIN, offsetof(struct scree_particles, now_spin)},
};

typedef double row[WIDTH];
_Static_assert(sizeof *((struct scree_particles *)0)->mean_vel == sizeof(row) &&
                   sizeof *((struct scree_particles *)0)->mean_spin == sizeof(row) &&
                   sizeof *((struct scree_particles *)0)->pos == sizeof(row),
               "columns that are refreshed have rows of one width");

static row *rows_of(const struct scree_particles *p, const struct refreshed *column)
{
    return *(row *const *)(const void *)((const char *)p + column->offset);
}

void scree_halo_create(struct scree_halo **halo)
{
    *halo = scree_alloc(1, sizeof **halo);
    memset(*halo, 0, sizeof **halo);
}

static void clear(struct scree_halo *halo)
{
    for (int set = 0; set < SCREE_HALO_SETS; set++) scree_channel_destroy(&halo->channel[set]);
    scree_alloc_free(halo->peer);
    scree_alloc_free(halo->send_start);
    scree_alloc_free(halo->send_slot);
    scree_alloc_free(halo->send_shift);
    scree_alloc_free(halo->ghost_start);
    memset(halo, 0, sizeof *halo);
}

void scree_halo_destroy(struct scree_halo **halo)
{
    if (*halo == NULL) return;
    clear(*halo);
    scree_alloc_free(*halo);
    *halo = NULL;
}

/* Write one ghost as its new owner will see it: displaced, with the image count to match. */
static void pack_ghost(const struct scree_box *box, struct scree_particles *p,
                       const struct scree_halo_copy *copy, unsigned char *record)
{
    double *pos = p->pos[copy->slot], pos_kept[3];
    int32_t *image = p->image[copy->slot], image_kept[3];
    memcpy(pos_kept, pos, sizeof pos_kept);
    memcpy(image_kept, image, sizeof image_kept);
    double *along = box->wedge.n > 0 ? &p->home[copy->slot][box->wedge.axis] : NULL;
    double along_kept = along != NULL ? *along : 0.0;
    if (along != NULL) *along += scree_halo_plan_displacement(box, copy, box->wedge.axis);
    scree_halo_plan_shift(box, copy, pos);
    for (int a = 0; a < 3; a++) image[a] -= copy->shift[a];
    scree_particles_pack(p, copy->slot, SCREE_GHOST, record);
    memcpy(pos, pos_kept, sizeof pos_kept);
    memcpy(image, image_kept, sizeof image_kept);
    if (along != NULL) *along = along_kept;
}

static void receive_ghosts(struct scree_comm *comm, const struct scree_box *box,
                           struct scree_particles *p, const struct scree_halo_copy *copy,
                           const int *n_to, int *n_from)
{
    size_t size = scree_particles_record_size(p, SCREE_GHOST);
    size_t n_send = 0, n_ghosts = 0;
    for (int r = 0; r < comm->n_ranks; r++) n_send += (size_t)n_to[r];
    unsigned char *send = scree_alloc(n_send, size);
    void *received;
    for (size_t k = 0; k < n_send; k++) pack_ghost(box, p, &copy[k], send + k * size);
    scree_comm_exchange(comm, n_to, send, size, n_from, &received);
    scree_alloc_free(send);

    for (int r = 0; r < comm->n_ranks; r++) n_ghosts += (size_t)n_from[r];
    p->n_ghost = 0;
    scree_particles_reserve(p, (size_t)p->n_owned + n_ghosts);
    p->n_ghost = (scree_lid)n_ghosts;
    /* Other ranks' ghosts first, in rank order, own images last: the order of ghost_start. */
    const unsigned char *at = received;
    scree_lid slot = p->n_owned, own = p->n_owned + (scree_lid)n_ghosts - n_from[comm->rank];
    for (int r = 0; r < comm->n_ranks; r++)
        for (int k = 0; k < n_from[r]; k++, at += size)
            scree_particles_unpack(p, r == comm->rank ? own++ : slot++, SCREE_GHOST, at);
    scree_alloc_free(received);
}

/* Keep the plan for the refreshes to come, peers in rank order, this rank last. */
static void keep_plan(struct scree_halo *halo, struct scree_comm *comm, const struct scree_box *box,
                      const struct scree_particles *p, const struct scree_halo_copy *copy,
                      const int *n_to, const int *n_from)
{
    size_t n_send = 0, at = 0, own_first = 0;
    for (int r = 0; r < comm->n_ranks; r++) n_send += (size_t)n_to[r];
    halo->peer = scree_alloc((size_t)comm->n_ranks, sizeof *halo->peer);
    halo->send_start = scree_alloc((size_t)comm->n_ranks + 2, sizeof *halo->send_start);
    halo->ghost_start = scree_alloc((size_t)comm->n_ranks + 2, sizeof *halo->ghost_start);
    halo->send_slot = scree_alloc(n_send, sizeof *halo->send_slot);
    halo->send_shift = scree_alloc(n_send, sizeof *halo->send_shift);
    halo->send_start[0] = 0;
    halo->ghost_start[0] = p->n_owned;
    int n = 0;
    for (int r = 0; r < comm->n_ranks; at += (size_t)n_to[r++]) {
        if (r == comm->rank) own_first = at;
        if (r == comm->rank || (n_to[r] == 0 && n_from[r] == 0)) continue;
        halo->peer[n] = r;
        halo->send_start[n + 1] = halo->send_start[n] + n_to[r];
        halo->ghost_start[n + 1] = halo->ghost_start[n] + n_from[r];
        n++;
    }
    halo->n_peers = n;
    halo->send_start[n + 1] = halo->send_start[n] + n_to[comm->rank];
    halo->ghost_start[n + 1] = halo->ghost_start[n] + n_from[comm->rank];

    size_t to = 0;
    for (int pass = 0; pass < 2; pass++) /* others, then own */
        for (size_t k = 0; k < n_send; k++) {
            bool own = k >= own_first && k < own_first + (size_t)n_to[comm->rank];
            if (own != (pass == 1)) continue;
            halo->send_slot[to] = copy[k].slot;
            for (int a = 0; a < 3; a++)
                halo->send_shift[to][a] = scree_halo_plan_displacement(box, &copy[k], a);
            to++;
        }
}

void scree_halo_build(struct scree_halo *halo, const struct scree_domain *domain,
                      struct scree_comm *comm, struct scree_particles *p, double skin)
{
    clear(halo);
    p->n_ghost = 0;
    struct scree_halo_reach reach = scree_halo_plan_reach(comm, p, skin);
    int *n_to = scree_alloc((size_t)comm->n_ranks, sizeof *n_to);
    int *n_from = scree_alloc((size_t)comm->n_ranks, sizeof *n_from);
    struct scree_halo_copy *copy = scree_halo_plan_find(domain, comm, p, &reach, n_to);
    receive_ghosts(comm, &domain->box, p, copy, n_to, n_from);
    keep_plan(halo, comm, &domain->box, p, copy, n_to, n_from);
    halo->comm = comm;
    scree_alloc_free(copy);
    scree_alloc_free(n_to);
    scree_alloc_free(n_from);
}

struct scree_images scree_halo_images(const struct scree_halo *halo)
{
    return (struct scree_images){halo->ghost_start[halo->n_peers],
                                 halo->send_slot + halo->send_start[halo->n_peers]};
}

/* A message is the sender's largest speed, then column after column of the set. Peers open their
 * channels in the same order, since they refresh the same sets. */
static struct scree_channel *open_channel(struct scree_halo *halo, unsigned columns)
{
    if (halo->channel[columns] != NULL) return halo->channel[columns];
    int n = halo->n_peers;
    size_t *n_send = scree_alloc((size_t)n, sizeof *n_send), moving = 0;
    size_t *n_receive = scree_alloc((size_t)n, sizeof *n_receive);
    for (int c = 0; c < N_REFRESHED; c++) moving += columns & refreshed[c].bit ? 3 : 0;
    for (int k = 0; k < n; k++) {
        size_t out = (size_t)(halo->send_start[k + 1] - halo->send_start[k]);
        size_t in = (size_t)(halo->ghost_start[k + 1] - halo->ghost_start[k]);
        n_send[k] = out > 0 ? (1 + moving * out) * sizeof(double) : 0;
        n_receive[k] = in > 0 ? (1 + moving * in) * sizeof(double) : 0;
    }
    scree_channel_create(&halo->channel[columns], halo->comm, n, halo->peer, n_send, n_receive);
    scree_alloc_free(n_send);
    scree_alloc_free(n_receive);
    return halo->channel[columns];
}

/* One column of the grains that peer k gets, or of those shown by images on this rank (k =
 * n_peers), as they are seen there; returns the end of what was written. */
static double *copy_column(const struct scree_halo *halo, const struct scree_particles *p,
                           const struct refreshed *column, int k, double *to)
{
    const row *rows = (const row *)rows_of(p, column);
    const bool displaced = column->bit == SCREE_HALO_POS;
    const int stride = k < halo->n_peers ? 3 : WIDTH; /* of a message, of ghosts themselves */
    for (int s = halo->send_start[k]; s < halo->send_start[k + 1]; s++, to += stride) {
        const double *from = rows[halo->send_slot[s]];
        for (int a = 0; a < 3; a++) to[a] = displaced ? from[a] + halo->send_shift[s][a] : from[a];
    }
    return to;
}

void scree_halo_begin_refresh(struct scree_halo *halo, struct scree_particles *p, unsigned columns,
                              double speed)
{
    SCREE_ASSERT(columns > 0 && columns < SCREE_HALO_SETS && halo->under_way == 0);
    struct scree_channel *channel = open_channel(halo, columns);
    halo->under_way = columns;
    scree_channel_post(channel);
    for (int k = 0; k < halo->n_peers; k++) {
        if (halo->send_start[k + 1] == halo->send_start[k]) continue;
        double *at = scree_channel_send_buffer(channel, k);
        *at++ = speed;
        for (int c = 0; c < N_REFRESHED; c++)
            if (columns & refreshed[c].bit) at = copy_column(halo, p, &refreshed[c], k, at);
    }
    scree_channel_begin(channel);
    for (int c = 0; c < N_REFRESHED; c++)
        if (columns & refreshed[c].bit)
            copy_column(halo, p, &refreshed[c], halo->n_peers,
                        rows_of(p, &refreshed[c])[halo->ghost_start[halo->n_peers]]);
}

void scree_halo_poke(struct scree_halo *halo)
{
    if (halo->n_peers > 0 && halo->under_way != 0)
        scree_channel_poke(halo->channel[halo->under_way]);
}

static const double *unpack(const double *from, const struct refreshed *column, scree_lid first,
                            scree_lid end, struct scree_particles *p)
{
    row *rows = rows_of(p, column);
    for (scree_lid g = first; g < end; g++, from += 3)
        for (int a = 0; a < 3; a++) rows[g][a] = from[a];
    return from;
}

double scree_halo_end_refresh(struct scree_halo *halo, struct scree_particles *p, double speed)
{
    unsigned columns = halo->under_way;
    struct scree_channel *channel = halo->channel[columns];
    scree_channel_end(channel);
    halo->under_way = 0;
    for (int k = 0; k < halo->n_peers; k++) {
        const scree_lid first = halo->ghost_start[k], end = halo->ghost_start[k + 1];
        if (end == first) continue;
        const double *at = scree_channel_receive_buffer(channel, k);
        speed = fmax(speed, *at++);
        for (int c = 0; c < N_REFRESHED; c++)
            if (columns & refreshed[c].bit) at = unpack(at, &refreshed[c], first, end, p);
    }
    return speed;
}
