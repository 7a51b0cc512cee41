/* SPDX-License-Identifier: BSD-3-Clause
 * In which row of a frame the two grains of a contact stand. Nearly all are on the rank of the
 * contact; for the others, rank id % n_ranks keeps the entry of a grain, so that nobody holds them
 * all. */
#include <math.h>
#include <string.h>

#include "hdf5_trajectory.h"
#include "scree/alloc.h"

struct entry {
    int64_t id, row;
    double position[3];
};

/* Where ids stand in an array of items that begin with one: open addressing. */
struct index {
    const unsigned char *items;
    size_t stride; /* bytes of an item */
    uint64_t factor, mask;
    int shift;
    int32_t *place; /* [mask + 1], -1: free; owned */
};

static int64_t id_at(const struct index *index, int32_t k)
{
    int64_t id;
    memcpy(&id, index->items + (size_t)k * index->stride, sizeof id);
    return id;
}

/* The slot that holds this id or is free for it. */
static int32_t *slot_of(const struct index *index, int64_t id)
{
    uint64_t at = ((uint64_t)id * index->factor >> index->shift) & index->mask;
    while (index->place[at] >= 0 && id_at(index, index->place[at]) != id)
        at = (at + 1) & index->mask;
    return &index->place[at];
}

/* Ids without large gaps keep their order, so that neighbours are looked up near each other; others
 * are scattered (Fibonacci hashing). */
static struct index make_index(const void *items, size_t stride, int64_t n)
{
    struct index index = {.items = items, .stride = stride, .factor = 1, .mask = 15};
    int64_t low = INT64_MAX, high = 0;
    int bits = 4;
    if (n > INT32_MAX / 2) SCREE_ABORT("%lld grains of one frame on one rank", (long long)n);
    for (int32_t k = 0; k < n; k++) {
        int64_t id = id_at(&index, k);
        if (id < low) low = id;
        if (id > high) high = id;
    }
    for (; index.mask < 2 * (uint64_t)n; bits++) index.mask = 2 * index.mask + 1;
    if (n > 0 && (uint64_t)(high - low) > index.mask) {
        index.factor = 0x9e3779b97f4a7c15u;
        index.shift = 64 - bits;
    }
    index.place = scree_alloc((size_t)index.mask + 1, sizeof *index.place);
    memset(index.place, 0xff, ((size_t)index.mask + 1) * sizeof *index.place);
    for (int32_t k = 0; k < n; k++) *slot_of(&index, id_at(&index, k)) = k;
    return index;
}

static int home(int64_t id, int n_ranks)
{
    return (int)(id % n_ranks);
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

/* The entries that this rank keeps; owned by the caller. */
static struct entry *gather_entries(struct scree_comm *comm, const struct scree_frame *f,
                                    int64_t first_row, int *n_send, int *n_got)
{
    memset(n_send, 0, (size_t)comm->n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < f->n; i++) n_send[home(f->id[i], comm->n_ranks)]++;
    int64_t *at = starts_of(n_send, comm->n_ranks);
    struct entry *send = scree_alloc((size_t)f->n, sizeof *send);
    for (int64_t i = 0; i < f->n; i++) {
        struct entry *e = &send[at[home(f->id[i], comm->n_ranks)]++];
        e->id = f->id[i];
        e->row = first_row + i;
        memcpy(e->position, f->position[i], sizeof e->position);
    }
    void *kept;
    scree_comm_exchange(comm, n_send, send, sizeof *send, n_got, &kept);
    scree_alloc_free(send);
    scree_alloc_free(at);
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
    struct index index = make_index(kept, sizeof *kept, n_kept);
    for (int64_t i = 0; i < n; i++) {
        int64_t id = ((const int64_t *)asked)[i];
        int32_t place = *slot_of(&index, id);
        reply[i] = place >= 0 ? kept[place] : (struct entry){.id = id, .row = -1};
    }
    scree_comm_exchange(comm, n_got, reply, sizeof *reply, n_send, &answers);
    scree_alloc_free(index.place);
    scree_alloc_free(reply);
    scree_alloc_free(asked);
    return answers;
}

/* Ends of contacts that are grains of other ranks, in the order of the contacts. */
struct strangers {
    int64_t n;
    int64_t *id;          /* owned */
    int64_t *at;          /* [n_ranks + 1] answers of each rank begin here; moves on; owned */
    struct entry *answer; /* owned */
};

/* Places of the grains of this rank into row; -1: not here, a stranger; -2: a wall. */
static void find_places(const struct scree_frame *f, int64_t (*row)[2], struct strangers *s)
{
    struct index mine = make_index(f->id, sizeof *f->id, f->n);
    size_t room = 0;
    for (int64_t c = 0; c < f->n_contacts; c++)
        for (int k = 0; k < 2; k++) {
            int64_t id = f->pair[c][k];
            row[c][k] = id < 0 ? -2 : *slot_of(&mine, id);
            if (row[c][k] != -1) continue;
            SCREE_GROW(s->id, s->n, room, s->n + 1);
            s->id[s->n++] = id;
        }
    scree_alloc_free(mine.place);
}

/* Ask for the strangers of all ranks; nothing happens if nobody has any. */
static void ask_strangers(struct scree_comm *comm, const struct scree_frame *f, int64_t first_row,
                          struct strangers *s)
{
    int64_t n_all = s->n;
    scree_comm_sum_int(comm, &n_all, 1);
    if (n_all == 0) return;
    size_t n_ranks = (size_t)comm->n_ranks;
    int *n_send = scree_alloc(n_ranks, sizeof *n_send),
        *n_got = scree_alloc(n_ranks, sizeof *n_got);
    struct entry *kept = gather_entries(comm, f, first_row, n_send, n_got);
    int64_t n_kept = sum_of(n_got, comm->n_ranks),
            *sorted = scree_alloc((size_t)s->n, sizeof *sorted);
    memset(n_send, 0, n_ranks * sizeof *n_send);
    for (int64_t i = 0; i < s->n; i++) n_send[home(s->id[i], comm->n_ranks)]++;
    int64_t *at = starts_of(n_send, comm->n_ranks);
    for (int64_t i = 0; i < s->n; i++) sorted[at[home(s->id[i], comm->n_ranks)]++] = s->id[i];
    scree_alloc_free(at);
    s->at = starts_of(n_send, comm->n_ranks);
    s->answer = look_up(comm, sorted, n_send, n_got, kept, n_kept);
    scree_alloc_free(sorted);
    scree_alloc_free(kept);
    scree_alloc_free(n_send);
    scree_alloc_free(n_got);
}

static bool crosses(const struct scree_frame *f, const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (f->periodic[k] && fabs(a[k] - b[k]) > 0.5 * (f->high[k] - f->low[k])) return true;
    double square = 0.0;
    for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
    return f->longest > 0.0 && square > f->longest * f->longest;
}

/* From places to rows of the frame. */
static enum scree_status take_rows(const char *path, const struct scree_frame *f, int64_t first_row,
                                   const struct strangers *s, int n_ranks, int64_t (*row)[2])
{
    for (int64_t c = 0; c < f->n_contacts; c++) {
        const double *position[2] = {NULL, NULL};
        SCREE_CHECK(f->pair[c][0] >= 0, SCREE_IO, "%s: a contact names a wall first", path);
        for (int k = 0; k < 2; k++) {
            if (row[c][k] >= 0) {
                position[k] = f->position[row[c][k]];
                row[c][k] += first_row;
            } else if (row[c][k] == -1) {
                const struct entry *e = &s->answer[s->at[home(f->pair[c][k], n_ranks)]++];
                SCREE_CHECK(e->row >= 0, SCREE_IO,
                            "%s: a contact names grain %lld, which is not in the frame", path,
                            (long long)f->pair[c][k]);
                position[k] = e->position;
                row[c][k] = e->row;
            }
        }
        if (position[1] == NULL || crosses(f, position[0], position[1])) row[c][1] = row[c][0];
    }
    return SCREE_OK;
}

enum scree_status scree_trajectory_find_rows(const char *path, struct scree_comm *comm,
                                             const struct scree_frame *frame, int64_t first_row,
                                             int64_t (*row)[2])
{
    struct strangers strangers = {0};
    find_places(frame, row, &strangers);
    ask_strangers(comm, frame, first_row, &strangers);
    enum scree_status status = take_rows(path, frame, first_row, &strangers, comm->n_ranks, row);
    scree_alloc_free(strangers.answer);
    scree_alloc_free(strangers.at);
    scree_alloc_free(strangers.id);
    return scree_comm_agree(comm, status);
}
