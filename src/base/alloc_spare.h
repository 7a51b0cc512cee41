/* SPDX-License-Identifier: BSD-3-Clause
 * Freed large blocks, kept for the next one of about their size. Private to base. */
#ifndef SCREE_ALLOC_SPARE_H
#define SCREE_ALLOC_SPARE_H

#include <stddef.h>

/* A kept block of at least *bytes and not much more, or NULL; *bytes becomes its size. */
void *scree_alloc_spare_take(size_t *bytes);
/* Keep a block made by aligned_alloc, and free the oldest ones if all are more than `most` bytes.
 */
void scree_alloc_spare_put(void *block, size_t bytes, size_t most);

#endif
