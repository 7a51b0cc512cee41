/* SPDX-License-Identifier: BSD-3-Clause
 * Files without checksums over their structure are read by another process first. Private to io. */
#ifndef SCREE_HDF5_TRIAL_H
#define SCREE_HDF5_TRIAL_H

#include "scree/status.h"

/* HDF5 may crash or loop on a damaged file that has no checksums (formats before 1.8, the usual
 * ones of h5py). A child process looks at all that is in it; if it does not come back, the file is
 * refused. Files of HDF5 with checksums, and others, pass at once. Local. */
enum scree_status scree_hdf5_trial(const char *path);

#endif
