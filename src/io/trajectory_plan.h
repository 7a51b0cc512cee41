/* SPDX-License-Identifier: BSD-3-Clause
 * Before a frame is written: does it fit the file, which rows go where, is there room on disk. */
#ifndef SCREE_TRAJECTORY_PLAN_H
#define SCREE_TRAJECTORY_PLAN_H

#include "scree/hdf5_trajectory.h"

/* Check the frame against itself and the file (or its draft, if that is open on rank 0, and not
 * -1), and fill `a`. Collective, agreed status. */
enum scree_status scree_trajectory_plan(const char *path, hid_t draft, struct scree_comm *comm,
                                        const struct scree_frame *frame,
                                        struct scree_trajectory_append *a);

/* Bytes that the file can grow by with this frame, so that a full disk shows before the work
 * begins; what is too much is cut off when the frame is complete. */
int64_t scree_trajectory_growth(const struct scree_trajectory_append *a);

#endif
