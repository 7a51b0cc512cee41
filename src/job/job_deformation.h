/* SPDX-License-Identifier: BSD-3-Clause
 * A box that deforms. Private to job. */
#ifndef SCREE_JOB_DEFORMATION_H
#define SCREE_JOB_DEFORMATION_H

#include "scree/job.h"

/* What an input may not say together with one, by the section `cell` or by a stage. */
void scree_job_check_deformation(struct scree_job *job, const struct scree_node *root);

#endif
