/* SPDX-License-Identifier: BSD-3-Clause
 * One more frame for a trajectory. */
#define _POSIX_C_SOURCE 200809L
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

/* Killed at any moment, a writer leaves the file as it was: structure changes in many places, so
 * the frame goes into a copy, which takes the name when it is complete. */
static enum scree_status append_to_copy(const char *path, struct scree_comm *comm,
                                        const struct scree_trajectory_append *a,
                                        struct scree_trajectory_order *order)
{
    char *part = scree_file_part_name(path);
    struct scree_trajectory_draft draft = {.path = path, .part = part, .comm = comm, .a = a};
    enum scree_status status = write_rows(&draft, order);
    if (status == SCREE_OK)
        status = scree_comm_agree(comm, a->writes ? scree_file_publish(part, path) : SCREE_OK);
    if (status != SCREE_OK && a->writes) unlink(part);
    scree_alloc_free(part);
    return status;
}

enum scree_status scree_trajectory_append(const char *path, struct scree_comm *comm,
                                          const struct scree_frame *frame)
{
    struct scree_trajectory_append a;
    struct scree_trajectory_order order;
    int64_t(*row)[2] = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    SCREE_TRY(scree_trajectory_plan(path, comm, frame, &a));
    scree_trajectory_order_init(&order, comm, &a);
    enum scree_status status = SCREE_OK;
    if (frame->has_contacts) {
        row = scree_alloc((size_t)frame->n_contacts, sizeof *row);
        a.column[SCREE_COLUMN_ROWS] = row;
        status = scree_trajectory_find_rows(path, &a, &order, row);
    }
    if (status == SCREE_OK) status = append_to_copy(path, comm, &a, &order);
    scree_alloc_free(row);
    scree_trajectory_order_clear(&order);
    return status;
}
