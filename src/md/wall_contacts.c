/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts with walls: which near pairs count, and history that follows a grain across a joint. */
#include <string.h>

#include "md_impl.h"
#include "scree/alloc.h"

/* The near pairs [first, end) of one grain. */
struct run {
    struct scree_md *md;
    struct scree_scene *scene;
    struct scree_near *near;
    size_t first, end;
};

static const struct scree_pair_law *law_of(const struct run *run, size_t k)
{
    int wall = run->scene->walls->wall[run->near->j[k]].species;
    return scree_laws_between(run->scene->laws, run->scene->particles->species[run->near->i[k]],
                              wall);
}

/* The contact from which `k` goes on: it touched, does so no more, and its place is now taken by
 * the wall of `k` under the same law. */
static size_t find_predecessor(const struct run *run, size_t k)
{
    const struct scree_near *near = run->near;
    for (size_t old = run->first; old < run->end; old++) {
        const struct scree_wall_contact *contact = &run->md->wall_contact[old];
        if (near->touched[old] == near->epoch && !scree_md_touches_wall(contact) &&
            law_of(run, old) == law_of(run, k) &&
            scree_joints_continues(run->scene->walls, run->scene->particles->pos[near->i[k]][3],
                                   contact, near->j[k]))
            return old;
    }
    return run->end;
}

static void hand_over_history(const struct run *run)
{
    struct scree_near *near = run->near;
    const size_t stride = (size_t)run->scene->contacts->stride;
    for (size_t k = run->first; k < run->end; k++) {
        if (near->touched[k] == near->epoch || !scree_md_touches_wall(&run->md->wall_contact[k]))
            continue;
        size_t old = find_predecessor(run, k);
        if (old == run->end) continue;
        memcpy(near->history + k * stride, near->history + old * stride, stride * sizeof(double));
        near->touched[k] = near->epoch;
        run->md->wall_contact[k].taken_over = true;
        near->touched[old] = 0; /* given away once */
    }
}

static void reserve(struct scree_md *md, size_t n)
{
    if (n <= md->wall_capacity) return;
    scree_alloc_free(md->wall_contact);
    md->wall_capacity = scree_alloc_grown(md->wall_capacity, n);
    md->wall_contact = scree_alloc(md->wall_capacity, sizeof *md->wall_contact);
}

void scree_md_find_wall_contacts(struct scree_md *md, struct scree_scene *scene, bool look_only)
{
    struct scree_near *near = &scene->contacts->near[SCREE_NEAR_WALL];
    const double(*pos)[4] = (const double(*)[4])scene->particles->pos;
    reserve(md, near->n);
    for (size_t first = 0, end; first < near->n; first = end) {
        scree_lid i = near->i[first];
        bool touches = false;
        for (end = first; end < near->n && near->i[end] == i; end++) {
            scree_wall_locate(&scene->walls->wall[near->j[end]], 1, pos + i,
                              &md->wall_contact[end]);
            touches = touches || md->wall_contact[end].at.gap < 0.0;
        }
        if (!touches || end - first == 1) continue;
        scree_joints_resolve(scene->walls, pos[i], (int)(end - first), near->j + first,
                             md->wall_contact + first);
        if (!look_only) hand_over_history(&(struct run){md, scene, near, first, end});
    }
}
