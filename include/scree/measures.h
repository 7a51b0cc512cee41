/* SPDX-License-Identifier: BSD-3-Clause
 * The measurements of the section `analysis` during a run, and their files. */
#ifndef SCREE_MEASURES_H
#define SCREE_MEASURES_H

#include "scree/analysis.h"
#include "scree/run.h"

/* Begin the files, or continue them after a resume. Collective. */
enum scree_status scree_measures_open(struct scree_analyses *analyses, struct scree_run *run,
                                      const char *folder);
/* Take the samples and write the rows and tables that are due now; `must`: whatever there are
 * samples for. Collective. */
enum scree_status scree_measures_poll(struct scree_analyses *analyses, struct scree_run *run,
                                      const char *folder, bool must);

#endif
