/* SPDX-License-Identifier: BSD-3-Clause
 * Anchors (&name), aliases (*name) and merges (<<: *name). Whoever reads the tree sees copies, each
 * a part of the tree of its own, with the places of what was written. */
#include "anchors.h"

#include <string.h>

enum { MOST_COPIES = 1000000 }; /* nodes; aliases of aliases grow fast */

void scree_anchors_set(struct scree_anchors *anchors, struct scree_input *input, const char *name,
                       const struct scree_node *node)
{
    anchors->anchor = scree_input_grow(input, anchors->anchor, anchors->n, &anchors->capacity,
                                       sizeof *anchors->anchor);
    anchors->anchor[anchors->n++] =
        (struct scree_anchor){scree_input_keep_text(input, name, strlen(name)), node};
}

/* NULL, with no message, if it would be too deep or too many. */
static struct scree_node *copy(struct scree_anchors *anchors, struct scree_input *input,
                               const struct scree_node *from, int depth)
{
    if (depth >= SCREE_INPUT_MAX_DEPTH || ++anchors->n_copies > MOST_COPIES) return NULL;
    struct scree_node *node = scree_node_create(input, from->kind, from->place);
    node->text = from->text;
    node->empty = from->empty;
    node->bad = from->bad;
    for (int i = 0; i < from->n_entries; i++) {
        const struct scree_entry *entry = &from->entries[i];
        struct scree_node *child = copy(anchors, input, entry->node, depth + 1);
        if (child == NULL) return NULL;
        scree_node_append(input, node, entry->key, entry->place, child);
    }
    return node;
}

struct scree_node *scree_anchors_copy(struct scree_anchors *anchors, struct scree_input *input,
                                      const char *name, struct scree_place place, int depth)
{
    struct scree_node *node = NULL;
    for (int k = anchors->n - 1; k >= 0; k--) {
        if (strcmp(anchors->anchor[k].name, name) != 0) continue;
        node = copy(anchors, input, anchors->anchor[k].node, depth);
        if (node == NULL)
            scree_input_collect(input, place, "alias *%s: too much, or nested too deeply", name);
        break;
    }
    if (node == NULL && anchors->n_copies <= MOST_COPIES)
        scree_input_collect(input, place, "alias *%s: no anchor &%s stands before it", name, name);
    return node != NULL ? node : scree_node_create(input, SCREE_NODE_REFUSED, place);
}

/* What the map has of its own, or from an earlier merge, stays. */
static void merge_map(struct scree_input *input, struct scree_node *map,
                      const struct scree_node *from)
{
    for (int i = 0; i < from->n_entries; i++) {
        const struct scree_entry *entry = &from->entries[i];
        if (scree_node_entry(map, entry->key) == NULL)
            scree_node_append(input, map, entry->key, entry->place, entry->node);
    }
}

void scree_anchors_merge(struct scree_input *input, struct scree_node *map,
                         const struct scree_node *value)
{
    bool good = value->kind == SCREE_NODE_MAP || value->kind == SCREE_NODE_LIST;
    if (value->kind == SCREE_NODE_REFUSED) return;
    for (int i = 0; i < value->n_entries && value->kind == SCREE_NODE_LIST; i++) {
        const struct scree_node *item = value->entries[i].node;
        good = good && (item->kind == SCREE_NODE_MAP || item->kind == SCREE_NODE_REFUSED);
        if (item->kind == SCREE_NODE_MAP) merge_map(input, map, item);
    }
    if (value->kind == SCREE_NODE_MAP) merge_map(input, map, value);
    if (!good)
        scree_input_collect(input, value->place,
                            "'<<' wants a map or a list of maps, as in '<<: *name'");
}
