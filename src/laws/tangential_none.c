/* SPDX-License-Identifier: BSD-3-Clause
 * No tangential force: frictionless grains. */
#include <string.h>

#include "scree/laws.h"

static const struct scree_param params[] = {{0}};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    (void)input, (void)node, (void)values;
}

static void apply(struct scree_batch *b, const void *values, struct scree_slots at)
{
    (void)values, (void)at;
    memset(b->ft, 0, sizeof b->ft);
}

const struct scree_law scree_law_tangential_none = {
    .name = "none",
    .summary = "frictionless",
    .kind = SCREE_LAW_TANGENTIAL,
    .params = params,
    .check = check,
    .apply = apply,
};
