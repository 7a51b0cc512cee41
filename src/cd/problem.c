/* SPDX-License-Identifier: BSD-3-Clause
 * The problem of a step: bodies and records of contacts go to the ranks that own their blocks,
 * which put them in order. Everything about a block is a function of the state alone. */
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

static void make_rates(struct scree_cd *cd, struct scree_cd_problem *p)
{
    size_t n = (size_t)p->n_blocks * (size_t)cd->n_drives + 1;
    p->n_drives = cd->n_drives;
    p->first_of_cell = cd->n_wall_drives;
    p->drive = cd->drive;
    scree_cd_share_drives(cd, p);
    p->rate = scree_alloc(n, sizeof *p->rate);
    p->rate_before = scree_alloc(n, sizeof *p->rate_before);
    p->rate_direction = scree_alloc(n, sizeof *p->rate_direction);
}

void scree_cd_problem_build(struct scree_cd *cd, struct scree_scene *scene,
                            struct scree_cd_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->comm = scene->comm;
    problem->wedge = scene->contacts->wedge;
    problem->dt = scene->dt;
    problem->step = cd->step;
    problem->seed = cd->seed;
    scree_cd_gather_bodies(cd, scene, problem);
    scree_cd_gather_records(cd, scene);
    scree_cd_make_copies(cd, scene, problem);
    make_rates(cd, problem);
    scree_cd_make_contacts(cd, scene, problem);
    scree_cd_find_shares(problem, cd, scene);
}

void scree_cd_problem_clear(struct scree_cd_problem *p)
{
    void *const owned[] = {
        p->block,          p->block_contacts, p->block_copies,     p->contact,
        p->extra,          p->impulse,        p->impulse_before,   p->direction,
        p->couple,         p->couple_before,  p->couple_direction, p->sequence,
        p->record,         p->body,           p->member,           p->first_member,
        p->copy_of,        p->copy,           p->copy_body,        p->copy_before,
        p->copy_direction, p->share,          p->share_copy,       p->peer,
        p->send_start,     p->receive_start,  p->send_copy,        p->received,
        p->rate,           p->rate_before,    p->rate_direction,   p->sweep_order};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++) scree_alloc_free(owned[k]);
    if (p->channel != NULL) scree_channel_destroy(&p->channel);
    memset(p, 0, sizeof *p);
}
