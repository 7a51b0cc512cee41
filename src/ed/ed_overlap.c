/* SPDX-License-Identifier: BSD-3-Clause
 * Hard grains must not overlap when their motion begins: who does so most, and what would help. */
#include <math.h>
#include <stdio.h>

#include "ed_impl.h"
#include "scree/status.h"
#include "scree/vec.h"

/* Grains may touch, as far as rounding can tell. */
static const double least_overlap = 1e-9;

/* What overlaps most on all ranks, as a part of the radius or of the sum of both. */
struct overlap {
    double depth;
    double first, second; /* gids, or a gid and a wall */
};

/* Which rank has it does not matter: equal depths are told apart by their numbers. */
static void agree_on_worst(struct scree_scene *scene, struct overlap *o)
{
    double worst = o->depth;
    scree_comm_max(scene->comm, &worst, 1);
    double first = o->depth == worst ? o->first : -1.0;
    scree_comm_max(scene->comm, &first, 1);
    double second = o->depth == worst && o->first == first ? o->second : -1.0;
    scree_comm_max(scene->comm, &second, 1);
    *o = (struct overlap){worst, first, second};
}

static struct overlap find_worst_pair(const struct scree_ed *ed, struct scree_scene *scene)
{
    struct overlap worst = {-1.0, -1.0, -1.0};
    int64_t gid[2] = {0, 0};
    if (scree_ed_lists_worst(ed->engine, 0.0, &worst.depth, gid)) {
        worst.first = (double)gid[0];
        worst.second = (double)gid[1];
    }
    agree_on_worst(scene, &worst);
    return worst;
}

static struct overlap find_worst_at_walls(const struct scree_ed *ed, struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    struct overlap worst = {-1.0, -1.0, -1.0};
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int w = 0; w < ed->world.n_walls && p->vel[i][3] > 0.0; w++) {
            const struct scree_ed_wall *wall = &ed->wall[w];
            double depth =
                (wall->place - scree_vec_dot(wall->normal, p->pos[i])) / p->pos[i][3] + 1;
            if (depth > worst.depth) worst = (struct overlap){depth, (double)p->gid[i], w};
        }
    agree_on_worst(scene, &worst);
    return worst;
}

/* Both kinds at once, with the shrinking that would part them: the stage that begins may do so. */
enum scree_status scree_ed_check_overlaps(struct scree_ed *ed, struct scree_scene *scene)
{
    struct overlap pair = find_worst_pair(ed, scene), wall = find_worst_at_walls(ed, scene);
    char grains[128] = "", at_wall[200] = "";
    const bool deep[2] = {pair.depth > least_overlap, wall.depth > least_overlap};
    if (!deep[0] && !deep[1]) return SCREE_OK;
    if (deep[0])
        snprintf(grains, sizeof grains,
                 "grains %.0f and %.0f overlap by %.3g of the sum of their "
                 "radii",
                 pair.first, pair.second, pair.depth);
    if (deep[1])
        snprintf(at_wall, sizeof at_wall, "%sgrain %.0f is in wall '%.100s' by %.3g of its radius",
                 deep[0] ? "; " : "", wall.first, scene->walls->wall[(int)wall.second].name,
                 wall.depth);
    return SCREE_FAIL(SCREE_PHYSICS,
                      "%s%s; hard grains must not: use another sample, let a method for soft or "
                      "rigid ones part them first, or shrink all of them in a stage, "
                      "'scale_radii: %.6f'",
                      grains, at_wall, (1.0 - fmax(pair.depth, wall.depth)) * (1.0 - 1e-6));
}
