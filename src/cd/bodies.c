/* SPDX-License-Identifier: BSD-3-Clause
 * Grains as bodies of the problem: which blocks each has contacts in, and the way of bodies to the
 * ranks that own these blocks. */
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

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
static void send_bodies(const struct scree_cd *cd, const struct scree_scene *scene,
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

void scree_cd_gather_bodies(const struct scree_cd *cd, const struct scree_scene *scene,
                            struct scree_cd_problem *problem)
{
    struct membership membership;
    find_membership(cd, scene, &membership);
    send_bodies(cd, scene, &membership, problem);
    scree_alloc_free(membership.start);
    scree_alloc_free(membership.block);
}
