/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapping grains pushed apart: the energy of linear springs is minimised by FIRE (Bitzek et
 * al., Phys. Rev. Lett. 97 (2006) 170201) with unit masses and stiffnesses. Radii are taken a
 * little too large, so that a packing with small overlaps of these has none of the true ones. */
#include "relax.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

static const double too_large = 1.003;
static const double first_step = 0.1, longest_step = 0.35, first_mixing = 0.1;
static const double furthest = 0.2; /* radii per step; heavy overlaps would throw grains far */

struct listed {
    int64_t i, j; /* j < 0: grain -1 - j of the crowd */
};

struct listed_wall {
    int64_t i;
    int wall;
};

struct work {
    struct scree_relax *relax;
    double (*force)[3], (*velocity)[3], (*built)[3];
    struct listed *pair;
    size_t n_pairs, capacity;
    struct listed_wall *at_wall;
    size_t n_at_walls, wall_capacity;
    int64_t n_fixed;
    double step, mixing;
    int n_downhill;
    int64_t i; /* while pairs are listed */
};

static const double *partner(const struct work *w, int64_t j)
{
    return j < 0 ? w->relax->crowd->ball[-1 - j].pos : w->relax->pos[j];
}

static bool list_pair(void *context, int64_t k, const double pos[4])
{
    struct work *w = context;
    const double *mine = w->relax->pos[w->i];
    double reach = mine[3] + pos[3] + w->relax->skin, d[3];
    int turn;
    int64_t j = k < w->n_fixed ? -1 - k : k - w->n_fixed;
    if (j >= w->i || scree_crowd_between(w->relax->crowd, mine, pos, d, &turn) > reach * reach)
        return false;
    SCREE_GROW(w->pair, w->n_pairs, w->capacity, w->n_pairs + 1);
    w->pair[w->n_pairs++] = (struct listed){w->i, j};
    return false;
}

static void list_walls(struct work *w)
{
    const struct scree_relax *relax = w->relax;
    w->n_at_walls = 0;
    for (int wall = 0; wall < relax->walls->n; wall++) {
        if (!scree_sample_keeps_off(relax->sample, &relax->walls->wall[wall])) continue;
        for (int64_t i = 0; i < relax->n; i++) {
            double gap;
            scree_wall_gaps(&relax->walls->wall[wall], 1, (const double(*)[4])relax->pos[i], &gap);
            if (gap > relax->skin) continue;
            SCREE_GROW(w->at_wall, w->n_at_walls, w->wall_capacity, w->n_at_walls + 1);
            w->at_wall[w->n_at_walls++] = (struct listed_wall){i, wall};
        }
    }
}

static void list_pairs(struct work *w)
{
    struct scree_relax *relax = w->relax;
    scree_crowd_truncate(relax->crowd, w->n_fixed);
    for (int64_t i = 0; i < relax->n; i++) {
        scree_crowd_add(relax->crowd, relax->pos[i]);
        memcpy(w->built[i], relax->pos[i], sizeof w->built[i]);
    }
    w->n_pairs = 0;
    for (w->i = 0; w->i < relax->n; w->i++)
        scree_crowd_visit(relax->crowd, relax->pos[w->i], list_pair, w);
    list_walls(w);
}

/* Grains are not wrapped between two lists, so plain differences tell how far they have moved. */
static bool is_list_old(const struct work *w)
{
    double limit = 0.25 * w->relax->skin * w->relax->skin; /* half the skin, squared */
    for (int64_t i = 0; i < w->relax->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            double d = w->relax->pos[i][k] - w->built[i][k];
            square += d * d;
        }
        if (square > limit) return true;
    }
    return false;
}

static void wrap_all(struct work *w)
{
    const struct scree_box *box = w->relax->crowd->box;
    for (int64_t i = 0; i < w->relax->n; i++) {
        int32_t image[3] = {0};
        for (int a = 0; a < box->dimension; a++)
            w->relax->pos[i][a] = scree_box_snap(box, a, w->relax->pos[i][a]);
        scree_box_wrap(box, w->relax->pos[i], image);
        if (box->wedge.n > 0)
            scree_wedge_turn_by(&box->wedge, -image[box->wedge.u], w->velocity[i]);
    }
}

/* Overlap of the true radii as a share of the smaller one. */
static void note_worst(struct scree_relax *relax, double share, int64_t i, int64_t j, int wall)
{
    if (share <= relax->worst) return;
    relax->worst = share;
    relax->i = i;
    relax->j = j;
    relax->wall = wall;
}

static void push_pair(struct work *w, int64_t i, int64_t j)
{
    struct scree_relax *relax = w->relax;
    const double *a = relax->pos[i], *b = partner(w, j);
    int turn;
    double d[3], reach = a[3] + b[3], square = scree_crowd_between(relax->crowd, a, b, d, &turn);
    if (square >= reach * reach * too_large * too_large) return;
    double distance = sqrt(square);
    note_worst(relax, (reach - distance) / fmin(a[3], b[3]), i, j < 0 ? j - 1 : j, -1);
    if (distance == 0.0) d[0] = distance = 1e-9 * reach; /* apart, in any direction */
    double factor = (reach * too_large - distance) / distance;
    for (int k = 0; k < relax->crowd->box->dimension; k++) w->force[i][k] += factor * d[k];
    if (j < 0) return;
    if (turn != 0) scree_wedge_turn_by(&relax->crowd->box->wedge, -turn, d);
    for (int k = 0; k < relax->crowd->box->dimension; k++) w->force[j][k] -= factor * d[k];
}

/* Away from the nearest face, whose direction is found by differences. */
static void push_inside(struct work *w, int64_t i)
{
    const struct scree_region *region = w->relax->region;
    const double *pos = w->relax->pos[i];
    double room = region->shape->room(region, pos), slope[3] = {0}, square = 0.0;
    if (room >= pos[3] * too_large) return;
    note_worst(w->relax, (pos[3] - room) / pos[3], i, -1, -1);
    for (int k = 0; k < region->dimension; k++) {
        double ahead[3] = {pos[0], pos[1], pos[2]}, behind[3] = {pos[0], pos[1], pos[2]};
        ahead[k] += 1e-3 * pos[3];
        behind[k] -= 1e-3 * pos[3];
        slope[k] = region->shape->room(region, ahead) - region->shape->room(region, behind);
        square += slope[k] * slope[k];
    }
    if (square == 0.0) return; /* on a ridge: others will push it off */
    double factor = (pos[3] * too_large - room) / sqrt(square);
    for (int k = 0; k < region->dimension; k++) w->force[i][k] += factor * slope[k];
}

static void push_off_wall(struct work *w, int64_t i, int wall)
{
    const double *pos = w->relax->pos[i];
    struct scree_wall_contact contact;
    scree_wall_locate(&w->relax->walls->wall[wall], 1, (const double(*)[4])pos, &contact);
    double factor = pos[3] * (too_large - 1.0) - contact.at.gap;
    if (factor <= 0.0) return;
    note_worst(w->relax, -contact.at.gap / pos[3], i, -1, wall);
    for (int k = 0; k < w->relax->crowd->box->dimension; k++)
        w->force[i][k] += factor * contact.at.normal[k];
}

static void compute_forces(struct work *w)
{
    struct scree_relax *relax = w->relax;
    if (is_list_old(w)) {
        wrap_all(w);
        list_pairs(w);
    }
    relax->worst = 0.0;
    memset(w->force, 0, (size_t)relax->n * sizeof *w->force);
    for (size_t c = 0; c < w->n_pairs; c++) push_pair(w, w->pair[c].i, w->pair[c].j);
    for (size_t c = 0; c < w->n_at_walls; c++)
        push_off_wall(w, w->at_wall[c].i, w->at_wall[c].wall);
    for (int64_t i = 0; i < relax->n; i++) push_inside(w, i);
}

/* FIRE: downhill, the velocity turns towards the force; uphill, it starts again from rest. */
static void steer(struct work *w)
{
    int64_t n = 3 * w->relax->n;
    double *f = w->force[0], *v = w->velocity[0], power = 0.0, ff = 0.0, vv = 0.0;
    for (int64_t k = 0; k < n; k++) {
        power += f[k] * v[k];
        ff += f[k] * f[k];
        vv += v[k] * v[k];
    }
    if (power > 0.0) {
        double along = w->mixing * sqrt(vv / ff);
        for (int64_t k = 0; k < n; k++) v[k] = (1.0 - w->mixing) * v[k] + along * f[k];
        if (++w->n_downhill > 5) {
            w->step = fmin(1.1 * w->step, longest_step);
            w->mixing *= 0.99;
        }
    } else {
        memset(v, 0, (size_t)n * sizeof *v);
        w->step = fmax(0.5 * w->step, 0.02);
        w->mixing = first_mixing;
        w->n_downhill = 0;
    }
}

static void move(struct work *w)
{
    for (int64_t i = 0; i < w->relax->n; i++) {
        double most = furthest * w->relax->pos[i][3];
        for (int k = 0; k < 3; k++) {
            w->velocity[i][k] += w->step * w->force[i][k];
            double d = w->step * w->velocity[i][k];
            w->relax->pos[i][k] += fmin(fmax(d, -most), most);
        }
    }
}

bool scree_relax_run(struct scree_relax *relax)
{
    size_t n = (size_t)relax->n;
    struct work w = {.relax = relax,
                     .force = scree_alloc(n, sizeof *w.force),
                     .velocity = scree_alloc(n, sizeof *w.velocity),
                     .built = scree_alloc(n, sizeof *w.built),
                     .n_fixed = relax->crowd->n,
                     .step = first_step,
                     .mixing = first_mixing};
    memset(w.velocity, 0, n * sizeof *w.velocity);
    wrap_all(&w);
    list_pairs(&w);
    compute_forces(&w);
    for (relax->n_steps = 0; relax->worst > relax->allowed && relax->n_steps < relax->most;
         relax->n_steps++) {
        steer(&w);
        move(&w);
        compute_forces(&w);
    }
    wrap_all(&w);
    scree_alloc_free(w.at_wall);
    scree_alloc_free(w.pair);
    scree_alloc_free(w.built);
    scree_alloc_free(w.velocity);
    scree_alloc_free(w.force);
    return relax->worst <= relax->allowed;
}
