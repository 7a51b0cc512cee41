/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of a frame in the order of their ids. Private to io. */
#ifndef SCREE_TRAJECTORY_ORDER_H
#define SCREE_TRAJECTORY_ORDER_H

#include "scree/hdf5_trajectory.h"

/* Who writes which grain, and in which row: ranks take equal ranges of ids. */
struct scree_trajectory_order {
    struct scree_comm *comm;
    int64_t low, span;   /* the smallest id of all ranks, ids from there to the largest */
    bool dense;          /* no id is missing in between */
    int *n_send, *n_got; /* rows for and from each rank; owned */
    uint32_t *out;       /* [rows of this rank in the frame] in the order of being sent; owned */
    int64_t n;           /* rows that this rank writes */
    uint32_t *place;     /* [n] of the rows in the order of arrival, their places; owned */
    int64_t *id;         /* [n] rising; owned */
    void *got, *rows;    /* of the present column: as it arrived, in order; owned */
};

/* Of a frame that has been planned: `a` is told which rows of grains this rank writes. Contacts
 * stay where they are. Collective. */
void scree_trajectory_order_init(struct scree_trajectory_order *order, struct scree_comm *comm,
                                 struct scree_trajectory_append *a);
/* A column of grains in order, valid up to the next call. Collective. */
const void *scree_trajectory_order_column(struct scree_trajectory_order *order,
                                          const struct scree_trajectory_append *a, int k);
void scree_trajectory_order_clear(struct scree_trajectory_order *order);

/* The rank that writes this id; outside of the range: any rank. */
int scree_trajectory_order_rank(const struct scree_trajectory_order *order, int64_t id);

/* Rows of both ends of each contact, see trajectory.h; fails if a pair names a grain that is not in
 * the frame. Collective, agreed status. */
enum scree_status scree_trajectory_find_rows(const char *path,
                                             const struct scree_trajectory_append *a,
                                             const struct scree_trajectory_order *order,
                                             int64_t (*row)[2]);

#endif
