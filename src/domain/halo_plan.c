/* SPDX-License-Identifier: BSD-3-Clause
 * Which grains are wanted where. For each brick the foreign bricks around it (other rank, or an
 * image) are listed once; a grain is copied to each of them that it is close to, and to the ranks
 * of those large grains that claim it. */
#include "halo_plan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scree/alloc.h"

struct foreign {
    int at[3], shift[3];
    int32_t rank;
};

/* Grains whose radii differ by more than this factor find each other by claims. */
static const double claim_factor = 2.0;

/* Distances are a hair wider, since brick faces are rounded numbers. */
static const double hair = 1.0 + 1e-9;

/* To whom a grain is copied, whether or not it is claimed. */
static double copy_reach(const struct scree_halo_reach *reach, double radius)
{
    return (radius + fmin(claim_factor * radius, reach->largest) + reach->skin) * hair;
}

double scree_halo_plan_claim_reach(double radius, double skin)
{
    return (radius + radius / claim_factor + skin) * hair;
}

struct plan {
    const struct scree_domain *domain;
    int rank;
    double widest; /* m; largest reach of a grain of this rank */
    struct foreign *foreign;
    size_t n_foreign, capacity;
    int64_t brick; /* whose surroundings are in `foreign`; -1: none */
    struct scree_halo_copy *copy;
    size_t n_copies, copy_capacity;
};

/* Position `index` along one axis as a brick of the box and the periods between; false: outside. */
static bool resolve(int index, int n, bool periodic, int *at, int *shift)
{
    *shift = 0;
    *at = index;
    if (index >= 0 && index < n) return true;
    if (!periodic) return false;
    *shift = (int)floor((double)index / n);
    *at = index - *shift * n;
    return true;
}

static void add_foreign(struct plan *plan, const int index[3])
{
    const struct scree_bricks *bricks = &plan->domain->bricks;
    struct foreign f;
    for (int a = 0; a < 3; a++)
        if (!resolve(index[a], bricks->n[a], plan->domain->box.periodic[a], &f.at[a], &f.shift[a]))
            return;
    f.rank = bricks->owner[scree_bricks_index(bricks, f.at)];
    if (f.rank == plan->rank && f.shift[0] == 0 && f.shift[1] == 0 && f.shift[2] == 0) return;
    SCREE_GROW(plan->foreign, plan->n_foreign, plan->capacity, plan->n_foreign + 1);
    plan->foreign[plan->n_foreign++] = f;
}

static void list_foreign(struct plan *plan, int64_t brick)
{
    const struct scree_bricks *bricks = &plan->domain->bricks;
    int at[3], around[3], index[3];
    scree_bricks_coordinates(bricks, brick, at);
    for (int a = 0; a < 3; a++)
        around[a] = bricks->edge[a] > 0.0 && (bricks->n[a] > 1 || plan->domain->box.periodic[a])
                        ? (int)ceil(plan->widest / bricks->edge[a])
                        : 0;
    plan->brick = brick;
    plan->n_foreign = 0;
    for (index[2] = at[2] - around[2]; index[2] <= at[2] + around[2]; index[2]++)
        for (index[1] = at[1] - around[1]; index[1] <= at[1] + around[1]; index[1]++)
            for (index[0] = at[0] - around[0]; index[0] <= at[0] + around[0]; index[0]++)
                add_foreign(plan, index);
}

/* For the rank that sees the grain's partners displaced by `shift`; once. */
static void add_copy(struct plan *plan, scree_lid slot, size_t first, int32_t rank,
                     const int shift[3])
{
    struct scree_halo_copy copy = {.rank = rank, .slot = slot};
    for (int a = 0; a < 3; a++) copy.shift[a] = (int8_t)-shift[a];
    for (size_t k = first; k < plan->n_copies; k++) {
        const struct scree_halo_copy *old = &plan->copy[k];
        if (old->rank == copy.rank && memcmp(old->shift, copy.shift, sizeof copy.shift) == 0)
            return;
    }
    SCREE_GROW(plan->copy, plan->n_copies, plan->copy_capacity, plan->n_copies + 1);
    plan->copy[plan->n_copies++] = copy;
}

struct scree_halo_reach scree_halo_plan_reach(struct scree_comm *comm,
                                              const struct scree_particles *p, double skin)
{
    double ends[2] = {-INFINITY, 0.0};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        ends[0] = fmax(ends[0], -p->pos[i][3]);
        ends[1] = fmax(ends[1], p->pos[i][3]);
    }
    scree_comm_max(comm, ends, 2);
    return (struct scree_halo_reach){.skin = skin, .smallest = -ends[0], .largest = ends[1]};
}

/* Copies of grain i to all foreign bricks within `near`. No foreign brick is nearer than what is
 * returned; those that are not listed are farther than `widest`. */
static double copy_to_bricks(struct plan *plan, const struct scree_particles *p, scree_lid i,
                             double near)
{
    const struct scree_domain *domain = plan->domain;
    size_t first = plan->n_copies;
    double nearest = plan->widest * plan->widest;
    for (size_t k = 0; k < plan->n_foreign; k++) {
        const struct foreign *f = &plan->foreign[k];
        double d2 =
            scree_bricks_distance2(&domain->bricks, &domain->box, f->at, f->shift, p->pos[i]);
        if (d2 <= near * near) add_copy(plan, i, first, f->rank, f->shift);
        nearest = fmin(nearest, d2);
    }
    return sqrt(nearest);
}

/* Bricks within `near` of a grain of the wedge seen through the image that is turned by `turn`
 * sectors: +1 across its first side, -1 across the other. */
static void copy_to_turned(struct plan *plan, const double pos[4], scree_lid i, size_t first,
                           int turn, double near)
{
    const struct scree_domain *domain = plan->domain;
    const struct scree_bricks *bricks = &domain->bricks;
    double place[3] = {pos[0], pos[1], pos[2]};
    int from[3], to[3], index[3];
    scree_wedge_turn_by(&domain->box.wedge, turn, place);
    for (int a = 0; a < 3; a++) {
        double edge = bricks->edge[a], at = place[a] - domain->box.low[a];
        bool cut = edge > 0.0 && (bricks->n[a] > 1 || domain->box.periodic[a]);
        from[a] = cut ? (int)floor((at - near) / edge) : 0;
        to[a] = cut ? (int)floor((at + near) / edge) : 0;
        if (domain->box.periodic[a]) continue; /* the outermost bricks have no end */
        from[a] = from[a] < 0 ? 0 : from[a] < bricks->n[a] ? from[a] : bricks->n[a] - 1;
        to[a] = to[a] < 0 ? 0 : to[a] < bricks->n[a] ? to[a] : bricks->n[a] - 1;
    }
    for (index[2] = from[2]; index[2] <= to[2]; index[2]++)
        for (index[1] = from[1]; index[1] <= to[1]; index[1]++)
            for (index[0] = from[0]; index[0] <= to[0]; index[0]++) {
                int at[3], shift[3];
                for (int a = 0; a < 3; a++)
                    resolve(index[a], bricks->n[a], domain->box.periodic[a], &at[a], &shift[a]);
                if (scree_bricks_distance2(bricks, &domain->box, at, shift, place) > near * near)
                    continue;
                shift[domain->box.wedge.u] = -turn;
                add_copy(plan, i, first, bricks->owner[scree_bricks_index(bricks, at)], shift);
            }
}

/* Copies through the sides of the wedge to all bricks within `near`; returns the distance from the
 * nearer side. Who is behind the axis is farther away, see scree_domain_check_wedge(). */
static double copy_across_sides(struct plan *plan, const double pos[4], scree_lid i, size_t first,
                                double near)
{
    const struct scree_wedge *wedge = &plan->domain->box.wedge;
    double distance[2];
    scree_wedge_to_sides(wedge, pos, distance);
    if (distance[0] <= near) copy_to_turned(plan, pos, i, first, +1, near);
    if (distance[1] <= near) copy_to_turned(plan, pos, i, first, -1, near);
    return fmin(distance[0], distance[1]);
}

/* Grain i goes to the ranks of larger grains close to it. They are in foreign bricks, so none is
 * nearer than `nearest`. */
static void copy_to_claims(struct plan *plan, const struct scree_halo_claims *claims,
                           size_t first_claim, const double pos[4], scree_lid i, size_t first,
                           double nearest, double skin)
{
    for (size_t k = first_claim; k < claims->n && claims->claimed[k].brick == plan->brick; k++) {
        double reach = (claims->claimed[k].radius + pos[3] + skin) * hair;
        if (claims->claimed[k].radius <= claim_factor * pos[3] * (2.0 - hair) || reach < nearest)
            return;
        const struct scree_halo_claim *c = &claims->claim[claims->claimed[k].claim];
        double dx = pos[0] - c->pos[0], dy = pos[1] - c->pos[1], dz = pos[2] - c->pos[2];
        int shift[3] = {c->shift[0], c->shift[1], c->shift[2]};
        if (dx * dx + dy * dy + dz * dz <= reach * reach) add_copy(plan, i, first, c->rank, shift);
    }
}

static void visit_brick_of(struct plan *plan, const double pos[3])
{
    int64_t brick = scree_bricks_find(&plan->domain->bricks, &plan->domain->box, pos);
    if (brick != plan->brick) list_foreign(plan, brick);
}

static void find_claims(struct plan *plan, const struct scree_particles *p,
                        const struct scree_halo_reach *reach)
{
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double radius = p->pos[i][3];
        if (radius <= claim_factor * reach->smallest) continue;
        visit_brick_of(plan, p->pos[i]);
        size_t first = plan->n_copies;
        double near = scree_halo_plan_claim_reach(radius, reach->skin);
        copy_to_bricks(plan, p, i, near);
        if (plan->domain->box.wedge.n > 0) copy_across_sides(plan, p->pos[i], i, first, near);
    }
}

static void find_copies(struct plan *plan, const struct scree_particles *p,
                        const struct scree_halo_reach *reach,
                        const struct scree_halo_claims *claims)
{
    int64_t brick = -1;
    size_t first_claim = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        visit_brick_of(plan, p->pos[i]);
        if (plan->brick != brick) first_claim = scree_halo_claims_first(claims, plan->brick);
        brick = plan->brick;
        size_t first = plan->n_copies;
        double near = copy_reach(reach, p->pos[i][3]);
        double nearest = copy_to_bricks(plan, p, i, near);
        if (plan->domain->box.wedge.n > 0)
            nearest = fmin(nearest, copy_across_sides(plan, p->pos[i], i, first, near));
        copy_to_claims(plan, claims, first_claim, p->pos[i], i, first, nearest, reach->skin);
    }
}

/* Copies sorted by receiving rank (stable), so that each rank's part is one run. */
static void sort_by_rank(struct plan *plan, int n_ranks, int *n_to)
{
    size_t *start = scree_alloc((size_t)n_ranks + 1, sizeof *start);
    struct scree_halo_copy *sorted = scree_alloc(plan->n_copies, sizeof *sorted);
    memset(start, 0, ((size_t)n_ranks + 1) * sizeof *start);
    for (size_t k = 0; k < plan->n_copies; k++) start[plan->copy[k].rank + 1]++;
    for (int r = 0; r < n_ranks; r++) {
        n_to[r] = (int)start[r + 1];
        start[r + 1] += start[r];
    }
    for (size_t k = 0; k < plan->n_copies; k++) sorted[start[plan->copy[k].rank]++] = plan->copy[k];
    scree_alloc_free(start);
    scree_alloc_free(plan->copy);
    plan->copy = sorted;
    plan->copy_capacity = plan->n_copies;
}

/* Tell other ranks of large grains near their bricks, and hear of theirs. */
static void exchange_claims(struct plan *plan, struct scree_comm *comm,
                            const struct scree_particles *p, const struct scree_halo_reach *reach,
                            struct scree_halo_claims *claims)
{
    size_t n_ranks = (size_t)comm->n_ranks, n_claims = 0;
    int *n_to = scree_alloc(n_ranks, sizeof *n_to), *n_from = scree_alloc(n_ranks, sizeof *n_from);
    void *received;
    find_claims(plan, p, reach);
    sort_by_rank(plan, comm->n_ranks, n_to);
    struct scree_halo_claim *mine = scree_alloc(plan->n_copies, sizeof *mine);
    for (size_t k = 0; k < plan->n_copies; k++) {
        const struct scree_halo_copy *copy = &plan->copy[k];
        memset(&mine[k], 0, sizeof mine[k]);
        mine[k].rank = comm->rank;
        memcpy(mine[k].shift, copy->shift, sizeof copy->shift);
        memcpy(mine[k].pos, p->pos[copy->slot], sizeof mine[k].pos);
        scree_halo_plan_shift(&plan->domain->box, copy, mine[k].pos);
    }
    scree_comm_exchange(comm, n_to, mine, sizeof *mine, n_from, &received);
    for (int r = 0; r < comm->n_ranks; r++) n_claims += (size_t)n_from[r];
    scree_halo_claims_init(claims, received, n_claims, plan->domain, comm->rank, reach->skin);
    plan->n_copies = 0;
    scree_alloc_free(mine);
    scree_alloc_free(n_to);
    scree_alloc_free(n_from);
}

struct scree_halo_copy *scree_halo_plan_find(const struct scree_domain *domain,
                                             struct scree_comm *comm,
                                             const struct scree_particles *p,
                                             const struct scree_halo_reach *reach, int *n_to)
{
    struct plan plan = {.domain = domain, .rank = comm->rank, .brick = -1};
    struct scree_halo_claims claims = {0};
    for (scree_lid i = 0; i < p->n_owned; i++)
        plan.widest = fmax(plan.widest, copy_reach(reach, p->pos[i][3]));
    if (reach->largest > claim_factor * reach->smallest)
        exchange_claims(&plan, comm, p, reach, &claims);
    find_copies(&plan, p, reach, &claims);
    sort_by_rank(&plan, comm->n_ranks, n_to);
    scree_alloc_free(plan.foreign);
    scree_halo_claims_clear(&claims);
    return plan.copy;
}
