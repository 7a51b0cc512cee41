/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes of the grains of each material, of those that are there and those that are to come. */
#include "scree/prospect.h"

#include <math.h>

#include "scree/alloc.h"

static void measure(const struct scree_particles *p, int n, struct scree_material_range *range)
{
    for (int m = 0; m < n; m++)
        range[m] = (struct scree_material_range){{INFINITY, 0.0}, {INFINITY, 0.0}, 0, 0, false};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct scree_material_range *r = &range[p->species[i]];
        r->mass[0] = fmin(r->mass[0], p->mass[i]);
        r->mass[1] = fmax(r->mass[1], p->mass[i]);
        r->radius[0] = fmin(r->radius[0], p->pos[i][3]);
        r->radius[1] = fmax(r->radius[1], p->pos[i][3]);
        r->n++;
        r->n_mobile += p->vel[i][3] > 0.0;
    }
}

/* Grains that are still to come, with stages or poured: two of each size, that may meet. */
static void expect(const struct scree_job *job, int m, struct scree_material_range *range)
{
    double radius[2] = {INFINITY, 0.0};
    for (int k = job->stages.now + 1; k < job->stages.n; k++)
        if (job->stages.stage[k].samples != NULL)
            scree_samples_widen(job->stages.stage[k].samples, m, radius);
    for (int k = 0; k < job->stages.pours.n; k++)
        scree_samples_widen(&job->stages.pours.pour[k].samples, m, radius);
    if (radius[1] == 0.0) return;
    range->n += 2;
    range->n_mobile += 2;
    for (int which = 0; which < 2; which++) {
        double (*pick)(double, double) = which == 0 ? fmin : fmax;
        double mass =
            scree_materials_mass(&job->materials, job->materials.density[m], radius[which]);
        range->radius[which] = pick(range->radius[which], radius[which]);
        range->mass[which] = pick(range->mass[which], mass);
    }
}

static void find_ranges(struct scree_job *job, struct scree_material_range *range)
{
    int n = job->materials.n;
    double *low = scree_alloc((size_t)n * 4, sizeof *low), *high = low + 2 * n;
    int64_t *count = scree_alloc((size_t)n * 2, sizeof *count);
    measure(job->run.scene.particles, n, range);
    for (int m = 0; m < n; m++) {
        low[2 * m] = range[m].mass[0], low[2 * m + 1] = range[m].radius[0];
        high[2 * m] = range[m].mass[1], high[2 * m + 1] = range[m].radius[1];
        count[2 * m] = range[m].n, count[2 * m + 1] = range[m].n_mobile;
    }
    scree_comm_min(job->comm, low, 2 * n);
    scree_comm_max(job->comm, high, 2 * n);
    scree_comm_sum_int(job->comm, count, 2 * n);
    for (int m = 0; m < n; m++) {
        range[m].mass[0] = low[2 * m], range[m].radius[0] = low[2 * m + 1];
        range[m].mass[1] = high[2 * m], range[m].radius[1] = high[2 * m + 1];
        range[m].n = count[2 * m], range[m].n_mobile = count[2 * m + 1];
    }
    for (int m = 0; m < n; m++) expect(job, m, &range[m]);
    for (int w = 0; w < job->walls.n; w++) range[job->walls.wall[w].species].wall = true;
    scree_alloc_free(low);
    scree_alloc_free(count);
}

void scree_prospect_init(struct scree_prospect *prospect, struct scree_job *job, double speed)
{
    struct scree_material_range *range =
        scree_alloc((size_t)job->materials.n, sizeof *prospect->range);
    find_ranges(job, range);
    *prospect = (struct scree_prospect){.n_materials = job->materials.n,
                                        .material = job->materials.name,
                                        .range = range,
                                        .open_step = job->automatic_step,
                                        .speed = speed,
                                        .duration = NAN};
    if (job->run.n_methods == 1) prospect->duration = (double)job->run.n_steps * job->run.scene.dt;
}

void scree_prospect_clear(struct scree_prospect *prospect)
{
    scree_alloc_free((void *)(uintptr_t)prospect->range);
    *prospect = (struct scree_prospect){0};
}
