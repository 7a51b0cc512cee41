/* SPDX-License-Identifier: BSD-3-Clause
 * One job at a time works in a folder of results. */
#ifndef SCREE_LOCK_H
#define SCREE_LOCK_H

#include "scree/comm.h"

struct scree_lock {
    int file; /* -1: none held */
    char path[4096];
};

/* Take the lock of the folder, or fail with a message that says who has it. The system lets go of
 * it when the job ends, however it ends. File systems that know no locks get a warning. Collective.
 */
enum scree_status scree_lock_acquire(struct scree_lock *lock, struct scree_comm *comm,
                                     const char *folder);
void scree_lock_release(struct scree_lock *lock);

#endif
