/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapping grains pushed apart: the energy of linear springs of unit stiffness falls along the
 * heavy ball's way, each step a part of the one before and a part of the force (Polyak, USSR
 * Comput. Math. Math. Phys. 4(5), 1 (1964)). No grain has to know of any but its neighbours, so the
 * work is shared out in slabs. Forces are summed as integers, in any order. Radii are taken a
 * little too large, so that a packing with small overlaps of these has none of the true ones. */
#include "relax.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

static const double too_large = 1.004;
static const double keep = 0.9, step = 0.25; /* parts of the last step, and of the force */
static const double alone = 0.5;             /* part of the step of a grain that nobody pushes */
static const double crowded = 8.0;  /* contacts; from so many on the force counts for less */
static const double furthest = 0.2; /* radii per step; heavy overlaps would throw grains far */

/* As long as some grains overlap by more than this share of a radius, lists are made anew in every
 * so many steps only: whom they miss they find the next time. */
static const double heavy = 0.3;
enum { patience = 4 };

struct listed {
    int32_t i, j; /* j < 0: grain -1 - j of the crowd */
};

struct listed_wall {
    int32_t i;
    int wall;
};

struct work {
    struct scree_relax *relax;
    struct scree_slabs *slabs;
    double half[3];      /* m; of periods; INFINITY: not periodic */
    double quantum;      /* m; of forces, which are lengths */
    int64_t (*force)[4]; /* [3]: contacts */
    double (*built)[3];
    size_t force_capacity, built_capacity;
    struct listed *pair;
    size_t n_pairs, capacity;
    struct listed_wall *at_wall;
    size_t n_at_walls, wall_capacity;
    int64_t n_fixed;
    int64_t i; /* while pairs are listed */
};

/* Pairs with a grain from here are listed once. */
static bool list_pair(void *context, int64_t k, const double pos[4])
{
    struct work *w = context;
    const double *mine = w->slabs->pos[w->i];
    double reach = mine[3] + pos[3] + w->relax->skin, d[3];
    int turn;
    int64_t j = k < w->n_fixed ? -1 - k : k - w->n_fixed;
    if (j >= w->i && j < w->slabs->n_own) return false; /* the other one has seen it */
    if (scree_crowd_between(w->relax->crowd, mine, pos, d, &turn) > reach * reach) return false;
    SCREE_GROW(w->pair, w->n_pairs, w->capacity, w->n_pairs + 1);
    w->pair[w->n_pairs++] = (struct listed){(int32_t)w->i, (int32_t)j};
    return false;
}

static void list_by_visits(struct work *w)
{
    for (w->i = 0; w->i < w->slabs->n_own; w->i++)
        scree_crowd_visit(w->relax->crowd, w->slabs->pos[w->i], list_pair, w);
}

/* Of grain i, number `here` in its block, with those that come before it or are not from here. */
static void list_in_block(struct work *w, const struct scree_crowd_block *b, int32_t here,
                          int32_t i, int32_t *near)
{
    const double *x = b->pos[0], *y = b->pos[1], *z = b->pos[2], *r = b->pos[3];
    const double mine[3] = {x[here], y[here], z[here]}, reach = r[here] + w->relax->skin;
    const int32_t n_fixed = (int32_t)w->n_fixed, n_own = (int32_t)w->slabs->n_own;
    for (int32_t m = 0; m < b->n; m++) {
        double dx = x[m] - mine[0], dy = y[m] - mine[1], dz = z[m] - mine[2], s = reach + r[m];
        int32_t j = b->ball[m] - n_fixed;
        near[m] = (dx * dx + dy * dy + dz * dz <= s * s) & ((j < i) | (j >= n_own));
    }
    SCREE_GROW(w->pair, w->n_pairs, w->capacity, w->n_pairs + (size_t)b->n);
    for (int32_t m = 0; m < b->n; m++) {
        int32_t ball = b->ball[m];
        w->pair[w->n_pairs] = (struct listed){i, ball < n_fixed ? -1 - ball : ball - n_fixed};
        w->n_pairs += (size_t)near[m];
    }
}

/* The same pairs, cell by cell. */
static void list_by_cells(struct work *w)
{
    const struct scree_crowd *crowd = w->relax->crowd;
    struct scree_crowd_block block = {.n = 0};
    int32_t *near = NULL;
    size_t capacity = 0;
    for (int64_t c = 0; c < crowd->n_cells[0] * crowd->n_cells[1] * crowd->n_cells[2]; c++) {
        scree_crowd_gather(crowd, c, &block);
        SCREE_GROW(near, 0, capacity, (size_t)block.n + 1);
        for (int32_t here = 0; here < block.n_here; here++) {
            int64_t i = block.ball[here] - w->n_fixed;
            if (i >= 0 && i < w->slabs->n_own) list_in_block(w, &block, here, (int32_t)i, near);
        }
    }
    scree_alloc_free(near);
    scree_crowd_clear_block(&block);
}

static void list_walls(struct work *w)
{
    const struct scree_relax *relax = w->relax;
    w->n_at_walls = 0;
    for (int wall = 0; wall < relax->walls->n; wall++) {
        if (!scree_sample_keeps_off(relax->sample, &relax->walls->wall[wall])) continue;
        for (int64_t i = 0; i < w->slabs->n_own; i++) {
            double gap;
            scree_wall_gaps(&relax->walls->wall[wall], 1, (const double(*)[4])w->slabs->pos[i],
                            &gap);
            if (gap > relax->skin) continue;
            SCREE_GROW(w->at_wall, w->n_at_walls, w->wall_capacity, w->n_at_walls + 1);
            w->at_wall[w->n_at_walls++] = (struct listed_wall){(int32_t)i, wall};
        }
    }
}

static void list_pairs(struct work *w)
{
    struct scree_relax *relax = w->relax;
    scree_crowd_truncate(relax->crowd, w->n_fixed);
    for (int64_t i = 0; i < w->slabs->n_all; i++) scree_crowd_add(relax->crowd, w->slabs->pos[i]);
    w->n_pairs = 0;
    if (scree_crowd_has_blocks(relax->crowd))
        list_by_cells(w);
    else
        list_by_visits(w);
    list_walls(w);
}

static void wrap_all(struct work *w)
{
    const struct scree_box *box = w->relax->crowd->box;
    for (int64_t i = 0; i < w->slabs->n_own; i++) {
        int32_t image[3] = {0};
        scree_box_wrap(box, w->slabs->pos[i], image);
        if (box->wedge.n > 0)
            scree_wedge_turn_by(&box->wedge, -image[box->wedge.u], w->slabs->way[i]);
    }
}

/* Grains to the ranks of their slabs; lists anew. Grains are not wrapped between two lists, so
 * plain differences tell how far they have moved. */
static void renew(struct work *w)
{
    wrap_all(w);
    scree_slabs_renew(w->slabs);
    size_t n = (size_t)w->slabs->n_own;
    SCREE_GROW(w->force, 0, w->force_capacity, n + 1);
    SCREE_GROW(w->built, 0, w->built_capacity, n + 1);
    for (size_t i = 0; i < n; i++) memcpy(w->built[i], w->slabs->pos[i], sizeof w->built[i]);
    list_pairs(w);
}

/* Overlap of the true radii as a share of the smaller one. Of equal ones the lowest gids count. */
static void note_worst(struct scree_relax *relax, double share, int64_t i, int64_t j, int wall)
{
    bool same = share == relax->worst && share > 0.0;
    if (share < relax->worst || (!same && share == relax->worst)) return;
    if (same && (i > relax->i || (i == relax->i && j >= relax->j))) return;
    relax->worst = share;
    relax->i = i;
    relax->j = j;
    relax->wall = wall;
}

static void push(struct work *w, int64_t i, double factor, const double d[3])
{
    for (int k = 0; k < 3; k++) w->force[i][k] += llrint(factor * d[k] / w->quantum);
    w->force[i][3]++;
}

/* As scree_crowd_between() for places no farther apart than a period and a half. */
static inline double between(const struct work *w, const double a[4], const double b[4],
                             double d[3], int *turn)
{
    const struct scree_box *box = w->relax->crowd->box;
    double square = 0.0;
    if (box->wedge.n > 0) return scree_crowd_between(w->relax->crowd, a, b, d, turn);
    *turn = 0;
    for (int k = 0; k < 3; k++) {
        double apart = a[k] - b[k], half = w->half[k];
        d[k] = apart - (apart > half ? box->length[k] : apart < -half ? -box->length[k] : 0.0);
        square += d[k] * d[k];
    }
    return square;
}

/* Both ranks of a pair see it from the grain with the higher gid. */
static void push_pair(struct work *w, int64_t i, int64_t j)
{
    struct scree_relax *relax = w->relax;
    struct scree_slabs *s = w->slabs;
    bool fixed = j < 0, turned = !fixed && s->gid[j] > s->gid[i];
    const double *other = fixed ? relax->crowd->ball[-1 - j].pos : s->pos[j];
    const double *a = turned ? other : s->pos[i], *b = turned ? s->pos[i] : other;
    int turn;
    double d[3], reach = a[3] + b[3], square = between(w, a, b, d, &turn);
    if (square >= reach * reach * too_large * too_large) return;
    double distance = sqrt(square), share = (reach - distance) / fmin(a[3], b[3]);
    if (fixed)
        note_worst(relax, share, s->gid[i], -1, -1);
    else
        note_worst(relax, share, s->gid[turned ? j : i], s->gid[turned ? i : j], -1);
    if (distance == 0.0) d[0] = distance = 1e-9 * reach; /* apart, in any direction */
    double factor = (reach * too_large - distance) / distance;
    int64_t first = turned ? j : i, second = turned ? i : j;
    if (first < s->n_own) push(w, first, factor, d);
    if (fixed || second >= s->n_own) return;
    if (turn != 0) scree_wedge_turn_by(&relax->crowd->box->wedge, -turn, d);
    push(w, second, -factor, d);
}

/* Away from the nearest face, whose direction is found by differences. */
static void push_inside(struct work *w, int64_t i)
{
    const struct scree_region *region = w->relax->region;
    const double *pos = w->slabs->pos[i];
    double room = region->shape->room(region, pos), slope[3] = {0}, square = 0.0;
    if (room >= pos[3] * too_large) return;
    note_worst(w->relax, (pos[3] - room) / pos[3], w->slabs->gid[i], 0, -1);
    for (int k = 0; k < region->dimension; k++) {
        double ahead[3] = {pos[0], pos[1], pos[2]}, behind[3] = {pos[0], pos[1], pos[2]};
        ahead[k] += 1e-3 * pos[3];
        behind[k] -= 1e-3 * pos[3];
        slope[k] = region->shape->room(region, ahead) - region->shape->room(region, behind);
        square += slope[k] * slope[k];
    }
    if (square == 0.0) return; /* on a ridge: others will push it off */
    push(w, i, (pos[3] * too_large - room) / sqrt(square), slope);
}

static void push_off_wall(struct work *w, int64_t i, int wall)
{
    const double *pos = w->slabs->pos[i];
    struct scree_wall_contact contact;
    scree_wall_locate(&w->relax->walls->wall[wall], 1, (const double(*)[4])pos, &contact);
    double factor = pos[3] * (too_large - 1.0) - contact.at.gap;
    if (factor <= 0.0) return;
    note_worst(w->relax, -contact.at.gap / pos[3], w->slabs->gid[i], 0, wall);
    push(w, i, factor, contact.at.normal);
}

static void compute_forces(struct work *w)
{
    struct scree_relax *relax = w->relax;
    relax->worst = 0.0;
    memset(w->force, 0, (size_t)w->slabs->n_own * sizeof *w->force);
    for (size_t c = 0; c < w->n_pairs; c++) push_pair(w, w->pair[c].i, w->pair[c].j);
    for (size_t c = 0; c < w->n_at_walls; c++)
        push_off_wall(w, w->at_wall[c].i, w->at_wall[c].wall);
    for (int64_t i = 0; i < w->slabs->n_own; i++) push_inside(w, i);
}

/* The next step of each grain, within what is allowed; returns the square of the longest distance
 * (m^2) from where lists were made to where a grain will be. */
static double steer(struct work *w)
{
    int dimension = w->relax->region->dimension;
    double furthest2 = 0.0;
    for (int64_t i = 0; i < w->slabs->n_own; i++) {
        double *way = w->slabs->way[i], most = furthest * w->slabs->pos[i][3], square = 0.0;
        double n = (double)w->force[i][3], part = step * crowded / fmax(n, crowded) * w->quantum;
        for (int k = 0; k < dimension; k++) {
            double next = (n > 0.0 ? keep : keep * alone) * way[k] + part * (double)w->force[i][k];
            way[k] = fmin(fmax(next, -most), most);
            double apart = w->slabs->pos[i][k] + way[k] - w->built[i][k];
            square += apart * apart;
        }
        furthest2 = fmax(furthest2, square);
    }
    return furthest2;
}

static void move(struct work *w)
{
    const struct scree_box *box = w->relax->crowd->box;
    for (int64_t i = 0; i < w->slabs->n_own; i++)
        for (int k = 0; k < box->dimension; k++)
            w->slabs->pos[i][k] = scree_box_snap(box, k, w->slabs->pos[i][k] + w->slabs->way[i][k]);
}

/* The worst pair of all ranks; of equal ones that with the lowest gids. */
static void agree_on_worst(struct scree_relax *relax, struct scree_comm *comm, double worst)
{
    int64_t found[3] = {-INT64_MAX, -INT64_MAX, -INT64_MAX};
    if (!(worst > 0.0)) return; /* nobody overlaps */
    if (relax->worst == worst) found[0] = -relax->i;
    scree_comm_max_int(comm, &found[0], 1);
    if (relax->worst == worst && found[0] == -relax->i) found[1] = -relax->j;
    scree_comm_max_int(comm, &found[1], 1);
    if (relax->worst == worst && found[0] == -relax->i && found[1] == -relax->j)
        found[2] = relax->wall;
    scree_comm_max_int(comm, &found[2], 1);
    relax->worst = worst;
    if (!(worst > 0.0)) return; /* there is none */
    relax->i = -found[0];
    relax->j = -found[1];
    relax->wall = (int)found[2];
}

bool scree_relax_run(struct scree_relax *relax)
{
    struct scree_comm *comm = relax->slabs->comm;
    struct work w = {.relax = relax, .slabs = relax->slabs, .n_fixed = relax->crowd->n};
    const double limit = 0.25 * relax->skin * relax->skin; /* half the skin, squared */
    int exponent;
    frexp(relax->largest, &exponent);
    w.quantum = ldexp(1.0, exponent - 45);
    for (int k = 0; k < 3; k++)
        w.half[k] = relax->crowd->box->periodic[k] ? 0.5 * relax->crowd->box->length[k] : INFINITY;
    renew(&w);
    for (relax->n_steps = 0;; relax->n_steps++) {
        compute_forces(&w);
        double most[2] = {relax->worst, steer(&w)};
        scree_comm_max(comm, most, 2);
        if (most[0] <= relax->allowed || relax->n_steps >= relax->most) {
            agree_on_worst(relax, comm, most[0]);
            break;
        }
        move(&w);
        if (most[1] > limit && (most[0] < heavy || relax->n_steps % patience == 0))
            renew(&w);
        else
            scree_slabs_refresh(w.slabs);
    }
    wrap_all(&w);
    scree_alloc_free(w.at_wall);
    scree_alloc_free(w.pair);
    scree_alloc_free(w.built);
    scree_alloc_free(w.force);
    return relax->worst <= relax->allowed;
}
