/* SPDX-License-Identifier: BSD-3-Clause
 * Which grains are wanted where. For each brick the foreign bricks around it (other rank, or an
 * image) are listed once; a grain is copied to each of them that it is close to. */
#include "halo_plan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scree/alloc.h"

struct foreign {
    int at[3], shift[3];
    int32_t rank;
};

struct plan {
    const struct scree_domain *domain;
    int rank;
    double widest; /* m; reach plus the largest radius anywhere on this rank */
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

static void add_copy(struct plan *plan, scree_lid slot, size_t first, const struct foreign *f)
{
    struct scree_halo_copy copy = {.rank = f->rank, .slot = slot};
    for (int a = 0; a < 3; a++) copy.shift[a] = (int8_t)-f->shift[a];
    for (size_t k = first; k < plan->n_copies; k++) {
        const struct scree_halo_copy *old = &plan->copy[k];
        if (old->rank == copy.rank && memcmp(old->shift, copy.shift, sizeof copy.shift) == 0)
            return;
    }
    SCREE_GROW(plan->copy, plan->n_copies, plan->copy_capacity, plan->n_copies + 1);
    plan->copy[plan->n_copies++] = copy;
}

static double largest_radius(const struct scree_particles *p)
{
    double largest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++) largest = fmax(largest, p->pos[i][3]);
    return largest;
}

struct scree_halo_copy *scree_halo_plan_find(const struct scree_domain *domain, int rank,
                                             const struct scree_particles *p, double reach,
                                             size_t *n_copies)
{
    struct plan plan = {.domain = domain, .rank = rank, .brick = -1};
    plan.widest = (reach + largest_radius(p)) * (1.0 + 1e-9);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int64_t brick = scree_bricks_find(&domain->bricks, &domain->box, p->pos[i]);
        if (brick != plan.brick) list_foreign(&plan, brick);
        /* A hair wider, since brick faces are rounded numbers. */
        double near = (reach + p->pos[i][3]) * (1.0 + 1e-9);
        size_t first = plan.n_copies;
        for (size_t k = 0; k < plan.n_foreign; k++) {
            const struct foreign *f = &plan.foreign[k];
            if (scree_bricks_distance2(&domain->bricks, &domain->box, f->at, f->shift, p->pos[i]) <=
                near * near)
                add_copy(&plan, i, first, f);
        }
    }
    scree_alloc_free(plan.foreign);
    *n_copies = plan.n_copies;
    return plan.copy;
}
