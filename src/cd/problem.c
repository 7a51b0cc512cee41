/* SPDX-License-Identifier: BSD-3-Clause
 * The problem of a step: records of contacts and bodies go to the ranks that own their blocks,
 * which put them in order. Everything about a block is a function of the state alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/vec.h"

/* The blocks in which owned grains have contacts. */
struct membership {
    size_t *start;  /* [n_owned + 1] */
    int64_t *block; /* of each grain, rising */
};

scree_lid scree_cd_owned_side(const struct scree_scene *scene, const struct scree_cd_claim *claim,
                              int side)
{
    const scree_lid n = scene->particles->n_owned;
    if (side == 1 && claim->kind == SCREE_NEAR_WALL) return -1;
    scree_lid slot = claim->slot[side];
    if (slot >= n)
        slot = scree_contacts_home(scene->contacts, (enum scree_near_kind)claim->kind, slot);
    return slot < n ? slot : -1;
}

static size_t make_unique(int64_t *key, size_t n)
{
    for (size_t k = 1; k < n; k++) { /* few: insertion */
        int64_t moved = key[k];
        size_t to = k;
        for (; to > 0 && key[to - 1] > moved; to--) key[to] = key[to - 1];
        key[to] = moved;
    }
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if (kept == 0 || key[k] != key[kept - 1]) key[kept++] = key[k];
    return kept;
}

static void find_membership(const struct scree_cd *cd, const struct scree_scene *scene,
                            struct membership *m)
{
    const size_t n = (size_t)scene->particles->n_owned;
    size_t *fill = scree_alloc(n + 1, sizeof *fill);
    m->start = scree_alloc(n + 1, sizeof *m->start);
    memset(m->start, 0, (n + 1) * sizeof *m->start);
    for (size_t k = 0; k < cd->n_records; k++)
        for (int side = 0; side < 2; side++) {
            scree_lid i = scree_cd_owned_side(scene, &cd->claim[k], side);
            if (i >= 0) m->start[i + 1]++;
        }
    for (size_t i = 0; i < n; i++) m->start[i + 1] += m->start[i];
    memcpy(fill, m->start, n * sizeof *fill);
    m->block = scree_alloc(m->start[n] + 1, sizeof *m->block);
    for (size_t k = 0; k < cd->n_records; k++)
        for (int side = 0; side < 2; side++) {
            scree_lid i = scree_cd_owned_side(scene, &cd->claim[k], side);
            if (i >= 0) m->block[fill[i]++] = cd->record[k].block;
        }
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        size_t from = m->start[i], kept = make_unique(m->block + from, m->start[i + 1] - from);
        memmove(m->block + to, m->block + from, kept * sizeof *m->block);
        m->start[i] = to;
        to += kept;
    }
    m->start[n] = to;
    scree_alloc_free(fill);
}

/* Items for all ranks, one after the other. */
struct parcels {
    int *count; /* [n_ranks] items */
    unsigned char *bytes;
    size_t n, capacity;
};

/* A body and its blocks as one parcel of 8-byte words: the struct, then the keys. */
enum { BODY_WORDS = sizeof(struct scree_cd_body) / 8 };

static struct scree_cd_body make_body(const struct scree_cd *cd, const struct scree_scene *scene,
                                      scree_lid i, size_t n_blocks)
{
    const struct scree_particles *p = scene->particles;
    struct scree_cd_body body;
    memset(&body, 0, sizeof body);
    body.gid = p->gid[i];
    body.home = scene->comm->rank;
    body.slot = i;
    body.inverse_mass = p->vel[i][3];
    body.inverse_inertia = p->spin[i][3];
    body.n_blocks = (int64_t)n_blocks;
    for (int a = 0; a < 3; a++) {
        body.free[a] = p->vel[i][a];
        body.free[3 + a] = p->spin[i][a];
    }
    memcpy(body.before, cd->before[i], sizeof body.before);
    return body;
}

static void add_body(struct scree_cd_problem *problem, size_t *capacity, size_t *member_capacity,
                     const struct scree_cd_body *body, const int64_t *block)
{
    size_t n = problem->n_bodies, at = n > 0 ? problem->first_member[n] : 0;
    if (n + 2 > *capacity) {
        size_t grown = scree_alloc_grown(*capacity, n + 2);
        problem->body = scree_alloc_resize(problem->body, n, grown, sizeof *problem->body);
        problem->first_member = scree_alloc_resize(problem->first_member, n > 0 ? n + 1 : 0, grown,
                                                   sizeof *problem->first_member);
        *capacity = grown;
    }
    problem->first_member[n] = at;
    SCREE_GROW(problem->member, at, *member_capacity, at + (size_t)body->n_blocks);
    memcpy(problem->member + at, block, (size_t)body->n_blocks * sizeof *block);
    problem->body[n] = *body;
    problem->first_member[n + 1] = at + (size_t)body->n_blocks;
    problem->n_bodies++;
}

/* Ranks that own the blocks of a grain, each once; returns their number. */
static int find_owners(const struct scree_cd *cd, const struct scree_scene *scene,
                       const int64_t *block, size_t n, int *owner)
{
    int found = 0;
    for (size_t k = 0; k < n; k++) {
        int rank = scree_cd_block_owner(cd, scene, block[k]), at = 0;
        while (at < found && owner[at] != rank) at++;
        if (at == found) owner[found++] = rank;
    }
    return found;
}

/* Bodies of this rank stay or go; bodies of others come. */
static void gather_bodies(const struct scree_cd *cd, const struct scree_scene *scene,
                          const struct membership *m, struct scree_cd_problem *problem)
{
    struct scree_comm *comm = scene->comm;
    const int n_ranks = comm->n_ranks;
    const scree_lid n = scene->particles->n_owned;
    size_t capacity = 0, member_capacity = 0, n_words = 0;
    int *count = scree_alloc((size_t)n_ranks * 2, sizeof *count), *n_received = count + n_ranks;
    memset(count, 0, (size_t)n_ranks * 2 * sizeof *count);
    size_t longest = 1;
    for (scree_lid i = 0; i < n; i++)
        longest = m->start[i + 1] - m->start[i] > longest ? m->start[i + 1] - m->start[i] : longest;
    int *owner = scree_alloc(longest, sizeof *owner);
    for (scree_lid i = 0; i < n; i++) {
        size_t n_blocks = m->start[i + 1] - m->start[i];
        const int64_t *block = m->block + m->start[i];
        int n_owners = find_owners(cd, scene, block, n_blocks, owner);
        for (int k = 0; k < n_owners; k++) {
            if (owner[k] == comm->rank) {
                struct scree_cd_body body = make_body(cd, scene, i, n_blocks);
                add_body(problem, &capacity, &member_capacity, &body, block);
            } else {
                count[owner[k]] += BODY_WORDS + (int)n_blocks;
                n_words += BODY_WORDS + n_blocks;
            }
        }
    }
    uint64_t *sent = scree_alloc(n_words + 1, sizeof *sent), *received;
    size_t *at = scree_alloc((size_t)n_ranks + 1, sizeof *at);
    at[0] = 0;
    for (int r = 0; r < n_ranks; r++) at[r + 1] = at[r] + (size_t)count[r];
    for (scree_lid i = 0; i < n && n_words > 0; i++) {
        size_t n_blocks = m->start[i + 1] - m->start[i];
        const int64_t *block = m->block + m->start[i];
        int n_owners = find_owners(cd, scene, block, n_blocks, owner);
        for (int k = 0; k < n_owners; k++) {
            if (owner[k] == comm->rank) continue;
            struct scree_cd_body body = make_body(cd, scene, i, n_blocks);
            memcpy(sent + at[owner[k]], &body, sizeof body);
            memcpy(sent + at[owner[k]] + BODY_WORDS, block, n_blocks * sizeof *block);
            at[owner[k]] += BODY_WORDS + n_blocks;
        }
    }
    scree_comm_exchange(comm, count, sent, sizeof *sent, n_received, (void **)&received);
    size_t n_all = 0;
    for (int r = 0; r < n_ranks; r++) n_all += (size_t)n_received[r];
    for (size_t k = 0; k < n_all;) {
        struct scree_cd_body body;
        memcpy(&body, received + k, sizeof body);
        add_body(problem, &capacity, &member_capacity, &body,
                 (const int64_t *)(received + k + BODY_WORDS));
        k += BODY_WORDS + (size_t)body.n_blocks;
    }
    scree_alloc_free(received);
    scree_alloc_free(sent);
    scree_alloc_free(at);
    scree_alloc_free(owner);
    scree_alloc_free(count);
}

/* Records of blocks owned here, from all ranks. */
static void gather_records(struct scree_cd *cd, const struct scree_scene *scene)
{
    struct scree_comm *comm = scene->comm;
    const int n_ranks = comm->n_ranks;
    int *count = scree_alloc((size_t)n_ranks * 2, sizeof *count), *n_received = count + n_ranks;
    int *owner = scree_alloc(cd->n_records + 1, sizeof *owner);
    memset(count, 0, (size_t)n_ranks * 2 * sizeof *count);
    int64_t last = -1;
    int last_owner = 0;
    for (size_t k = 0; k < cd->n_records; k++) {
        if (cd->record[k].block != last || k == 0) {
            last = cd->record[k].block;
            last_owner = scree_cd_block_owner(cd, scene, last);
        }
        owner[k] = last_owner;
        count[owner[k]]++;
    }
    size_t *at = scree_alloc((size_t)n_ranks + 1, sizeof *at);
    at[0] = 0;
    for (int r = 0; r < n_ranks; r++) at[r + 1] = at[r] + (size_t)count[r];
    struct scree_cd_record *sent = scree_alloc(cd->n_records + 1, sizeof *sent), *received;
    for (size_t k = 0; k < cd->n_records; k++) sent[at[owner[k]]++] = cd->record[k];
    scree_comm_exchange(comm, count, sent, sizeof *sent, n_received, (void **)&received);
    cd->n_all = 0;
    for (int r = 0; r < n_ranks; r++) cd->n_all += (size_t)n_received[r];
    scree_alloc_free(cd->all);
    cd->all = received;
    scree_alloc_free(sent);
    scree_alloc_free(at);
    scree_alloc_free(owner);
    scree_alloc_free(count);
}

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

/* One copy of a body in each of its blocks that are owned here, by block and gid. */
static void make_copies(const struct scree_cd *cd, const struct scree_scene *scene,
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

/* How records of a block follow each other; those of the same contact stand together. */
struct ranked {
    uint64_t order;
    const struct scree_cd_record *record;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const struct scree_cd_record *r = x->record, *s = y->record;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    if (r->first != s->first) return r->first < s->first ? -1 : 1;
    if (r->second != s->second) return r->second < s->second ? -1 : 1;
    for (int a3 = 0; a3 < 3; a3++)
        if (r->image[a3] != s->image[a3]) return r->image[a3] < s->image[a3] ? -1 : 1;
    return r->holder - s->holder;
}

static int compare_backwards(const void *a, const void *b)
{
    return -compare_ranked(a, b);
}

/* Records by block, then by the order asked for, in place. */
static void sort_records(const struct scree_cd *cd, struct scree_cd_problem *p,
                         struct ranked *ranked, size_t *start)
{
    const int order = cd->values->order;
    int *block = scree_alloc(cd->n_all + 1, sizeof *block);
    memset(start, 0, ((size_t)p->n_blocks + 1) * sizeof *start);
    for (size_t k = 0; k < cd->n_all; k++) {
        block[k] = scree_cd_find_block(p, cd->all[k].block);
        start[block[k] + 1]++;
    }
    for (int b = 0; b < p->n_blocks; b++) start[b + 1] += start[b];
    size_t *fill = scree_alloc((size_t)p->n_blocks + 1, sizeof *fill);
    memcpy(fill, start, ((size_t)p->n_blocks + 1) * sizeof *fill);
    bool by_ids = order == SCREE_CD_ORDER_FIXED || order == SCREE_CD_ORDER_REVERSE;
    for (size_t k = 0; k < cd->n_all; k++)
        ranked[fill[block[k]]++] = (struct ranked){by_ids ? 0 : cd->all[k].order, &cd->all[k]};
    for (int b = 0; b < p->n_blocks; b++)
        qsort(ranked + start[b], start[b + 1] - start[b], sizeof *ranked,
              order == SCREE_CD_ORDER_REVERSE ? compare_backwards : compare_ranked);
    scree_alloc_free(fill);
    scree_alloc_free(block);
}

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

static void make_contacts(struct scree_cd *cd, const struct scree_scene *scene,
                          struct scree_cd_problem *p)
{
    struct ranked *ranked = scree_alloc(cd->n_all + 1, sizeof *ranked);
    size_t *start = scree_alloc((size_t)p->n_blocks + 2, sizeof *start);
    p->block_contacts = scree_alloc((size_t)p->n_blocks + 1, sizeof *p->block_contacts);
    allocate_contacts(cd, scene->laws, p);
    sort_records(cd, p, ranked, start);
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

void scree_cd_problem_build(struct scree_cd *cd, struct scree_scene *scene,
                            struct scree_cd_problem *problem)
{
    struct membership membership;
    memset(problem, 0, sizeof *problem);
    problem->comm = scene->comm;
    problem->wedge = scene->contacts->wedge;
    problem->dt = scene->dt;
    problem->step = cd->step;
    problem->seed = cd->seed;
    find_membership(cd, scene, &membership);
    gather_bodies(cd, scene, &membership, problem);
    gather_records(cd, scene);
    make_copies(cd, scene, problem);
    make_rates(cd, problem);
    make_contacts(cd, scene, problem);
    scree_cd_find_shares(problem, cd, scene);
    scree_alloc_free(membership.start);
    scree_alloc_free(membership.block);
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
