/* SPDX-License-Identifier: BSD-3-Clause
 * Sites of a simple cubic lattice (2D: square) in a region, x first, z last: what the kinds lattice
 * and loose share. */
#ifndef SCREE_SITES_H
#define SCREE_SITES_H

#include "samples_impl.h"

struct scree_sites {
    double spacing;  /* m; NAN if not given */
    int64_t count;   /* INT64_MIN if not given */
    double displace; /* share of the free room around a grain by which it is displaced */
    /* Set by scree_sites_check(): */
    int64_t n[3];             /* sites along each axis */
    double first[3], step[3]; /* m */
};
_Static_assert(sizeof(struct scree_sites) <= SCREE_SAMPLE_VALUES * sizeof(double), "sites fit");

void scree_sites_check(struct scree_sample *sample, struct scree_input *input,
                       const struct scree_node *node, const struct scree_samples_setting *setting);
enum scree_status scree_sites_fill(const struct scree_sample *sample, struct scree_sample_run *run);

#endif
