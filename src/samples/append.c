/* SPDX-License-Identifier: BSD-3-Clause
 * Grains enter the particle store: place on the position grid, mass, random velocities. */
#include <math.h>

#include "samples_impl.h"
#include "scree/rng.h"

scree_lid scree_sample_append_heavy(struct scree_sample_run *run, scree_gid gid, int species,
                                    const double pos[4], double mass)
{
    const struct scree_box *box = run->context->box;
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
    const double pi = acos(-1.0), r = pos[3];
    double size = run->context->disks ? pi * (r * r) : 4.0 / 3.0 * pi * (r * r * r);
    double mass = run->context->density[species] * size;
    scree_lid i = scree_sample_append_heavy(run, gid, species, pos, mass);
    for (int a = 0; a < 3; a++) run->p->image[i][a] = 0; /* has not travelled yet */
    return i;
}

/* The drift is that of the centre of mass, so that the momentum vanishes; the sums are exact, so
 * the result has the same bits on any number of ranks. */
static void remove_drift(struct scree_sample_run *run, scree_lid first)
{
    struct scree_particles *p = run->p;
    struct scree_exact sums[4];
    for (int k = 0; k < 4; k++) scree_exact_clear(&sums[k]);
    for (scree_lid i = first; i < p->n_owned; i++) {
        for (int k = 0; k < 3; k++) scree_exact_add_product(&sums[k], p->mass[i], p->vel[i][k]);
        scree_exact_add(&sums[3], p->mass[i]);
    }
    scree_comm_sum_exact(run->context->comm, sums, 4);
    double mass = scree_exact_value(&sums[3]);
    for (int k = 0; k < 3; k++) {
        double drift = scree_exact_value(&sums[k]) / mass;
        for (scree_lid i = first; i < p->n_owned; i++) p->vel[i][k] -= drift;
    }
}

void scree_sample_stir(const struct scree_sample_grains *grains, struct scree_sample_run *run,
                       scree_lid first)
{
    struct scree_particles *p = run->p;
    int dimension = run->context->box->dimension;
    for (scree_lid i = first; i < p->n_owned; i++) {
        struct scree_rng_key key = {.seed = run->context->seed, .gid = p->gid[i]};
        key.purpose = SCREE_RNG_VELOCITY;
        for (uint32_t k = 0; k < (uint32_t)dimension && grains->speed > 0.0; k++)
            p->vel[i][k] = grains->speed * scree_rng_normal(&key, k);
        key.purpose = SCREE_RNG_SPIN;
        for (uint32_t k = dimension == 2 ? 2 : 0; k < 3 && grains->spin > 0.0; k++)
            p->spin[i][k] = grains->spin * scree_rng_normal(&key, k);
    }
    if (grains->speed > 0.0) remove_drift(run, first);
}
