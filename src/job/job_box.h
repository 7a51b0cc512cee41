/* SPDX-License-Identifier: BSD-3-Clause
 * What an input may not say with a box that deforms, or with a wedge. Private to job. */
#ifndef SCREE_JOB_BOX_H
#define SCREE_JOB_BOX_H

#include "scree/job.h"

/* With one that deforms, by the section `cell` or by a stage. */
void scree_job_check_deformation(struct scree_job *job, const struct scree_node *root);
/* What is read later than the wedge must look the same from all sectors. */
void scree_job_check_wedge(struct scree_job *job, const struct scree_node *root);

#endif
