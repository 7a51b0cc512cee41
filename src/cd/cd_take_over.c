/* SPDX-License-Identifier: BSD-3-Clause
 * Going on after another method: what contacts bore becomes the first guess and the history of
 * rigid ones. Overlaps stay as they are: with `gap: positive` they do nothing. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/vec.h"

/* From what was handed over to what cd remembers, for a start of this step. */
static bool remember(void *context, const struct scree_contact_view *view, double *history)
{
    const struct scree_scene *scene = context;
    const struct scree_laws *laws = scene->laws;
    const int32_t *species = scene->particles->species;
    bool wall = view->kind == SCREE_NEAR_WALL;
    int partner = wall ? scene->walls->wall[view->j].species : species[view->j];
    int pair = laws->table[species[view->i] * laws->n_materials + partner];
    memset(history, 0, SCREE_CD_HISTORY * sizeof *history);
    memcpy(history + SCREE_CD_FORCE, view->history + SCREE_HANDED_FORCE, 3 * sizeof *history);
    memcpy(history + SCREE_CD_COUPLE, view->history + SCREE_HANDED_COUPLE, 3 * sizeof *history);
    if (wall)
        memcpy(history + SCREE_CD_NORMAL, scene->contacts->wall_contact[view->place].at.normal,
               3 * sizeof *history);
    else
        scree_cd_find_normal(scene, view, history + SCREE_CD_NORMAL);
    history[SCREE_CD_BOND] = laws->pair[pair].rigid.cohesion > 0.0 ? 1.0 : 0.0;
    return true;
}

/* The force of a record, as far as rigid grains can bear it: no attraction but that of a bond,
 * friction and couples within their limits. */
static void accept(const struct scree_cd_record *r, const struct scree_rigid_law *law,
                   struct scree_cd_claim *claim)
{
    double radius = scree_cd_reduced_radius(r);
    double hold = r->bond != 0.0 ? law->cohesion : 0.0, t[3];
    double n = fmax(scree_vec_dot(r->force, r->normal), -hold), limit = law->friction * (n + hold);
    const struct scree_cd_extra extra = {.rolling = law->rolling * radius,
                                         .torsion = law->torsion * radius};
    struct scree_cd_contact contact = {.friction = law->friction};
    memcpy(contact.normal, r->normal, sizeof contact.normal);
    double along = scree_vec_dot(r->force, r->normal);
    for (int k = 0; k < 3; k++) t[k] = r->force[k] - along * r->normal[k];
    double size = scree_vec_norm(t), scale = size > limit ? limit / size : 1.0;
    for (int k = 0; k < 3; k++) claim->force[k] = n * r->normal[k] + scale * t[k];
    memcpy(claim->couple, r->couple, sizeof claim->couple);
    scree_cd_limit_couple(&contact, &extra, n + hold, claim->couple);
    claim->bonded = r->bond != 0.0;
    claim->acts = n > 0.0 || claim->bonded;
    claim->slides = size > 0.0 && size >= limit * (1.0 - 1e-9);
}

void scree_cd_take_forces(struct scree_cd *cd, struct scree_scene *scene)
{
    scree_contacts_find_walls(scene->contacts, false);
    scree_contacts_reshape(scene->contacts, scene->particles, SCREE_CD_HISTORY, SCREE_CD_ODD,
                           remember, scene);
    scree_cd_begin_drives(cd, scene, scree_scene_time(scene, cd->step));
    scree_cd_find_ghost_ranks(cd, scene);
    scree_cd_find_candidates(cd, scene);
    for (size_t k = 0; k < cd->n_records; k++)
        accept(&cd->record[k], &scene->laws->pair[cd->record[k].pair].rigid, &cd->claim[k]);
    scree_cd_share_forces(cd, scene);
    scree_walls_reduce_servo_loads(scene->walls, scene->comm, scene->dt);
}
