/* SPDX-License-Identifier: BSD-3-Clause
 * The next event of a grain: the first of its meetings with those in its list, with walls, and of
 * its way out of the list. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "pair.h"
#include "scree/row.h"
#include "scree/vec.h"

/* Neighbours at once, and those of them that one turn of the loop without branches treats. */
enum { BLOCK = 32, TURN = 8 };

/* Neighbours gathered for that loop. */
struct gathered {
    _Alignas(32) double apart[3][BLOCK], v[3][BLOCK], t[BLOCK], radius[BLOCK], when[BLOCK];
};

/* States of four grains, whose rows become columns. `apart` counts from s. */
static inline void gather_four(const struct scree_ed_state *s, const struct scree_ed_state *a,
                               const struct scree_ed_state *b, const struct scree_ed_state *c,
                               const struct scree_ed_state *d, uint32_t k, struct gathered *g)
{
    const double *const row[4] = {a->x, b->x, c->x, d->x};
    scree_row place[4], rest[4];
    for (int r = 0; r < 4; r++) {
        place[r] = scree_row_anywhere(row[r]);
        rest[r] = scree_row_anywhere(row[r] + 4);
    }
    scree_row_transpose(&place[0], &place[1], &place[2], &place[3]);
    scree_row_transpose(&rest[0], &rest[1], &rest[2], &rest[3]);
    for (int x = 0; x < 3; x++) scree_row_store(g->apart[x] + k, place[x] - s->x[x]);
    scree_row_store(g->v[0] + k, place[3]);
    scree_row_store(g->v[1] + k, rest[0]);
    scree_row_store(g->v[2] + k, rest[1]);
    scree_row_store(g->t + k, rest[2]);
    scree_row_store(g->radius + k, rest[3]);
}

/* n neighbours of i; what is missing to whole turns is i itself, which it does not approach. */
static void gather(const struct scree_ed_engine *e, int32_t i, const uint32_t *entry, uint32_t n,
                   struct gathered *g)
{
    const struct scree_ed_state *state = e->state, *s = &state[i];
    uint32_t k = 0;
#define STATE_OF(k) (&state[entry[k] >> SCREE_ED_CODE_BITS])
    for (; k + 4 <= n; k += 4)
        gather_four(s, STATE_OF(k), STATE_OF(k + 1), STATE_OF(k + 2), STATE_OF(k + 3), k, g);
    if (k < n)
        gather_four(s, STATE_OF(k), k + 1 < n ? STATE_OF(k + 1) : s,
                    k + 2 < n ? STATE_OF(k + 2) : s, s, k, g);
#undef STATE_OF
    for (k = (n + 3) / 4 * 4; k % TURN != 0; k += 4) gather_four(s, s, s, s, s, k, g);
    uint32_t images = 0;
    for (k = 0; k < n; k++) images |= (entry[k] & SCREE_ED_CODE_MASK) ^ SCREE_ED_CODE_HERE;
    for (k = 0; images != 0 && k < n; k++)
        for (int a = 0; a < 3; a++)
            g->apart[a][k] -= e->world->shift[entry[k] & SCREE_ED_CODE_MASK][a];
}

static inline void find_turn(const struct scree_ed_state *s, const double gravity[3], bool falls,
                             uint32_t begin, struct gathered *g)
{
    const double gx = gravity[0], gy = gravity[1], gz = gravity[2], t = s->t, radius = s->radius;
    const double vx = s->v[0], vy = s->v[1], vz = s->v[2];
    for (uint32_t k = begin; k < begin + TURN; k++) {
        const double reach = radius + g->radius[k], fall[3] = {gx, gy, gz};
        const struct scree_ed_view view = {{g->apart[0][k], g->apart[1][k], g->apart[2][k]},
                                           {vx, vy, vz},
                                           t,
                                           {g->v[0][k], g->v[1][k], g->v[2][k]},
                                           g->t[k],
                                           reach * reach};
        g->when[k] = scree_ed_meeting(&view, fall, falls);
    }
}

static void find_meetings(const struct scree_ed_state *s, const double gravity[3], uint32_t n,
                          struct gathered *g)
{
    if (scree_vec_dot(gravity, gravity) > 0.0)
        for (uint32_t begin = 0; begin < n; begin += TURN) find_turn(s, gravity, true, begin, g);
    else
        for (uint32_t begin = 0; begin < n; begin += TURN) find_turn(s, gravity, false, begin, g);
}

/* When grains meet whose radii grow, or in a box that deforms. */
static void find_driven_meetings(const struct scree_ed_world *restrict world,
                                 const struct scree_ed_state *restrict s, uint32_t n,
                                 struct gathered *restrict g)
{
    for (uint32_t begin = 0; begin < n; begin += TURN)
        for (uint32_t k = begin; k < begin + TURN; k++) {
            const double reach = s->radius + g->radius[k];
            const struct scree_ed_view view = {{g->apart[0][k], g->apart[1][k], g->apart[2][k]},
                                               {s->v[0], s->v[1], s->v[2]},
                                               s->t,
                                               {g->v[0][k], g->v[1][k], g->v[2][k]},
                                               g->t[k],
                                               reach * reach};
            double t = scree_ed_driven_meeting(&view, world);
            g->when[k] = k < n ? t : INFINITY;
        }
}

struct scree_ed_key scree_ed_key_of(const struct scree_ed_engine *e, int32_t i, double t,
                                    int32_t partner, double partner_t, int32_t partner_n)
{
    const struct scree_ed_state *s = &e->state[i];
    int wall = scree_ed_wall_of(partner);
    int64_t mine = e->grain[i].gid, other = wall >= 0 ? -1 - wall : e->grain[partner].gid;
    int32_t n = s->t == t ? e->memory[i].n + 1 : 0;
    if (wall < 0 && partner_t == t && partner_n + 1 > n) n = partner_n + 1;
    return (struct scree_ed_key){t, mine < other ? mine : other, mine < other ? other : mine, n};
}

bool scree_ed_just_met(const struct scree_ed_engine *e, int32_t i, int64_t gid, double t,
                       int64_t last)
{
    return last == e->grain[i].gid && e->memory[i].last == gid && t == e->state[i].t;
}

void scree_ed_choose(struct scree_ed_choice *best, const struct scree_ed_key *key, int32_t partner,
                     int code)
{
    if (!scree_ed_before(key, &best->key)) return;
    best->key = *key;
    best->partner = partner;
    best->code = (uint8_t)code;
}

void scree_ed_choose_wall(const struct scree_ed_engine *e, int32_t i, struct scree_ed_choice *best)
{
    const struct scree_ed_world *world = e->world;
    const double *g = world->gravity;
    bool falls = g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0;
    if (e->grain[i].inverse_mass == 0.0) return;
    for (int w = 0; w < world->n_walls; w++) {
        if (!falls && e->memory[i].last == -1 - w) continue; /* it flies away from there */
        double t = scree_ed_wall_meeting(&e->state[i], &world->wall[w], g, world->growth);
        if (!(t < INFINITY)) continue;
        int32_t partner = scree_ed_wall_partner(w);
        struct scree_ed_key key = scree_ed_key_of(e, i, t, partner, 0.0, 0);
        scree_ed_choose(best, &key, partner, 0);
    }
}

/* s; the first of all times. */
static double earliest(const double *when, uint32_t n)
{
    double first[TURN];
    for (int k = 0; k < TURN; k++) first[k] = when[k];
    for (uint32_t begin = TURN; begin < n; begin += TURN)
        for (int k = 0; k < TURN; k++)
            first[k] = when[begin + (uint32_t)k] < first[k] ? when[begin + (uint32_t)k] : first[k];
    for (int half = TURN / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            first[k] = first[k + half] < first[k] ? first[k + half] : first[k];
    return first[0];
}

/* Of the gathered ones those that come first; a tie is decided by the key. */
static void choose_gathered(const struct scree_ed_engine *e, int32_t i, const uint32_t *entry,
                            uint32_t n, struct gathered *g, struct scree_ed_choice *best)
{
    for (;;) {
        double first = earliest(g->when, n);
        if (!(first <= best->key.t) || first == INFINITY) return;
        bool again = true;
        for (uint32_t k = 0; k < n; k++) {
            if (g->when[k] != first) continue;
            int32_t j = (int32_t)(entry[k] >> SCREE_ED_CODE_BITS);
            if (scree_ed_just_met(e, i, e->grain[j].gid, e->state[j].t, e->memory[j].last)) {
                g->when[k] = INFINITY;
                continue;
            }
            struct scree_ed_key key =
                scree_ed_key_of(e, i, first, j, e->state[j].t, e->memory[j].n);
            scree_ed_choose(best, &key, j, (int)(entry[k] & SCREE_ED_CODE_MASK));
            again = false;
        }
        if (!again) return;
    }
}

/* s; when the grain is farther from its centre than the window allows, or a little earlier. */
static double exit_time(const struct scree_ed_engine *e, int32_t i)
{
    const struct scree_ed_state *s = &e->state[i];
    const struct scree_ed_list *list = &e->list[i];
    const struct scree_ed_world *world = e->world;
    double t = s->t > list->since ? s->t : list->since, elapsed = t - s->t;
    double a = 0.0, b = 0.0, c = 0.0, bound = INFINITY, v[3], bend[3];
    scree_ed_path(world, s, v, bend);
    double fall = scree_vec_norm(bend), radius = e->exit_radius;
    if (fall > 0.0) { /* part of the room is for the fall */
        bound = sqrt(0.5 * radius / fall);
        radius *= 0.75;
    }
    for (int k = 0; k < 3; k++) {
        double u = v[k] + bend[k] * elapsed;
        double r = s->x[k] + v[k] * elapsed + 0.5 * bend[k] * elapsed * elapsed - list->centre[k];
        a += u * u;
        b += r * u;
        c += r * r;
    }
    c -= radius * radius;
    if (c >= 0.0) return t;
    return t + (a > 0.0 ? fmin(bound, (-b + sqrt(b * b - a * c)) / a) : bound);
}

void scree_ed_defer(struct scree_ed_engine *e, int32_t i)
{
    if (e->grain[i].deferred) return;
    SCREE_ED_APPEND(e->later, e->n_later, e->later_capacity, i);
    e->grain[i].deferred = true;
}

/* Within a window lists stay as they are: they hold for longer than the exit radius tells. */
void scree_ed_settle(struct scree_ed_engine *e, int32_t i, const struct scree_ed_choice *best,
                     bool file)
{
    struct scree_ed_next *next = &e->next[i];
    next->key = best->key;
    next->partner = best->key.t < INFINITY ? best->partner : SCREE_ED_NOTHING;
    next->code = best->code;
    next->partner_version = next->partner >= 0 ? e->grain[next->partner].version : 0;
    next->stamp++;
    double out = e->grain[i].deferred ? INFINITY : exit_time(e, i);
    if (out < next->key.t) {
        if (e->in_windows && out < e->end) {
            scree_ed_defer(e, i);
        } else {
            next->key = (struct scree_ed_key){out, e->grain[i].gid, e->grain[i].gid, 0};
            next->partner = SCREE_ED_EXIT;
        }
    }
    if (file) scree_ed_queue_add(&e->queue, &next->key, i, next->stamp);
}

void scree_ed_predict(struct scree_ed_engine *e, int32_t i)
{
    const struct scree_ed_list *list = &e->list[i];
    const uint32_t *entry = scree_ed_lists_entries(e, i);
    struct scree_ed_choice best = {{INFINITY, INT64_MAX, INT64_MAX, 0}, SCREE_ED_NOTHING, 0};
    for (uint32_t begin = 0; begin < list->count; begin += BLOCK) {
        struct gathered g;
        uint32_t n = list->count - begin < BLOCK ? list->count - begin : BLOCK;
        gather(e, i, entry + begin, n, &g);
        if (e->world->driven)
            find_driven_meetings(e->world, &e->state[i], n, &g);
        else
            find_meetings(&e->state[i], e->world->gravity, n, &g);
        choose_gathered(e, i, entry + begin, n, &g, &best);
    }
    if (e->grain[i].role == SCREE_ED_OWNED) scree_ed_choose_wall(e, i, &best);
    scree_ed_settle(e, i, &best, true);
}
