/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a wedge, and what must be the same in all its sectors. */
#include "scree/wedge_read.h"

#include <stddef.h>
#include <string.h>

struct values {
    int axis;
    int64_t sectors;
};

static const char *const axes[] = {"x", "y", "z", NULL};

const struct scree_param scree_wedge_params[] = {
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "z", axes, offsetof(struct values, axis),
     "direction of the axis, which goes through the origin"},
    {"sectors", SCREE_PARAM_INTEGER, "", 2, SCREE_WEDGE_MOST, NULL, NULL,
     offsetof(struct values, sectors),
     "of a full turn; the run holds the one from the direction that follows the axis on (x, for "
     "the axis z)"},
    {0},
};

void scree_wedge_read(struct scree_box *box, struct scree_input *input,
                      const struct scree_node *node, const struct scree_node *domain)
{
    struct scree_wedge *wedge = &box->wedge;
    struct values v;
    if (!scree_input_read(input, node, domain, "wedge", scree_wedge_params, &v)) return;
    if (box->dimension == 2 && v.axis != 2) {
        scree_input_error(input, scree_node_find(node, "axis"),
                          "wedge: 'axis' must be z in two dimensions");
        return;
    }
    scree_wedge_init(wedge, (int)v.sectors, v.axis);
    if (box->periodic[wedge->u] || box->periodic[wedge->v])
        scree_input_error(input, scree_node_find(domain, "periodic"),
                          "domain: with a wedge about %s, directions across it cannot be periodic",
                          axes[v.axis]);
}

bool scree_wedge_is_across(const struct scree_wedge *wedge, const double vector[3])
{
    return vector[wedge->u] != 0.0 || vector[wedge->v] != 0.0;
}

void scree_wedge_check_gravity(const struct scree_wedge *wedge, struct scree_input *input,
                               const struct scree_node *node, const double gravity[3])
{
    if (wedge->n > 0 && scree_wedge_is_across(wedge, gravity))
        scree_input_error(input, node,
                          "'gravity' must act along %s, the axis of the wedge: it would not be the "
                          "same in all sectors",
                          axes[wedge->axis]);
}
