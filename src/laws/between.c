/* SPDX-License-Identifier: BSD-3-Clause
 * The key `between` of the section `contacts`. */
#include "between.h"

#include <string.h>

#include "scree/alloc.h"

static bool read_word(struct scree_input *input, const struct scree_node *node,
                      const char *const *materials, bool *side)
{
    scree_node_mark_used(node);
    for (int m = 0; materials[m] != NULL; m++)
        if (strcmp(materials[m], scree_node_text(node)) == 0) return side[m] = true;
    scree_input_unknown(input, node, "material", scree_node_text(node), materials);
    return false;
}

/* `any` is a material if one is called so. */
static bool is_any(const struct scree_node *node, const char *const *materials)
{
    if (node == NULL || scree_node_kind(node) != SCREE_NODE_SCALAR) return false;
    for (int m = 0; materials[m] != NULL; m++)
        if (strcmp(materials[m], "any") == 0) return false;
    return strcmp(scree_node_text(node), "any") == 0;
}

static bool read_side(struct scree_laws_between *between, struct scree_input *input,
                      const struct scree_node *node, int n_materials, const char *const *materials,
                      bool *side)
{
    bool good = true;
    scree_node_mark_used(node);
    if (is_any(node, materials)) {
        between->n_any++;
        for (int m = 0; m < n_materials; m++) side[m] = true;
        return true;
    }
    if (scree_node_kind(node) == SCREE_NODE_SCALAR) return read_word(input, node, materials, side);
    bool is_list = scree_node_kind(node) == SCREE_NODE_LIST && scree_node_count(node) > 0;
    if (!is_list)
        scree_input_error(input, node, "between: expected a material, a list of them, or 'any'");
    for (int k = 0; k < scree_node_count(node) && is_list; k++)
        good = read_word(input, scree_node_item(node, k), materials, side) && good;
    return good && is_list;
}

bool scree_laws_read_between(struct scree_laws_between *between, struct scree_input *input,
                             const struct scree_node *node, int n_materials,
                             const char *const *materials)
{
    *between = (struct scree_laws_between){.node = node};
    bool both = is_any(node, materials);
    if (!both && (scree_node_kind(node) != SCREE_NODE_LIST || scree_node_count(node) != 2)) {
        int found[2];
        scree_input_pair(input, node, "between", "material", materials, found); /* says so */
        return false;
    }
    bool good = true;
    for (int s = 0; s < 2; s++) {
        between->side[s] = scree_alloc((size_t)n_materials + 1, sizeof **between->side);
        memset(between->side[s], 0, (size_t)n_materials * sizeof **between->side);
        good = read_side(between, input, both ? node : scree_node_item(node, s), n_materials,
                         materials, between->side[s]) &&
               good;
    }
    if (!good) scree_laws_clear_between(between);
    return good;
}

void scree_laws_clear_between(struct scree_laws_between *between)
{
    for (int s = 0; s < 2; s++) scree_alloc_free(between->side[s]);
}
