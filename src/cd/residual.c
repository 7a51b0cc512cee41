/* SPDX-License-Identifier: BSD-3-Clause
 * How far a set of impulses is from solving its problem, whoever found it. Sums are made block by
 * block and then exactly over all blocks: they do not depend on ranks.
 *
 * The residual is the natural map of the law of Signorini and Coulomb, F = r - P(r - u / w), with
 * the projection P on the cone of friction, w = the largest inverse effective mass of the contact
 * and De Saxce's shift of the normal velocity by mu |u_t|; couples and bonds likewise. It is
 * weighted with inverse masses so that its square is an energy, and divided by the same norm of the
 * impulses. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "problem.h"
#include "scree/exact.h"
#include "scree/vec.h"

/* Sums over the contacts of a block, or of all blocks of all ranks. */
enum {
    SUM_STEP,     /* change of the impulses by the last sweeps, squared */
    SUM_RESIDUAL, /* natural map, squared */
    SUM_IMPULSE,  /* impulses, squared; J as the two above */
    SUM_NORMAL,   /* normal impulses */
    SUM_ACTIVE,   /* contacts that act */
    SUM_GAINED,   /* m |v - v_before|^2 */
    SUM_FREE,     /* m |v_free - v_before|^2 */
    SUM_ROUNDING, /* of velocities, squared and as an energy */
    N_SUMS
};

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void scree_cd_project(double friction, double *n, double t[3])
{
    double size = scree_vec_norm(t);
    if (*n >= 0.0 && size <= friction * *n) return; /* n < 0: also without friction and slip */
    if (friction * size <= -*n) {
        *n = 0.0;
        memset(t, 0, 3 * sizeof *t);
        return;
    }
    double on = (*n + friction * size) / (1.0 + friction * friction);
    double scale = size > 0.0 ? friction * on / size : 0.0;
    *n = on;
    for (int k = 0; k < 3; k++) t[k] *= scale;
}

/* Bonds have another graph than Signorini's: the distance to it along the normal. */
static double bond_residual(const struct scree_cd_extra *extra, double n, double un, double mass)
{
    double hold = n - mass * un;
    if (hold < -extra->cohesion) return n + extra->cohesion;
    if (hold <= 0.0) return n - hold;
    return n - fmax(0.0, n - mass * (un - extra->close));
}

static double contact_residual(const struct scree_cd_problem *p, size_t at, const double u[3],
                               double *closing)
{
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_impulse *r = &p->impulse[at];
    const struct scree_cd_extra *extra = p->extra != NULL ? &p->extra[at] : NULL;
    double un = scree_vec_dot(u, c->normal), slip[3], n, t[3], moved[3];
    bool bonded = extra != NULL && extra->cohesion > 0.0;
    double load = bonded ? extra->cohesion : 0.0;
    *closing = 0.0;
    if (!(c->weight_n > 0.0)) return 0.0; /* nothing moves two driven bodies */
    double step = 1.0 / fmax(c->weight_t, c->weight_n);
    for (int k = 0; k < 3; k++) slip[k] = u[k] - un * c->normal[k];
    *closing = (bonded ? extra->close : c->target) - un;
    if (bonded) { /* each part by itself */
        double fn = bond_residual(extra, r->n, un, 1.0 / c->weight_n), limit;
        limit = c->friction * (r->n + load);
        for (int k = 0; k < 3; k++) t[k] = r->t[k] - step * slip[k];
        double size = scree_vec_norm(t), scale = size > limit ? limit / size : 1.0;
        for (int k = 0; k < 3; k++) moved[k] = r->t[k] - scale * t[k];
        return c->weight_n * fn * fn + c->weight_t * square(moved);
    }
    n = r->n - step * (un - c->target + c->friction * scree_vec_norm(slip));
    for (int k = 0; k < 3; k++) t[k] = r->t[k] - step * slip[k];
    scree_cd_project(c->friction, &n, t);
    for (int k = 0; k < 3; k++) moved[k] = r->t[k] - t[k];
    return c->weight_n * (r->n - n) * (r->n - n) + c->weight_t * square(moved);
}

/* Of the couples against rolling and torsion: the distance to what would stop the relative spin
 * within their limits. */
static double couple_residual(const struct scree_cd_problem *p, size_t at)
{
    const struct scree_cd_extra *extra = &p->extra[at];
    double spin[3], couple[3];
    if (!(extra->weight_r > 0.0)) return 0.0;
    scree_cd_relative_spin(p, at, spin);
    for (int k = 0; k < 3; k++) couple[k] = p->couple[at][k] - spin[k] / extra->weight_r;
    scree_cd_limit_couple(&p->contact[at], extra, p->impulse[at].n + extra->cohesion, couple);
    for (int k = 0; k < 3; k++) couple[k] -= p->couple[at][k];
    return extra->weight_r * square(couple);
}

/* Impulses of a contact, as an energy. */
static double product(const struct scree_cd_contact *c, const struct scree_cd_impulse *a,
                      const struct scree_cd_impulse *b)
{
    return c->weight_n * a->n * b->n + c->weight_t * scree_vec_dot(a->t, b->t);
}

/* What rounding of the velocities that make up the relative one may change: a few units in the last
 * place. Smaller errors are none, however small impulses are. */
static double rounding_square(const struct scree_cd_problem *p, const struct scree_cd_contact *c)
{
    const struct scree_cd_copy *a = &p->copy[c->a], *b = c->b >= 0 ? &p->copy[c->b] : NULL;
    double sum = square(a->v) + square(c->drift) + c->arm[0] * c->arm[0] * square(a->w);
    if (b != NULL) sum += square(b->v) + c->arm[1] * c->arm[1] * square(b->w);
    return c->weight_n > 0.0 ? 64.0 * DBL_EPSILON * DBL_EPSILON * sum / c->weight_n : 0.0;
}

/* What the last sweeps changed. */
static struct scree_cd_impulse find_step(const struct scree_cd_problem *p, size_t at)
{
    const struct scree_cd_impulse *new = &p->impulse[at], *old = &p->impulse_before[at];
    struct scree_cd_impulse step = {new->n - old->n, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++) step.t[k] = new->t[k] - old->t[k];
    return step;
}

static double step_square(const struct scree_cd_problem *p, size_t at)
{
    const struct scree_cd_impulse step = find_step(p, at);
    double sum = product(&p->contact[at], &step, &step);
    for (int k = 0; k < 3 && p->couple != NULL; k++) {
        double d = p->couple[at][k] - p->couple_before[at][k];
        sum += p->extra[at].weight_r * d * d;
    }
    return sum;
}

/* The square of what the last sweeps changed, and its product with the direction. */
static void add_steps(const struct scree_cd_problem *p, size_t at, double sum[2])
{
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_impulse step = find_step(p, at);
    sum[0] += product(c, &step, &step);
    sum[1] += product(c, &step, &p->direction[at]);
    for (int k = 0; k < 3 && p->couple != NULL; k++) {
        double d = p->extra[at].weight_r * (p->couple[at][k] - p->couple_before[at][k]);
        sum[0] += d * (p->couple[at][k] - p->couple_before[at][k]);
        sum[1] += d * p->couple_direction[at][k];
    }
}

double scree_cd_sum_steps(const struct scree_cd_problem *p, double *along)
{
    struct scree_exact sum[2];
    for (int s = 0; s < 2; s++) scree_exact_clear(&sum[s]);
    for (int b = 0; b < p->n_blocks; b++) {
        double part[2] = {0.0, 0.0};
        for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++)
            add_steps(p, (size_t)c, part);
        for (int s = 0; s < 2; s++) scree_exact_add(&sum[s], part[s]);
    }
    scree_comm_sum_exact(p->comm, sum, 2);
    *along = scree_exact_value(&sum[1]);
    return scree_exact_value(&sum[0]);
}

/* Bodies are counted in the first of their blocks. */
static void add_bodies(const struct scree_cd_problem *p, int block, double *sum)
{
    for (int k = p->block_copies[block]; k < p->block_copies[block + 1]; k++) {
        const struct scree_cd_body *body = &p->body[p->copy_body[k]];
        if (p->member[p->first_member[p->copy_body[k]]] != p->block[block]) continue;
        if (!(body->inverse_mass > 0.0)) continue;
        double mass = 1.0 / body->inverse_mass;
        for (int a = 0; a < 3; a++) {
            double gain = p->copy[k].v[a] - body->before[a], free = body->free[a] - body->before[a];
            sum[SUM_GAINED] += mass * gain * gain;
            sum[SUM_FREE] += mass * free * free;
        }
    }
}

double scree_cd_residual_part(const struct scree_cd_problem *p, size_t at)
{
    double u[3], closing;
    scree_cd_relative_velocity(p, at, u);
    double part = contact_residual(p, at, u, &closing);
    return p->extra != NULL ? part + couple_residual(p, at) : part;
}

static void add_block(const struct scree_cd_problem *p, int block, double *sum, double worst[2])
{
    for (int k = p->block_contacts[block]; k < p->block_contacts[block + 1]; k++) {
        size_t at = (size_t)k;
        const struct scree_cd_contact *c = &p->contact[at];
        double u[3], closing, step = step_square(p, at);
        scree_cd_relative_velocity(p, at, u);
        sum[SUM_RESIDUAL] += contact_residual(p, at, u, &closing);
        sum[SUM_IMPULSE] += product(c, &p->impulse[at], &p->impulse[at]);
        if (p->extra != NULL) {
            sum[SUM_RESIDUAL] += couple_residual(p, at);
            sum[SUM_IMPULSE] += p->extra[at].weight_r * square(p->couple[at]);
        }
        sum[SUM_STEP] += step;
        sum[SUM_ROUNDING] += rounding_square(p, c);
        if (p->impulse[at].n > 0.0) {
            sum[SUM_NORMAL] += p->impulse[at].n;
            sum[SUM_ACTIVE] += 1.0;
        }
        worst[0] = fmax(worst[0], closing);
        worst[1] = fmax(worst[1], sqrt(step / c->weight_n));
    }
    add_bodies(p, block, sum);
}

void scree_cd_measure(struct scree_cd_problem *p, struct scree_cd_outcome *outcome)
{
    struct scree_exact sum[N_SUMS];
    double worst[2] = {0.0, 0.0}, value[N_SUMS];
    for (int s = 0; s < N_SUMS; s++) scree_exact_clear(&sum[s]);
    for (int b = 0; b < p->n_blocks; b++) {
        double part[N_SUMS] = {0.0};
        add_block(p, b, part, worst);
        for (int s = 0; s < N_SUMS; s++) scree_exact_add(&sum[s], part[s]);
    }
    scree_comm_sum_exact(p->comm, sum, N_SUMS);
    scree_comm_max(p->comm, worst, 2);
    for (int s = 0; s < N_SUMS; s++) value[s] = scree_exact_value(&sum[s]);
    p->sum_impulses = value[SUM_IMPULSE];
    p->n_active = value[SUM_ACTIVE];
    double impulse = value[SUM_IMPULSE], free = value[SUM_FREE];
    double mean = value[SUM_NORMAL] / fmax(value[SUM_ACTIVE], 1.0);
    double residual = value[SUM_RESIDUAL];
    bool is_error = residual > value[SUM_ROUNDING];
    /* Without impulses: against what contacts would have to do. */
    outcome->residual = is_error ? sqrt(residual / fmax(impulse, residual)) : 0.0;
    outcome->unbalanced = free > 0.0 ? sqrt(value[SUM_GAINED] / free) : 0.0;
    outcome->force_change = mean > 0.0 ? worst[1] / mean : worst[1] > 0.0 ? 1.0 : 0.0;
    outcome->penetration = worst[0];
}
