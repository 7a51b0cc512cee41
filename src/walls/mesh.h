/* SPDX-License-Identifier: BSD-3-Clause
 * A surface of triangles, and which of them are close to a place. Private to walls. */
#ifndef SCREE_MESH_H
#define SCREE_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "scree/wall.h"

/* Triangles are found through a tree of boxes, each of which holds those of its two halves. */
struct scree_mesh_node {
    double low[3], high[3]; /* m */
    int32_t first, n;       /* a leaf: its triangles are order[first], ...; otherwise n = 0 */
    int32_t right;          /* the second half; the first one comes next */
};

struct scree_mesh {
    int32_t n;
    double (*corner)[3][3]; /* m; owned, as are the others */
    double (*normal)[3];    /* unit vectors; by the order of the corners */
    int32_t *order;         /* triangles as the leaves have them */
    struct scree_mesh_node *node;
    int32_t n_nodes;
    double low[3], high[3]; /* m; of all */
    double area;            /* m^2 */
    double slack;           /* m; places that are this close may be meant to be one */
    int32_t n_flat;         /* triangles of the file without area, which are left out */
    uint64_t print;         /* tells its triangles from those of another mesh */
};

/* Take over n triangles (m). */
void scree_mesh_create(struct scree_mesh **mesh, double (*corner)[3][3], int32_t n, double slack);
void scree_mesh_destroy(struct scree_mesh *mesh);

/* The closest point of triangle t. */
void scree_mesh_locate(const struct scree_mesh *mesh, int32_t t, const double pos[4],
                       struct scree_wall_point *found);
/* The closest point of all triangles. */
void scree_mesh_locate_nearest(const struct scree_mesh *mesh, const double pos[4],
                               struct scree_wall_point *found);
/* Those whose gap is smaller, in their order. */
void scree_mesh_find(const struct scree_mesh *mesh, const double pos[4], double gap,
                     struct scree_wall_found *found);

/* Triangles of a file, as they are there; the caller frees them. False: `why` tells what is wrong
 * and where. */
bool scree_mesh_read_file(const char *path, double (**corner)[3][3], int32_t *n, char *why,
                          size_t size);

#endif
