/* SPDX-License-Identifier: BSD-3-Clause
 * Grains enter the particle store: place on the position grid, mass. */
#include <math.h>

#include "samples_impl.h"

double scree_sample_solid(int dimension, double radius)
{
    const double pi = acos(-1.0), r = radius;
    return dimension == 2 ? pi * (r * r) : 4.0 / 3.0 * pi * (r * r * r);
}

scree_lid scree_sample_append_heavy(struct scree_sample_run *run, scree_gid gid, int species,
                                    const double pos[4], double mass)
{
    const struct scree_box *box = run->setting->box;
    struct scree_particles *p = run->p;
    scree_lid i = scree_particles_append(p);
    for (int a = 0; a < 3; a++) p->pos[i][a] = scree_box_snap(box, a, pos[a]);
    if (box->dimension == 2) p->pos[i][2] = 0.0;
    scree_box_wrap(box, p->pos[i], p->image[i]);
    p->pos[i][3] = pos[3];
    p->mass[i] = mass;
    p->vel[i][3] = 1.0 / mass;
    p->spin[i][3] = 1.0 / (run->context->inertia_factor * mass * (pos[3] * pos[3]));
    p->gid[i] = gid;
    p->species[i] = species;
    return i;
}

scree_lid scree_sample_append(struct scree_sample_run *run, scree_gid gid, int species,
                              const double pos[4])
{
    double size = scree_sample_solid(run->setting->disks ? 2 : 3, pos[3]);
    double mass = run->context->density[species] * size;
    scree_lid i = scree_sample_append_heavy(run, gid, species, pos, mass);
    for (int a = 0; a < 3; a++) run->p->image[i][a] = 0; /* has not travelled yet */
    return i;
}

void scree_sample_append_all(struct scree_sample_run *run, const struct scree_sample_grains *grains,
                             int64_t n, const double (*pos)[4])
{
    scree_lid first = run->p->n_owned;
    int64_t begin, end;
    scree_sample_share(run->context->comm, n, &begin, &end);
    for (int64_t k = begin; k < end; k++)
        scree_sample_append(run, run->n_before + 1 + k, grains->species, pos[k]);
    scree_sample_stir(grains, run, first);
    run->n_before += n;
}
