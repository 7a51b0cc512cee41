/* SPDX-License-Identifier: BSD-3-Clause
 * What engines have to know of the scene: box, gravity, restitution, walls. */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/vec.h"

static void find_impacts(struct scree_ed *ed, const struct scree_scene *scene)
{
    int n = scene->materials->n;
    ed->impact = scree_alloc((size_t)(n * n), sizeof *ed->impact);
    memset(ed->impact, 0, (size_t)(n * n) * sizeof *ed->impact);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const struct scree_pair_law *pair = scree_laws_between(scene->laws, a, b);
            if (pair == NULL) continue;
            ed->impact[a * n + b] = (struct scree_ed_impact){
                pair->rigid.restitution, pair->rigid.restitution_tangential, pair->rigid.friction};
        }
    ed->world.n_materials = n;
    ed->world.impact = ed->impact;
}

void scree_ed_world_find_radii(struct scree_ed *ed, const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    double extreme[2] = {-INFINITY, -INFINITY};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        extreme[0] = fmax(extreme[0], -p->flight[i][8]);
        extreme[1] = fmax(extreme[1], p->flight[i][8]);
    }
    scree_comm_max(scene->comm, extreme, 2);
    ed->world.radius[0] = -extreme[0];
    ed->world.radius[1] = extreme[1];
}

static void choose_delta(struct scree_ed *ed, const struct scree_scene *scene)
{
    struct scree_ed_world *world = &ed->world;
    const double wide[2] = {world->radius[0] * world->widen, world->radius[1] * world->widen};
    int64_t n = scene->particles->n_owned;
    scree_comm_sum_int(scene->comm, &n, 1);
    world->delta = scree_ed_choose_delta(&world->box, n, wide);
}

void scree_ed_world_clear(struct scree_ed *ed)
{
    scree_alloc_free(ed->impact);
    scree_alloc_free(ed->wall);
    ed->impact = NULL;
    ed->wall = NULL;
}

static void place_walls(struct scree_ed *ed, const struct scree_scene *scene)
{
    for (int w = 0; w < scene->walls->n; w++) {
        const struct scree_wall *wall = &scene->walls->wall[w];
        struct scree_ed_wall *mine = &ed->wall[w];
        double middle[3], radius;
        wall->shape->bound(wall->values, middle, &radius);
        wall->shape->facing(wall->values, mine->normal);
        for (int k = 0; k < 3; k++) {
            middle[k] += wall->base[k] + wall->steady[k] * (ed->epoch - wall->since);
            mine->velocity[k] = wall->steady[k];
        }
        mine->place = scree_vec_dot(mine->normal, middle);
        mine->speed = scree_vec_dot(mine->normal, mine->velocity);
        mine->species = wall->species;
        mine->name = wall->name;
    }
}

void scree_ed_world_begin_epoch(struct scree_ed *ed, const struct scree_scene *scene)
{
    struct scree_ed_world *world = &ed->world;
    world->growth = ed->growth;
    world->growing = scree_ed_is_growing(ed);
    world->driven = ed->growth > 0.0;
    world->widen = 1.0 + ed->growth * ed->epoch_length;
    scree_ed_strain_tell(ed, scene, world);
    scree_ed_world_find_radii(ed, scene);
    choose_delta(ed, scene);
    place_walls(ed, scene);
}

void scree_ed_world_make(struct scree_ed *ed, struct scree_scene *scene)
{
    struct scree_ed_world *world = &ed->world;
    scree_ed_world_clear(ed);
    memset(world, 0, sizeof *world);
    world->box = scene->domain->box;
    memcpy(world->gravity, scene->gravity, sizeof world->gravity);
    world->contact_time = ed->values->contact_time;
    world->most_events = ed->values->most_events;
    world->inertia_factor = scene->inertia_factor;
    find_impacts(ed, scene);
    ed->wall = scree_alloc((size_t)scene->walls->n + 1, sizeof *ed->wall);
    world->wall = ed->wall;
    world->n_walls = scene->walls->n;
    scree_ed_world_init(world);
}
