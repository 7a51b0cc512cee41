/* SPDX-License-Identifier: BSD-3-Clause
 * One sweep over a block: every contact is solved exactly with the present velocities of its two
 * bodies (Brendel, Unger, Wolf, section 1.4; PHYSICS C1, C2). For spheres and disks the normal and
 * the tangential part are not coupled, so that the solution is a clip and a projection. */
#include <math.h>
#include <string.h>

#include "problem.h"
#include "scree/hash.h"
#include "scree/vec.h"

/* Relative velocity at the contact point: u = v_a - v_b + n x (l_a w_a + l_b w_b) + drift. */
static inline void find_velocity(const struct scree_cd_contact *c, const struct scree_cd_copy *a,
                                 const struct scree_cd_copy *b, double u[3])
{
    double s[3];
    for (int k = 0; k < 3; k++) s[k] = c->arm[0] * a->w[k] + c->arm[1] * b->w[k];
    u[0] = a->v[0] - b->v[0] + (c->normal[1] * s[2] - c->normal[2] * s[1]) + c->drift[0];
    u[1] = a->v[1] - b->v[1] + (c->normal[2] * s[0] - c->normal[0] * s[2]) + c->drift[1];
    u[2] = a->v[2] - b->v[2] + (c->normal[0] * s[1] - c->normal[1] * s[0]) + c->drift[2];
}

/* An impulse on the first body, its opposite on the second: torques are -l n x P on both. */
static inline void push(const struct scree_cd_contact *c, const double impulse[3],
                        struct scree_cd_copy *a, struct scree_cd_copy *b)
{
    double turn[3];
    scree_vec_cross(c->normal, impulse, turn);
    double of_a = c->arm[0] * a->inverse_inertia, of_b = c->arm[1] * b->inverse_inertia;
    for (int k = 0; k < 3; k++) {
        a->v[k] += a->inverse_mass * impulse[k];
        a->w[k] -= of_a * turn[k];
    }
    for (int k = 0; k < 3; k++) { /* after a: both may be the same body, seen through a period */
        b->v[k] -= b->inverse_mass * impulse[k];
        b->w[k] -= of_b * turn[k];
    }
}

/* Coulomb: the tangential impulse that would stop the slip, cut to the limit. */
static inline void find_friction(const struct scree_cd_contact *c, const double u[3], double un,
                                 double limit, const struct scree_cd_impulse *old,
                                 struct scree_cd_impulse *new)
{
    double size2 = 0.0;
    for (int k = 0; k < 3; k++) {
        new->t[k] = old->t[k] - c->mass_t *(u[k] - un * c->normal[k]);
        size2 += new->t[k] * new->t[k];
    }
    if (size2 <= limit * limit) return;
    double scale = limit / sqrt(size2);
    for (int k = 0; k < 3; k++) new->t[k] *= scale;
}

static void solve_contact(struct scree_cd_problem *p, size_t at, struct scree_cd_copy *wall,
                          double *rate)
{
    (void)rate;
    const struct scree_cd_contact *c = &p->contact[at];
    struct scree_cd_copy *a = &p->copy[c->a], *b = c->b >= 0 ? &p->copy[c->b] : wall;
    struct scree_cd_impulse *r = &p->impulse[at], new;
    double u[3], change[3];
    find_velocity(c, a, b, u);
    double un = scree_vec_dot(u, c->normal);
    new.n = fmax(0.0, r->n - c->mass_n * (un - c->target));
    if (new.n == 0.0 && r->n == 0.0) return; /* then there is no friction either */
    find_friction(c, u, un, c->friction * new.n, r, &new);
    for (int k = 0; k < 3; k++) change[k] = (new.n - r->n) * c->normal[k] + (new.t[k] - r->t[k]);
    *r = new;
    push(c, change, a, b);
}

/* What drives add to the relative velocity, and what an impulse does to them. */
static void add_rates(const struct scree_cd_problem *p, const struct scree_cd_extra *extra,
                      const double *rate, double u[3])
{
    for (int k = 0; k < extra->n_drives; k++) {
        double sweep[3];
        int d = scree_cd_find_sweep(p, extra, k, sweep);
        for (int a = 0; a < 3; a++) u[a] += scree_cd_rate(&p->drive[d], rate[d]) * sweep[a];
    }
}

static void push_rates(const struct scree_cd_problem *p, const struct scree_cd_extra *extra,
                       const double impulse[3], double *rate)
{
    for (int k = 0; k < extra->n_drives; k++) {
        double sweep[3];
        int d = scree_cd_find_sweep(p, extra, k, sweep);
        rate[d] += p->drive[d].share * p->drive[d].inverse_mass * scree_vec_dot(sweep, impulse);
    }
}

/* The second body in the frame of the first (wedge). */
static void turn_copy(const struct scree_wedge *wedge, int turn, const struct scree_cd_copy *from,
                      struct scree_cd_copy *to)
{
    *to = *from;
    scree_wedge_turn(wedge, turn, from->v, to->v);
    scree_wedge_turn(wedge, turn, from->w, to->w);
}

/* Normal impulse of a bond (002, section 1.8): it holds the gap up to its strength, is not pulled
 * back once it has begun to open, and can be pushed closed. */
static double solve_bond(const struct scree_cd_contact *c, const struct scree_cd_extra *extra,
                         double old, double un)
{
    double hold = old - c->mass_n * un;
    if (hold < -extra->cohesion) return -extra->cohesion;
    if (hold <= 0.0) return hold;
    return fmax(0.0, old - c->mass_n * (un - extra->close));
}

static void spin(const double couple[3], struct scree_cd_copy *a, struct scree_cd_copy *b)
{
    for (int k = 0; k < 3; k++) a->w[k] += a->inverse_inertia * couple[k];
    for (int k = 0; k < 3; k++) b->w[k] -= b->inverse_inertia * couple[k];
}

static void cut(double limit, double v[3])
{
    double size = scree_vec_norm(v), scale = size > limit ? limit / size : 1.0;
    for (int k = 0; k < 3; k++) v[k] *= scale;
}

void scree_cd_limit_couple(const struct scree_cd_contact *c, const struct scree_cd_extra *extra,
                           double load, double couple[3])
{
    double roll[3], twist[3], along = scree_vec_dot(couple, c->normal);
    for (int k = 0; k < 3; k++) {
        twist[k] = along * c->normal[k];
        roll[k] = couple[k] - twist[k];
    }
    cut(extra->rolling * load, roll);
    cut(extra->torsion * load, twist);
    for (int k = 0; k < 3; k++) couple[k] = roll[k] + twist[k];
}

/* The couple that would stop the relative spin, cut to its limits. */
static void solve_couple(const struct scree_cd_contact *c, const struct scree_cd_extra *extra,
                         double load, double couple[3], struct scree_cd_copy *a,
                         struct scree_cd_copy *b)
{
    double new[3], change[3];
    for (int k = 0; k < 3; k++)
        new[k] = couple[k] - extra->mass_r *(a->w[k] - b->w[k] + extra->spin_drift[k]);
    scree_cd_limit_couple(c, extra, load, new);
    for (int k = 0; k < 3; k++) {
        change[k] = new[k] - couple[k];
        couple[k] = new[k];
    }
    spin(change, a, b);
}

/* With bonds, couples or turned frames. Friction and rolling act on the same spins: a few turns of
 * both solve them together. */
static void solve_general(struct scree_cd_problem *p, size_t at, struct scree_cd_copy *wall,
                          double *rate)
{
    enum { ROUNDS = 4 };
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_extra *extra = &p->extra[at];
    struct scree_cd_copy *a = &p->copy[c->a], *b = c->b >= 0 ? &p->copy[c->b] : wall, turned;
    struct scree_cd_copy *there = b;
    if (extra->turn != 0) {
        turn_copy(p->wedge, extra->turn, b, &turned);
        b = &turned;
    }
    bool couples = extra->rolling > 0.0 || extra->torsion > 0.0;
    for (int round = 0; round < (couples ? ROUNDS : 1); round++) {
        struct scree_cd_impulse *r = &p->impulse[at], new;
        double u[3], change[3];
        find_velocity(c, a, b, u);
        add_rates(p, extra, rate, u);
        double un = scree_vec_dot(u, c->normal);
        new.n = extra->cohesion > 0.0 ? solve_bond(c, extra, r->n, un)
                                      : fmax(0.0, r->n - c->mass_n * (un - c->target));
        find_friction(c, u, un, c->friction * (new.n + extra->cohesion), r, &new);
        for (int k = 0; k < 3; k++)
            change[k] = (new.n - r->n) * c->normal[k] + (new.t[k] - r->t[k]);
        *r = new;
        push(c, change, a, b);
        push_rates(p, extra, change, rate);
        if (couples) solve_couple(c, extra, new.n + extra->cohesion, p->couple[at], a, b);
    }
    if (extra->turn != 0)
        turn_copy(p->wedge, scree_wedge_modulo(p->wedge, -extra->turn), &turned, there);
}

void scree_cd_sweep(struct scree_cd_problem *p, int block)
{
    struct scree_cd_copy wall = {.inverse_mass = 0.0}; /* its velocity is in the drift */
    const size_t first = (size_t)p->block_contacts[block];
    const size_t end = (size_t)p->block_contacts[block + 1];
    double *rate = p->rate + block * p->n_drives;
    void (*solve)(struct scree_cd_problem *, size_t, struct scree_cd_copy *, double *) =
        p->extra == NULL ? solve_contact : solve_general;
    if (p->sequence != NULL)
        for (size_t c = first; c < end; c++) solve(p, (size_t)p->sequence[c], &wall, rate);
    else if (p->extra == NULL)
        for (size_t c = first; c < end; c++) solve_contact(p, c, &wall, rate);
    else
        for (size_t c = first; c < end; c++) solve_general(p, c, &wall, rate);
}

void scree_cd_shuffle(struct scree_cd_problem *p, int block, int64_t sweep)
{
    const int first = p->block_contacts[block], n = p->block_contacts[block + 1] - first;
    int32_t *sequence = p->sequence + first;
    for (int k = 0; k < n; k++) sequence[k] = first + k;
    for (int k = n - 1; k > 0; k--) {
        const int64_t key[] = {(int64_t)p->seed, p->step, p->block[block], sweep, k};
        int other = (int)(scree_hash_record(key, sizeof key) % (uint64_t)(k + 1));
        int32_t kept = sequence[k];
        sequence[k] = sequence[other];
        sequence[other] = kept;
    }
}

/* The impulses of a contact as one vector, on the bodies of its block. */
static void apply_contact(struct scree_cd_problem *p, size_t at, struct scree_cd_copy *wall,
                          double *rate)
{
    const struct scree_cd_contact *c = &p->contact[at];
    struct scree_cd_copy *a = &p->copy[c->a], *b = c->b >= 0 ? &p->copy[c->b] : wall, turned;
    struct scree_cd_copy *there = b;
    int turn = p->extra != NULL ? p->extra[at].turn : 0;
    double impulse[3];
    if (turn != 0) {
        turn_copy(p->wedge, turn, b, &turned);
        b = &turned;
    }
    for (int k = 0; k < 3; k++) impulse[k] = p->impulse[at].n * c->normal[k] + p->impulse[at].t[k];
    push(c, impulse, a, b);
    if (p->couple != NULL) spin(p->couple[at], a, b);
    if (p->extra != NULL) push_rates(p, &p->extra[at], impulse, rate);
    if (turn != 0) turn_copy(p->wedge, scree_wedge_modulo(p->wedge, -turn), &turned, there);
}

void scree_cd_apply_impulses(struct scree_cd_problem *p)
{
    struct scree_cd_copy wall = {.inverse_mass = 0.0};
    for (size_t k = 0; k < p->n_copies; k++) {
        const double *free = p->body[p->copy_body[k]].free;
        memcpy(p->copy[k].v, free, sizeof p->copy[k].v);
        memcpy(p->copy[k].w, free + 3, sizeof p->copy[k].w);
        memcpy(p->copy_before[k], free, sizeof p->copy_before[k]);
    }
    for (int d = 0; d < p->n_drives; d++) {
        p->drive[d].found = p->drive[d].remembered = p->drive[d].free;
        for (int b = 0; b < p->n_blocks; b++)
            p->rate[b * p->n_drives + d] = p->rate_before[b * p->n_drives + d] = p->drive[d].free;
    }
    for (int b = 0; b < p->n_blocks; b++)
        for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++)
            apply_contact(p, (size_t)c, &wall, p->rate + b * p->n_drives);
    scree_cd_begin_exchange(p);
    scree_cd_end_exchange(p);
}

/* The second body of a contact in the frame of the first. */
static struct scree_cd_copy second_body(const struct scree_cd_problem *p, size_t at)
{
    const struct scree_cd_contact *c = &p->contact[at];
    struct scree_cd_copy b = {.inverse_mass = 0.0}; /* of a wall: its velocity is in the drift */
    if (c->b < 0) return b;
    b = p->copy[c->b];
    if (p->extra != NULL && p->extra[at].turn != 0)
        turn_copy(p->wedge, p->extra[at].turn, &p->copy[c->b], &b);
    return b;
}

void scree_cd_relative_velocity(const struct scree_cd_problem *p, size_t at, double u[3])
{
    const struct scree_cd_contact *c = &p->contact[at];
    struct scree_cd_copy b = second_body(p, at);
    find_velocity(c, &p->copy[c->a], &b, u);
    for (int k = 0; p->extra != NULL && k < p->extra[at].n_drives; k++) {
        double sweep[3];
        int d = scree_cd_find_sweep(p, &p->extra[at], k, sweep);
        for (int m = 0; m < 3; m++)
            u[m] += scree_cd_rate(&p->drive[d], p->drive[d].found) * sweep[m];
    }
}

void scree_cd_relative_spin(const struct scree_cd_problem *p, size_t at, double spin[3])
{
    const struct scree_cd_copy *a = &p->copy[p->contact[at].a], b = second_body(p, at);
    for (int k = 0; k < 3; k++) spin[k] = a->w[k] - b.w[k] + p->extra[at].spin_drift[k];
}
