/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: frames of the trajectory of a run. */
#ifndef SCREE_SNAPSHOTS_H
#define SCREE_SNAPSHOTS_H

#include "scree/job.h"

enum { SCREE_SEGMENTS = 999999 };

extern const struct scree_param scree_snapshots_params[], scree_snapshots_grains_params[];
/* Read the section output.snapshots, which is there; collects mistakes. */
void scree_snapshots_read(struct scree_job *job, const struct scree_node *parent);

/* A new trajectory file for this segment of the run (trajectory.001.h5; .002 after a resume or
 * when the first is large, ...); the first one gets a frame of the start. Collective. */
enum scree_status scree_snapshots_open(struct scree_job *job, const char *folder);
/* The next step at which a frame is due, after `step`; INT64_MAX: never. */
int64_t scree_snapshots_next(const struct scree_job *job, int64_t step);
/* Write a frame if one is due now, or if it must be, and the XDMF file anew. Collective. */
enum scree_status scree_snapshots_look(struct scree_job *job, const char *folder, bool must,
                                       const struct scree_energies *known);
/* Delete the trajectories of an earlier run in the folder. Local. */
void scree_snapshots_drop(const char *folder);

#endif
