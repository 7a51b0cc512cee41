/* SPDX-License-Identifier: BSD-3-Clause
 * Anchors of a YAML text while it is read. Private to input. */
#ifndef SCREE_ANCHORS_H
#define SCREE_ANCHORS_H

#include "input_impl.h"

struct scree_anchor {
    const char *name;
    const struct scree_node *node;
};
struct scree_anchors {
    struct scree_anchor *anchor; /* kept by the input; a name may come again, the last one counts */
    int n, capacity, n_copies;
};

/* From now on `name` stands for this node, which is complete. */
void scree_anchors_set(struct scree_anchors *anchors, struct scree_input *input, const char *name,
                       const struct scree_node *node);
/* A copy of what it stands for, at a depth of the tree; collects a mistake at `place` if there is
 * no such name, and then returns a refused node. */
struct scree_node *scree_anchors_copy(struct scree_anchors *anchors, struct scree_input *input,
                                      const char *name, struct scree_place place, int depth);
/* Entries of `value`, a map or list of maps, that the map has not. */
void scree_anchors_merge(struct scree_input *input, struct scree_node *map,
                         const struct scree_node *value);

#endif
