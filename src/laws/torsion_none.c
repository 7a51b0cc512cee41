/* SPDX-License-Identifier: BSD-3-Clause
 * No resistance to torsion. */
#include "scree/laws.h"

static const struct scree_param params[] = {{0}};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    (void)input, (void)node, (void)values;
}

static void apply(struct scree_batch *b, const void *values, struct scree_slots at)
{
    (void)b, (void)values, (void)at;
}

const struct scree_law scree_law_torsion_none = {
    .name = "none",
    .summary = "grains spin freely about the normal",
    .kind = SCREE_LAW_TORSION,
    .params = params,
    .check = check,
    .apply = apply,
};
