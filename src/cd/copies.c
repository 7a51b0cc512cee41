/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of bodies: one in each block in which the body has contacts, with its part of the mass. */
#include <stdlib.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

struct place {
    int64_t block;
    scree_gid gid;
    int32_t body;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->gid < y->gid ? -1 : x->gid > y->gid;
}

static void init_copy(const struct scree_cd_body *body, struct scree_cd_copy *copy)
{
    double k = (double)body->n_blocks;
    memcpy(copy->v, body->free, sizeof copy->v);
    memcpy(copy->w, body->free + 3, sizeof copy->w);
    copy->inverse_mass = k * body->inverse_mass;
    copy->inverse_inertia = k * body->inverse_inertia;
}

void scree_cd_make_copies(const struct scree_cd *cd, const struct scree_scene *scene,
                          struct scree_cd_problem *p)
{
    size_t n_members = p->n_bodies > 0 ? p->first_member[p->n_bodies] : 0, n = 0;
    struct place *place = scree_alloc(n_members + 1, sizeof *place);
    for (size_t b = 0; b < p->n_bodies; b++)
        for (size_t k = p->first_member[b]; k < p->first_member[b + 1]; k++)
            if (scree_cd_block_owner(cd, scene, p->member[k]) == scene->comm->rank)
                place[n++] = (struct place){p->member[k], p->body[b].gid, (int32_t)b};
    qsort(place, n, sizeof *place, compare_places);
    p->n_copies = n;
    p->copy = scree_alloc(n + 1, sizeof *p->copy);
    p->copy_body = scree_alloc(n + 1, sizeof *p->copy_body);
    p->copy_before = scree_alloc(n + 1, sizeof *p->copy_before);
    p->copy_direction = scree_alloc(n + 1, sizeof *p->copy_direction);
    p->copy_of = scree_alloc(p->n_bodies + 1, sizeof *p->copy_of);
    p->block = scree_alloc(n + 1, sizeof *p->block);
    p->block_copies = scree_alloc(n + 2, sizeof *p->block_copies);
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || place[k].block != place[k - 1].block) {
            p->block_copies[p->n_blocks] = (int)k;
            p->block[p->n_blocks++] = place[k].block;
        }
        p->copy_body[k] = place[k].body;
        p->copy_of[place[k].body] = (int32_t)k;
        init_copy(&p->body[place[k].body], &p->copy[k]);
    }
    p->block_copies[p->n_blocks] = (int)n;
    scree_alloc_free(place);
}

int scree_cd_find_block(const struct scree_cd_problem *p, int64_t key)
{
    int low = 0, high = p->n_blocks;
    while (high - low > 1) {
        int at = (low + high) / 2;
        if (p->block[at] <= key)
            low = at;
        else
            high = at;
    }
    return low;
}

int32_t scree_cd_find_copy(const struct scree_cd_problem *p, int block, scree_gid gid)
{
    int low = p->block_copies[block], high = p->block_copies[block + 1];
    while (high - low > 1) {
        int at = (low + high) / 2;
        if (p->body[p->copy_body[at]].gid <= gid)
            low = at;
        else
            high = at;
    }
    SCREE_ASSERT(p->body[p->copy_body[low]].gid == gid);
    return low;
}
