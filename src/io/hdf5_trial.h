/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are read by another process first. Private to io. */
#ifndef SCREE_HDF5_TRIAL_H
#define SCREE_HDF5_TRIAL_H

#include "scree/status.h"

/* A child process looks at all that is in a file; if it does not come back, the file is refused.
 * Local. */
enum scree_status scree_hdf5_trial(const char *path);

#endif
