/* SPDX-License-Identifier: BSD-3-Clause
 * From gid to slot: a table of places, the next one if a place is taken. */
#include "map.h"

#include "scree/alloc.h"

static size_t home_of(const struct scree_ed_map *map, int64_t gid)
{
    return (size_t)(((uint64_t)gid * 0x9e3779b97f4a7c15u) >> 20) & (map->size - 1);
}

void scree_ed_map_clear(struct scree_ed_map *map)
{
    scree_alloc_free(map->place);
    *map = (struct scree_ed_map){NULL, 0, 0};
}

/* Where a gid is, or the free place where it would be. */
static size_t seek(const struct scree_ed_map *map, int64_t gid)
{
    size_t k = home_of(map, gid);
    while (map->place[k].slot >= 0 && map->place[k].gid != gid) k = (k + 1) & (map->size - 1);
    return k;
}

static void grow(struct scree_ed_map *map)
{
    struct scree_ed_map old = *map;
    map->size = old.size > 0 ? 2 * old.size : 64;
    map->place = scree_alloc(map->size, sizeof *map->place);
    for (size_t k = 0; k < map->size; k++) map->place[k].slot = -1;
    for (size_t k = 0; k < old.size; k++)
        if (old.place[k].slot >= 0) map->place[seek(map, old.place[k].gid)] = old.place[k];
    scree_alloc_free(old.place);
}

void scree_ed_map_put(struct scree_ed_map *map, int64_t gid, int32_t slot)
{
    if (2 * (map->n + 1) > map->size) grow(map);
    size_t k = seek(map, gid);
    map->n += map->place[k].slot < 0;
    map->place[k] = (struct scree_ed_map_place){gid, slot};
}

int32_t scree_ed_map_find(const struct scree_ed_map *map, int64_t gid)
{
    return map->size > 0 ? map->place[seek(map, gid)].slot : -1;
}

/* Those that had to give way to it move up. */
void scree_ed_map_drop(struct scree_ed_map *map, int64_t gid)
{
    size_t hole = seek(map, gid), mask = map->size - 1;
    if (map->place[hole].slot < 0) return;
    map->n--;
    for (size_t k = (hole + 1) & mask; map->place[k].slot >= 0; k = (k + 1) & mask) {
        size_t home = home_of(map, map->place[k].gid);
        if (((k - home) & mask) < ((k - hole) & mask)) continue; /* it would be before its home */
        map->place[hole] = map->place[k];
        hole = k;
    }
    map->place[hole].slot = -1;
}
