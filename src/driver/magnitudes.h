/* SPDX-License-Identifier: BSD-3-Clause
 * Values that are numbers, but leave no room for those computed from them. */
#ifndef SCREE_MAGNITUDES_H
#define SCREE_MAGNITUDES_H

#include "job.h"

/* Grains are there: refuse masses, forces and times whose products and squares cannot be told, and
 * steps in which nothing would move. Collects mistakes. Collective. */
void scree_job_check_magnitudes(struct scree_job *job);

#endif
