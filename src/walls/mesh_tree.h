/* SPDX-License-Identifier: BSD-3-Clause
 * The tree of boxes of a mesh. Private to walls. */
#ifndef SCREE_MESH_TREE_H
#define SCREE_MESH_TREE_H

#include "mesh.h"

/* Of triangles that are there; none: a tree without nodes. */
void scree_mesh_grow_tree(struct scree_mesh *mesh);

#endif
