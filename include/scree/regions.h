/* SPDX-License-Identifier: BSD-3-Clause
 * Regions of space that samples fill. Shapes are in regions.def. */
#ifndef SCREE_REGIONS_H
#define SCREE_REGIONS_H

#include <stdbool.h>

#include "scree/box.h"
#include "scree/input.h"

enum { SCREE_REGION_VALUES = 16 };

struct scree_region {
    const struct scree_region_shape *shape;
    int dimension;
    double low[3], high[3]; /* m; the smallest box around it, within the domain */
    bool whole[3];          /* it spans a whole period: no faces to keep away from */
    double size;            /* m^3; 2D: m^2 */
    bool round;             /* it goes from side to side of the wedge: those are no faces */
    const struct scree_wedge *wedge; /* borrowed from the box; NULL: none */
    double values[SCREE_REGION_VALUES];
};

struct scree_region_shape {
    const char *name, *summary;
    const struct scree_param *params;
    /* Complete the values just read, set bounds; collect mistakes at `node`. False if there are
     * any. `whole` and the clipping to the domain follow. */
    bool (*check)(struct scree_region *region, struct scree_input *input,
                  const struct scree_node *node, const struct scree_box *box);
    bool fills_bounds; /* it is its bounding box */
    double (*size)(const struct scree_region *region);
    /* Distance to the nearest face (m), negative outside. */
    double (*room)(const struct scree_region *region, const double pos[3]);
};

const struct scree_region_shape *const *scree_regions_shapes(int *n);

/* Read {shape: ..., ...}. Collects mistakes; false if there are any or the box is mistaken. */
bool scree_region_read(struct scree_region *region, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box);
/* A box from low to high, NANs standing for the domain's; mistakes are put at the keys `low` and
 * `high` of `node`. */
bool scree_region_make_box(struct scree_region *region, struct scree_input *input,
                           const struct scree_node *node, const struct scree_box *box,
                           const double low[3], const double high[3]);

/* Is the centre of a grain within the wedge, if there is one? Its sides are no faces. */
static inline bool scree_region_in_wedge(const struct scree_region *region, const double pos[3])
{
    return region->wedge == NULL || scree_wedge_sector(region->wedge, pos) == 0;
}

/* Is a grain of this radius inside? A billionth of the radius may stick out. */
static inline bool scree_region_holds(const struct scree_region *region, const double pos[3],
                                      double radius)
{
    return region->shape->room(region, pos) >= radius * (1.0 - 1e-9);
}

#endif
