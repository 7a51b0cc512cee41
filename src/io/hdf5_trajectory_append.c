/* SPDX-License-Identifier: BSD-3-Clause
 * More frames for a trajectory: the draft, frame by frame, and its end. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "hdf5_trajectory_write.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "trajectory_order.h"
#include "trajectory_plan.h"

static void put_numbers(struct scree_trajectory_draft *d, const struct scree_trajectory_way *way)
{
    const struct scree_trajectory_append *a = d->a;
    if (!a->grows_numbers) return;
    int64_t *number = scree_alloc((size_t)a->n[0], sizeof *number);
    for (int64_t i = 0; i < a->n[0]; i++) number[i] = a->first[0] + i;
    way->put(d, SCREE_COLUMN_NUMBERS, number);
    scree_alloc_free(number);
}

static void put_contacts(struct scree_trajectory_draft *d, const struct scree_trajectory_way *way)
{
    for (int k = SCREE_COLUMN_FIRST_CONTACT; k < SCREE_N_COLUMNS; k++)
        if ((d->a->columns >> k & 1u) != 0) way->put(d, k, d->a->column[k]);
}

/* Contacts go first: the disk is busy with them while grains are put in order. */
static enum scree_status write_rows(struct scree_trajectory_draft *d,
                                    struct scree_trajectory_order *order)
{
    const struct scree_trajectory_append *a = d->a;
    const struct scree_trajectory_way *way =
        a->old.compress > 0 ? &scree_trajectory_packed : &scree_trajectory_placed;
    SCREE_TRY(way->begin(d));
    put_contacts(d, way);
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++)
        if ((a->columns >> k & 1u) != 0) way->put(d, k, scree_trajectory_order_column(order, a, k));
    put_numbers(d, way);
    return way->end(d);
}

static struct scree_trajectory_draft *create_draft(const char *path, struct scree_comm *comm)
{
    struct scree_trajectory_draft *d = scree_alloc(1, sizeof *d);
    *d = (struct scree_trajectory_draft){.comm = comm, .file = -1};
    d->memory.hdf5 = -1;
    d->path = scree_alloc(strlen(path) + 1, 1);
    memcpy(d->path, path, strlen(path) + 1);
    d->part = scree_file_part_name(path);
    return d;
}

void scree_trajectory_drop(struct scree_trajectory_draft **draft)
{
    struct scree_trajectory_draft *d = *draft;
    if (d == NULL) return;
    scree_hdf5_memory_drop(&d->memory);
    if (d->file >= 0) close(d->file);
    if (d->comm->rank == 0) unlink(d->part);
    scree_alloc_free(d->waiting.piece);
    scree_alloc_free(d->waiting.bytes);
    scree_alloc_free(d->path);
    scree_alloc_free(d->part);
    scree_alloc_free(d);
    *draft = NULL;
}

static enum scree_status add_frame(struct scree_trajectory_draft *d,
                                   const struct scree_frame *frame)
{
    struct scree_trajectory_append a;
    struct scree_trajectory_order order;
    int64_t(*row)[2] = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    SCREE_TRY(scree_trajectory_plan(d->path, d->memory.hdf5, d->comm, frame, &a));
    scree_trajectory_order_init(&order, d->comm, &a);
    enum scree_status status = SCREE_OK;
    if (frame->has_contacts) {
        row = scree_alloc((size_t)frame->n_contacts, sizeof *row);
        a.column[SCREE_COLUMN_ROWS] = row;
        status = scree_trajectory_find_rows(d->path, &a, &order, row);
    }
    d->a = &a;
    if (status == SCREE_OK) status = write_rows(d, &order);
    if (status == SCREE_OK) d->growth += scree_trajectory_growth(&a);
    d->a = NULL;
    scree_alloc_free(row);
    scree_trajectory_order_clear(&order);
    return status;
}

bool scree_trajectory_is_heavy(const struct scree_trajectory_draft *draft)
{
    enum { MOST_BYTES = 32 << 20 };
    return draft != NULL && (draft->written || draft->growth > MOST_BYTES);
}

enum scree_status scree_trajectory_publish(struct scree_trajectory_draft **draft)
{
    struct scree_trajectory_draft *d = *draft;
    if (d == NULL) return SCREE_OK;
    enum scree_status status = d->written ? SCREE_OK : scree_trajectory_write_waiting(d);
    if (status == SCREE_OK && d->comm->rank == 0) status = scree_file_publish(d->part, d->path);
    status = scree_comm_agree(d->comm, status);
    scree_trajectory_drop(draft);
    return status;
}

/* Killed at any moment, a writer leaves the file as it was: structure changes in many places, so
 * frames go into a copy, which takes the name when it is complete. */
enum scree_status scree_trajectory_add(struct scree_trajectory_draft **draft, const char *path,
                                       struct scree_comm *comm, const struct scree_frame *frame)
{
    if (*draft != NULL && (*draft)->written) SCREE_TRY(scree_trajectory_publish(draft));
    if (*draft == NULL) *draft = create_draft(path, comm);
    struct scree_trajectory_draft *d = *draft;
    enum scree_status status = add_frame(d, frame);
    if (status == SCREE_OK) {
        d->n_frames++;
        d->touched = false;
    } else if (d->touched || d->n_frames == 0) {
        scree_trajectory_drop(draft);
    }
    return status;
}

enum scree_status scree_trajectory_append(const char *path, struct scree_comm *comm,
                                          const struct scree_frame *frame)
{
    struct scree_trajectory_draft *draft = NULL;
    SCREE_TRY(scree_trajectory_add(&draft, path, comm, frame));
    return scree_trajectory_publish(&draft);
}
