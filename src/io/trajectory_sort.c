/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of a frame in the order of their ids: many programs take row i of every frame for the same
 * grain, and what is in a file does not depend on the number of ranks. */
#include "trajectory_sort.h"

#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

struct place {
    int64_t id, at;
};

static int compare_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static size_t bytes_of(int k)
{
    return (size_t)scree_trajectory_columns[k].width *
           scree_hdf5_size(scree_trajectory_columns[k].type);
}

static bool is_sent(const struct scree_trajectory_append *a, int k)
{
    return (a->columns >> k & 1u) != 0;
}

/* Ranks take equal ranges of ids; [0] smallest, [1] number of ids from there to the largest. */
static void find_range(struct scree_comm *comm, const struct scree_frame *f, int64_t range[2])
{
    int64_t most[2] = {-INT64_MAX, 0}; /* of -id and of id; ids are >= 1 */
    for (int64_t i = 0; i < f->n; i++) {
        if (-f->id[i] > most[0]) most[0] = -f->id[i];
        if (f->id[i] > most[1]) most[1] = f->id[i];
    }
    scree_comm_max_int(comm, most, 2);
    range[0] = most[1] > 0 ? -most[0] : 1;
    range[1] = most[1] > 0 ? most[1] + most[0] + 1 : 1;
}

static int rank_of(int64_t id, const int64_t range[2], int n_ranks)
{
    int64_t share = range[1] / n_ranks + 1;
    return (int)((id - range[0]) / share);
}

/* Rows as records, in the order of the ranks that they go to. */
static unsigned char *pack(const struct scree_comm *comm, const struct scree_trajectory_append *a,
                           const int64_t range[2], size_t record, int *n_send)
{
    const struct scree_frame *f = a->frame;
    unsigned char *send = scree_alloc((size_t)f->n, record);
    int64_t *next = scree_alloc((size_t)comm->n_ranks + 1, sizeof *next);
    memset(n_send, 0, (size_t)comm->n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < f->n; i++) n_send[rank_of(f->id[i], range, comm->n_ranks)]++;
    next[0] = 0;
    for (int r = 0; r < comm->n_ranks; r++) next[r + 1] = next[r] + n_send[r];
    for (int64_t i = 0; i < f->n; i++) {
        int64_t to = next[rank_of(f->id[i], range, comm->n_ranks)]++;
        unsigned char *at = send + (size_t)to * record;
        for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++) {
            if (!is_sent(a, k)) continue;
            memcpy(at, (const unsigned char *)a->column[k] + (size_t)i * bytes_of(k), bytes_of(k));
            at += bytes_of(k);
        }
    }
    scree_alloc_free(next);
    return send;
}

/* Records into columns, sorted. The id comes first in a record. */
static void unpack(struct scree_trajectory_sorted *s, struct scree_trajectory_append *a,
                   const unsigned char *got, int64_t n, size_t record)
{
    struct place *place = scree_alloc((size_t)n, sizeof *place);
    for (int64_t i = 0; i < n; i++) {
        memcpy(&place[i].id, got + (size_t)i * record, sizeof place[i].id);
        place[i].at = i;
    }
    qsort(place, (size_t)n, sizeof *place, compare_place);
    size_t offset = 0;
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++) {
        if (!is_sent(a, k)) continue;
        s->column[k] = scree_alloc((size_t)n, bytes_of(k));
        for (int64_t i = 0; i < n; i++)
            memcpy((unsigned char *)s->column[k] + (size_t)i * bytes_of(k),
                   got + (size_t)place[i].at * record + offset, bytes_of(k));
        offset += bytes_of(k);
        a->column[k] = s->column[k];
    }
    scree_alloc_free(place);
}

void scree_trajectory_sort(struct scree_comm *comm, struct scree_trajectory_append *a,
                           struct scree_trajectory_sorted *s)
{
    size_t n_ranks = (size_t)comm->n_ranks, record = 0;
    int *n_send = scree_alloc(n_ranks, sizeof *n_send),
        *n_got = scree_alloc(n_ranks, sizeof *n_got);
    int64_t *all = scree_alloc(n_ranks, sizeof *all), range[2], n = 0;
    void *got;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++)
        if (is_sent(a, k)) record += bytes_of(k);
    find_range(comm, a->frame, range);
    unsigned char *send = pack(comm, a, range, record, n_send);
    scree_comm_exchange(comm, n_send, send, record, n_got, &got);
    scree_alloc_free(send);
    for (size_t r = 0; r < n_ranks; r++) n += n_got[r];
    unpack(s, a, got, n, record);
    scree_alloc_free(got);
    scree_comm_allgather(comm, &n, sizeof n, all);
    a->n[0] = n;
    a->first[0] = 0;
    for (int r = 0; r < comm->rank; r++) a->first[0] += all[r];
    s->frame = *a->frame;
    s->frame.n = n;
    s->frame.id = s->column[SCREE_COLUMN_ID];
    s->frame.position = (const double(*)[3])s->column[SCREE_COLUMN_POSITION];
    a->frame = &s->frame;
    scree_alloc_free(all);
    scree_alloc_free(n_got);
    scree_alloc_free(n_send);
}

void scree_trajectory_sorted_clear(struct scree_trajectory_sorted *s)
{
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++) scree_alloc_free(s->column[k]);
}
