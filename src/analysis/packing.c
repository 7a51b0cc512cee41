/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `packing`: how dense, how connected, how agitated. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "round.h"
#include "scree/alloc.h"
#include "stress_sums.h"

static const struct scree_param params[] = {{0}};

enum {
    SOLID,
    STRAIN,
    COORDINATION,
    COORDINATION_BACKBONE,
    RATTLERS,
    TEMPERATURE,
    VELOCITY,
    CENTRE = VELOCITY + 3,
    N_VALUES = CENTRE + 3
};
enum { HAS_REFERENCE, REFERENCE_SOLID }; /* memory */

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    (void)input;
    (void)node;
    (void)setting;
    m->n = N_VALUES;
}

/* Contacts of each owned grain, walls included. */
static void count(void *context, const struct scree_contact *contact)
{
    int32_t *of_grain = context;
    for (int side = 0; side < 2; side++)
        if (contact->owned[side] >= 0) of_grain[contact->owned[side]]++;
}

/* Of the mass; a direction that repeats, by periods or by turns, has none. */
static bool has_centre(const struct scree_box *box, int a)
{
    if (box->wedge.n > 0 && a != box->wedge.axis) return false;
    return a < box->dimension && !box->periodic[a];
}

/* Is it a free grain of the material, with its centre in the volume? */
static bool counts(const struct scree_analysis_view *view,
                   const struct scree_material_choice *material, const struct scree_extent *extent,
                   scree_lid i, const double pos[3])
{
    return view->scene->particles->vel[i][3] != 0.0 && scree_extent_holds(extent, pos) &&
           scree_chosen_contacts_has_grain(material, view->scene, i);
}

/* Rattlers are grains with fewer than D + 1 contacts; without them means without their contacts as
 * seen from them, while those of the others stay. Driven grains are not asked. */
static void measure_coordination(const struct scree_analysis_view *view,
                                 const struct scree_material_choice *material,
                                 const struct scree_extent *extent, double *value)
{
    struct scree_scene *scene = view->scene;
    const struct scree_particles *p = scene->particles;
    int least = scene->domain->box.dimension + 1;
    int64_t sum[4] = {0}; /* grains, contacts; those of grains that are no rattlers */
    int32_t *of_grain = scree_alloc((size_t)p->n_owned, sizeof *of_grain);
    memset(of_grain, 0, (size_t)p->n_owned * sizeof *of_grain);
    view->stepper->contacts(view->state, scene, count, of_grain);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3];
        scree_grain_now(view, i, pos, v, spin);
        if (!counts(view, material, extent, i, pos)) continue;
        int32_t n = of_grain[i];
        sum[0]++;
        sum[1] += n;
        if (n >= least) {
            sum[2]++;
            sum[3] += n;
        }
    }
    scree_alloc_free(of_grain);
    scree_comm_sum_int(scene->comm, sum, 4);
    value[COORDINATION] = sum[0] > 0 ? (double)sum[1] / (double)sum[0] : 0.0;
    value[COORDINATION_BACKBONE] = sum[2] > 0 ? (double)sum[3] / (double)sum[2] : 0.0;
    value[RATTLERS] = sum[0] > 0 ? (double)(sum[0] - sum[2]) / (double)sum[0] : 0.0;
}

static double temperature(const struct scree_analysis_view *view,
                          const struct scree_material_choice *material,
                          const struct scree_extent *extent, const struct scree_grain_means *means)
{
    const struct scree_particles *p = view->scene->particles;
    struct scree_exact sum;
    double value;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3];
        scree_grain_components(view, i, pos, v, spin);
        if (!counts(view, material, extent, i, pos)) continue;
        bool in_flow = scree_grain_in_flow(view, i, v);
        for (int a = 0; a < 3; a++) {
            double c = in_flow ? v[a] : v[a] - means->velocity[a];
            scree_exact_add(&sum, p->mass[i] * c * c);
        }
    }
    scree_analysis_share(view->scene->comm, &sum, 1, &value);
    return means->mass > 0.0 ? value / (means->mass * view->scene->domain->box.dimension) : 0.0;
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    struct scree_extent extent;
    struct scree_grain_means means;
    scree_extent_now(&extent, &m->volume, view->scene);
    scree_grain_means_compute(&means, view, &extent, &m->material);
    value[SOLID] = means.solid / extent.size;
    if (m->memory[HAS_REFERENCE] == 0.0) {
        m->memory[HAS_REFERENCE] = 1.0;
        m->memory[REFERENCE_SOLID] = value[SOLID];
    }
    value[STRAIN] = means.solid > 0.0 ? m->memory[REFERENCE_SOLID] / value[SOLID] - 1.0 : 0.0;
    measure_coordination(view, &m->material, &extent, value);
    value[TEMPERATURE] = temperature(view, &m->material, &extent, &means);
    for (int a = 0; a < 3; a++) {
        value[VELOCITY + a] = means.velocity[a];
        value[CENTRE + a] = has_centre(&view->scene->domain->box, a) ? means.centre[a] : NAN;
    }
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    const char *const *name = scree_round_names(&scene->domain->box);
    (void)m;
    (void)mean;
    fprintf(f, ",solid fraction,volumetric strain,coordination,coordination without rattlers,"
               "share of rattlers,granular temperature [m^2/s^2]");
    for (int a = 0; a < 3; a++) fprintf(f, ",velocity %s [m/s]", name[a]);
    for (int a = 0; a < 3; a++) fprintf(f, ",centre %c [m]", "xyz"[a]);
}

const struct scree_analysis_kind scree_analysis_packing = {
    .name = "packing",
    .summary = "solid fraction, volumetric strain since the first sample (> 0: dilation), "
               "coordination with and without rattlers, granular temperature, mean velocity, "
               "centre of mass",
    .params = params,
    .values_size = 0,
    .has_volume = true,
    .has_material = true,
    .check = check,
    .sample = sample,
    .write = write,
};
