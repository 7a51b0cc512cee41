/* SPDX-License-Identifier: BSD-3-Clause
 * From gid to slot. */
#ifndef SCREE_ED_MAP_H
#define SCREE_ED_MAP_H

#include <stddef.h>
#include <stdint.h>

struct scree_ed_map {
    struct scree_ed_map_place {
        int64_t gid;
        int32_t slot; /* -1: nobody */
    } * place;        /* [size], a power of two; owned */
    size_t size, n;
};

void scree_ed_map_clear(struct scree_ed_map *map);
void scree_ed_map_put(struct scree_ed_map *map, int64_t gid, int32_t slot);
int32_t scree_ed_map_find(const struct scree_ed_map *map, int64_t gid); /* -1: it is not there */
void scree_ed_map_drop(struct scree_ed_map *map, int64_t gid);

#endif
