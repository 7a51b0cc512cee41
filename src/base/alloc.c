/* SPDX-License-Identifier: BSD-3-Clause
 * Aligned memory. A header of one alignment unit in front of each block holds its size. */
#include "scree/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scree/status.h"
#include "scree/types.h"

static size_t in_use, peak;

static size_t padded_size(size_t n_items, size_t item_size)
{
    if (item_size != 0 && n_items > (SIZE_MAX / 4) / item_size)
        SCREE_ABORT("allocation of %zu items of %zu bytes overflows", n_items, item_size);
    size_t bytes = n_items * item_size;
    return (bytes + SCREE_ALIGNMENT - 1) / SCREE_ALIGNMENT * SCREE_ALIGNMENT + SCREE_ALIGNMENT;
}

void *scree_alloc(size_t n_items, size_t item_size)
{
    size_t bytes = padded_size(n_items, item_size);
    unsigned char *block = aligned_alloc(SCREE_ALIGNMENT, bytes);
    if (block == NULL)
        SCREE_ABORT("out of memory: %zu bytes wanted, %zu bytes in use", bytes, in_use);
    memcpy(block, &bytes, sizeof bytes);
    in_use += bytes;
    if (in_use > peak) peak = in_use;
    return block + SCREE_ALIGNMENT;
}

void *scree_alloc_resize(void *memory, size_t n_old, size_t n_items, size_t item_size)
{
    void *fresh = scree_alloc(n_items, item_size);
    size_t n_kept = n_old < n_items ? n_old : n_items;
    if (memory != NULL && n_kept > 0) memcpy(fresh, memory, n_kept * item_size);
    scree_alloc_free(memory);
    return fresh;
}

void scree_alloc_free(void *memory)
{
    if (memory == NULL) return;
    unsigned char *block = (unsigned char *)memory - SCREE_ALIGNMENT;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    in_use -= bytes;
    free(block);
}

size_t scree_alloc_grown(size_t capacity, size_t n_needed)
{
    size_t grown = capacity + capacity / 2 + 64;
    return grown > n_needed ? grown : n_needed;
}

size_t scree_alloc_in_use(void)
{
    return in_use;
}

size_t scree_alloc_peak(void)
{
    return peak;
}
