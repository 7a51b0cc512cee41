/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are glued to different walls are no pair: nothing would move if they touched, so such
 * walls pass through each other. The user is told of the first two grains that overlap. They are
 * looked for whenever the lists are made anew. */
#include "lists.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "search.h"

/* Of the smaller radius; grains that a sample has put side by side do not count. */
static const double deep = 0.01;

struct meeting {
    scree_gid gid[2]; /* the lower one first; 0: none */
    int wall[2];
};

/* The one with the lower ids counts, whatever the order. */
static void keep_first(struct meeting *first, const struct meeting *other)
{
    bool before = other->gid[0] < first->gid[0] ||
                  (other->gid[0] == first->gid[0] && other->gid[1] < first->gid[1]);
    if (other->gid[0] != 0 && (first->gid[0] == 0 || before)) *first = *other;
}

static void compare(struct meeting *first, const struct scree_particles *p, scree_lid i,
                    scree_lid j)
{
    double square = 0.0, radius = p->pos[i][3] + p->pos[j][3];
    double smaller = p->pos[i][3] < p->pos[j][3] ? p->pos[i][3] : p->pos[j][3];
    if (p->glued[j] == 0 || p->glued[j] == p->glued[i]) return;
    for (int a = 0; a < 3; a++)
        square += (p->pos[i][a] - p->pos[j][a]) * (p->pos[i][a] - p->pos[j][a]);
    radius -= deep * smaller;
    if (square >= radius * radius) return;
    bool swap = p->gid[i] > p->gid[j];
    keep_first(first, &(struct meeting){{p->gid[swap ? j : i], p->gid[swap ? i : j]},
                                        {p->glued[swap ? j : i] - 1, p->glued[swap ? i : j] - 1}});
}

/* Among grains of its own size and larger ones: every pair is found from its smaller grain. */
static void look_around(struct meeting *first, const struct scree_cell_grid *cells,
                        const struct scree_particles *p, scree_lid i)
{
    int32_t cell[SCREE_SEARCH_COARSE + 64];
    int level = scree_cell_grid_level_of(cells, p->pos[i][3]);
    int n = scree_search_coarse_cells(cells, level + 1, p->pos[i], 0.0, cell);
    for (int k = 0; k < n; k++) {
        for (scree_lid j = cells->owned_start[cell[k]]; j < cells->owned_start[cell[k] + 1]; j++)
            compare(first, p, i, j);
        for (scree_lid g = cells->ghost_start[cell[k]]; g < cells->ghost_start[cell[k] + 1]; g++)
            compare(first, p, i, cells->ghost_slot[g]);
    }
}

void scree_glued_pairs_warn(struct scree_contacts *contacts)
{
    const struct scree_contacts_world *world = &contacts->world;
    const struct scree_particles *p = world->particles;
    struct meeting first = {{0, 0}, {0, 0}};
    if (p->glued == NULL || contacts->glued_told) return;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (p->glued[i] != 0) look_around(&first, contacts->cells, p, i);
    struct meeting *all = scree_alloc((size_t)world->comm->n_ranks, sizeof *all);
    scree_comm_allgather(world->comm, &first, sizeof first, all);
    for (int r = 0; r < world->comm->n_ranks; r++) keep_first(&first, &all[r]);
    scree_alloc_free(all);
    if (first.gid[0] == 0) return;
    contacts->glued_told = true;
    scree_log(SCREE_LOG_WARNING,
              "grain %lld, glued to wall '%s', and grain %lld, glued to wall '%s', overlap: glued "
              "grains do not feel each other, and nothing keeps such walls apart",
              (long long)first.gid[0], world->walls->wall[first.wall[0]].name,
              (long long)first.gid[1], world->walls->wall[first.wall[1]].name);
}
