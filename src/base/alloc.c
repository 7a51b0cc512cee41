/* SPDX-License-Identifier: BSD-3-Clause
 * Aligned memory. A header of one alignment unit in front of each block holds its size and place.
 *
 * Large blocks ask for huge pages: contact loops touch columns at random, and with small pages
 * every other access misses the address cache of the processor. They also begin at different
 * offsets, since rows of one grain in several columns would otherwise compete for the same cache
 * sets. */
#define _DEFAULT_SOURCE
#include "scree/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "alloc_places.h"
#include "alloc_spare.h"
#include "scree/status.h"
#include "scree/types.h"

enum { HUGE_PAGE = 2 << 20, STAGGER = 320, N_STAGGERS = 12 };

struct header {
    size_t bytes;  /* of the whole block */
    size_t offset; /* from its start to the caller's memory */
    int place;     /* what it is for */
};

_Static_assert(sizeof(struct header) <= SCREE_ALIGNMENT, "the header precedes the memory");

static size_t in_use, peak;

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

void *scree_alloc_for(const char *what, const char *file, int line, size_t n_items,
                      size_t item_size)
{
    static size_t n_large;
    if (item_size != 0 && n_items > (SIZE_MAX / 4) / item_size)
        scree_status_give_up(file, line, "out of memory: %s() wants %zu items of %zu bytes", what,
                             n_items, item_size);
    struct header header = {round_up(n_items * item_size, SCREE_ALIGNMENT) + SCREE_ALIGNMENT,
                            SCREE_ALIGNMENT, scree_alloc_place_of(what, file, line)};
    unsigned char *block;
    if (header.bytes >= HUGE_PAGE) {
        header.offset += n_large++ % N_STAGGERS * STAGGER;
        header.bytes = round_up(header.bytes + N_STAGGERS * STAGGER, HUGE_PAGE);
        block = scree_alloc_spare_take(&header.bytes);
        if (block == NULL) {
            block = aligned_alloc(HUGE_PAGE, header.bytes);
            if (block != NULL)
                madvise(block, header.bytes, MADV_HUGEPAGE); /* a wish: nothing depends on it */
        }
    } else {
        block = aligned_alloc(SCREE_ALIGNMENT, header.bytes);
    }
    if (block == NULL)
        scree_status_give_up(file, line,
                             "out of memory: %s() wants %zu items of %zu bytes (%.3g GB), %.3g GB "
                             "are in use on this rank; use more nodes, fewer grains or a smaller "
                             "domain",
                             what, n_items, item_size, (double)header.bytes / 1e9,
                             (double)in_use / 1e9);
    unsigned char *memory = block + header.offset;
    memcpy(memory - sizeof header, &header, sizeof header);
    in_use += header.bytes;
    scree_alloc_place_takes(header.place, header.bytes);
    if (in_use > peak) peak = in_use;
    return memory;
}

void *scree_alloc_resize_for(const char *what, const char *file, int line, void *memory,
                             size_t n_old, size_t n_items, size_t item_size)
{
    void *fresh = scree_alloc_for(what, file, line, n_items, item_size);
    size_t n_kept = n_old < n_items ? n_old : n_items;
    if (memory != NULL && n_kept > 0) memcpy(fresh, memory, n_kept * item_size);
    scree_alloc_free(memory);
    return fresh;
}

void scree_alloc_free(void *memory)
{
    if (memory == NULL) return;
    struct header header;
    memcpy(&header, (unsigned char *)memory - sizeof header, sizeof header);
    in_use -= header.bytes;
    scree_alloc_place_gives(header.place, header.bytes);
    void *block = (unsigned char *)memory - header.offset;
    if (header.bytes >= HUGE_PAGE)
        scree_alloc_spare_put(block, header.bytes, peak / 4);
    else
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
