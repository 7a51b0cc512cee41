/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of measurements. Private to restart. */
#ifndef SCREE_RESTART_ANALYSIS_H
#define SCREE_RESTART_ANALYSIS_H

#include "scree/analysis.h"
#include "scree/checkpoint.h"

/* Describe the table, whose rows are those of rank 0. Returns the number of tables: 0 or 1. */
int scree_restart_describe_analyses(const struct scree_analyses *analyses,
                                    const struct scree_comm *comm, struct scree_table *table);
/* All ranks get the same sums, however many wrote them. Collective. */
enum scree_status scree_restart_load_analyses(struct scree_analyses *analyses,
                                              struct scree_comm *comm, const char *path);

#endif
