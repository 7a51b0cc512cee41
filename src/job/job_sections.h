/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of an input that are read straight into a job, and their keys. Private to job. */
#ifndef SCREE_JOB_SECTIONS_H
#define SCREE_JOB_SECTIONS_H

#include "scree/job.h"

/* job_time.c; gravity has been read before. */
extern const struct scree_param scree_job_time_params[], scree_job_domain_params[];
/* Returns the node of `time.stop`, or NULL. */
const struct scree_node *scree_job_read_time(struct scree_job *job, const struct scree_node *node,
                                             const struct scree_node *root);
/* The box, with its wedge if it has one; node NULL: the mistake has been said. */
void scree_job_read_domain(struct scree_job *job, const struct scree_node *node, int dimension);

/* pace.c: collect mistakes; once the grains are made. Collective. */
void scree_job_check_pace(const struct scree_job *job);

#endif
