/* SPDX-License-Identifier: BSD-3-Clause
 * Claims of large grains on small ones of other ranks, sorted by brick. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halo_plan.h"
#include "scree/alloc.h"

/* By brick, then the largest first. */
static int compare_claimed(const void *a, const void *b)
{
    const struct scree_halo_claimed *x = a, *y = b;
    if (x->brick != y->brick) return x->brick < y->brick ? -1 : 1;
    return x->radius > y->radius ? -1 : x->radius < y->radius;
}

void scree_halo_claims_init(struct scree_halo_claims *claims, struct scree_halo_claim *claim,
                            size_t n_claims, const struct scree_domain *domain, int rank,
                            double skin)
{
    const struct scree_bricks *bricks = &domain->bricks;
    size_t capacity = 0;
    *claims = (struct scree_halo_claims){.claim = claim};
    for (size_t k = 0; k < n_claims; k++) {
        double reach = scree_halo_plan_claim_reach(claim[k].pos[3], skin), end[3];
        int from[3], to[3], at[3];
        for (int a = 0; a < 3; a++) end[a] = claim[k].pos[a] - reach;
        scree_bricks_coordinates(bricks, scree_bricks_find(bricks, &domain->box, end), from);
        for (int a = 0; a < 3; a++) end[a] = claim[k].pos[a] + reach;
        scree_bricks_coordinates(bricks, scree_bricks_find(bricks, &domain->box, end), to);
        for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
            for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
                for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
                    int64_t brick = scree_bricks_index(bricks, at);
                    if (bricks->owner[brick] != rank) continue;
                    SCREE_GROW(claims->claimed, claims->n, capacity, claims->n + 1);
                    claims->claimed[claims->n++] =
                        (struct scree_halo_claimed){brick, claim[k].pos[3], k};
                }
    }
    if (claims->n > 0) qsort(claims->claimed, claims->n, sizeof *claims->claimed, compare_claimed);
}

void scree_halo_claims_clear(struct scree_halo_claims *claims)
{
    scree_alloc_free(claims->claim);
    scree_alloc_free(claims->claimed);
}

size_t scree_halo_claims_first(const struct scree_halo_claims *claims, int64_t brick)
{
    size_t low = 0, high = claims->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (claims->claimed[middle].brick < brick)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
