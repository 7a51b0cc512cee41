/* SPDX-License-Identifier: BSD-3-Clause
 * What a collision does: both grains fly to the moment of touch and get new velocities and spins.
 * Sums are made from the side of the lower gid, so that every rank finds the same bits. */
#include <math.h>
#include <string.h>

#include "engine.h"
#include "pair.h"
#include "scree/vec.h"

/* Let it fly to time t, which becomes its own. */
static void fly(const struct scree_ed_world *world, struct scree_ed_state *s, double t)
{
    double way[3], v[3];
    scree_ed_way(world, s, t, way);
    scree_ed_velocity(world, s, t, v);
    for (int k = 0; k < 3; k++) {
        s->x[k] += way[k];
        s->v[k] = v[k];
    }
    s->t = t;
}

/* The TC model: restitution is 1 if either partner has collided within t_c before. */
static bool is_elastic(const struct scree_ed_world *world, const struct scree_ed_memory *m,
                       double t)
{
    return t - m->touched < world->contact_time;
}

/* Two bodies in touch; a wall has no inverse mass. d: from a to b, of any length. */
struct touch {
    double d[3], u[3];           /* m, m/s; of b relative to a */
    double *va, *vb, *wa, *wb;   /* of b: NULL for walls */
    double radius_a, radius_b;   /* m */
    double inverse_a, inverse_b; /* 1/kg */
    double restitution, inertia; /* I / (m a^2) */
    double growth;               /* m/s; of the sum of radii */
    bool smooth;                 /* whatever the materials are */
    const struct scree_ed_impact *impact;
};

/* Impulse on b along the tangent (N s): Coulomb's friction, and otherwise the tangential
 * restitution. Returns the heat (J). */
static double tangential_impulse(const struct touch *c, const double n[3], double normal_impulse,
                                 double impulse[3])
{
    double turning[3], swept[3], slip[3], slip2 = 0.0;
    for (int k = 0; k < 3; k++)
        turning[k] = c->radius_a * c->wa[k] + (c->wb != NULL ? c->radius_b * c->wb[k] : 0.0);
    scree_vec_cross(turning, n, swept);
    for (int k = 0; k < 3; k++) slip[k] = c->u[k] - swept[k];
    double along = scree_vec_dot(slip, n);
    for (int k = 0; k < 3; k++) {
        slip[k] -= along * n[k];
        slip2 += slip[k] * slip[k];
    }
    memset(impulse, 0, 3 * sizeof *impulse);
    if (slip2 == 0.0) return 0.0;
    double speed = sqrt(slip2);
    double mass = 1.0 / ((c->inverse_a + c->inverse_b) * (1.0 + 1.0 / c->inertia));
    double stick = (1.0 + c->impact->restitution_tangential) * mass * speed;
    double most = c->impact->friction * normal_impulse, size = stick < most ? stick : most;
    for (int k = 0; k < 3; k++) impulse[k] = -size * (slip[k] / speed);
    return size * speed - 0.5 * size * size / mass;
}

/* Give both what the impulse on b does to their spins. */
static void turn(const struct touch *c, const double n[3], const double impulse[3])
{
    double lever[3]; /* both contact points get the same change of spin times radius */
    scree_vec_cross(n, impulse, lever);
    for (int k = 0; k < 3; k++) {
        if (c->inverse_a > 0.0) c->wa[k] -= c->inverse_a / (c->inertia * c->radius_a) * lever[k];
        if (c->wb != NULL && c->inverse_b > 0.0)
            c->wb[k] -= c->inverse_b / (c->inertia * c->radius_b) * lever[k];
    }
}

/* New velocities and spins of both; out gets impulse on a, and the heat. */
static void bounce(struct touch *c, struct scree_ed_outcome *out)
{
    double dd = scree_vec_dot(c->d, c->d), length = sqrt(dd), n[3];
    double b = scree_vec_dot(c->d, c->u) - length * c->growth; /* of the surfaces */
    double size = -(1.0 + c->restitution) * b / (dd * (c->inverse_a + c->inverse_b));
    double tangential[3] = {0.0, 0.0, 0.0};
    const bool rough = c->impact->friction > 0.0 && !c->smooth;
    for (int k = 0; k < 3; k++) n[k] = c->d[k] / length;
    out->loss = -0.5 * (1.0 - c->restitution) * size * b;
    if (rough) out->loss += tangential_impulse(c, n, size * length, tangential);
    for (int k = 0; k < 3; k++) {
        double on_b = size * c->d[k] + tangential[k];
        c->va[k] -= c->inverse_a * on_b;
        if (c->vb != NULL) c->vb[k] += c->inverse_b * on_b;
        out->impulse[k] = -on_b;
        out->normal[k] = -n[k];
    }
    out->normal_impulse = size * length;
    out->work = -out->normal_impulse * c->growth;
    if (rough) turn(c, n, tangential);
}

static const struct scree_ed_impact *impact_of(const struct scree_ed_world *world, int a, int b)
{
    return &world->impact[a * world->n_materials + b];
}

static double energy_of(const struct scree_ed_state *s, double inverse_mass)
{
    return 0.5 * scree_vec_dot(s->v, s->v) / inverse_mass;
}

/* From the reference box to places. `carried`: velocity of the flow at b relative to that at a. */
static void strain(const struct scree_ed_world *world, double t, struct touch *c, double carried[3])
{
    double apart[3] = {c->d[0], c->d[1], c->d[2]};
    scree_ed_branch(world, apart, t, c->d);
    scree_ed_multiply(world->flow, c->d, carried);
    for (int k = 0; k < 3; k++) c->u[k] += carried[k];
}

static void meet(struct scree_ed_engine *e, int32_t a, int32_t b, const double shift[3], double t,
                 struct scree_ed_outcome *out)
{
    const struct scree_ed_world *world = e->world;
    struct scree_ed_state *sa = &e->state[a], *sb = &e->state[b];
    struct scree_ed_memory *ma = &e->memory[a], *mb = &e->memory[b];
    double carried[3];
    struct touch c = {.va = sa->v, .vb = sb->v, .wa = ma->spin, .wb = mb->spin};
    c.radius_a = sa->radius;
    c.radius_b = sb->radius;
    c.inverse_a = e->grain[a].inverse_mass;
    c.inverse_b = e->grain[b].inverse_mass;
    c.impact = impact_of(world, e->grain[a].species, e->grain[b].species);
    c.inertia = world->inertia_factor;
    c.smooth = world->growing;
    out->elastic = is_elastic(world, ma, t) || is_elastic(world, mb, t);
    c.restitution = out->elastic || world->growing ? 1.0 : c.impact->restitution;
    out->lossy = c.restitution < 1.0;
    double given = energy_of(sa, c.inverse_a) + energy_of(sb, c.inverse_b);
    fly(world, sa, t);
    fly(world, sb, t);
    given -= energy_of(sa, c.inverse_a) + energy_of(sb, c.inverse_b);
    for (int k = 0; k < 3; k++) {
        c.d[k] = (sb->x[k] - sa->x[k]) - shift[k];
        c.u[k] = sb->v[k] - sa->v[k];
        out->place[k] = sa->x[k];
    }
    c.growth = (sa->radius + sb->radius) * world->growth;
    if (world->bent) strain(world, t, &c, carried);
    for (int k = 0; k < 3; k++) out->branch[k] = -c.d[k];
    bounce(&c, out);
    /* To the box: velocities are relative to its flow, which carries b past a. */
    if (world->bent) out->work += given - scree_vec_dot(out->impulse, carried);
}

static void hit_wall(struct scree_ed_engine *e, int32_t i, int w, double t,
                     struct scree_ed_outcome *out)
{
    const struct scree_ed_world *world = e->world;
    const struct scree_ed_wall *wall = &world->wall[w];
    struct scree_ed_state *s = &e->state[i];
    struct scree_ed_memory *m = &e->memory[i];
    struct touch c = {.va = s->v, .wa = m->spin, .radius_a = s->radius};
    c.inverse_a = e->grain[i].inverse_mass;
    c.impact = impact_of(world, e->grain[i].species, wall->species);
    c.inertia = world->inertia_factor;
    c.smooth = world->growing;
    out->elastic = is_elastic(world, m, t);
    c.restitution = out->elastic || world->growing ? 1.0 : c.impact->restitution;
    out->lossy = c.restitution < 1.0;
    fly(world, s, t);
    c.growth = s->radius * world->growth;
    double radius = s->radius + c.growth * t;
    for (int k = 0; k < 3; k++) {
        c.d[k] = -radius * wall->normal[k];
        c.u[k] = wall->velocity[k] - s->v[k];
        out->branch[k] = -c.d[k];
        out->place[k] = s->x[k];
    }
    bounce(&c, out);
    out->work -= scree_vec_dot(out->impulse, wall->velocity);
}

void scree_ed_remember(struct scree_ed_engine *e, int32_t i, int64_t partner,
                       const struct scree_ed_key *key, bool lossy)
{
    struct scree_ed_memory *m = &e->memory[i];
    m->n_lossy = (int16_t)(m->touched == key->t ? m->n_lossy + lossy : 0);
    m->touched = key->t;
    m->last = partner;
    m->n = (int16_t)key->n; /* a run ends long before it is too large */
    m->n_epoch++;
    e->grain[i].version++;
    double limit = e->speed_limit, v2 = scree_vec_dot(e->state[i].v, e->state[i].v);
    if (v2 > limit * limit) e->exceeded = true;
    if (v2 > e->fastest2) e->fastest2 = v2;
    if (key->n <= SCREE_ED_MOST_AT_ONCE && m->n_epoch <= e->world->most_events &&
        m->n_lossy <= SCREE_ED_MOST_LOSSY)
        return;
    if (e->grain[i].role != SCREE_ED_OWNED) return; /* its owner knows better */
    if (!e->is_stuck) {
        e->stuck[0] = key->lo;
        e->stuck[1] = key->hi;
    }
    e->is_stuck = true;
}

void scree_ed_execute(struct scree_ed_engine *e, int32_t i, int32_t partner, int code,
                      const struct scree_ed_key *key)
{
    struct scree_ed_outcome outcome;
    int wall = scree_ed_wall_of(partner);
    bool first = wall >= 0 || e->grain[i].gid < e->grain[partner].gid;
    int32_t a = first ? i : partner, b = first ? partner : i, node = -1;
    if (e->in_windows) node = scree_ed_log(e, a, wall >= 0 ? partner : b, key);
    if (wall >= 0)
        hit_wall(e, i, wall, key->t, &outcome);
    else
        meet(e, a, b, e->world->shift[first ? code : SCREE_ED_CODES - 1 - code], key->t, &outcome);
    scree_ed_remember(e, a, wall >= 0 ? -1 - wall : e->grain[b].gid, key, outcome.lossy);
    if (wall < 0) scree_ed_remember(e, b, e->grain[a].gid, key, outcome.lossy);
    e->n_events++;
    if (node >= 0)
        e->node[node].outcome = outcome;
    else
        scree_ed_tally_add(e, key, &outcome, a, wall >= 0 ? -1 : b);
}
