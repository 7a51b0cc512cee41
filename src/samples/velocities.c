/* SPDX-License-Identifier: BSD-3-Clause
 * Random velocities of new grains. All sums are exact, so that the velocities have the same bits on
 * any number of ranks. */
#include <math.h>

#include "samples_impl.h"
#include "scree/rng.h"

static double draw_component(int velocities, const struct scree_rng_key *key, uint32_t k)
{
    static const double root_three = 1.7320508075688772; /* half width of variance 1 */
    if (velocities == SCREE_SAMPLE_MAXWELL) return scree_rng_normal(key, k);
    return root_three * (2.0 * scree_rng_uniform(key, k) - 1.0);
}

static void draw(const struct scree_sample_grains *grains, struct scree_sample_run *run,
                 scree_lid first)
{
    struct scree_particles *p = run->p;
    int dimension = run->setting->box->dimension;
    for (scree_lid i = first; i < p->n_owned; i++) {
        struct scree_rng_key key = {.seed = run->context->seed, .gid = p->gid[i]};
        double speed =
            isnan(grains->temperature) ? grains->speed : sqrt(grains->temperature / p->mass[i]);
        key.purpose = SCREE_RNG_VELOCITY;
        for (uint32_t k = 0; k < (uint32_t)dimension && speed > 0.0; k++)
            p->vel[i][k] = speed * draw_component(grains->velocities, &key, k);
        key.purpose = SCREE_RNG_SPIN;
        for (uint32_t k = dimension == 2 ? 2 : 0; k < 3 && grains->spin > 0.0; k++)
            p->spin[i][k] = grains->spin * scree_rng_normal(&key, k);
    }
}

/* The drift is that of the centre of mass, so that the momentum vanishes. */
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

/* Kinetic energy per grain and direction: T/2. */
static void set_temperature(struct scree_sample_run *run, scree_lid first, double temperature)
{
    struct scree_particles *p = run->p;
    struct scree_exact sum;
    int64_t n = p->n_owned - first;
    scree_exact_clear(&sum);
    for (scree_lid i = first; i < p->n_owned; i++)
        for (int k = 0; k < 3; k++)
            scree_exact_add(&sum, p->mass[i] * (p->vel[i][k] * p->vel[i][k]));
    scree_comm_sum_exact(run->context->comm, &sum, 1);
    scree_comm_sum_int(run->context->comm, &n, 1);
    double now = scree_exact_value(&sum) / (double)(n * run->setting->box->dimension);
    if (!(now > 0.0)) return; /* a single grain is at rest */
    double factor = sqrt(temperature / now);
    for (scree_lid i = first; i < p->n_owned; i++)
        for (int k = 0; k < 3; k++) p->vel[i][k] *= factor;
}

void scree_sample_stir(const struct scree_sample_grains *grains, struct scree_sample_run *run,
                       scree_lid first)
{
    struct scree_particles *p = run->p;
    bool warm = !isnan(grains->temperature);
    draw(grains, run, first);
    if (grains->speed > 0.0 || warm) remove_drift(run, first);
    if (warm) set_temperature(run, first, grains->temperature);
    for (scree_lid i = first; i < p->n_owned; i++)
        for (int k = 0; k < run->setting->box->dimension; k++)
            if (grains->drift[k] != 0.0) p->vel[i][k] += grains->drift[k];
}
