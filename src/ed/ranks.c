/* SPDX-License-Identifier: BSD-3-Clause
 * A window of time on several ranks: each runs it as if its replicas flew freely, then owners tell
 * the histories of grains that others have replicas of, and what a replica did otherwise is taken
 * back and happens again, until nobody finds a difference. */
#include "ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pair.h"
#include "scree/status.h"
#include "scree/vec.h"

/* Grains may become so much faster in a window, as a part of the fastest one, before it is cut. */
static const double speed_margin = 1.35;
/* The way that a grain may go in a window, as a part of the room in lists. */
static const double window_room = 0.25;
enum { MOST_ROUNDS = 200, MEASURE_EVERY = 32 };

/* One event as others are told of it. `after`: the state that it left. */
static void tell_event(struct scree_ed_ranks *r, int rank, const struct scree_ed_state *after,
                       const struct scree_ed_memory *memory)
{
    struct scree_ed_told told = {.t = after->t, .partner = memory->last, .n = memory->n};
    int32_t image[3] = {0, 0, 0};
    memcpy(told.x, after->x, sizeof told.x);
    memcpy(told.v, after->v, sizeof told.v);
    memcpy(told.spin, memory->spin, sizeof told.spin);
    scree_box_shift(&r->engine->world->box, told.x, image);
    scree_ed_mail_add(&r->mail, rank, &told, sizeof told);
}

/* The states after each event of the window, in their order. */
static int32_t list_states(const struct scree_ed_engine *e, int32_t i,
                           const struct scree_ed_state **state,
                           const struct scree_ed_memory **memory)
{
    int32_t n = e->n_window[i], k = n, at = e->head[i];
    const struct scree_ed_state *s = &e->state[i];
    const struct scree_ed_memory *m = &e->memory[i];
    for (; at >= 0; at = e->node[at].previous) {
        k--;
        state[k] = s;
        memory[k] = m;
        s = &e->node[at].state;
        m = &e->node[at].memory;
    }
    return n;
}

/* Room for the states of the grain with the longest history. */
struct scratch {
    const struct scree_ed_state **state;
    const struct scree_ed_memory **memory;
    size_t capacity, other;
};

static void reserve_states(struct scratch *s, int32_t n)
{
    SCREE_GROW(s->state, 0, s->capacity, (size_t)n + 1);
    SCREE_GROW(s->memory, 0, s->other, (size_t)n + 1);
}

static void send_histories(struct scree_ed_ranks *r, struct scratch *scratch)
{
    const struct scree_ed_engine *e = r->engine;
    for (size_t k = 0; k < r->n_shares; k++) {
        struct scree_ed_share *share = &r->share[k];
        int32_t i = share->slot;
        if (share->sent == e->grain[i].version) continue;
        share->sent = e->grain[i].version;
        reserve_states(scratch, e->n_window[i]);
        int32_t n = list_states(e, i, scratch->state, scratch->memory);
        scree_ed_mail_add_word(&r->mail, share->rank, e->grain[i].gid);
        scree_ed_mail_add_word(&r->mail, share->rank, n);
        for (int32_t h = 0; h < n; h++)
            tell_event(r, share->rank, scratch->state[h], scratch->memory[h]);
    }
    scree_ed_mail_exchange(&r->mail, r->link);
}

/* The image of a place that is closest to where the replica is. */
static void bring_near(const struct scree_box *box, const double near[3], double x[3])
{
    for (int a = 0; a < 3; a++)
        if (box->periodic[a]) x[a] -= round((x[a] - near[a]) / box->length[a]) * box->length[a];
}

static void read_histories(struct scree_ed_ranks *r)
{
    struct scree_ed_engine *e = r->engine;
    const struct scree_ed_mail *mail = &r->mail;
    size_t words = sizeof(struct scree_ed_told) / sizeof(uint64_t);
    for (size_t at = 0; at < mail->n_received;) {
        int64_t gid = (int64_t)mail->received[at], n = (int64_t)mail->received[at + 1];
        int32_t i = scree_ed_map_find(&e->map, gid);
        if (i < 0)
            SCREE_ABORT("a history of grain %lld, of which there is no replica", (long long)gid);
        at += 2;
        if (!e->script[i].told) SCREE_ED_APPEND(r->scripted, r->n_scripts, r->script_capacity, i);
        e->script[i] = (struct scree_ed_script){(int32_t)e->n_told, (int32_t)n, false, true};
        for (int64_t k = 0; k < n; k++, at += words) {
            struct scree_ed_told told;
            memcpy(&told, mail->received + at, sizeof told);
            bring_near(&e->world->box, e->state[i].x, told.x);
            SCREE_ED_APPEND(e->told, e->n_told, e->told_capacity, told);
        }
    }
}

/* How many events of a replica are as its owner told. */
static int32_t count_equal(const struct scree_ed_engine *e, int32_t i, struct scratch *scratch)
{
    const struct scree_ed_script *script = &e->script[i];
    int32_t k = 0;
    reserve_states(scratch, e->n_window[i]);
    int32_t n = list_states(e, i, scratch->state, scratch->memory);
    while (k < n && k < script->count &&
           scree_ed_is_as_told(&e->told[script->first + k], scratch->state[k], scratch->memory[k],
                               scratch->memory[k]->last, scratch->memory[k]->n))
        k++;
    return k;
}

/* Does a replica differ from what its owner told? Then what it did otherwise is taken back. */
static bool compare_one(struct scree_ed_engine *e, int32_t i, struct scratch *scratch)
{
    if (e->grain[i].role != SCREE_ED_REPLICA) return false;
    int32_t equal = count_equal(e, i, scratch);
    if (equal == e->n_window[i] && equal == e->script[i].count) return false;
    scree_ed_undo(e, i, equal);
    scree_ed_mark_dirty(e, i);
    return true;
}

/* The same for all replicas that did something, here or at their owners. */
static bool compare(struct scree_ed_ranks *r, struct scratch *scratch)
{
    struct scree_ed_engine *e = r->engine;
    bool differs = false;
    for (size_t k = 0; k < e->n_touched; k++) e->script[e->touched[k]].dropped = false;
    for (size_t k = 0; k < r->n_scripts; k++) e->script[r->scripted[k]].dropped = false;
    for (size_t k = 0; k < e->n_touched; k++) differs |= compare_one(e, e->touched[k], scratch);
    for (size_t k = 0; k < r->n_scripts; k++) differs |= compare_one(e, r->scripted[k], scratch);
    return differs;
}

enum outcome { DONE, DIFFERS, TOO_FAST, STUCK };

/* What all ranks say after a round, the largest of each: how it ended, and for the length of the
 * next window the speed of the fastest grain that has collided and the collisions of the busiest
 * rank. */
struct report {
    double outcome, fastest, events;
};

static struct report sum_up(const struct scree_ed_ranks *r, bool differs)
{
    const struct scree_ed_engine *e = r->engine;
    double events = (double)(e->n_events - r->events_before);
    struct report report = {differs ? DIFFERS : DONE, sqrt(e->fastest2), events};
    if (e->exceeded) report.outcome = TOO_FAST;
    if (e->is_stuck) report.outcome = STUCK;
    return report;
}

/* One round of messages. */
static struct report compare_all(struct scree_ed_ranks *r, struct scratch *scratch)
{
    send_histories(r, scratch);
    read_histories(r);
    struct report report = sum_up(r, compare(r, scratch));
    double values[] = {report.outcome, report.fastest, report.events};
    r->link->max(r->link, values, 3);
    return (struct report){values[0], values[1], values[2]};
}

static enum scree_status fail_stuck(const struct scree_ed_engine *e, struct scree_ed_ranks *r)
{
    double gid[2] = {e->is_stuck ? (double)e->stuck[0] : -INFINITY,
                     e->is_stuck ? (double)e->stuck[1] : -INFINITY};
    if (r != NULL) r->link->max(r->link, gid, 2);
    char first[160], second[64];
    snprintf(second, sizeof second, "grain %.0f", gid[1]);
    snprintf(first, sizeof first, "grain %.0f", gid[0]);
    if (gid[0] < 0.0)
        snprintf(first, sizeof first, "wall '%.128s'", e->world->wall[(int)(-1.0 - gid[0])].name);
    return SCREE_FAIL(SCREE_PHYSICS,
                      "%s and %s, perhaps with others, collide without end in no time: inelastic "
                      "collapse; give events.contact_time, the time within which grains that have "
                      "just collided lose no energy",
                      second, first);
}

/* m/s^2; by which a grain of this speed becomes faster in flight at most. */
static double gain(const struct scree_ed_world *world, double speed)
{
    return scree_vec_norm(world->gravity) + world->shear * speed;
}

static void begin_window(struct scree_ed_ranks *r, double end)
{
    struct scree_ed_engine *e = r->engine;
    double speed = speed_margin * r->fastest;
    e->end = end;
    e->speed_limit = speed + gain(e->world, speed) * (end - r->time);
    e->n_told = 0;
    e->exceeded = false;
    e->fastest2 = 0.0;
    r->events_before = e->n_events;
    for (size_t k = 0; k < r->n_scripts; k++)
        e->script[r->scripted[k]] = (struct scree_ed_script){0, 0, false, false};
    r->n_scripts = 0;
    for (size_t k = 0; k < r->n_shares; k++) r->share[k].sent = e->grain[r->share[k].slot].version;
}

/* Run the window up to e->end. */
static struct report run_window(struct scree_ed_ranks *r)
{
    struct scratch scratch = {NULL, NULL, 0, 0};
    struct report report;
    int rounds = 0;
    scree_ed_engine_run(r->engine);
    while ((report = compare_all(r, &scratch)).outcome == DIFFERS) {
        scree_ed_redo(r->engine);
        if (++rounds > MOST_ROUNDS)
            SCREE_ABORT("ranks do not agree on a window after %d rounds", rounds);
    }
    r->n_rounds += rounds + 1;
    scree_alloc_free(scratch.state);
    scree_alloc_free(scratch.memory);
    return report;
}

/* Nobody is faster than r->fastest. All ranks find the same. */
static void end_window(struct scree_ed_ranks *r, const struct report *report, double elapsed)
{
    r->fastest = fmax(r->fastest, report->fastest);
    r->fastest += gain(r->engine->world, r->fastest) * elapsed;
    if (elapsed > 0.0) {
        double rate = report->events * r->link->n_ranks / elapsed;
        r->rate = r->rate > 0.0 ? 0.5 * (r->rate + rate) : rate;
    }
    scree_ed_commit(r->engine);
}

/* s; of the next window: so many collisions, but nobody may go farther than lists allow. */
static double choose_length(const struct scree_ed_ranks *r)
{
    const struct scree_ed_world *world = r->engine->world;
    double way = window_room * world->delta / world->contract;
    double speed = speed_margin * r->fastest, g = gain(world, 4.0 * speed);
    double length = speed > 0.0 ? way / speed : INFINITY;
    if (g > 0.0) /* a root of g t^2 + v t = way, from below: 2 way / (v + sqrt(v^2 + 4 g way)) */
        length = 2.0 * way / (speed + sqrt(speed * speed + 4.0 * g * way));
    double wanted = r->rate > 0.0 ? 0.5 * r->wanted * (double)r->n_grains / r->rate : 0.5 * length;
    return fmin(length, wanted);
}

/* m; that grains may go in a part of the window that was chosen. */
static double way_in(const struct scree_ed_ranks *r, double time)
{
    double speed = speed_margin * r->fastest, g = gain(r->engine->world, 4.0 * speed);
    return (speed + g * time) * time * r->engine->world->contract;
}

static void measure_fastest(struct scree_ed_ranks *r)
{
    const struct scree_ed_engine *e = r->engine;
    double fastest = 0.0, v[3];
    for (int32_t i = 0; i < e->n_slots; i++) {
        if (e->grain[i].role != SCREE_ED_OWNED) continue;
        scree_ed_velocity(e->world, &e->state[i], r->time, v);
        fastest = fmax(fastest, scree_vec_norm(v));
    }
    r->link->max(r->link, &fastest, 1);
    r->fastest = fastest;
}

static enum scree_status advance_alone(struct scree_ed_ranks *r, double t)
{
    r->engine->end = t;
    scree_ed_engine_run(r->engine);
    r->time = t;
    return r->engine->is_stuck ? fail_stuck(r->engine, NULL) : SCREE_OK;
}

enum scree_status scree_ed_ranks_advance(struct scree_ed_ranks *r, double t)
{
    struct scree_ed_engine *e = r->engine;
    if (r->link->n_ranks == 1) return advance_alone(r, t);
    while (r->time < t) {
        double end = fmin(r->time + r->length, t);
        begin_window(r, end);
        struct report report = run_window(r);
        if (report.outcome == STUCK) return fail_stuck(e, r);
        if (report.outcome == TOO_FAST) { /* half as long, twice as fast: nobody can go farther */
            scree_ed_undo_window(e);
            scree_ed_engine_repredict(e, r->time);
            r->fastest *= 2.0;
            r->length *= 0.5;
            r->n_cut++;
            continue;
        }
        double elapsed = end - r->time;
        r->roamed += way_in(r, elapsed);
        end_window(r, &report, elapsed);
        r->time = end;
        r->n_windows++;
        if (r->n_windows % MEASURE_EVERY == 0) measure_fastest(r);
        r->length = choose_length(r);
        if (!(end < t) || r->roamed + way_in(r, r->length) > scree_ed_members_room(r))
            scree_ed_members_update(r);
        else
            scree_ed_members_renew(r);
    }
    return SCREE_OK;
}

void scree_ed_ranks_create(struct scree_ed_ranks **ranks, struct scree_ed_engine *engine,
                           struct scree_ed_link *link, const struct scree_bricks *bricks, double t,
                           double wanted)
{
    struct scree_ed_ranks *r = *ranks = scree_alloc(1, sizeof *r);
    memset(r, 0, sizeof *r);
    r->link = link;
    r->engine = engine;
    r->bricks = bricks;
    r->time = t;
    r->wanted = wanted;
    r->n_grains = engine->n_owned;
    engine->exit_radius = engine->world->delta;
    engine->end = t;
    if (link->n_ranks == 1) {
        scree_ed_engine_begin(engine, t);
        return;
    }
    engine->exit_radius *= 1.0 - window_room;
    scree_ed_mail_create(&r->mail, link->n_ranks);
    link->sum(link, &r->n_grains, 1);
    measure_fastest(r);
    r->length = choose_length(r);
    scree_ed_engine_begin(engine, t);
    scree_ed_members_begin(r);
}

void scree_ed_ranks_destroy(struct scree_ed_ranks **ranks)
{
    struct scree_ed_ranks *r = *ranks;
    if (r == NULL) return;
    scree_ed_mail_clear(&r->mail);
    scree_alloc_free(r->share);
    scree_alloc_free(r->scripted);
    scree_alloc_free(r->candidate);
    for (int64_t b = 0; r->around != NULL && b < r->bricks->count; b++)
        scree_alloc_free(r->around[b].near);
    scree_alloc_free(r->around);
    scree_alloc_free(r);
    *ranks = NULL;
}
