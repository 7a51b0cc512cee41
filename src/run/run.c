/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of a run, what its method wants, and what it has to say. */
#include "scree/run.h"

int64_t scree_run_step(const struct scree_run *run)
{
    return run->tick;
}

double scree_run_time(const struct scree_run *run)
{
    return scree_scene_time(&run->scene, run->tick);
}

int scree_run_history(const struct scree_run *run, uint32_t *odd)
{
    *odd = 0;
    if (run->stepper->history == NULL) return 0;
    return run->stepper->history(run->values, run->scene.laws, odd);
}

void scree_run_create_contacts(struct scree_run *run, double skin, int stride, uint32_t odd)
{
    struct scree_scene *scene = &run->scene;
    const struct scree_contacts_world world = {.comm = scene->comm,
                                               .domain = scene->domain,
                                               .particles = scene->particles,
                                               .halo = scene->halo,
                                               .balance = scene->balance,
                                               .walls = scene->walls,
                                               .membranes = scene->membranes,
                                               .mesh = scene->mesh,
                                               .timer = scene->timer};
    scree_contacts_create(&scene->contacts, &world, skin, stride, odd);
}

enum scree_status scree_run_advise(struct scree_run *run, const struct scree_advice *advice)
{
    if (run->stepper->advise == NULL) return SCREE_OK;
    return run->stepper->advise(run->state, &run->scene, advice);
}
