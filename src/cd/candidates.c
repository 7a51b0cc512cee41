/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts that may act in the step: pairs whose gap could close within it, seen from the grain
 * with the lower gid, so that every rank that holds one of them finds the same bits. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/vec.h"

double scree_cd_speed_bound(const struct scree_cd *cd, const double v[3])
{
    return 2.0 * scree_vec_norm(v) + cd->slack + cd->drive_speed;
}

static bool is_midpoint(const struct scree_cd *cd)
{
    return cd->values->scheme == SCREE_CD_MOREAU;
}

/* The order of contacts is a function of their identity and of the step. */
static uint64_t draw_order(const struct scree_cd *cd, const struct scree_cd_record *r)
{
    const int64_t part = r->second < 0 ? (int64_t)r->image[0] << 32 : 0; /* of a wall */
    const int64_t key[] = {(int64_t)cd->seed, cd->step, r->first, r->second - part};
    return scree_hash_record(key, sizeof key);
}

/* A vector that belongs to the old normal, turned the shortest way to the new one. */
static void turn_to(const double old[3], const double new[3], double vector[3])
{
    double axis[3], once[3], twice[3], c = scree_vec_dot(old, new);
    if (c < -0.5) { /* no contact of before */
        memset(vector, 0, 3 * sizeof *vector);
        return;
    }
    scree_vec_cross(old, new, axis);
    scree_vec_cross(axis, vector, once);
    scree_vec_cross(axis, once, twice);
    for (int a = 0; a < 3; a++) vector[a] += once[a] + twice[a] / (1.0 + c);
}

/* First guess: what acted in the last step, if anything. */
static void recall(const struct scree_cd *cd, const double *history, bool marked,
                   struct scree_cd_record *r)
{
    if (!marked) return;
    r->bond = history[SCREE_CD_BOND];
    if (!cd->values->warm_start) return;
    memcpy(r->force, history + SCREE_CD_FORCE, sizeof r->force);
    memcpy(r->couple, history + SCREE_CD_COUPLE, sizeof r->couple);
    turn_to(history + SCREE_CD_NORMAL, r->normal, r->force);
    turn_to(history + SCREE_CD_NORMAL, r->normal, r->couple);
}

/* From the second centre to the first. */
static void find_branch(const struct scree_scene *scene, enum scree_near_kind kind, scree_lid first,
                        scree_lid second, double branch[3], int32_t *turn)
{
    const struct scree_particles *p = scene->particles;
    if (scree_near_is_seam(kind)) {
        struct scree_seam seam = scree_contacts_seam(scene->contacts, p, first, second);
        scree_contacts_seam_branch(scene->contacts, p, seam, branch);
        *turn = seam.turn;
        return;
    }
    double apart[3];
    for (int a = 0; a < 3; a++) apart[a] = p->pos[first][a] - p->pos[second][a];
    scree_deformation_branch(&scene->domain->cell, apart, branch);
}

void scree_cd_find_normal(const struct scree_scene *scene, const struct scree_contact_view *view,
                          double normal[3])
{
    int32_t turn;
    find_branch(scene, view->kind, view->i, view->j, normal, &turn);
    double distance = scree_vec_norm(normal);
    for (int k = 0; k < 3; k++) normal[k] /= distance;
}

static bool is_full_radius(const struct scree_laws *laws, int pair)
{
    return laws->pair[pair].lever == SCREE_ARM_RADIUS;
}

/* A grain that is part of a wall with servos. */
static void couple_glued(const struct scree_cd *cd, const struct scree_scene *scene, scree_lid i,
                         int turn, double sign, struct scree_cd_coupling *coupling)
{
    const struct scree_particles *p = scene->particles;
    if (p->glued[i] == 0) return;
    const int wall = p->glued[i] - 1, first = coupling->n;
    double turned[3][3], arm[3];
    scree_wall_turned(&scene->walls->wall[wall], false, turned);
    for (int k = 0; k < 3; k++) arm[k] = scree_vec_dot(turned[k], p->arm[i]);
    scree_cd_couple(cd, scene, wall, arm, sign, coupling);
    for (int k = first; k < coupling->n && turn != 0; k++)
        scree_wedge_turn_by(scene->contacts->wedge, turn, coupling->sweep[k]);
}

/* Geometry of a pair of grains; false if its gap cannot close in this step. */
static bool measure_pair(const struct scree_cd *cd, const struct scree_scene *scene,
                         const struct scree_contact_view *view, bool keep,
                         struct scree_cd_record *r)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_deformation *cell = &scene->domain->cell;
    const double *a = p->pos[view->i], *b = p->pos[view->j];
    double branch[3], radii = a[3] + b[3];
    find_branch(scene, view->kind, view->i, view->j, branch, &r->turn);
    double speed =
        scree_cd_speed_bound(cd, p->vel[view->i]) + scree_cd_speed_bound(cd, p->vel[view->j]);
    double distance = scree_vec_norm(branch);
    if (cell->on) speed += scree_cd_flow_closing(cd, distance);
    r->gap = distance - radii;
    if (!(r->gap < speed * scene->dt) && !keep) return false;
    const struct scree_laws *laws = scene->laws;
    r->pair = laws->table[p->species[view->i] * laws->n_materials + p->species[view->j]];
    bool full = is_full_radius(laws, r->pair);
    r->arm[0] = full ? a[3] : a[3] + 0.5 * r->gap;
    r->arm[1] = full ? b[3] : b[3] + 0.5 * r->gap;
    for (int k = 0; k < 3; k++) r->normal[k] = branch[k] / distance;
    memcpy(r->branch, branch, sizeof r->branch);
    for (int k = 0; k < 3 && cell->on; k++) r->drift[k] = scree_vec_dot(cd->given_flow[k], branch);
    if (cd->n_drives > 0 && p->glued != NULL) {
        couple_glued(cd, scene, view->i, 0, 1.0, &r->coupling);
        couple_glued(cd, scene, view->j, r->turn, -1.0, &r->coupling);
    }
    return true;
}

/* Walls have moved to the end of the step already: where they were when gaps count, at its
 * beginning or (moreau) in its middle, is found from that. */
static bool measure_wall(const struct scree_cd *cd, const struct scree_scene *scene, size_t place,
                         const struct scree_contact_view *view, bool keep,
                         struct scree_cd_record *r)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_wall_contact *contact = &scene->contacts->wall_contact[place];
    const struct scree_laws *laws = scene->laws;
    if (!scree_contacts_meets_wall(scene->contacts, place)) return false;
    bool reaches = contact->at.gap < scree_cd_speed_bound(cd, p->vel[view->i]) * scene->dt;
    double back = is_midpoint(cd) ? 0.5 : 1.0;
    r->gap = contact->at.gap + back * scree_vec_dot(contact->at.normal, contact->moved);
    if (!reaches && !keep) return false;
    r->pair =
        laws->table[p->species[view->i] * laws->n_materials + scene->walls->wall[view->j].species];
    double radius = p->pos[view->i][3];
    r->arm[0] = is_full_radius(laws, r->pair) ? radius : radius + contact->at.gap;
    for (int k = 0; k < 3; k++) {
        r->normal[k] = contact->at.normal[k];
        r->branch[k] = (radius + contact->at.gap) * r->normal[k];
        r->drift[k] = -contact->moved[k] / scene->dt;
        r->spin_drift[k] = -contact->turned[k] / scene->dt;
    }
    scree_cd_couple(cd, scene, view->j, contact->arm, -1.0, &r->coupling);
    return true;
}

/* The midpoint scheme has contacts of the grains that touch in the middle of the step, no others:
 * what comes near acts in a later step (003, after Eq. 42). */
static bool is_ahead(const struct scree_cd *cd, const struct scree_cd_record *r)
{
    return is_midpoint(cd) && r->gap > 0.0;
}

static void add_pair(struct scree_cd *cd, struct scree_scene *scene, enum scree_near_kind kind,
                     size_t place)
{
    const struct scree_near *near = &scene->contacts->near[kind];
    double turned[SCREE_HISTORY_MAX];
    struct scree_contact_view view;
    struct scree_cd_record r;
    bool own = scree_contacts_view(scene->contacts, scene->particles, kind, place, turned, &view);
    bool marked = scree_near_is_marked(near, place);
    bool keep = marked && view.history[SCREE_CD_BOND] != 0.0;
    memset(&r, 0, sizeof r); /* padding, too: records are sent */
    if (kind == SCREE_NEAR_WALL ? !measure_wall(cd, scene, place, &view, keep, &r)
                                : !measure_pair(cd, scene, &view, keep, &r))
        return;
    if (is_ahead(cd, &r) && !keep) return;
    r.first = view.first;
    r.second = view.second;
    memcpy(r.image, view.image, sizeof r.image);
    r.block = scree_cd_block_of(cd, scene, view.i);
    r.order = draw_order(cd, &r);
    r.holder = scene->comm->rank;
    r.place = (int64_t)cd->n_records;
    recall(cd, view.history, marked, &r);
    if (r.gap > scene->laws->pair[r.pair].rigid.range) r.bond = 0.0; /* torn */
    SCREE_GROW(cd->record, cd->n_records, cd->record_capacity, cd->n_records + 1);
    SCREE_GROW(cd->claim, cd->n_records, cd->claim_capacity, cd->n_records + 1);
    cd->claim[cd->n_records] = (struct scree_cd_claim){.kind = (int32_t)kind,
                                                       .turned = !own && !scree_near_is_seam(kind),
                                                       .near = place,
                                                       .slot = {view.i, view.j}};
    cd->record[cd->n_records++] = r;
}

void scree_cd_find_candidates(struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_contacts *contacts = scene->contacts;
    cd->n_records = 0;
    scree_contacts_find_walls(contacts, true);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        for (size_t k = 0; k < contacts->near[kind].n; k++) add_pair(cd, scene, kind, k);
}
