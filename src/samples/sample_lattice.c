/* SPDX-License-Identifier: BSD-3-Clause
 * Grains on a simple cubic lattice (2D: square), filled from the low corner: x first, z last. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "sites.h"

#define AT(member) offsetof(struct scree_sites, member)
static const struct scree_param params[] = {
    {"spacing", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(spacing),
     "between sites; default 2.2 times the largest radius; periods may stretch it"},
    {"count", SCREE_PARAM_INTEGER, "", 1, INFINITY, "", NULL, AT(count),
     "number of grains; default: one on every site"},
    {0},
};

const struct scree_sample_kind scree_sample_lattice = {
    .name = "lattice",
    .summary = "grains on a simple cubic lattice (2D: square)",
    .common = scree_sample_grain_params,
    .params = params,
    .check = scree_sites_check,
    .fill = scree_sites_fill,
};
