/* SPDX-License-Identifier: BSD-3-Clause
 * Bringing files to disk and giving them their names. Private to io. */
#ifndef SCREE_FILE_SAFETY_H
#define SCREE_FILE_SAFETY_H

#include "scree/status.h"

/* Contents to disk. */
enum scree_status scree_file_sync(const char *path);
/* Sync `part`, rename it to `path`, and sync the folder, so that the new name survives a power
 * failure too. */
enum scree_status scree_file_publish(const char *part, const char *path);

#endif
