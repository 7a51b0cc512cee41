/* SPDX-License-Identifier: BSD-3-Clause
 * What there is to tell of walls of triangles. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scree/walls.h"

bool scree_walls_surface(const struct scree_walls *walls, int w, struct scree_wall_surface *surface)
{
    const struct scree_wall_shape *shape = walls->wall[w].shape;
    if (shape->parts == NULL) return false;
    shape->parts->describe(walls->wall[w].values, surface);
    return true;
}

void scree_walls_describe_surfaces(const struct scree_walls *walls, scree_line_writer write,
                                   void *context)
{
    struct scree_wall_surface surface;
    char line[400], flat[80];
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        if (!scree_walls_surface(walls, w, &surface)) continue;
        snprintf(flat, sizeof flat, ", %d without area left out", (int)surface.n_flat);
        snprintf(line, sizeof line,
                 "wall '%.60s': %d triangles%s, area %.6g m^2, within %.4g m of [%.4g, %.4g, %.4g]",
                 wall->name, (int)surface.n, surface.n_flat > 0 ? flat : "", surface.area,
                 wall->radius, wall->centre[0], wall->centre[1], wall->centre[2]);
        write(context, line);
    }
}

int scree_walls_print(const struct scree_walls *walls, int w, char *text, size_t size)
{
    struct scree_wall_surface surface;
    if (!scree_walls_surface(walls, w, &surface)) return snprintf(text, size, "%s", "");
    return snprintf(text, size, "%s %016" PRIx64 "\n", walls->wall[w].name, surface.print);
}
