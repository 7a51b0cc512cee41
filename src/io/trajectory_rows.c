/* SPDX-License-Identifier: BSD-3-Clause
 * In which row of a frame the two grains of a contact stand. Where no id is missing, ids tell; else
 * the rank that writes a grain knows. */
#include <string.h>

#include "scree/alloc.h"
#include "trajectory_order.h"

/* Of a rising array, the place of this id; -1: it is not there. */
static int64_t search(const int64_t *ids, int64_t n, int64_t id)
{
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && ids[low] == id ? low : -1;
}

/* Rows of the ids that each rank asks for, in the order asked; -1: no such grain. */
static int64_t *answer(const struct scree_trajectory_order *o, int64_t first_row, int *n_send,
                       const int64_t *ask)
{
    size_t n = 0, n_ranks = (size_t)o->comm->n_ranks;
    int *n_got = scree_alloc(n_ranks, sizeof *n_got);
    void *asked, *answers;
    scree_comm_exchange(o->comm, n_send, ask, sizeof *ask, n_got, &asked);
    for (size_t r = 0; r < n_ranks; r++) n += (size_t)n_got[r];
    int64_t *row = asked;
    for (size_t i = 0; i < n; i++) {
        int64_t place = search(o->id, o->n, row[i]);
        row[i] = place < 0 ? -1 : first_row + place;
    }
    scree_comm_exchange(o->comm, n_got, row, sizeof *row, n_send, &answers);
    scree_alloc_free(asked);
    scree_alloc_free(n_got);
    return answers;
}

/* From ids to rows by asking whoever writes the grain; walls stay as they are. */
static void ask_writers(const struct scree_trajectory_order *o, int64_t first_row, int64_t n,
                        int64_t *row)
{
    size_t n_ranks = (size_t)o->comm->n_ranks, n_asked = 0;
    int *n_send = scree_alloc(n_ranks, sizeof *n_send);
    size_t *next = scree_alloc(n_ranks + 1, sizeof *next);
    memset(n_send, 0, n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < n; i++)
        if (row[i] >= 0) n_send[scree_trajectory_order_rank(o, row[i])]++;
    for (size_t r = 0; r < n_ranks; r++) {
        next[r] = n_asked;
        n_asked += (size_t)n_send[r];
    }
    int64_t *ask = scree_alloc(n_asked, sizeof *ask);
    for (int64_t i = 0; i < n; i++)
        if (row[i] >= 0) ask[next[scree_trajectory_order_rank(o, row[i])]++] = row[i];
    for (size_t r = 0; r < n_ranks; r++) next[r] -= (size_t)n_send[r];
    int64_t *answers = answer(o, first_row, n_send, ask);
    for (int64_t i = 0; i < n; i++)
        if (row[i] >= 0) row[i] = answers[next[scree_trajectory_order_rank(o, row[i])]++];
    scree_alloc_free(answers);
    scree_alloc_free(ask);
    scree_alloc_free(next);
    scree_alloc_free(n_send);
}

/* Rows where ids are all there, -1 for others. */
static int64_t row_of(const struct scree_trajectory_order *o, int64_t id)
{
    int64_t row = id - o->low;
    return row >= 0 && row < o->span ? row : -1;
}

static enum scree_status check_rows(const char *path, const struct scree_frame *f,
                                    int64_t (*row)[2])
{
    for (int64_t c = 0; c < f->n_contacts; c++) {
        SCREE_CHECK(f->pair[c][0] >= 0, SCREE_IO, "%s: a contact names a wall first", path);
        bool wall = f->pair[c][1] < 0;
        int missing = row[c][0] < 0 ? 0 : row[c][1] < 0 && !wall ? 1 : -1;
        SCREE_CHECK(missing < 0, SCREE_IO,
                    "%s: a contact names grain %lld, which is not in the frame", path,
                    (long long)f->pair[c][missing < 0 ? 0 : missing]);
        if (wall || (f->across != NULL && f->across[c] != 0)) row[c][1] = row[c][0];
    }
    return SCREE_OK;
}

enum scree_status scree_trajectory_find_rows(const char *path,
                                             const struct scree_trajectory_append *a,
                                             const struct scree_trajectory_order *o,
                                             int64_t (*row)[2])
{
    const struct scree_frame *f = a->frame;
    if (o->dense) {
        for (int64_t c = 0; c < f->n_contacts; c++)
            for (int k = 0; k < 2; k++) row[c][k] = row_of(o, f->pair[c][k]);
    } else {
        if (f->n_contacts > 0) memcpy(row, f->pair, (size_t)f->n_contacts * sizeof *row);
        ask_writers(o, a->first[0], 2 * f->n_contacts, (int64_t *)row);
    }
    return scree_comm_agree(o->comm, check_rows(path, f, row));
}
