/* SPDX-License-Identifier: BSD-3-Clause
 * Between which materials an entry of the section `contacts` holds. Private to laws. */
#ifndef SCREE_LAWS_BETWEEN_H
#define SCREE_LAWS_BETWEEN_H

#include "scree/input.h"

struct scree_laws_between {
    const struct scree_node *node;
    bool *side[2]; /* of each material; owned */
    int n_any;     /* sides that say `any`; entries with fewer of them come first */
};

/* Two words, each a material, a list of materials, or `any`; or `any` for both. Collects mistakes;
 * false, and nothing to clear, if something is wrong. `materials` ends with NULL. */
bool scree_laws_read_between(struct scree_laws_between *between, struct scree_input *input,
                             const struct scree_node *node, int n_materials,
                             const char *const *materials);
void scree_laws_clear_between(struct scree_laws_between *between);

#endif
