/* SPDX-License-Identifier: BSD-3-Clause
 * The table of regions, reading one, fitting it into the domain. */
#include "scree/regions.h"

#include <math.h>
#include <stddef.h>

#define SCREE_REGION(name) extern const struct scree_region_shape scree_region_##name;
#include "scree/regions.def"
#undef SCREE_REGION

#define SCREE_REGION(name) &scree_region_##name,
static const struct scree_region_shape *const shapes[] = {
#include "scree/regions.def"
};
#undef SCREE_REGION

#define SCREE_REGION(name) #name,
static const char *const words[] = {
#include "scree/regions.def"
    NULL};
#undef SCREE_REGION

struct choice {
    int shape;
};
static const struct scree_param choice_params[] = {
    {"shape", SCREE_PARAM_CHOICE, "", 0, 0, "box", words, offsetof(struct choice, shape),
     "of the region"},
    {0},
};

const struct scree_region_shape *const *scree_regions_shapes(int *n)
{
    *n = sizeof shapes / sizeof shapes[0];
    return shapes;
}

/* Bounds within a billionth of the box's are the box's: the user's numbers and a periodic box
 * differ by the rounding to the position grid. */
static bool fit_axis(struct scree_region *region, struct scree_input *input,
                     const struct scree_node *node, const struct scree_box *box, int a)
{
    double slack = 1e-9 * box->length[a], *low = &region->low[a], *high = &region->high[a];
    if (*low < box->low[a] - slack || *high > box->high[a] + slack || *low >= *high) {
        bool at_low = scree_node_find(node, "low") != NULL && !(*high > box->high[a] + slack);
        const struct scree_node *key = scree_node_find(node, at_low ? "low" : "high");
        scree_input_error(input, key != NULL ? key : node,
                          "region from %g m to %g m in %c is empty or outside the domain, which "
                          "reaches from %g m to %g m",
                          *low, *high, "xyz"[a], box -> low[a], box -> high[a]);
        return false;
    }
    if (*low < box->low[a] + slack) *low = box->low[a];
    if (*high > box->high[a] - slack) *high = box->high[a];
    return true;
}

/* A region that does not go round the axis must be within the wedge. */
static bool fit_wedge(struct scree_region *region, struct scree_input *input,
                      const struct scree_node *node, const struct scree_box *box)
{
    const struct scree_wedge *wedge = region->wedge = &box->wedge;
    double slack = 1e-9 * (box->length[wedge->u] + box->length[wedge->v]);
    bool inside = region->round;
    for (int corner = 0; corner < 4 && !region->round; corner++) {
        double pos[3] = {0.0, 0.0, 0.0};
        pos[wedge->u] = corner % 2 == 0 ? region->low[wedge->u] : region->high[wedge->u];
        pos[wedge->v] = corner < 2 ? region->low[wedge->v] : region->high[wedge->v];
        inside = (corner == 0 || inside) && scree_wedge_room(wedge, pos) >= -slack;
    }
    if (!inside)
        scree_input_error(input, node,
                          "region reaches out of the wedge; use {shape: cylinder, axis: %c, ...}, "
                          "of which the wedge is filled from side to side",
                          "xyz"[wedge->axis]);
    return inside;
}

static bool fit(struct scree_region *region, struct scree_input *input,
                const struct scree_node *node, const struct scree_box *box)
{
    bool good = true;
    for (int a = 0; a < box->dimension; a++) good = fit_axis(region, input, node, box, a) && good;
    if (good && box->wedge.n > 0) good = fit_wedge(region, input, node, box);
    if (good) region->size = region->shape->size(region);
    return good;
}

static bool is_box_good(const struct scree_box *box)
{
    for (int a = 0; a < box->dimension; a++)
        if (!(box->length[a] > 0.0)) return false;
    return true;
}

bool scree_region_read(struct scree_region *region, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box)
{
    struct choice choice = {0};
    *region = (struct scree_region){.dimension = box->dimension};
    if (!scree_input_read(input, node, NULL, "region", choice_params, &choice)) {
        scree_node_mark_all_used(node); /* without the shape nobody knows what belongs there */
        return false;
    }
    region->shape = shapes[choice.shape];
    return scree_input_read(input, node, NULL, "region", region->shape->params, region->values) &&
           is_box_good(box) && region->shape->check(region, input, node, box) &&
           fit(region, input, node, box);
}

bool scree_region_make_box(struct scree_region *region, struct scree_input *input,
                           const struct scree_node *node, const struct scree_box *box,
                           const double low[3], const double high[3])
{
    *region = (struct scree_region){.dimension = box->dimension, .shape = &scree_region_box};
    if (!is_box_good(box)) return false;
    for (int a = 0; a < 3; a++) {
        region->values[a] = low[a];
        region->values[3 + a] = high[a];
    }
    return region->shape->check(region, input, node, box) && fit(region, input, node, box);
}
