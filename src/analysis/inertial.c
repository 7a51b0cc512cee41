/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `inertial`: I = rate d sqrt(rho/p), with the mean diameter d and the density rho of
 * the grains and the pressure p of the volume (GDR MiDi, Eur. Phys. J. E 14, 341 (2004)), and the
 * stiffness number kappa = k/(p d), in two dimensions k/p (da Cruz, Emam, Prochnow, Roux, Chevoir,
 * Phys. Rev. E 72, 021309 (2005)). k is the mean normal force over the mean overlap of the contacts
 * between grains: the stiffness of linear contacts, the secant of others. */
#include <math.h>
#include <stddef.h>

#include "stress_sums.h"

struct values {
    double rate; /* 1/s; NAN: measured */
    int component, along;
};

static const char *const axes[] = {"x", "y", "z", NULL};

#define AT(member) offsetof(struct values, member)
static const struct scree_param params[] = {
    {"rate", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "", NULL, AT(rate),
     "of shear; default: measured as the slope of a velocity profile"},
    {"component", SCREE_PARAM_CHOICE, "", 0, 0, "x", axes, AT(component),
     "of the velocity whose slope is measured"},
    {"along", SCREE_PARAM_CHOICE, "", 0, 0, "", axes, AT(along),
     "direction in which it changes; default: z, in two dimensions y"},
    {0},
};

enum { RATE, PRESSURE, DIAMETER, DENSITY, NUMBER, STIFFNESS, N_VALUES };
enum { LAST_NUMBER, LAST_STIFFNESS }; /* memory: for progress lines */

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    int dimension = setting->box->dimension;
    if (v->along < 0) v->along = dimension - 1;
    if (setting->box->wedge.n > 0)
        scree_input_error(input, node,
                          "inertial: there is no straight flow in a wedge; measure 'stress' and a "
                          "'profile' along r");
    if (v->component >= dimension)
        scree_input_error(input, scree_node_find(node, "component"),
                          "inertial: 'component' is z, but the run has two dimensions");
    if (v->along >= dimension)
        scree_input_error(input, scree_node_find(node, "along"),
                          "inertial: 'along' is z, but the run has two dimensions");
    m->n = N_VALUES;
}

static void add_contact(void *context, const struct scree_contact *contact, double weight)
{
    struct scree_exact *sum = context;
    scree_exact_add(&sum[0], contact->normal_force * weight);
    scree_exact_add(&sum[1], -contact->gap * weight);
}

/* NAN: contacts do not overlap. */
static double stiffness_number(const struct scree_analysis_view *view,
                               const struct scree_extent *extent, double pressure, double diameter)
{
    const struct scree_contact_choice between_grains = {.between = {-1, -1}};
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = extent, .contacts = &between_grains};
    struct scree_exact sum[2];
    double value[2];
    if (view->stepper->rigid) return NAN;
    for (int k = 0; k < 2; k++) scree_exact_clear(&sum[k]);
    scree_chosen_contacts_visit(&chosen, add_contact, sum);
    scree_analysis_share(view->scene->comm, sum, 2, value);
    double length = view->scene->domain->box.dimension == 2 ? 1.0 : diameter;
    return value[1] > 0.0 && pressure > 0.0 ? value[0] / value[1] / (pressure * length) : NAN;
}

/* Kinetic pressure is that of the fluctuations about the linear flow. */
static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    const struct values *v = m->values;
    struct scree_extent extent;
    struct scree_grain_means means;
    struct scree_stress stress;
    struct scree_flow flow = {.component = v->component, .along = v->along};
    scree_extent_now(&extent, &m->volume, view->scene);
    scree_grain_means_compute(&means, view, &extent, &m->material);
    for (int a = 0; a < 3; a++) {
        flow.velocity[a] = means.velocity[a];
        flow.centre[a] = means.centre[a];
    }
    flow.slope = scree_flow_slope(view, &extent, &flow);
    scree_stress_compute(&stress, view, &extent, &flow, &m->material);
    value[RATE] = isnan(v->rate) ? fabs(flow.slope) : v->rate;
    value[PRESSURE] = stress.pressure;
    value[DIAMETER] = means.diameter;
    value[DENSITY] = means.density;
    value[NUMBER] = stress.pressure > 0.0
                        ? value[RATE] * means.diameter * sqrt(means.density / stress.pressure)
                        : NAN;
    value[STIFFNESS] = stiffness_number(view, &extent, stress.pressure, means.diameter);
    m->memory[LAST_NUMBER] = value[NUMBER];
    m->memory[LAST_STIFFNESS] = value[STIFFNESS];
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    bool flat = scene->domain->box.dimension == 2;
    (void)m;
    (void)mean;
    fprintf(f,
            ",rate [1/s],pressure [%s],mean diameter [m],density of grains [%s],inertial number,"
            "stiffness number",
            flat ? "N/m" : "Pa", flat ? "kg/m^2" : "kg/m^3");
}

static void tell_progress(const struct scree_measurement *m, char *text, size_t size)
{
    double number = m->memory[LAST_NUMBER], stiffness = m->memory[LAST_STIFFNESS];
    int used = snprintf(text, size, "  I %.3g", number);
    if (stiffness > 0.0) snprintf(text + used, size - (size_t)used, "  stiffness %.3g", stiffness);
}

const struct scree_analysis_kind scree_analysis_inertial = {
    .name = "inertial",
    .summary =
        "inertial number of a shear flow, with a given or a measured rate, and stiffness number",
    .params = params,
    .values_size = sizeof(struct values),
    .has_volume = true,
    .check = check,
    .sample = sample,
    .write = write,
    .progress = tell_progress,
};
