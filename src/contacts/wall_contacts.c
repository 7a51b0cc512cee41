/* SPDX-License-Identifier: BSD-3-Clause
 * Near pairs with walls: where they are now, which of them count where walls meet, and history that
 * follows a grain from one wall to the next. */
#include <string.h>

#include "near_impl.h"
#include "scree/alloc.h"

/* The near pairs [first, end) of one grain. */
struct run {
    struct scree_contacts *contacts;
    size_t first, end;
};

/* Walls of one material have the same law with a grain. */
static bool have_same_law(const struct run *run, size_t k, size_t other)
{
    const struct scree_wall *wall = run->contacts->world.walls->wall;
    const int32_t *j = run->contacts->near[SCREE_NEAR_WALL].j;
    return wall[j[k]].species == wall[j[other]].species;
}

/* The contact from which `k` goes on: it was one in the last pass, is one no more, and its place is
 * now taken by the wall of `k` under the same law. */
static size_t find_predecessor(const struct run *run, size_t k)
{
    const struct scree_contacts *contacts = run->contacts;
    const struct scree_near *near = &contacts->near[SCREE_NEAR_WALL];
    double radius = contacts->world.particles->pos[near->i[k]][3];
    for (size_t old = run->first; old < run->end; old++)
        if (scree_near_is_marked(near, old) && !scree_contacts_meets_wall(contacts, old) &&
            have_same_law(run, old, k) &&
            scree_joints_continues(contacts->world.walls, radius,
                                   (const int32_t[2]){near->j[old], near->j[k]},
                                   &contacts->wall_contact[old], &contacts->wall_contact[k]))
            return old;
    return run->end;
}

static void hand_over_history(const struct run *run)
{
    struct scree_contacts *contacts = run->contacts;
    struct scree_near *near = &contacts->near[SCREE_NEAR_WALL];
    const size_t stride = (size_t)contacts->stride;
    for (size_t k = run->first; k < run->end; k++) {
        if (scree_near_is_marked(near, k) || !scree_contacts_meets_wall(contacts, k)) continue;
        size_t old = find_predecessor(run, k);
        if (old == run->end) continue;
        memcpy(near->history + k * stride, near->history + old * stride, stride * sizeof(double));
        near->touched[k] = near->epoch;
        contacts->wall_contact[k].taken_over = true;
        near->touched[old] = 0; /* given away once */
    }
}

static void reserve(struct scree_contacts *contacts, size_t n)
{
    if (n <= contacts->wall_capacity) return;
    scree_alloc_free(contacts->wall_contact);
    contacts->wall_capacity = scree_alloc_grown(contacts->wall_capacity, n);
    contacts->wall_contact = scree_alloc(contacts->wall_capacity, sizeof *contacts->wall_contact);
}

void scree_contacts_find_walls(struct scree_contacts *contacts, bool hand_over)
{
    const struct scree_walls *walls = contacts->world.walls;
    const struct scree_near *near = &contacts->near[SCREE_NEAR_WALL];
    const double(*pos)[4] = (const double(*)[4])contacts->world.particles->pos;
    reserve(contacts, near->n);
    struct scree_wall_contact *contact = contacts->wall_contact;
    for (size_t first = 0, end; first < near->n; first = end) {
        scree_lid i = near->i[first];
        bool any = false;
        for (end = first; end < near->n && near->i[end] == i; end++) {
            scree_wall_locate_part(&walls->wall[near->j[end]], (int32_t)near->listed[end], pos[i],
                                   &contact[end]);
            any = any || contact[end].at.gap < contacts->list.reach;
        }
        if (!any || end - first == 1) continue;
        scree_joints_resolve(walls, pos[i], contacts->list.reach, (int)(end - first),
                             near->j + first, contact + first);
        if (hand_over) hand_over_history(&(struct run){contacts, first, end});
    }
}
