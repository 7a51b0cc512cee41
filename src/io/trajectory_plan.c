/* SPDX-License-Identifier: BSD-3-Clause
 * Before a frame is written: does it fit the file, which rows go where, is there room on disk. */
#include "trajectory_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hdf5_trajectory_write.h"
#include "scree/alloc.h"

enum { LEAST_CHUNK = 256, MOST_CHUNK = 65536, SPARE_BYTES = 1 << 20 };

/* The members are pointers of different types with the same bits. */
static const void *pointer_of(const struct scree_frame *frame, int k)
{
    const void *pointer;
    memcpy(&pointer, (const char *)frame + scree_trajectory_columns[k].offset, sizeof pointer);
    return pointer;
}

static void count_rows(struct scree_comm *comm, struct scree_trajectory_append *a)
{
    int64_t *all = scree_alloc((size_t)comm->n_ranks, sizeof a->n);
    scree_comm_allgather(comm, a->n, sizeof a->n, all);
    for (int c = 0; c < 2; c++) {
        a->first[c] = a->total[c] = 0;
        for (int r = 0; r < comm->n_ranks; r++) {
            if (r < comm->rank) a->first[c] += all[2 * r + c];
            a->total[c] += all[2 * r + c];
        }
    }
    scree_alloc_free(all);
}

/* A column is wanted if any rank with rows brings it (or, without any rows, any rank). */
static void find_wanted(struct scree_comm *comm, struct scree_trajectory_append *a)
{
    int64_t wanted[SCREE_N_COLUMNS + 1];
    for (int k = 0; k < SCREE_N_COLUMNS; k++) {
        int c = k >= SCREE_COLUMN_FIRST_CONTACT;
        a->column[k] = pointer_of(a->frame, k);
        wanted[k] = a->column[k] != NULL && (a->n[c] > 0 || a->total[c] == 0);
        if (c == 1 && !a->frame->has_contacts) wanted[k] = 0;
        if (k == SCREE_COLUMN_HISTORY && a->frame->n_history <= 0) wanted[k] = 0;
    }
    wanted[SCREE_COLUMN_ID] = wanted[SCREE_COLUMN_POSITION] = 1;
    if (a->frame->has_contacts) wanted[SCREE_COLUMN_PAIRS] = wanted[SCREE_COLUMN_ROWS] = 1;
    wanted[SCREE_N_COLUMNS] = a->frame->n_history;
    scree_comm_max_int(comm, wanted, SCREE_N_COLUMNS + 1);
    for (int k = 0; k < SCREE_N_COLUMNS; k++)
        if (wanted[k] != 0) a->columns |= 1u << k;
    a->n_history = (int)wanted[SCREE_N_COLUMNS];
}

static enum scree_status check_frame(const char *path, const struct scree_trajectory_append *a)
{
    const struct scree_frame *f = a->frame;
    for (int k = 0; k < SCREE_N_COLUMNS; k++)
        SCREE_CHECK((a->columns >> k & 1u) == 0 || a->column[k] != NULL ||
                        a->n[k >= SCREE_COLUMN_FIRST_CONTACT] == 0,
                    SCREE_IO, "%s: a rank has rows but no %s", path,
                    scree_trajectory_columns[k].path);
    for (int64_t i = 0; i < f->n; i++)
        SCREE_CHECK(f->id[i] >= 1, SCREE_IO, "%s: id %lld is out of range", path,
                    (long long)f->id[i]);
    for (int k = 0; k < f->n_observables; k++) {
        const char *name = f->observable[k].name;
        SCREE_CHECK(name[0] != '\0' && strlen(name) <= 100 && strpbrk(name, "/.") == NULL, SCREE_IO,
                    "%s: '%.100s' cannot be the name of an observable", path, name);
    }
    return SCREE_OK;
}

static enum scree_status check_observables(const char *path, hid_t file,
                                           const struct scree_frame *f, int n_known)
{
    for (int k = 0; k < f->n_observables; k++) {
        char name[128];
        snprintf(name, sizeof name, "observables/%.100s/value", f->observable[k].name);
        SCREE_CHECK(scree_trajectory_exists(file, name), SCREE_IO,
                    "%s: earlier frames have no observable '%s'", path, f->observable[k].name);
    }
    SCREE_CHECK(f->n_observables == n_known, SCREE_IO,
                "%s: the frame has %d observables, earlier frames have %d", path, f->n_observables,
                n_known);
    return SCREE_OK;
}

/* Every frame of a file has the same fields. */
static enum scree_status check_fit(const char *path, hid_t file,
                                   const struct scree_trajectory_append *a)
{
    const struct scree_trajectory_summary *old = &a->old;
    const struct scree_frame *f = a->frame;
    SCREE_CHECK(f->step > old->last_step, SCREE_IO,
                "%s: frame of step %lld after the one of step %lld", path, (long long)f->step,
                (long long)old->last_step);
    for (int k = 0; k < SCREE_N_COLUMNS; k++) {
        bool now = (a->columns >> k & 1u) != 0, before = scree_trajectory_has(old, k);
        SCREE_CHECK(now == before, SCREE_IO, "%s: %s in earlier frames, but %s in this one: %s",
                    path, before ? "there" : "absent", now ? "there" : "absent",
                    scree_trajectory_columns[k].path);
    }
    SCREE_CHECK(a->n_history == old->n_history || !scree_trajectory_has(old, SCREE_COLUMN_HISTORY),
                SCREE_IO, "%s: %d numbers of contact history after %d", path, a->n_history,
                old->n_history);
    SCREE_CHECK(memcmp(f->periodic, old->periodic, sizeof old->periodic) == 0, SCREE_IO,
                "%s: the periodic directions have changed", path);
    return check_observables(path, file, f, old->n_observables);
}

/* The grains fill their chunks, as nearly as can be. */
static int64_t choose_chunk(int64_t n)
{
    int64_t n_chunks = (n + MOST_CHUNK - 1) / MOST_CHUNK;
    int64_t rows = n_chunks > 0 ? (n + n_chunks - 1) / n_chunks : 0;
    return rows < LEAST_CHUNK ? LEAST_CHUNK : rows;
}

/* Local: rank 0. */
static enum scree_status look_at_file(const char *path, hid_t draft,
                                      struct scree_trajectory_append *a)
{
    hid_t file = draft;
    double n_bytes = INFINITY; /* a draft is our own: it claims no more than it has */
    if (draft < 0) SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = scree_trajectory_inspect_file(path, file, n_bytes, &a->old);
    if (status == SCREE_OK && a->old.frames > 0) status = check_fit(path, file, a);
    if (draft < 0) H5Fclose(file);
    return status;
}

enum scree_status scree_trajectory_plan(const char *path, hid_t draft, struct scree_comm *comm,
                                        const struct scree_frame *frame,
                                        struct scree_trajectory_append *a)
{
    memset(a, 0, sizeof *a);
    a->frame = frame;
    a->writes = comm->rank == 0;
    a->n[0] = frame->n;
    a->n[1] = frame->has_contacts ? frame->n_contacts : 0;
    count_rows(comm, a);
    find_wanted(comm, a);
    enum scree_status status = check_frame(path, a);
    SCREE_TRY(scree_comm_agree(comm, status));
    if (comm->rank == 0) status = look_at_file(path, draft, a);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_comm_broadcast(comm, &a->old, sizeof a->old, 0);
    if (a->old.frames == 0) a->old.chunk_rows = choose_chunk(a->total[0]);
    a->grows_numbers = a->total[0] > a->old.n_numbers;
    for (int c = 0; c < 2; c++)
        a->n_rows[c] = a->total[c] > a->old.n_rows[c] ? a->total[c] : a->old.n_rows[c];
    return SCREE_OK;
}

/* That of all rows; short series are small change. */
int64_t scree_trajectory_growth(const struct scree_trajectory_append *a)
{
    const struct scree_trajectory_summary *old = &a->old;
    int64_t bytes = SPARE_BYTES, rows = old->chunk_rows;
    struct scree_trajectory_set s;
    for (int k = 0; k < SCREE_N_SETS; k++) {
        if (!scree_trajectory_find_set(a, k, &s)) continue;
        int64_t n_before = s.has_frames ? old->n_rows[s.kind] : old->n_numbers;
        int64_t before = (s.has_frames ? old->frames : 1) * ((n_before + rows - 1) / rows);
        int64_t after = (s.has_frames ? old->frames + 1 : 1) * ((s.n_rows + rows - 1) / rows);
        int64_t chunk = rows * (int64_t)s.row_bytes;
        bytes += (after - before) * (chunk + 128); /* with its place in the index */
    }
    return bytes;
}
