/* SPDX-License-Identifier: BSD-3-Clause
 * Fingerprints of walls of triangles. Private to restart. */
#ifndef SCREE_RESTART_MESHES_H
#define SCREE_RESTART_MESHES_H

#include "scree/status.h"
#include "scree/walls.h"

/* A line for each wall of triangles; scree_alloc_free() it. */
char *scree_restart_mesh_prints(const struct scree_walls *walls);
/* Are these walls those whose lines were saved in the checkpoint at `path`? */
enum scree_status scree_restart_check_meshes(const struct scree_walls *walls, const char *path,
                                             const char *saved);

#endif
