/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of measurements. Private to driver. */
#ifndef SCREE_CHECKPOINT_ANALYSIS_H
#define SCREE_CHECKPOINT_ANALYSIS_H

#include "job.h"
#include "scree/checkpoint.h"

/* Describe the table, whose rows are those of rank 0. Returns the number of tables: 0 or 1. */
int scree_job_describe_analyses(const struct scree_job *job, struct scree_table *table);
/* The same on all ranks, however many wrote it. Collective. */
enum scree_status scree_job_load_analyses(struct scree_job *job, const char *path);

#endif
