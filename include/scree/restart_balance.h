/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of the load balance. */
#ifndef SCREE_RESTART_BALANCE_H
#define SCREE_RESTART_BALANCE_H

#include "scree/balance.h"
#include "scree/checkpoint.h"

enum { SCREE_BALANCE_TABLES = 2 };

/* Tables over the memory, with all rows or with none. */
void scree_restart_describe_balance(struct scree_balance_memory *memory, bool whole,
                                    struct scree_table table[SCREE_BALANCE_TABLES]);
/* Clear the memory in the end. Collective. */
enum scree_status scree_restart_load_balance(struct scree_comm *comm, const char *path,
                                             struct scree_balance_memory *memory);

#endif
