/* SPDX-License-Identifier: BSD-3-Clause
 * Laws the other way round: from the force and the couple of a contact at rest to its overlap and
 * its history. A contact is pressed from its first touch to the overlap at which it bears the
 * normal force, then drawn along its tangent plane, rolled and twisted until it bears the rest,
 * each time by a single way: whatever a law keeps is what it would keep of these ways. Nothing here
 * knows a law. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/laws.h"
#include "scree/vec.h"

enum { DOUBLINGS = 200, HALVINGS = 200 };
static const double first_way = 1e-12; /* of the radius */

static double radius_of(const struct scree_law_touch *touch)
{
    return touch->wall
               ? touch->radius[0]
               : touch->radius[0] * touch->radius[1] / (touch->radius[0] + touch->radius[1]);
}

/* A contact at rest, from nothing: all rows of the batch alike. */
static void lay_out(const struct scree_law_touch *touch, struct scree_batch *b)
{
    memset(b, 0, sizeof *b);
    b->n = SCREE_BATCH_PAD;
    b->wall = touch->wall;
    b->dt = touch->dt;
    b->friction_load = b->fn;
    for (int k = 0; k < b->n; k++) {
        for (int a = 0; a < 3; a++) b->normal[a][k] = b->normal_before[a][k] = touch->normal[a];
        b->m_eff[k] = touch->m_eff;
        b->r_i[k] = touch->radius[0];
        b->r_j[k] = touch->wall ? 0.0 : touch->radius[1];
    }
}

static void apply(const struct scree_pair_law *pair, enum scree_law_kind part,
                  struct scree_batch *b)
{
    b->joint_limit = pair->timing != SCREE_TIMING_SYNCHRONISED;
    pair->law[part]->apply(b, pair->values[part], pair->at[part]);
}

/* A contact while it is tried out; the batch is laid out for it. */
struct trial {
    const struct scree_pair_law *pair;
    struct scree_batch *b;
    enum scree_law_kind part;           /* other than the normal one: that is drawn */
    double along[3];                    /* unit vector of its way */
    double before[SCREE_BATCH_HISTORY]; /* history at the beginning of the way */
};

static void put_history(struct scree_batch *b, const double *history)
{
    for (int s = 0; s < SCREE_BATCH_HISTORY; s++)
        for (int k = 0; k < b->n; k++) b->history[s][k] = history[s];
}

static void take_history(const struct scree_batch *b, double *history)
{
    for (int s = 0; s < SCREE_BATCH_HISTORY; s++) history[s] = b->history[s][0];
}

/* N; borne at an overlap. */
static double press(void *context, double overlap)
{
    static const double none[SCREE_BATCH_HISTORY];
    const struct trial *t = context;
    if (!(overlap > 0.0)) return -DBL_MAX;
    put_history(t->b, none);
    for (int k = 0; k < t->b->n; k++) t->b->overlap[k] = overlap;
    apply(t->pair, SCREE_LAW_NORMAL, t->b);
    return t->b->fn[0];
}

/* N or N m; borne against a way. */
static double draw(void *context, double way)
{
    const struct trial *t = context;
    const bool slides = t->part == SCREE_LAW_TANGENTIAL;
    double(*to)[SCREE_BATCH] = slides ? t->b->way : t->b->turned, sum = 0.0;
    double(*force)[SCREE_BATCH] = slides ? t->b->ft : t->b->couple;
    put_history(t->b, t->before);
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < t->b->n; k++) {
            to[a][k] = way * t->along[a];
            t->b->couple[a][k] = 0.0;
        }
    apply(t->pair, t->part, t->b);
    for (int a = 0; a < 3; a++) sum -= force[a][0] * t->along[a];
    return sum;
}

/* The law is asked for the force of a way; where is it `wanted`? Found between a way that bears
 * less and one that bears more, by secants and, if these do not close in, by halves. If it never
 * gets so far, the shortest way to the most that it bears. */
typedef double force_of_way(void *context, double way);
static double find_way(force_of_way *force, void *context, double start, double most, double wanted)
{
    double low = 0.0, below = force(context, 0.0), high = start, above = force(context, start);
    if (below >= wanted) return 0.0;
    for (int k = 0; k < DOUBLINGS && above < wanted && high < most; k++) {
        double next = force(context, 2.0 * high);
        if (next <= above * (1.0 + DBL_EPSILON) && above > below) return high; /* at its limit */
        low = high;
        below = above;
        high *= 2.0;
        above = next;
    }
    if (above < wanted) return high;
    for (int k = 0; k < HALVINGS && high - low > 2.0 * DBL_EPSILON * high; k++) {
        double secant = low + (high - low) * (wanted - below) / (above - below);
        double at = k % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
        double found = force(context, at);
        if (found == wanted) return at;
        if (found < wanted) {
            low = at;
            below = found;
        } else {
            high = at;
            above = found;
        }
    }
    return high;
}

double scree_pair_law_find_overlap(const struct scree_pair_law *pair,
                                   const struct scree_law_touch *touch, double force)
{
    struct scree_batch b;
    struct trial t = {.pair = pair, .b = &b};
    double radius = radius_of(touch);
    lay_out(touch, &b);
    return find_way(press, &t, first_way * radius, radius, force);
}

/* The history becomes that with which a part bears a force or couple; `start` is a way that is
 * small beside all that it could be. */
static void load_part(struct trial *t, enum scree_law_kind part, double start, double most,
                      const double wanted[3])
{
    double size = scree_vec_norm(wanted);
    if (!(size > 0.0) || t->pair->law[part]->shape == NULL) return;
    t->part = part;
    for (int a = 0; a < 3; a++) t->along[a] = -wanted[a] / size;
    take_history(t->b, t->before);
    draw(t, 0.0); /* the load was there before the way */
    take_history(t->b, t->before);
    draw(t, find_way(draw, t, start, most, size));
}

void scree_pair_law_load(const struct scree_pair_law *pair, const struct scree_law_touch *touch,
                         double overlap, const double force[3], const double couple[3],
                         double *history)
{
    struct scree_batch b;
    struct trial t = {.pair = pair, .b = &b};
    double along = scree_vec_dot(force, touch->normal), radius = radius_of(touch);
    double twist = scree_vec_dot(couple, touch->normal), across[3], roll[3], turn[3];
    for (int a = 0; a < 3; a++) {
        across[a] = force[a] - along * touch->normal[a];
        turn[a] = twist * touch->normal[a];
        roll[a] = couple[a] - turn[a];
    }
    lay_out(touch, &b);
    press(&t, overlap);
    load_part(&t, SCREE_LAW_TANGENTIAL, first_way * radius, radius, across);
    load_part(&t, SCREE_LAW_ROLLING, first_way, 1.0, roll);
    load_part(&t, SCREE_LAW_TORSION, first_way, 1.0, turn);
    take_history(&b, history);
}
