/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of an input that are read straight into a job, and their keys. Private to job. */
#ifndef SCREE_JOB_SECTIONS_H
#define SCREE_JOB_SECTIONS_H

#include "scree/job.h"

/* job_time.c; gravity has been read before. */
extern const struct scree_param scree_job_time_params[], scree_job_domain_params[];
void scree_job_read_time(struct scree_job *job, const struct scree_node *node,
                         const struct scree_node *root);
void scree_job_read_domain(struct scree_job *job, const struct scree_node *node,
                           const struct scree_node *root);

/* job_materials.c; groups name materials. */
extern const struct scree_param scree_job_sphere_material_params[],
    scree_job_disk_material_params[], scree_job_group_params[];
void scree_job_read_materials(struct scree_job *job, const struct scree_node *node);
void scree_job_read_groups(struct scree_job *job, const struct scree_node *node);

/* job_output.c; `node` may be NULL. */
extern const struct scree_param scree_job_output_params[], scree_job_series_params[],
    scree_job_checkpoint_params[];
void scree_job_read_output(struct scree_job *job, const struct scree_node *node,
                           const struct scree_node *root);
/* A row costs about as much as a step: unless asked for, not more often than every 100. */
int64_t scree_job_usual_row_steps(const struct scree_job *job);

#endif
