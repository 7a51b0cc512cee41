/* SPDX-License-Identifier: BSD-3-Clause
 * Bringing files to disk and giving them their names. */
#ifndef SCREE_FILE_SAFETY_H
#define SCREE_FILE_SAFETY_H

#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"

/* All of these bytes to or from a place in an open file, however many calls it takes; 0 or the
 * error number (reading: ENODATA where the file ends too early). */
int scree_file_put(int file, const void *bytes, size_t n, int64_t at);
int scree_file_get(int file, void *bytes, size_t n, int64_t at);
/* Let the kernel begin to bring these bytes (n = 0: all from there on) to disk, without waiting. */
void scree_file_hurry(int file, int64_t at, size_t n);
/* `path` with ".part" behind it, the name of what is not complete yet; scree_alloc_free() it. */
char *scree_file_part_name(const char *path);
/* All bytes of an open file into one that is new or holds nothing but zeros; holes stay holes. */
enum scree_status scree_file_fill(int from, const char *to);
/* All bytes of one file into another, which is replaced. */
enum scree_status scree_file_copy(const char *from, const char *to);
/* Make the file longer by `bytes`, new if it is not there, or say why it cannot be: a full disk
 * shows before the work begins. On failure the file is as long as it was. */
enum scree_status scree_file_reserve(const char *path, int64_t bytes);
/* Room for `bytes` in a new file. What is under the name goes first: the last rank of a killed job
 * may still be writing there. */
enum scree_status scree_file_hold(const char *part, int64_t bytes);
/* Sync `part`, rename it to `path`, and sync the folder, so that the new name survives a power
 * failure too. */
enum scree_status scree_file_publish(const char *part, const char *path);

#endif
