/* SPDX-License-Identifier: BSD-3-Clause
 * Going on after another method: contacts are to bear the forces that were handed over. A law says
 * at which overlap it bears a normal force; grains are moved until overlaps are so (press.c). The
 * springs of friction, rolling and torsion are then drawn until they bear the rest. */
#include "take_over.h"

#include <string.h>

#include "scree/vec.h"

void scree_md_look_at(const struct scree_scene *scene, const struct scree_contact_view *view,
                      struct scree_md_geometry *g)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_laws *laws = scene->laws;
    bool wall = view->kind == SCREE_NEAR_WALL;
    int partner = wall ? scene->walls->wall[view->j].species : p->species[view->j];
    *g =
        (struct scree_md_geometry){.radius = {p->pos[view->i][3], wall ? 0.0 : p->pos[view->j][3]}};
    g->law = scree_laws_between(laws, p->species[view->i], partner);
    if (wall) {
        const struct scree_wall_contact *at = &scene->contacts->wall_contact[view->place];
        memcpy(g->normal, at->at.normal, sizeof g->normal);
        g->gap = at->at.gap;
        return;
    }
    if (scree_near_is_seam(view->kind)) {
        struct scree_seam seam = scree_contacts_seam(scene->contacts, p, view->i, view->j);
        scree_contacts_seam_branch(scene->contacts, p, seam, g->normal);
        g->turn = seam.turn;
    } else {
        double apart[3];
        for (int a = 0; a < 3; a++) apart[a] = p->pos[view->i][a] - p->pos[view->j][a];
        scree_deformation_branch(&scene->domain->cell, apart, g->normal);
    }
    double distance = scree_vec_norm(g->normal);
    for (int a = 0; a < 3; a++) g->normal[a] /= distance;
    g->gap = distance - g->radius[0] - g->radius[1];
}

static void touch_of(const struct scree_scene *scene, const struct scree_contact_view *view,
                     const struct scree_md_geometry *g, struct scree_law_touch *touch)
{
    const struct scree_particles *p = scene->particles;
    bool wall = view->kind == SCREE_NEAR_WALL;
    *touch = (struct scree_law_touch){
        .wall = wall,
        .radius = {g->radius[0], g->radius[1]},
        .m_eff = 1.0 / (p->vel[view->i][3] + (wall ? 0.0 : p->vel[view->j][3])),
        .dt = scene->dt};
    memcpy(touch->normal, g->normal, sizeof touch->normal);
}

/* What was handed over, and the overlap at which the law bears it. */
static bool find_wanted(void *context, const struct scree_contact_view *view, double *history)
{
    const struct scree_scene *scene = context;
    struct scree_md_geometry g;
    struct scree_law_touch touch;
    memcpy(history, view->history, SCREE_HANDED * sizeof *history);
    scree_md_look_at(scene, view, &g);
    touch_of(scene, view, &g, &touch);
    double force = scree_vec_dot(history + SCREE_HANDED_FORCE, g.normal);
    history[SCREE_MD_WANTED] =
        force > 0.0 ? scree_pair_law_find_overlap(g.law, &touch, force) : 0.0;
    return true;
}

/* The history of the laws, at the overlap that is there now; contacts that do not overlap are none.
 */
static bool load_springs(void *context, const struct scree_contact_view *view, double *history)
{
    const struct scree_scene *scene = context;
    const int stride = scree_laws_n_history(scene->laws);
    double all[SCREE_BATCH_HISTORY];
    struct scree_md_geometry g;
    struct scree_law_touch touch;
    scree_md_look_at(scene, view, &g);
    touch_of(scene, view, &g, &touch);
    if (g.gap >= 0.0) return false;
    scree_pair_law_load(g.law, &touch, -g.gap, view->history + SCREE_HANDED_FORCE,
                        view->history + SCREE_HANDED_COUPLE, all);
    memcpy(history, all, (size_t)stride * sizeof *history);
    return true;
}

enum scree_status scree_md_take_forces(struct scree_md *md, struct scree_scene *scene)
{
    const struct scree_laws *laws = scene->laws;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_MD_PHASE_CONTACTS);
    SCREE_TRY(scree_md_renew_lists(md, scene));
    scree_contacts_reshape(scene->contacts, scene->particles, SCREE_MD_N_HANDED, SCREE_HANDED_ODD,
                           find_wanted, scene);
    SCREE_TRY(scree_md_press_grains(md, scene));
    scree_contacts_detach_history(scene->contacts);
    SCREE_TRY(scree_md_regain(md, scene));
    scree_contacts_find_walls(scene->contacts, false);
    scree_contacts_reshape(scene->contacts, scene->particles, scree_laws_n_history(laws),
                           scree_laws_odd(laws), load_springs, scene);
    scree_timer_switch(scene->timer, before);
    return SCREE_OK;
}
