/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of a frame in the order of their ids. Private to io. */
#ifndef SCREE_TRAJECTORY_SORT_H
#define SCREE_TRAJECTORY_SORT_H

#include "hdf5_trajectory.h"

/* Rows that this rank writes. */
struct scree_trajectory_sorted {
    struct scree_frame frame; /* id and position are sorted; its other columns mean nothing */
    void *column[SCREE_COLUMN_FIRST_CONTACT]; /* owned */
};

/* Give the rows of all ranks to ranks in the order of ids; `a`, which has been planned, then writes
 * those. Contacts stay where they are. Clear `s` when the frame is written. Collective. */
void scree_trajectory_sort(struct scree_comm *comm, struct scree_trajectory_append *a,
                           struct scree_trajectory_sorted *s);
void scree_trajectory_sorted_clear(struct scree_trajectory_sorted *s);

#endif
