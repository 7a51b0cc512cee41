/* SPDX-License-Identifier: BSD-3-Clause
 * What memory was taken for, by the place in the source. Private to base. */
#ifndef SCREE_ALLOC_PLACES_H
#define SCREE_ALLOC_PLACES_H

#include <stddef.h>

/* The number of a place, which is new if it was not seen before. */
int scree_alloc_place_of(const char *what, const char *file, int line);
void scree_alloc_place_takes(int place, size_t bytes);
void scree_alloc_place_gives(int place, size_t bytes);

#endif
