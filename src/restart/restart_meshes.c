/* SPDX-License-Identifier: BSD-3-Clause
 * Walls of triangles are read from their files again when a run is resumed: a checkpoint knows them
 * by a fingerprint each. */
#include "restart_meshes.h"

#include <string.h>

#include "scree/alloc.h"

enum { LINE = 128 };

char *scree_restart_mesh_prints(const struct scree_walls *walls)
{
    size_t size = 2, at = 0;
    for (int w = 0; w < walls->n; w++) size += strlen(walls->wall[w].name) + LINE;
    char *text = scree_alloc(size, 1);
    text[0] = '\0';
    for (int w = 0; w < walls->n; w++)
        at += (size_t)scree_walls_print(walls, w, text + at, size - at);
    return text;
}

enum scree_status scree_restart_check_meshes(const struct scree_walls *walls, const char *path,
                                             const char *saved)
{
    enum scree_status status = SCREE_OK;
    for (int w = 0; w < walls->n && status == SCREE_OK; w++) {
        const char *name = walls->wall[w].name;
        size_t size = strlen(name) + LINE;
        char *line = scree_alloc(size, 1);
        scree_walls_print(walls, w, line, size);
        if (strstr(saved, line) == NULL)
            status = SCREE_FAIL(SCREE_INPUT,
                                "%s: the triangles of wall '%s' are not those of the run so far: "
                                "its file has changed, or it is another one",
                                path, name);
        scree_alloc_free(line);
    }
    return status;
}
