/* SPDX-License-Identifier: BSD-3-Clause
 * Who has replicas of whom, and whose a grain is. The owner of a grain is that of the brick where
 * it is between two windows; it has a replica on every rank whose bricks are so near that the two
 * could meet in the next window. Owners decide and tell; nobody else has to know. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "ranks.h"
#include "scree/vec.h"

/* Room, in that of the lists: how far candidates may go before they are chosen anew, and how much
 * farther away a replica remains than where it is made. */
static const double candidate_room = 2.0, lasting_room = 0.5;
/* In the same unit: how far grains may go until replicas are chosen anew. */
static const double replica_room = 0.5;

enum { TELL_OWNED, TELL_REPLICA, TELL_DROP };
enum { MOST_SHARES = 64 };

/* A grain as it travels. */
struct parcel {
    int64_t kind, gid, image[3], home, slot, species;
    double inverse_mass;
    struct scree_ed_state state;
    struct scree_ed_memory memory;
    int64_t n_shares; /* ranks with replicas, as words that follow */
};

/* m; from centre to bricks of another rank: a grain so close needs a replica there. */
static double replica_reach(const struct scree_ed_ranks *r, double radius)
{
    const struct scree_ed_world *world = r->engine->world;
    return (radius + world->radius[1]) * world->widen + 2.0 * replica_room * world->delta;
}

static double largest_reach(const struct scree_ed_ranks *r)
{
    const struct scree_ed_world *world = r->engine->world;
    return replica_reach(r, world->radius[1]) + (candidate_room + lasting_room) * world->delta;
}

/* m; the smallest distance of two bricks, one of them through an image. */
static double brick_distance(const struct scree_ed_ranks *r, const int at[3], const int other[3],
                             const int shift[3])
{
    double d2 = 0.0;
    for (int a = 0; a < 3; a++) {
        int apart = abs(at[a] - (other[a] + shift[a] * r->bricks->n[a]));
        double gap = apart > 1 ? (apart - 1) * r->bricks->edge[a] : 0.0;
        d2 += gap * gap;
    }
    return sqrt(d2);
}

static void add_near(const struct scree_ed_ranks *r, const int at[3], const int unwrapped[3],
                     struct scree_ed_surroundings *s, size_t *capacity)
{
    const struct scree_box *box = &r->engine->world->box;
    int other[3], shift[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        other[a] = unwrapped[a];
        for (; other[a] < 0; other[a] += r->bricks->n[a]) shift[a]--;
        for (; other[a] >= r->bricks->n[a]; other[a] -= r->bricks->n[a]) shift[a]++;
        if (shift[a] != 0 && !box->periodic[a]) return;
    }
    if (brick_distance(r, at, other, shift) > largest_reach(r)) return;
    struct scree_ed_near_brick near = {scree_bricks_index(r->bricks, other),
                                       {(int8_t)shift[0], (int8_t)shift[1], (int8_t)shift[2]}};
    SCREE_GROW(s->near, (size_t)s->n, *capacity, (size_t)s->n + 1);
    s->near[s->n++] = near;
}

static const struct scree_ed_surroundings *surroundings(struct scree_ed_ranks *r, int64_t brick)
{
    struct scree_ed_surroundings *s = &r->around[brick];
    int at[3], most[3], to[3];
    size_t capacity = 0;
    if (s->near != NULL) return s;
    scree_bricks_coordinates(r->bricks, brick, at);
    for (int a = 0; a < 3; a++)
        most[a] = r->bricks->n[a] == 1 && !r->engine->world->box.periodic[a]
                      ? 0
                      : (int)(largest_reach(r) / r->bricks->edge[a]) + 1;
    if (r->engine->world->box.dimension == 2) most[2] = 0;
    for (to[2] = at[2] - most[2]; to[2] <= at[2] + most[2]; to[2]++)
        for (to[1] = at[1] - most[1]; to[1] <= at[1] + most[1]; to[1]++)
            for (to[0] = at[0] - most[0]; to[0] <= at[0] + most[0]; to[0]++)
                add_near(r, at, to, s, &capacity);
    return s;
}

/* Where a grain is now, in the box. */
static int64_t find_place(const struct scree_ed_ranks *r, int32_t i, double pos[3])
{
    const struct scree_ed_engine *e = r->engine;
    double way[3];
    int32_t image[3] = {0, 0, 0};
    scree_ed_way(e->world, &e->state[i], r->time, way);
    for (int a = 0; a < 3; a++) pos[a] = e->state[i].x[a] + way[a];
    scree_box_shift(&e->world->box, pos, image);
    return scree_bricks_find(r->bricks, &e->world->box, pos);
}

/* Ranks other than the owner with bricks closer than `reach`; returns their number. */
static int find_ranks(struct scree_ed_ranks *r, int64_t brick, const double pos[3], double reach,
                      int32_t *rank)
{
    const struct scree_ed_surroundings *s = surroundings(r, brick);
    int32_t owner = r->bricks->owner[brick];
    int n = 0;
    for (int k = 0; k < s->n; k++) {
        int32_t other = r->bricks->owner[s->near[k].brick];
        int at[3], shift[3], known = 0;
        if (other == owner) continue;
        while (known < n && rank[known] != other) known++;
        if (known < n) continue;
        scree_bricks_coordinates(r->bricks, s->near[k].brick, at);
        for (int a = 0; a < 3; a++) shift[a] = s->near[k].shift[a];
        if (scree_bricks_distance2(r->bricks, &r->engine->world->box, at, shift, pos) >=
            reach * reach)
            continue;
        if (n == MOST_SHARES) SCREE_ABORT("a grain is near bricks of more than %d ranks", n);
        rank[n++] = other;
    }
    return n;
}

/* Owned grains that could need a replica somewhere before grains have gone too far. */
static void choose_candidates(struct scree_ed_ranks *r)
{
    struct scree_ed_engine *e = r->engine;
    int32_t rank[MOST_SHARES];
    double pos[3], room = candidate_room * e->world->delta;
    for (size_t k = 0; k < r->n_candidates; k++) e->grain[r->candidate[k]].candidate = false;
    r->n_candidates = 0;
    r->strayed = 0.0;
    for (int32_t i = 0; i < e->n_slots; i++) {
        if (e->grain[i].role != SCREE_ED_OWNED) continue;
        int64_t brick = find_place(r, i, pos);
        bool here = r->bricks->owner[brick] == r->link->rank;
        double reach = replica_reach(r, e->state[i].radius) + room;
        if (here && find_ranks(r, brick, pos, reach, rank) == 0) continue;
        SCREE_ED_APPEND(r->candidate, r->n_candidates, r->candidate_capacity, i);
        e->grain[i].candidate = true;
    }
}

/* Ranks that have replicas of each candidate, in the order of candidates. */
struct holders {
    int32_t *rank; /* owned */
    size_t *start; /* [n_candidates + 1]; owned */
};

static struct holders find_holders(struct scree_ed_ranks *r)
{
    size_t n = r->n_candidates;
    struct holders h = {scree_alloc(r->n_shares + 1, sizeof *h.rank),
                        scree_alloc(n + 2, sizeof *h.start)};
    int32_t *place = scree_alloc((size_t)r->engine->n_slots + 1, sizeof *place);
    for (size_t k = 0; k < n; k++) place[r->candidate[k]] = (int32_t)k;
    memset(h.start, 0, (n + 2) * sizeof *h.start);
    for (size_t k = 0; k < r->n_shares; k++) h.start[place[r->share[k].slot] + 2]++;
    for (size_t k = 0; k < n; k++) h.start[k + 2] += h.start[k + 1];
    for (size_t k = 0; k < r->n_shares; k++)
        h.rank[h.start[place[r->share[k].slot] + 1]++] = r->share[k].rank;
    scree_alloc_free(place);
    return h;
}

static bool contains(const int32_t *rank, int n, int32_t which)
{
    for (int k = 0; k < n; k++)
        if (rank[k] == which) return true;
    return false;
}

static void send(struct scree_ed_ranks *r, int32_t i, int64_t kind, int rank, const int32_t *share,
                 int n_shares)
{
    const struct scree_ed_engine *e = r->engine;
    const struct scree_ed_grain *g = &e->grain[i];
    struct parcel p = {.kind = kind,
                       .gid = g->gid,
                       .home = g->home,
                       .slot = g->slot,
                       .species = g->species,
                       .inverse_mass = g->inverse_mass,
                       .state = e->state[i],
                       .memory = e->memory[i],
                       .n_shares = n_shares};
    int32_t image[3];
    memcpy(image, g->image, sizeof image);
    scree_box_shift(&e->world->box, p.state.x, image);
    for (int a = 0; a < 3; a++) p.image[a] = image[a];
    scree_ed_mail_add(&r->mail, rank, &p, sizeof p);
    for (int k = 0; k < n_shares; k++) scree_ed_mail_add_word(&r->mail, rank, share[k]);
}

/* Which ranks shall have a replica: those that are near, and of those that have one already also
 * those that are a little farther away. */
static int choose_ranks(struct scree_ed_ranks *r, int32_t i, int64_t brick, const double pos[3],
                        const int32_t *held, int n_held, int32_t *rank)
{
    const struct scree_ed_world *world = r->engine->world;
    int32_t far[MOST_SHARES];
    double reach = replica_reach(r, r->engine->state[i].radius);
    int n = find_ranks(r, brick, pos, reach, rank);
    int n_far = find_ranks(r, brick, pos, reach + lasting_room * world->delta, far);
    for (int k = 0; k < n_far; k++)
        if ((contains(held, n_held, far[k]) || far[k] == r->link->rank) &&
            !contains(rank, n, far[k]) && n < MOST_SHARES)
            rank[n++] = far[k];
    return n;
}

/* Tell every rank what becomes of a grain; true if it remains here, as owned or as a replica. */
static void place_grain(struct scree_ed_ranks *r, int32_t i, const int32_t *held, int n_held,
                        int32_t *changed, size_t *n_changed)
{
    struct scree_ed_engine *e = r->engine;
    int32_t rank[MOST_SHARES];
    double pos[3];
    int me = r->link->rank;
    int64_t brick = find_place(r, i, pos);
    int owner = r->bricks->owner[brick];
    int n = choose_ranks(r, i, brick, pos, held, n_held, rank);
    for (int k = 0; k < n; k++)
        if (rank[k] != me && !contains(held, n_held, rank[k]))
            send(r, i, TELL_REPLICA, rank[k], NULL, 0);
    for (int k = 0; k < n_held; k++)
        if (held[k] != owner && !contains(rank, n, held[k]))
            send(r, i, TELL_DROP, held[k], NULL, 0);
    if (owner != me) {
        send(r, i, TELL_OWNED, owner, rank, n);
        changed[(*n_changed)++] = i;
        if (contains(rank, n, me)) scree_ed_engine_set_role(e, i, SCREE_ED_REPLICA);
        return;
    }
    for (int k = 0; k < n; k++) {
        struct scree_ed_share share = {i, rank[k], e->grain[i].version};
        SCREE_ED_APPEND(r->share, r->n_shares, r->share_capacity, share);
    }
}

/* The replica of a grain that is owned here from now on, or a new grain. */
static void receive_grain(struct scree_ed_ranks *r, const struct parcel *p, int32_t *changed,
                          size_t *n_changed)
{
    struct scree_ed_engine *e = r->engine;
    int32_t i = scree_ed_map_find(&e->map, p->gid);
    bool owned = p->kind == TELL_OWNED;
    struct scree_ed_grain grain = {.gid = p->gid,
                                   .inverse_mass = p->inverse_mass,
                                   .species = (int16_t)p->species,
                                   .home = (int32_t)p->home,
                                   .slot = (int32_t)p->slot,
                                   .role = owned ? SCREE_ED_OWNED : SCREE_ED_REPLICA};
    for (int a = 0; a < 3; a++) grain.image[a] = (int32_t)p->image[a];
    if (i < 0) {
        i = scree_ed_engine_add(e, &p->state, &p->memory, &grain);
    } else { /* the same state, perhaps through another image */
        if (e->grain[i].role == SCREE_ED_OWNED || !owned)
            SCREE_ABORT("grain %lld is here already", (long long)p->gid);
        for (int a = 0; a < 3; a++)
            if (e->world->box.periodic[a])
                grain.image[a] +=
                    (int32_t)lround((p->state.x[a] - e->state[i].x[a]) / e->world->box.length[a]);
        grain.version = e->grain[i].version + 1;
        grain.deferred = e->grain[i].deferred;
        grain.candidate = e->grain[i].candidate;
        scree_ed_engine_set_role(e, i, SCREE_ED_OWNED);
        e->grain[i] = grain;
        e->memory[i] = p->memory;
    }
    changed[(*n_changed)++] = i;
    if (!owned || e->grain[i].candidate) return;
    SCREE_ED_APPEND(r->candidate, r->n_candidates, r->candidate_capacity, i);
    e->grain[i].candidate = true;
}

/* What others tell. Grains that come and go make room for `changed` before. */
static void receive_all(struct scree_ed_ranks *r, int32_t *changed, size_t *n_changed)
{
    struct scree_ed_engine *e = r->engine;
    const size_t words = sizeof(struct parcel) / sizeof(uint64_t);
    for (size_t at = 0; at < r->mail.n_received;) {
        struct parcel p;
        memcpy(&p, r->mail.received + at, sizeof p);
        const uint64_t *share = r->mail.received + at + words;
        at += words + (size_t)p.n_shares;
        if (p.kind == TELL_DROP) {
            int32_t i = scree_ed_map_find(&e->map, p.gid);
            if (i < 0) SCREE_ABORT("no replica of grain %lld to drop", (long long)p.gid);
            scree_ed_engine_remove(e, i);
            continue;
        }
        receive_grain(r, &p, changed, n_changed);
        r->moved = r->moved || p.kind == TELL_OWNED;
        for (int64_t k = 0; k < p.n_shares; k++) {
            int32_t i = scree_ed_map_find(&e->map, p.gid);
            struct scree_ed_share s = {i, (int32_t)share[k], e->grain[i].version};
            SCREE_ED_APPEND(r->share, r->n_shares, r->share_capacity, s);
        }
    }
}

/* Grains that are not owned here any more are no candidates. */
static void forget_candidates(struct scree_ed_ranks *r)
{
    struct scree_ed_engine *e = r->engine;
    size_t n = 0;
    for (size_t k = 0; k < r->n_candidates; k++) {
        int32_t i = r->candidate[k];
        if (e->grain[i].role == SCREE_ED_OWNED)
            r->candidate[n++] = i;
        else
            e->grain[i].candidate = false;
    }
    r->n_candidates = n;
}

/* Lists and next events of grains that are new, or have a new role, or are about to leave their
 * list. */
static void renew(struct scree_ed_ranks *r, const int32_t *changed, size_t n_changed)
{
    struct scree_ed_engine *e = r->engine;
    for (size_t k = 0; k < n_changed; k++)
        if (e->grain[changed[k]].role != SCREE_ED_FREE) scree_ed_defer(e, changed[k]);
    for (size_t k = 0; k < e->n_later; k++)
        if (e->grain[e->later[k]].role != SCREE_ED_FREE && e->grain[e->later[k]].deferred)
            scree_ed_lists_renew(e, e->later[k], r->time);
    for (size_t k = 0; k < e->n_later; k++) {
        int32_t i = e->later[k];
        if (e->grain[i].role == SCREE_ED_FREE || !e->grain[i].deferred) continue;
        e->grain[i].deferred = false;
        scree_ed_predict(e, i);
    }
    e->n_later = 0;
}

/* Grains whose owner is another rank now: those that are no replicas have nothing to do here. */
static void remove_left(struct scree_ed_ranks *r, const int32_t *changed, size_t n_changed)
{
    struct scree_ed_engine *e = r->engine;
    r->moved = r->moved || n_changed > 0;
    for (size_t k = 0; k < n_changed; k++)
        if (e->grain[changed[k]].role == SCREE_ED_REPLICA)
            e->grain[changed[k]].version++; /* others may have counted on its list */
        else
            scree_ed_engine_remove(e, changed[k]);
}

void scree_ed_members_renew(struct scree_ed_ranks *r)
{
    renew(r, NULL, 0);
}

double scree_ed_members_room(const struct scree_ed_ranks *r)
{
    return replica_room * r->engine->world->delta;
}

void scree_ed_members_update(struct scree_ed_ranks *r)
{
    struct scree_ed_engine *e = r->engine;
    r->strayed += r->roamed;
    r->roamed = 0.0;
    if (r->strayed > candidate_room * e->world->delta) choose_candidates(r);
    struct holders h = find_holders(r);
    size_t n_before = r->n_candidates, n_changed = 0;
    int32_t *left = scree_alloc(n_before + 1, sizeof *left);
    r->n_shares = 0;
    for (size_t k = 0; k < n_before; k++)
        place_grain(r, r->candidate[k], h.rank + h.start[k], (int)(h.start[k + 1] - h.start[k]),
                    left, &n_changed);
    remove_left(r, left, n_changed);
    forget_candidates(r);
    scree_ed_mail_exchange(&r->mail, r->link);
    size_t most = n_changed + r->mail.n_received;
    int32_t *changed = scree_alloc(most + 1, sizeof *changed);
    memcpy(changed, left, n_changed * sizeof *changed);
    receive_all(r, changed, &n_changed);
    renew(r, changed, n_changed);
    scree_alloc_free(changed);
    scree_alloc_free(left);
    scree_alloc_free(h.rank);
    scree_alloc_free(h.start);
}

void scree_ed_members_begin(struct scree_ed_ranks *r)
{
    r->around = scree_alloc((size_t)r->bricks->count, sizeof *r->around);
    memset(r->around, 0, (size_t)r->bricks->count * sizeof *r->around);
    r->strayed = INFINITY;
    scree_ed_members_update(r);
}
