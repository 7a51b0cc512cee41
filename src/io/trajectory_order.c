/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of a frame in the order of their ids: many programs take row i of every frame for the same
 * grain, and what is in a file does not depend on the number of ranks. */
#include "trajectory_order.h"

#include <string.h>

#include "scree/alloc.h"

static void find_range(struct scree_trajectory_order *o, const struct scree_frame *f)
{
    int64_t most[2] = {-INT64_MAX, 0}; /* of -id and of id; ids are >= 1 */
    for (int64_t i = 0; i < f->n; i++) {
        if (-f->id[i] > most[0]) most[0] = -f->id[i];
        if (f->id[i] > most[1]) most[1] = f->id[i];
    }
    scree_comm_max_int(o->comm, most, 2);
    o->low = most[1] > 0 ? -most[0] : 1;
    o->span = most[1] > 0 ? most[1] + most[0] + 1 : 0;
}

int scree_trajectory_order_rank(const struct scree_trajectory_order *o, int64_t id)
{
    int64_t share = o->span / o->comm->n_ranks + 1;
    if (id < o->low || id - o->low >= o->span) return 0;
    return (int)((id - o->low) / share);
}

/* Which rows go to which rank. */
static void address_rows(struct scree_trajectory_order *o, const struct scree_frame *f)
{
    size_t n_ranks = (size_t)o->comm->n_ranks, n = (size_t)f->n;
    uint32_t *next = scree_alloc(n_ranks + 1, sizeof *next);
    int *to = scree_alloc(n, sizeof *to);
    memset(o->n_send, 0, n_ranks * sizeof *o->n_send);
    for (size_t i = 0; i < n; i++) {
        to[i] = scree_trajectory_order_rank(o, f->id[i]);
        o->n_send[to[i]]++;
    }
    next[0] = 0;
    for (size_t r = 0; r < n_ranks; r++) next[r + 1] = next[r] + (uint32_t)o->n_send[r];
    o->out = scree_alloc(n, sizeof *o->out);
    for (size_t i = 0; i < n; i++) o->out[next[to[i]]++] = (uint32_t)i;
    scree_alloc_free(to);
    scree_alloc_free(next);
}

struct item {
    uint64_t key;
    uint32_t at;
};

/* One pass of a stable sort by one digit of the keys (radix sort). */
enum { DIGIT_BITS = 11, N_DIGITS = 1 << DIGIT_BITS };
static void sort_by_digit(const struct item *from, struct item *to, size_t n, int shift)
{
    static size_t next[N_DIGITS];
    size_t sum = 0;
    memset(next, 0, sizeof next);
    for (size_t i = 0; i < n; i++) next[from[i].key >> shift & (N_DIGITS - 1)]++;
    for (int d = 0; d < N_DIGITS; d++) {
        size_t here = next[d];
        next[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) to[next[from[i].key >> shift & (N_DIGITS - 1)]++] = from[i];
}

/* Places of ids that arrived here among each other. */
static void place_rows(struct scree_trajectory_order *o, const int64_t *id)
{
    size_t n = (size_t)o->n;
    struct item *items = scree_alloc(n, sizeof *items), *other = scree_alloc(n, sizeof *other);
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        items[i] = (struct item){(uint64_t)(id[i] - o->low), (uint32_t)i};
        most |= items[i].key;
    }
    for (int shift = 0; shift < 64 && most >> shift > 0; shift += DIGIT_BITS) {
        sort_by_digit(items, other, n, shift);
        struct item *sorted = other;
        other = items;
        items = sorted;
    }
    o->place = scree_alloc(n, sizeof *o->place);
    o->id = scree_alloc(n, sizeof *o->id);
    for (size_t r = 0; r < n; r++) {
        o->place[items[r].at] = (uint32_t)r;
        o->id[r] = o->low + (int64_t)items[r].key;
    }
    scree_alloc_free(items);
    scree_alloc_free(other);
}

/* Items from[index[i]] to to[i], or (scatter) from[i] to to[index[i]]. A copy of constant size is a
 * few moves. */
static void copy_items(unsigned char *to, const unsigned char *from, const uint32_t *index,
                       size_t n, size_t bytes, bool scatter)
{
#define COPY(size)                 \
    for (size_t i = 0; i < n; i++) \
    memcpy(to + (scatter ? index[i] : i) * (size), from + (scatter ? i : index[i]) * (size), (size))
    switch (bytes) {
    case 4: COPY(4); break;
    case 8: COPY(8); break;
    case 12: COPY(12); break;
    case 24: COPY(24); break;
    case 32: COPY(32); break;
    default: COPY(bytes); break;
    }
#undef COPY
}

/* Items that this rank writes, in the order of arrival; on one rank they are there already. */
static const void *fetch_items(struct scree_trajectory_order *o, const void *items, size_t n,
                               size_t bytes)
{
    if (o->comm->n_ranks == 1) return items;
    scree_alloc_free(o->got);
    unsigned char *packed = scree_alloc(n, bytes);
    copy_items(packed, items, o->out, n, bytes, false);
    scree_comm_exchange(o->comm, o->n_send, packed, bytes, o->n_got, &o->got);
    scree_alloc_free(packed);
    return o->got;
}

void scree_trajectory_order_init(struct scree_trajectory_order *o, struct scree_comm *comm,
                                 struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    size_t n_ranks = (size_t)comm->n_ranks;
    int64_t *all = scree_alloc(n_ranks, sizeof *all);
    *o = (struct scree_trajectory_order){.comm = comm};
    o->n_send = scree_alloc(n_ranks, sizeof *o->n_send);
    o->n_got = scree_alloc(n_ranks, sizeof *o->n_got);
    if (f->n > INT32_MAX) SCREE_ABORT("%lld grains of one frame on one rank", (long long)f->n);
    find_range(o, f);
    o->dense = o->span == a->total[0];
    address_rows(o, f);
    const int64_t *id = fetch_items(o, f->id, (size_t)f->n, sizeof *id);
    for (size_t r = 0; r < n_ranks; r++) o->n += n_ranks == 1 ? f->n : o->n_got[r];
    place_rows(o, id);
    scree_comm_allgather(comm, &o->n, sizeof o->n, all);
    a->n[0] = o->n;
    a->first[0] = 0;
    for (int r = 0; r < comm->rank; r++) a->first[0] += all[r];
    scree_alloc_free(all);
}

const void *scree_trajectory_order_column(struct scree_trajectory_order *o,
                                          const struct scree_trajectory_append *a, int k)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    size_t bytes = (size_t)column->width * scree_hdf5_size(column->type);
    if (k == SCREE_COLUMN_ID) return o->id;
    const void *got = fetch_items(o, a->column[k], (size_t)a->frame->n, bytes);
    scree_alloc_free(o->rows);
    o->rows = scree_alloc((size_t)o->n, bytes);
    copy_items(o->rows, got, o->place, (size_t)o->n, bytes, true);
    return o->rows;
}

void scree_trajectory_order_clear(struct scree_trajectory_order *o)
{
    scree_alloc_free(o->n_send);
    scree_alloc_free(o->n_got);
    scree_alloc_free(o->out);
    scree_alloc_free(o->place);
    scree_alloc_free(o->id);
    scree_alloc_free(o->got);
    scree_alloc_free(o->rows);
}
