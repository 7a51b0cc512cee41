/* SPDX-License-Identifier: BSD-3-Clause
 * What cd shows of a contact to files, measurements and conditions: forces of the last step at the
 * normals of that step, places of now; and the figures of a step. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/vec.h"

/* From the second centre, or from the contact point on a wall, to the first. */
static void find_branch(const struct scree_scene *scene, const struct scree_contact_view *view,
                        struct scree_contact *c, int *turn)
{
    const struct scree_particles *p = scene->particles;
    double apart[3];
    *turn = 0;
    if (view->kind == SCREE_NEAR_WALL) {
        struct scree_wall_contact at;
        scree_wall_locate_part(&scene->walls->wall[view->j], view->image[0], p->pos[view->i], &at);
        c->gap = at.at.gap;
        for (int k = 0; k < 3; k++) c->branch[k] = p->pos[view->i][k] - at.point[k];
        return;
    }
    if (scree_near_is_seam(view->kind)) {
        struct scree_seam seam = scree_contacts_seam(scene->contacts, p, view->i, view->j);
        scree_contacts_seam_branch(scene->contacts, p, seam, c->branch);
        *turn = seam.turn;
    } else {
        for (int k = 0; k < 3; k++) apart[k] = p->pos[view->i][k] - p->pos[view->j][k];
        scree_deformation_branch(&scene->domain->cell, apart, c->branch);
    }
    c->gap = scree_vec_norm(c->branch) - p->pos[view->i][3] - p->pos[view->j][3];
}

/* Relative velocity at the contact point. */
static void find_motion(const struct scree_scene *scene, const struct scree_contact_view *view,
                        int turn, struct scree_contact *c)
{
    const struct scree_particles *p = scene->particles;
    double u[3], spin[3], swept[3], v[3] = {0.0, 0.0, 0.0}, w[3] = {0.0, 0.0, 0.0};
    if (view->kind == SCREE_NEAR_WALL) {
        struct scree_wall_contact at;
        scree_wall_locate_part(&scene->walls->wall[view->j], view->image[0], p->pos[view->i], &at);
        memcpy(v, at.velocity, sizeof v);
    } else {
        memcpy(v, p->vel[view->j], sizeof v);
        for (int k = 0; k < 3; k++) w[k] = p->pos[view->j][3] * p->spin[view->j][k];
        if (turn != 0) {
            scree_wedge_turn_by(scene->contacts->wedge, turn, v);
            scree_wedge_turn_by(scene->contacts->wedge, turn, w);
        }
        for (int k = 0; k < 3 && scene->domain->cell.on; k++)
            v[k] -= scree_vec_dot(scene->domain->cell.flow[k], c->branch);
    }
    for (int k = 0; k < 3; k++) spin[k] = p->pos[view->i][3] * p->spin[view->i][k] + w[k];
    scree_vec_cross(c->normal, spin, swept);
    for (int k = 0; k < 3; k++) u[k] = p->vel[view->i][k] - v[k] + swept[k];
    double un = scree_vec_dot(u, c->normal);
    c->approach = -un;
    for (int k = 0; k < 3; k++) c->slip[k] = u[k] - un * c->normal[k];
}

static void show(const struct scree_scene *scene, const struct scree_contact_view *view,
                 struct scree_contact *c)
{
    int turn;
    memset(c, 0, sizeof *c);
    c->first = view->first;
    c->second = view->second;
    c->part = view->kind == SCREE_NEAR_WALL ? view->image[0] : 0;
    c->slot[0] = view->i;
    c->slot[1] = view->j;
    c->weight = scree_near_is_cut(view->kind) ? 0.5 : 1.0;
    for (int s = 0; s < 2; s++) {
        const struct scree_cd_claim claim = {.kind = (int32_t)view->kind,
                                             .slot = {view->i, view->j}};
        c->owned[s] = scree_cd_owned_side(scene, &claim, s);
    }
    memcpy(c->place, scene->particles->pos[view->i], sizeof c->place);
    memcpy(c->force, view->history + SCREE_CD_FORCE, sizeof c->force);
    memcpy(c->normal, view->history + SCREE_CD_NORMAL, sizeof c->normal);
    memcpy(c->couple, view->history + SCREE_CD_COUPLE, sizeof c->couple);
    c->normal_force = scree_vec_dot(c->force, c->normal);
    c->slides = view->history[SCREE_CD_SLIDES] != 0.0;
    c->history = view->history;
    find_branch(scene, view, c, &turn);
    find_motion(scene, view, turn, c);
}

void scree_cd_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context)
{
    (void)state;
    double turned[SCREE_HISTORY_MAX];
    struct scree_contact_view view;
    struct scree_contact contact;
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &scene->contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) {
            if (!scree_near_is_marked(near, k)) continue;
            scree_contacts_view(scene->contacts, scene->particles, kind, k, turned, &view);
            show(scene, &view, &contact);
            listen(context, &contact);
        }
    }
}

enum { STORED = 6 }; /* figures found by the step, see outcome.c */
const struct scree_figure scree_cd_figures[] = {{"sweeps", "", false},
                                                {"residual", "", false},
                                                {"unbalanced", "", false},
                                                {"worst contact", "", true},
                                                {"worst contact first", "", true},
                                                {"worst contact second", "", true},
                                                {"largest overlap", "m", false},
                                                {0}};

static void find_overlap(void *context, const struct scree_contact *contact)
{
    double *largest = context;
    *largest = fmax(*largest, -contact->gap);
}

void scree_cd_measure_figures(void *state, struct scree_scene *scene, double *value)
{
    const struct scree_cd *cd = state;
    memcpy(value, cd->figure, sizeof cd->figure);
    value[STORED] = 0.0;
    scree_cd_show_contacts(state, scene, find_overlap, &value[STORED]);
    scree_comm_max(scene->comm, &value[STORED], 1);
}
