/* SPDX-License-Identifier: BSD-3-Clause
 * The measurements of the section `analysis` during a run, and their files. */
#ifndef SCREE_MEASURES_H
#define SCREE_MEASURES_H

#include "scree/job.h"

/* Begin the files, or continue them after a resume. Collective. */
enum scree_status scree_measures_open(struct scree_job *job, const char *folder);
/* Take the samples and write the rows and tables that are due now; `must`: whatever there are
 * samples for. Collective. */
enum scree_status scree_measures_look(struct scree_job *job, const char *folder, bool must);

#endif
