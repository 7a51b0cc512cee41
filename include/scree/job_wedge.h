/* SPDX-License-Identifier: BSD-3-Clause
 * The key `wedge` of the section `domain`. */
#ifndef SCREE_JOB_WEDGE_H
#define SCREE_JOB_WEDGE_H

#include "scree/job.h"

extern const struct scree_param scree_job_wedge_params[];

/* Give the box its wedge. Directions across its axis must be open, gravity must act along it. */
void scree_job_read_wedge(struct scree_job *job, const struct scree_node *domain);
/* The gravity of a run or of a stage, read at `node`. */
void scree_job_check_gravity(struct scree_job *job, const struct scree_node *node,
                             const double gravity[3]);
/* What is read later must look the same from all sectors. */
void scree_job_check_wedge(struct scree_job *job, const struct scree_node *groups);

#endif
