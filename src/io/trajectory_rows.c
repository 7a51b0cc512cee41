/* SPDX-License-Identifier: BSD-3-Clause
 * In which row of a frame the two grains of a contact stand. Rank id % n_ranks keeps the entry of
 * a grain, so that nobody holds them all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_trajectory.h"
#include "scree/alloc.h"

struct entry {
    int64_t id, row;
    double position[3];
};

static int compare_entry(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int home(int64_t id, int n_ranks)
{
    return (int)(id % n_ranks);
}

/* How many of these ids go to each rank, and together; ids < 0 (walls) go nowhere. */
static int64_t count_homes(const int64_t *id, int64_t n, int n_ranks, int *n_send)
{
    int64_t total = 0;
    memset(n_send, 0, (size_t)n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < n; i++) {
        int64_t this = id[i];
        if (this < 0) continue;
        n_send[home(this, n_ranks)]++;
        total++;
    }
    return total;
}

static int64_t *starts_of(const int *n_send, int n_ranks)
{
    int64_t *at = scree_alloc((size_t)n_ranks + 1, sizeof *at);
    at[0] = 0;
    for (int r = 0; r < n_ranks; r++) at[r + 1] = at[r] + n_send[r];
    return at;
}

static int64_t sum_of(const int *n, int n_ranks)
{
    int64_t sum = 0;
    for (int r = 0; r < n_ranks; r++) sum += n[r];
    return sum;
}

/* The entries that this rank keeps, sorted by id; owned by the caller. */
static struct entry *gather_entries(struct scree_comm *comm, const struct scree_frame *f,
                                    int64_t first_row, int *n_send, int *n_got, int64_t *n_kept)
{
    int64_t n = count_homes(f->id, f->n, comm->n_ranks, n_send);
    int64_t *at = starts_of(n_send, comm->n_ranks);
    struct entry *send = scree_alloc((size_t)n, sizeof *send);
    for (int64_t i = 0; i < f->n; i++) {
        if (f->id[i] < 0) continue;
        struct entry *e = &send[at[home(f->id[i], comm->n_ranks)]++];
        e->id = f->id[i];
        e->row = first_row + i;
        memcpy(e->position, f->position[i], sizeof e->position);
    }
    void *kept;
    scree_comm_exchange(comm, n_send, send, sizeof *send, n_got, &kept);
    scree_alloc_free(send);
    scree_alloc_free(at);
    *n_kept = sum_of(n_got, comm->n_ranks);
    qsort(kept, (size_t)*n_kept, sizeof(struct entry), compare_entry);
    return kept;
}

/* Entries of the ids asked for, in the order asked; row -1 if unknown. Owned by the caller. */
static struct entry *look_up(struct scree_comm *comm, const int64_t *ask, int *n_send, int *n_got,
                             const struct entry *kept, int64_t n_kept)
{
    void *asked, *answers;
    scree_comm_exchange(comm, n_send, ask, sizeof *ask, n_got, &asked);
    int64_t n = sum_of(n_got, comm->n_ranks);
    struct entry *reply = scree_alloc((size_t)n, sizeof *reply);
    for (int64_t i = 0; i < n; i++) {
        struct entry key = {.id = ((const int64_t *)asked)[i], .row = -1};
        const struct entry *found =
            n_kept > 0 ? bsearch(&key, kept, (size_t)n_kept, sizeof key, compare_entry) : NULL;
        reply[i] = found != NULL ? *found : key;
    }
    scree_comm_exchange(comm, n_got, reply, sizeof *reply, n_send, &answers);
    scree_alloc_free(reply);
    scree_alloc_free(asked);
    return answers;
}

static bool crosses(const struct scree_frame *f, const struct entry *a, const struct entry *b)
{
    for (int k = 0; k < 3; k++)
        if (f->periodic[k] &&
            fabs(a->position[k] - b->position[k]) > 0.5 * (f->high[k] - f->low[k]))
            return true;
    return false;
}

static enum scree_status take_rows(const char *path, const struct scree_frame *f,
                                   const struct entry *answer, int64_t *at, int n_ranks,
                                   int64_t (*row)[2])
{
    for (int64_t c = 0; c < f->n_contacts; c++) {
        const struct entry *end[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            int64_t id = f->pair[c][k];
            if (id < 0) continue;
            end[k] = &answer[at[home(id, n_ranks)]++];
            SCREE_CHECK(end[k]->row >= 0, SCREE_IO,
                        "%s: a contact names grain %lld, which is not in the frame", path,
                        (long long)id);
        }
        SCREE_CHECK(end[0] != NULL, SCREE_IO, "%s: a contact names a wall first", path);
        bool line = end[1] != NULL && !crosses(f, end[0], end[1]);
        row[c][0] = end[0]->row;
        row[c][1] = line ? end[1]->row : end[0]->row;
    }
    return SCREE_OK;
}

enum scree_status scree_trajectory_find_rows(const char *path, struct scree_comm *comm,
                                             const struct scree_frame *frame, int64_t first_row,
                                             int64_t (*row)[2])
{
    int n_ranks = comm->n_ranks;
    int *n_send = scree_alloc((size_t)n_ranks, sizeof *n_send);
    int *n_got = scree_alloc((size_t)n_ranks, sizeof *n_got);
    int64_t n_kept;
    struct entry *kept = gather_entries(comm, frame, first_row, n_send, n_got, &n_kept);
    const int64_t *ids = frame->n_contacts > 0 ? &frame->pair[0][0] : NULL;
    int64_t n = count_homes(ids, 2 * frame->n_contacts, n_ranks, n_send);
    int64_t *at = starts_of(n_send, n_ranks), *ask = scree_alloc((size_t)n, sizeof *ask);
    for (int64_t i = 0; i < 2 * frame->n_contacts; i++)
        if (ids[i] >= 0) ask[at[home(ids[i], n_ranks)]++] = ids[i];
    scree_alloc_free(at);
    at = starts_of(n_send, n_ranks);
    struct entry *answer = look_up(comm, ask, n_send, n_got, kept, n_kept);
    enum scree_status status = take_rows(path, frame, answer, at, n_ranks, row);
    scree_alloc_free(answer);
    scree_alloc_free(ask);
    scree_alloc_free(at);
    scree_alloc_free(kept);
    scree_alloc_free(n_got);
    scree_alloc_free(n_send);
    return scree_comm_agree(comm, status);
}
