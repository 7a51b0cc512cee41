/* SPDX-License-Identifier: BSD-3-Clause
 * One moment of a run as plain arrays, for trajectories. */
#ifndef SCREE_FRAME_H
#define SCREE_FRAME_H

#include "scree/samples.h"
#include "scree/snapshots.h"
#include "scree/trajectory.h"

/* The memory behind a frame; what is not asked for is NULL. */
struct scree_frame_memory {
    struct scree_state_rows rows;
    double (*force)[3], (*torque)[3], (*orientation)[4], *collision_rate;
    int64_t n_contacts;
    size_t contact_capacity;
    int64_t (*pair)[2];
    int8_t *across;
    double *history;
    double (*contact_force)[3];
    double *overlap;
    int8_t *sliding;
};

/* Grains at the present time (on-step velocities, wrapped positions) as rows. */
void scree_frame_compute_rows(struct scree_run *run, struct scree_state_rows *rows);
/* All that snapshots are to hold. Clear the memory when the frame is written. Local. */
void scree_frame_compute(struct scree_run *run, const struct scree_snapshots *choice,
                         struct scree_frame_memory *memory, struct scree_frame *frame);
void scree_frame_clear(struct scree_frame_memory *memory);

#endif
