/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `stress`: the tensor of a volume in its kinetic, normal and tangential parts, and
 * their sum. */
#include <stddef.h>

#include "round.h"
#include "stress_sums.h"

struct values {
    int about;
    int dimension; /* of the run */
};
enum { ABOUT_MEAN, ABOUT_REST };

static const char *const abouts[] = {"mean", "rest", NULL};
static const struct scree_param params[] = {
    {"about", SCREE_PARAM_CHOICE, "", 0, 0, "mean", abouts, offsetof(struct values, about),
     "velocities of the kinetic part are relative to the mean of the volume, or to a frame at "
     "rest"},
    {0},
};

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    (void)input;
    (void)node;
    v->dimension = setting->box->dimension;
    m->n = 1 + (SCREE_N_STRESS_PARTS + 1) * v->dimension * v->dimension;
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    const struct values *v = m->values;
    struct scree_extent extent;
    struct scree_grain_means means;
    struct scree_stress stress;
    struct scree_flow flow = {.slope = 0.0};
    const struct scree_material_choice everybody = {.species = -1};
    scree_extent_now(&extent, &m->volume, view->scene);
    if (v->about == ABOUT_MEAN) {
        scree_grain_means_compute(&means, view, &extent, &everybody);
        for (int a = 0; a < 3; a++) flow.velocity[a] = means.velocity[a];
    }
    scree_stress_compute(&stress, view, &extent, &flow, &m->material);
    *value++ = stress.pressure;
    for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < v->dimension; a++)
            for (int b = 0; b < v->dimension; b++) *value++ = stress.part[part][a][b];
    for (int a = 0; a < v->dimension; a++)
        for (int b = 0; b < v->dimension; b++) {
            double total = 0.0;
            for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
                total += stress.part[part][a][b];
            *value++ = total;
        }
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    static const char *const parts[] = {"kinetic", "normal", "tangential", "total"};
    const struct values *v = m->values;
    const char *unit = v->dimension == 2 ? "N/m" : "Pa";
    const char *const *name = scree_round_names(&scene->domain->box);
    (void)mean;
    fprintf(f, ",pressure [%s]", unit);
    for (int part = 0; part <= SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < v->dimension; a++)
            for (int b = 0; b < v->dimension; b++)
                fprintf(f, ",%s %s%s [%s]", parts[part], name[a], name[b], unit);
}

const struct scree_analysis_kind scree_analysis_stress = {
    .name = "stress",
    .summary = "stress tensor of a volume: kinetic, normal and tangential parts; pressure > 0",
    .params = params,
    .values_size = sizeof(struct values),
    .has_volume = true,
    .has_material = true,
    .check = check,
    .sample = sample,
    .write = write,
};
