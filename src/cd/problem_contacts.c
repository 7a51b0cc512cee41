/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts of the problem, from their records: where relative velocities have to be after the step,
 * effective masses, limits, the first guess of impulses. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/vec.h"

static bool is_same_contact(const struct scree_cd_record *r, const struct scree_cd_record *s)
{
    return r->first == s->first && r->second == s->second &&
           memcmp(r->image, s->image, sizeof r->image) == 0;
}

/* Relative velocity of two bodies at their contact point, or with a wall, without any drift. */
static void velocity_between(const struct scree_cd_problem *p, const struct scree_cd_record *r,
                             const double *a, const double *b, double u[3])
{
    double spin[3], swept[3], vb[3] = {0.0, 0.0, 0.0}, wb[3] = {0.0, 0.0, 0.0};
    if (b != NULL) {
        memcpy(vb, b, sizeof vb);
        memcpy(wb, b + 3, sizeof wb);
        if (r->turn != 0) {
            scree_wedge_turn(p->wedge, r->turn, b, vb);
            scree_wedge_turn(p->wedge, r->turn, b + 3, wb);
        }
    }
    for (int k = 0; k < 3; k++) spin[k] = r->arm[0] * a[3 + k] + r->arm[1] * wb[k];
    scree_vec_cross(r->normal, spin, swept);
    for (int k = 0; k < 3; k++) u[k] = a[k] - vb[k] + swept[k];
}

/* Where the normal velocity must be at least, and what restitution does to the rest (PHYSICS C1,
 * C4). Only contacts that come together faster than the threshold rebound; the gap that is left
 * then is forgotten, or the rebound would be that of the velocity which closes it. */
static void set_target(const struct scree_cd *cd, const struct scree_cd_record *r,
                       const struct scree_rigid_law *law, const double before[3], double dt,
                       double threshold, struct scree_cd_contact *c)
{
    double gap = cd->values->gap == SCREE_CD_GAP_POSITIVE ? fmax(r->gap, 0.0) : r->gap;
    if (cd->values->scheme == SCREE_CD_MOREAU) gap = 0.0;
    double approach = scree_vec_dot(before, r->normal);
    c->target = -gap / dt;
    bool closes = r->gap + approach * dt < 0.0;
    if (law->restitution > 0.0 && approach < -threshold && closes)
        c->target = -law->restitution * approach;
    for (int k = 0; k < 3; k++) {
        double slip = before[k] - approach * r->normal[k];
        c->drift[k] = r->drift[k] + law->restitution_tangential * slip;
    }
}

static double inverse_or_zero(double x)
{
    return x > 0.0 ? 1.0 / x : 0.0;
}

/* What drives add to the inverse effective masses along and across the normal, of whole walls and
 * of their shares. A wall that gives way along both couples them; twice the sum is on the safe
 * side. */
static void find_rate_weights(const struct scree_cd_problem *p, const struct scree_cd_contact *c,
                              const struct scree_cd_extra *extra, double whole[2], double share[2])
{
    whole[0] = whole[1] = share[0] = share[1] = 0.0;
    if (extra == NULL) return;
    for (int k = 0; k < extra->n_drives; k++) {
        double sweep[3];
        const struct scree_cd_drive *drive = &p->drive[scree_cd_find_sweep(p, extra, k, sweep)];
        double n = scree_vec_dot(sweep, c->normal), all = scree_vec_dot(sweep, sweep);
        double part[2] = {n * n, fmax(all - n * n, 0.0)};
        bool both = part[0] > 1e-12 * all && part[1] > 1e-12 * all;
        for (int m = 0; m < 2; m++) {
            whole[m] += drive->inverse_mass * part[m];
            share[m] += (both ? 2.0 : 1.0) * drive->share * drive->inverse_mass * part[m];
        }
    }
}

static void set_masses(const struct scree_cd_problem *p, struct scree_cd_contact *c,
                       struct scree_cd_extra *extra)
{
    const struct scree_cd_copy *a = &p->copy[c->a], none = {.inverse_mass = 0.0};
    const struct scree_cd_copy *b = c->b >= 0 ? &p->copy[c->b] : &none;
    double n = a->inverse_mass + b->inverse_mass, spins = a->inverse_inertia + b->inverse_inertia;
    double t =
        n + c->arm[0] * c->arm[0] * a->inverse_inertia + c->arm[1] * c->arm[1] * b->inverse_inertia;
    double rates[2], shares[2];
    find_rate_weights(p, c, extra, rates, shares);
    c->mass_n = inverse_or_zero(n + shares[0]);
    c->mass_t = inverse_or_zero(t + shares[1]);
    const struct scree_cd_body *whole_a = &p->body[p->copy_body[c->a]];
    const struct scree_cd_body *whole_b = c->b >= 0 ? &p->body[p->copy_body[c->b]] : NULL;
    double inertia_b = whole_b != NULL ? whole_b->inverse_inertia : 0.0;
    double inverse_n = whole_a->inverse_mass + (whole_b != NULL ? whole_b->inverse_mass : 0.0);
    c->weight_n = inverse_n + rates[0];
    c->weight_t = inverse_n + rates[1] + c->arm[0] * c->arm[0] * whole_a->inverse_inertia +
                  c->arm[1] * c->arm[1] * inertia_b;
    if (extra == NULL) return;
    extra->mass_r = inverse_or_zero(spins);
    extra->weight_r = whole_a->inverse_inertia + inertia_b;
}

/* r* of the couples: that of the grain at a wall. */
double scree_cd_reduced_radius(const struct scree_cd_record *r)
{
    return r->second < 0 ? r->arm[0] : r->arm[0] * r->arm[1] / (r->arm[0] + r->arm[1]);
}

static void set_extra(const struct scree_cd_problem *p, const struct scree_cd_record *r,
                      const struct scree_rigid_law *law, struct scree_cd_extra *extra)
{
    const double dt = p->dt;
    double radius = scree_cd_reduced_radius(r);
    bool bonded = r->bond != 0.0 && r->gap <= law->range;
    extra->close = -fmax(r->gap, 0.0) / dt;
    extra->cohesion = bonded ? law->cohesion * dt : 0.0;
    extra->rolling = law->rolling * radius;
    extra->torsion = law->torsion * radius;
    extra->turn = r->turn;
    extra->coupling = r->coupling;
    extra->n_drives = r->coupling.n + (r->second >= 0 ? p->n_drives - p->first_of_cell : 0);
    memcpy(extra->branch, r->branch, sizeof extra->branch);
    memcpy(extra->spin_drift, r->spin_drift, sizeof extra->spin_drift);
}

static void set_impulse(const struct scree_cd_record *r, double dt,
                        struct scree_cd_impulse *impulse)
{
    impulse->n = dt * scree_vec_dot(r->force, r->normal);
    for (int k = 0; k < 3; k++) impulse->t[k] = dt * r->force[k] - impulse->n * r->normal[k];
}

static bool needs_extra(const struct scree_cd *cd, const struct scree_laws *laws)
{
    bool needed = false;
    for (int k = 0; k < laws->n_pairs; k++) {
        const struct scree_rigid_law *law = &laws->pair[k].rigid;
        needed = needed || law->rolling > 0.0 || law->torsion > 0.0 || law->cohesion > 0.0;
    }
    for (size_t k = 0; k < cd->n_all && !needed; k++) needed = cd->all[k].turn != 0;
    return needed || cd->n_drives > 0;
}

static void allocate_contacts(const struct scree_cd *cd, const struct scree_laws *laws,
                              struct scree_cd_problem *p)
{
    size_t n = cd->n_all + 1;
    p->contact = scree_alloc(n, sizeof *p->contact);
    p->impulse = scree_alloc(n, sizeof *p->impulse);
    p->impulse_before = scree_alloc(n, sizeof *p->impulse_before);
    p->direction = scree_alloc(n, sizeof *p->direction);
    p->record = scree_alloc(n, sizeof *p->record);
    if (cd->values->order == SCREE_CD_ORDER_RANDOM)
        p->sequence = scree_alloc(n, sizeof *p->sequence);
    if (!needs_extra(cd, laws)) return;
    p->extra = scree_alloc(n, sizeof *p->extra);
    p->couple = scree_alloc(n, sizeof *p->couple);
    p->couple_before = scree_alloc(n, sizeof *p->couple_before);
    p->couple_direction = scree_alloc(n, sizeof *p->couple_direction);
}

static double find_threshold(const struct scree_cd *cd, const struct scree_scene *scene)
{
    if (!isnan(cd->values->rebound_speed)) return cd->values->rebound_speed;
    return 5.0 * scree_vec_norm(scene->gravity) * scene->dt;
}

/* What drives did to the relative velocity in the last step. */
static void add_rates_before(const struct scree_cd_problem *p, const struct scree_cd_extra *extra,
                             double u[3])
{
    for (int k = 0; k < extra->n_drives; k++) {
        double sweep[3];
        int d = scree_cd_find_sweep(p, extra, k, sweep);
        for (int a = 0; a < 3; a++) u[a] += p->drive[d].before * sweep[a];
    }
}

static void add_contact(const struct scree_cd *cd, const struct scree_scene *scene,
                        struct scree_cd_problem *p, int block, const struct scree_cd_record *r)
{
    struct scree_cd_contact *c = &p->contact[p->n_contacts];
    struct scree_cd_extra *extra = p->extra != NULL ? &p->extra[p->n_contacts] : NULL;
    const struct scree_rigid_law *law = &scene->laws->pair[r->pair].rigid;
    double before[3];
    memcpy(c->normal, r->normal, sizeof c->normal);
    memcpy(c->arm, r->arm, sizeof c->arm);
    c->friction = law->friction;
    c->a = scree_cd_find_copy(p, block, r->first);
    c->b = r->second < 0 ? -1 : scree_cd_find_copy(p, block, r->second);
    velocity_between(p, r, p->body[p->copy_body[c->a]].before,
                     c->b >= 0 ? p->body[p->copy_body[c->b]].before : NULL, before);
    for (int k = 0; k < 3; k++) before[k] += r->drift[k];
    if (extra != NULL) {
        set_extra(p, r, law, extra);
        add_rates_before(p, extra, before);
        for (int k = 0; k < 3; k++) p->couple[p->n_contacts][k] = p->dt * r->couple[k];
    }
    set_target(cd, r, law, before, p->dt, find_threshold(cd, scene), c);
    set_masses(p, c, extra);
    set_impulse(r, p->dt, &p->impulse[p->n_contacts]);
    p->record[p->n_contacts++] = (size_t)(r - cd->all);
}

void scree_cd_make_contacts(struct scree_cd *cd, const struct scree_scene *scene,
                            struct scree_cd_problem *p)
{
    struct scree_cd_ranked *ranked = scree_alloc(cd->n_all + 1, sizeof *ranked);
    size_t *start = scree_alloc((size_t)p->n_blocks + 2, sizeof *start);
    p->block_contacts = scree_alloc((size_t)p->n_blocks + 1, sizeof *p->block_contacts);
    allocate_contacts(cd, scene->laws, p);
    scree_cd_sort_records(cd, p, ranked, start);
    for (int b = 0; b < p->n_blocks; b++) {
        p->block_contacts[b] = (int)p->n_contacts;
        for (size_t k = start[b]; k < start[b + 1]; k++) {
            const struct scree_cd_record *r = ranked[k].record;
            bool again = k > start[b] && is_same_contact(r, ranked[k - 1].record);
            if (!again) add_contact(cd, scene, p, b, r);
            /* Results of a contact go to all who hold it. */
            cd->all[r - cd->all].order = (uint64_t)(p->n_contacts - 1);
        }
    }
    p->block_contacts[p->n_blocks] = (int)p->n_contacts;
    scree_alloc_free(start);
    scree_alloc_free(ranked);
}
