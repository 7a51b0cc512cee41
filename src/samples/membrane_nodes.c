/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of membranes enter the particle store, before all other grains. */
#include "samples_impl.h"
#include "scree/glued.h"
#include "scree/membrane.h"

/* A held node follows its wall; without one it stays in place. */
static void hold(struct scree_sample_run *run, int wall, scree_lid i)
{
    const struct scree_walls *walls = run->setting->walls;
    struct scree_particles *p = run->p;
    struct scree_wall_contact contact;
    p->vel[i][3] = 0.0;
    if (wall < 0) return;
    scree_wall_locate(&walls->wall[wall], 1, (const double(*)[4])p->pos[i], &contact);
    scree_glued_begin(walls, wall, &contact, p, i);
}

void scree_sample_append_nodes(struct scree_sample_run *run)
{
    const struct scree_membranes *membranes = run->setting->membranes;
    if (membranes == NULL) return;
    for (int k = 0; k < membranes->n; k++) {
        const struct scree_membrane *m = &membranes->membrane[k];
        int64_t begin, end;
        scree_sample_share(run->context->comm, scree_membrane_n_nodes(m), &begin, &end);
        for (int64_t node = begin; node < end; node++) {
            double pos[4];
            int wall = scree_membrane_holder(m, node);
            scree_membrane_place(m, node, pos);
            scree_lid i = scree_sample_append(run, m->first + node, m->species, pos);
            run->p->spin[i][3] = 0.0; /* the sheet keeps its nodes from spinning */
            if (wall > -2) hold(run, wall, i);
        }
    }
    run->n_before = membranes->n_nodes;
}
