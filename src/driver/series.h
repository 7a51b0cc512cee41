/* SPDX-License-Identifier: BSD-3-Clause
 * The series: one table per run, a row per interval, readable while the run goes on. */
#ifndef SCREE_SERIES_H
#define SCREE_SERIES_H

#include "job.h"

/* Begin series.csv in the folder, or continue it after a resume: rows beyond the present step are
 * dropped, so that none is doubled or missing. Collective. */
enum scree_status scree_series_open(struct scree_job *job, const char *folder);
/* The next step at which a row is due, after `step`; INT64_MAX: never. */
int64_t scree_series_next(const struct scree_job *job, int64_t step);
/* Write a row if one is due now. Collective. */
enum scree_status scree_series_look(struct scree_job *job, const char *folder);

#endif
