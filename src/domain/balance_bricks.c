/* SPDX-License-Identifier: BSD-3-Clause
 * How many bricks: enough of those that hold grains, wherever in the box the grains are. */
#include <string.h>

#include "balance_impl.h"
#include "scree/alloc.h"

enum {
    FINEST = 5, /* the box may have 2^FINEST times the bricks that are wanted with grains */
    GRAINS_PER_BRICK = 8, /* smaller bricks would not make loads more even */
    PLENTY = 1 << 18      /* all ranks keep account of all bricks: more only if asked for */
};

static int64_t count_occupied(const struct scree_domain *domain, struct scree_comm *comm,
                              const struct scree_particles *p)
{
    const struct scree_bricks *bricks = &domain->bricks;
    int64_t *here = scree_alloc((size_t)bricks->count, sizeof *here), n = 0;
    memset(here, 0, (size_t)bricks->count * sizeof *here);
    for (scree_lid i = 0; i < p->n_owned; i++)
        here[scree_bricks_find_stored(bricks, &domain->box, p->pos[i])] = 1;
    scree_comm_max_int(comm, here, (int)bricks->count);
    for (int64_t b = 0; b < bricks->count; b++) n += here[b];
    scree_alloc_free(here);
    return n;
}

static bool is_remembered(const struct scree_bricks *bricks, int n_ranks,
                          const struct scree_balance_memory *m)
{
    bool same = m != NULL && m->n_ranks == n_ranks;
    for (int a = 0; a < 3 && same; a++) same = m->n[a] == bricks->n[a];
    return same;
}

/* Grids of twice as many bricks again and again, until one will do. */
static int find_level(struct scree_domain *domain, struct scree_comm *comm,
                      const struct scree_particles *p, double min_edge, int64_t wanted,
                      const struct scree_balance_memory *memory)
{
    int64_t enough = p->n_owned;
    scree_comm_sum_int(comm, &enough, 1);
    enough = enough / GRAINS_PER_BRICK < wanted ? enough / GRAINS_PER_BRICK : wanted;
    int chosen = -1, last = 0;
    for (int level = 0; level <= FINEST; level++) {
        if (level > 0 && wanted << level > PLENTY) break;
        scree_bricks_init(&domain->bricks, &domain->box, min_edge, wanted << level);
        bool remembered = is_remembered(&domain->bricks, comm->n_ranks, memory);
        bool will_do = chosen < 0 && 4 * count_occupied(domain, comm, p) >= 3 * enough;
        scree_bricks_clear(&domain->bricks);
        if (remembered) return level;
        if (will_do) chosen = level;
        if (chosen >= 0 && memory == NULL) break;
        last = level;
    }
    return chosen >= 0 ? chosen : last;
}

void scree_balance_choose_bricks(struct scree_domain *domain, struct scree_comm *comm,
                                 const struct scree_particles *p, double min_edge, int64_t wanted,
                                 const struct scree_balance_memory *memory)
{
    int level = comm->n_ranks > 1 ? find_level(domain, comm, p, min_edge, wanted, memory) : 0;
    scree_bricks_init(&domain->bricks, &domain->box, min_edge, wanted << level);
}
