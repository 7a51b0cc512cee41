/* SPDX-License-Identifier: BSD-3-Clause
 * What a job knows of its grains before they move, for the estimates of methods. Of the job.
 */
#ifndef SCREE_PROSPECT_H
#define SCREE_PROSPECT_H

#include "scree/job.h"

/* speed: m/s, of impacts; 1 where it does not matter. Collective. */
void scree_prospect_init(struct scree_prospect *prospect, struct scree_job *job, double speed);
void scree_prospect_clear(struct scree_prospect *prospect);

#endif
