/* SPDX-License-Identifier: BSD-3-Clause
 * What the files about sections of the space share. Private to walls. */
#ifndef SCREE_WALLS_SECTION_H
#define SCREE_WALLS_SECTION_H

#include "scree/walls.h"

/* The axis along which a unit vector is; -1: none. */
int scree_section_axis(const double normal[3]);
/* m; between two lines along an axis. */
double scree_section_between(const double a[3], const double b[3], int axis);
struct scree_outline scree_section_outline(const struct scree_walls *walls, int w);
/* Does its outline change as it turns? Tilting by small angles is no change. */
bool scree_section_turns_away(const struct scree_wall *wall);
/* Of the planes that bound the space at the low or high end of an axis the innermost one; -1: none.
 */
int scree_section_find_plane(const struct scree_walls *walls, int axis, bool high,
                             bool when_staged);
/* Find the sheets that close the space along its main axis where planes do not; `why` gets the
 * reason if it is still open, or if grains may be on both sides of one. */
void scree_section_close(struct scree_walls *walls, int axis, char *why, size_t size);

#endif
