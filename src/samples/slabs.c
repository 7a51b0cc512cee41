/* SPDX-License-Identifier: BSD-3-Clause
 * Slabs of a region, one a rank. Places are on the grid of the box in periodic directions, so that
 * what is seen through an image is the same to the last bit. */
#include "slabs.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

/* Across the longest direction, in a wedge across its axis, about which it turns. */
static int choose_axis(const struct scree_region *region)
{
    int axis = 0;
    if (region->wedge != NULL) return region->wedge->axis;
    for (int a = 1; a < region->dimension; a++)
        if (region->high[a] - region->low[a] > region->high[axis] - region->low[axis]) axis = a;
    return axis;
}

static double width(const struct scree_slabs *s)
{
    return (s->region->high[s->axis] - s->region->low[s->axis]) / s->n;
}

static double low_of(const struct scree_slabs *s, int slab)
{
    return s->region->low[s->axis] + slab * width(s);
}

static int slab_of(const struct scree_slabs *s, const double pos[4])
{
    double k = floor((pos[s->axis] - s->region->low[s->axis]) / width(s));
    return (int)fmin(fmax(k, 0.0), s->n - 1.0);
}

void scree_slabs_create(struct scree_slabs *s, struct scree_comm *comm, const struct scree_box *box,
                        const struct scree_region *region, double range)
{
    *s = (struct scree_slabs){.comm = comm, .box = box, .region = region, .range = range};
    s->axis = choose_axis(region);
    /* Nobody is near both borders of a slab, or near a slab from both sides of the box. */
    double most = floor((region->high[s->axis] - region->low[s->axis]) / (4.0 * range));
    s->n = (int)fmin(fmax(most, 1.0), comm->n_ranks);
    s->mine = *region;
    if (s->n == 1) return;
    int slab = comm->rank < s->n ? comm->rank : 0;
    s->mine.low[s->axis] = low_of(s, slab) - range;
    s->mine.high[s->axis] = low_of(s, slab + 1) + range;
    s->mine.whole[s->axis] = false;
}

void scree_slabs_clear(struct scree_slabs *s)
{
    scree_channel_destroy(&s->channel);
    scree_alloc_free(s->pos);
    scree_alloc_free(s->way);
    scree_alloc_free(s->gid);
    scree_alloc_free(s->sent);
    scree_alloc_free(s->shift);
    *s = (struct scree_slabs){0};
}

static void reserve(struct scree_slabs *s, int64_t n)
{
    size_t old = (size_t)s->n_all, room = scree_alloc_grown(s->capacity, (size_t)n);
    if ((size_t)n <= s->capacity) return;
    s->pos = scree_alloc_resize(s->pos, old, room, sizeof *s->pos);
    s->way = scree_alloc_resize(s->way, old, room, sizeof *s->way);
    s->gid = scree_alloc_resize(s->gid, old, room, sizeof *s->gid);
    s->capacity = room;
}

void scree_slabs_add(struct scree_slabs *s, scree_gid gid, const double pos[4])
{
    reserve(s, s->n_own + 1);
    memcpy(s->pos[s->n_own], pos, sizeof *s->pos);
    memset(s->way[s->n_own], 0, sizeof *s->way);
    s->gid[s->n_own++] = gid;
    s->n_all = s->n_own;
}

struct parcel {
    double pos[4], way[3];
    scree_gid gid;
};

static struct parcel pack(const struct scree_slabs *s, int64_t i)
{
    struct parcel p = {.gid = s->gid[i]};
    memcpy(p.pos, s->pos[i], sizeof p.pos);
    memcpy(p.way, s->way[i], sizeof p.way);
    return p;
}

static void unpack(struct scree_slabs *s, int64_t i, const struct parcel *p)
{
    memcpy(s->pos[i], p->pos, sizeof p->pos);
    memcpy(s->way[i], p->way, sizeof p->way);
    s->gid[i] = p->gid;
}

/* Those that stay here move together; the others go, by rank. */
static void migrate(struct scree_slabs *s)
{
    int n_ranks = s->comm->n_ranks, *n_send = scree_alloc((size_t)n_ranks, sizeof *n_send);
    int *n_receive = scree_alloc((size_t)n_ranks, sizeof *n_receive);
    int64_t n_stay = 0, n_go = 0, at = 0, n_come = 0;
    struct parcel *go, *come;
    memset(n_send, 0, (size_t)n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < s->n_own; i++) {
        int owner = slab_of(s, s->pos[i]);
        if (owner == s->comm->rank) continue;
        n_send[owner]++;
        n_go++;
    }
    go = scree_alloc((size_t)n_go + 1, sizeof *go);
    int64_t *next = scree_alloc((size_t)n_ranks, sizeof *next);
    for (int r = 0; r < n_ranks; at += n_send[r++]) next[r] = at;
    for (int64_t i = 0; i < s->n_own; i++) {
        int owner = slab_of(s, s->pos[i]);
        struct parcel p = pack(s, i);
        if (owner == s->comm->rank)
            unpack(s, n_stay++, &p);
        else
            go[next[owner]++] = p;
    }
    scree_comm_exchange(s->comm, n_send, go, sizeof *go, n_receive, (void **)&come);
    for (int r = 0; r < n_ranks; r++) n_come += n_receive[r];
    s->n_all = n_stay;
    reserve(s, n_stay + n_come);
    for (int64_t k = 0; k < n_come; k++) unpack(s, n_stay + k, &come[k]);
    s->n_own = s->n_all = n_stay + n_come;
    scree_alloc_free(come);
    scree_alloc_free(go);
    scree_alloc_free(next);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
}

/* Cells of about a range, x first. */
static int64_t cell_of(const struct scree_slabs *s, const double pos[4], const int64_t n[3])
{
    int64_t cell = 0;
    for (int a = s->region->dimension - 1; a >= 0; a--) {
        double place = (pos[a] - s->mine.low[a]) / (s->mine.high[a] - s->mine.low[a]);
        cell = cell * n[a] + (int64_t)fmin(fmax(place * (double)n[a], 0.0), (double)n[a] - 1.0);
    }
    return cell;
}

/* Neighbours in space become neighbours in memory. */
static void sort(struct scree_slabs *s)
{
    int64_t n[3] = {1, 1, 1}, count = 1;
    double most = cbrt((double)s->n_own) + 1.0;
    for (int a = 0; a < s->region->dimension; a++) {
        n[a] = 1 + (int64_t)fmin((s->mine.high[a] - s->mine.low[a]) / s->range, most);
        count *= n[a];
    }
    int64_t *start = scree_alloc((size_t)count + 1, sizeof *start);
    struct parcel *sorted = scree_alloc((size_t)s->n_own + 1, sizeof *sorted);
    memset(start, 0, ((size_t)count + 1) * sizeof *start);
    for (int64_t i = 0; i < s->n_own; i++) start[cell_of(s, s->pos[i], n) + 1]++;
    for (int64_t c = 0; c < count; c++) start[c + 1] += start[c];
    for (int64_t i = 0; i < s->n_own; i++) sorted[start[cell_of(s, s->pos[i], n)]++] = pack(s, i);
    for (int64_t i = 0; i < s->n_own; i++) unpack(s, i, &sorted[i]);
    scree_alloc_free(sorted);
    scree_alloc_free(start);
}

/* Note grains that are near the slab on one side. */
static void choose_copies(struct scree_slabs *s, int side, int to)
{
    int slab = s->comm->rank, other = slab + (side == 0 ? -1 : 1);
    double period = s->box->length[s->axis], border = low_of(s, slab + side);
    double shift = other < 0 ? period : other >= s->n ? -period : 0.0;
    if (other < 0 || other >= s->n) {
        if (!s->region->whole[s->axis]) return;
        other = other < 0 ? s->n - 1 : 0;
    }
    if (other != to) return;
    for (int64_t i = 0; i < s->n_own; i++) {
        if (fabs(s->pos[i][s->axis] - border) > s->range) continue;
        size_t room = s->sent_capacity;
        SCREE_GROW(s->shift, s->n_sent, room, s->n_sent + 1);
        SCREE_GROW(s->sent, s->n_sent, s->sent_capacity, s->n_sent + 1);
        s->sent[s->n_sent] = (int32_t)i;
        s->shift[s->n_sent++] = shift;
    }
}

/* The standing appointment for the next steps; copies come in the order of ranks. */
static void open_channel(struct scree_slabs *s, const int *n_send, const int *n_receive)
{
    size_t bytes_to[2] = {0, 0}, bytes_from[2] = {0, 0};
    s->n_peers = 0;
    for (int r = 0; r < s->comm->n_ranks; r++) {
        if (n_send[r] == 0 && n_receive[r] == 0) continue;
        int k = s->n_peers++;
        s->peer[k] = r;
        s->n_to[k] = n_send[r];
        s->n_from[k] = n_receive[r];
        bytes_to[k] = (size_t)n_send[r] * 3 * sizeof(double);
        bytes_from[k] = (size_t)n_receive[r] * 3 * sizeof(double);
    }
    scree_channel_create(&s->channel, s->comm, s->n_peers, s->peer, bytes_to, bytes_from);
}

static void copy(struct scree_slabs *s)
{
    int n_ranks = s->comm->n_ranks, *n_send = scree_alloc((size_t)n_ranks, sizeof *n_send);
    int *n_receive = scree_alloc((size_t)n_ranks, sizeof *n_receive);
    struct parcel *come;
    int64_t n_come = 0;
    s->n_sent = 0;
    for (int r = 0; r < n_ranks; r++) {
        size_t before = s->n_sent;
        if (r != s->comm->rank && s->comm->rank < s->n)
            for (int side = 0; side < 2; side++) choose_copies(s, side, r);
        n_send[r] = (int)(s->n_sent - before);
    }
    struct parcel *go = scree_alloc(s->n_sent + 1, sizeof *go);
    for (size_t k = 0; k < s->n_sent; k++) {
        go[k] = pack(s, s->sent[k]);
        go[k].pos[s->axis] += s->shift[k];
    }
    scree_comm_exchange(s->comm, n_send, go, sizeof *go, n_receive, (void **)&come);
    for (int r = 0; r < n_ranks; r++) n_come += n_receive[r];
    reserve(s, s->n_own + n_come);
    for (int64_t k = 0; k < n_come; k++) unpack(s, s->n_own + k, &come[k]);
    s->n_all = s->n_own + n_come;
    open_channel(s, n_send, n_receive);
    scree_alloc_free(come);
    scree_alloc_free(go);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
}

void scree_slabs_renew(struct scree_slabs *s)
{
    scree_channel_destroy(&s->channel);
    migrate(s);
    sort(s);
    copy(s);
}

void scree_slabs_refresh(struct scree_slabs *s)
{
    size_t at = 0;
    int64_t to = s->n_own;
    for (int k = 0; k < s->n_peers; k++) {
        double(*out)[3] = scree_channel_send_buffer(s->channel, k);
        for (int64_t m = 0; m < s->n_to[k]; m++, at++) {
            memcpy(out[m], s->pos[s->sent[at]], sizeof *out);
            out[m][s->axis] += s->shift[at];
        }
    }
    scree_channel_begin(s->channel);
    scree_channel_end(s->channel);
    for (int k = 0; k < s->n_peers; k++) {
        const double(*in)[3] = (const double(*)[3])scree_channel_receive_buffer(s->channel, k);
        for (int64_t m = 0; m < s->n_from[k]; m++, to++) memcpy(s->pos[to], in[m], sizeof *in);
    }
}
