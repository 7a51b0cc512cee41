/* SPDX-License-Identifier: BSD-3-Clause
 * Aligned memory with an account of how much is in use. */
#ifndef SCREE_ALLOC_H
#define SCREE_ALLOC_H

#include <stddef.h>

/* All memory from here is aligned to SCREE_ALIGNMENT and not initialised. Running out of memory
 * ends the run (exit code 1) with a message that names the size and, by function and source line,
 * what it was for: nothing useful can go on without it. */
#define scree_alloc(n_items, item_size) \
    scree_alloc_for(__func__, __FILE__, __LINE__, (n_items), (item_size))
void *scree_alloc_for(const char *what, const char *file, int line, size_t n_items,
                      size_t item_size);
/* The first `n_old` items are kept; `memory` is freed. NULL with n_old = 0 is a plain alloc. */
#define scree_alloc_resize(memory, n_old, n_items, item_size) \
    scree_alloc_resize_for(__func__, __FILE__, __LINE__, (memory), (n_old), (n_items), (item_size))
void *scree_alloc_resize_for(const char *what, const char *file, int line, void *memory,
                             size_t n_old, size_t n_items, size_t item_size);
void scree_alloc_free(void *memory);

/* Capacity to allocate when `n_needed` do not fit into `capacity`: grows by half. */
size_t scree_alloc_grown(size_t capacity, size_t n_needed);

/* Bytes now in use through this interface, and the most there ever was. */
size_t scree_alloc_in_use(void);
size_t scree_alloc_peak(void);

/* What this rank has and had at most in use for one place in the source. */
struct scree_alloc_place {
    const char *what, *file; /* function and source file */
    int line;
    size_t in_use, peak; /* bytes */
};
/* All places so far, in the order of their first use; borrowed, valid up to the next alloc. */
int scree_alloc_places(const struct scree_alloc_place **all);

/* Make room for n_needed items in a growable array: SCREE_GROW(ptr, n_used, capacity, n_needed). */
#define SCREE_GROW(ptr, n_used, capacity, n_needed)                                     \
    do {                                                                                \
        if ((size_t)(n_needed) > (size_t)(capacity)) {                                  \
            size_t grown_ = scree_alloc_grown((size_t)(capacity), (size_t)(n_needed));  \
            (ptr) = scree_alloc_resize((ptr), (size_t)(n_used), grown_, sizeof *(ptr)); \
            (capacity) = grown_;                                                        \
        }                                                                               \
    } while (0)

#endif
