/* SPDX-License-Identifier: BSD-3-Clause
 * A loose column of grains to be poured: layers on top of each other, each grain displaced at
 * random within a cell of its own, whatever the sizes and the region. It falls when there is
 * gravity. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "sites.h"

#define AT(member) offsetof(struct scree_sites, member)
static const struct scree_param params[] = {
    {"count", SCREE_PARAM_INTEGER, "", 1, INFINITY, "", NULL, AT(count),
     "number of grains, from the lowest layer (z; 2D: y) up; default: as many as there is room"},
    {"spacing", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(spacing),
     "edge of the cells; default 2.2 times the largest radius; periods may stretch it"},
    {"displace", SCREE_PARAM_REAL, "1", 0, 1, "1", NULL, AT(displace),
     "how far from the centre of its cell a grain may be; 1: up to the edge"},
    {0},
};

const struct scree_sample_kind scree_sample_loose = {
    .name = "loose",
    .summary = "loose layers of randomly displaced grains, to be poured",
    .common = scree_sample_grain_params,
    .params = params,
    .check = scree_sites_check,
    .fill = scree_sites_fill,
};
