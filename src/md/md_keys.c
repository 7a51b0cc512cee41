/* SPDX-License-Identifier: BSD-3-Clause
 * The keys that md brings to the input, and the columns of grains it wants. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "md_impl.h"

static const char *const integrators[] = {"leapfrog", "gear", NULL};

#define AT(member) offsetof(struct scree_md_values, member)
static const struct scree_param integrator_params[] = {
    {"integrator", SCREE_PARAM_CHOICE, "", 0, 0, "leapfrog", integrators, AT(integrator),
     "leapfrog (velocity Verlet), or Gear's predictor-corrector with five values"},
    {0},
};
static const struct scree_param step_params[] = {
    {"speed", SCREE_PARAM_REAL, "m/s", DBL_MIN, INFINITY, "1", NULL, AT(speed),
     "impact speed for which an automatic step is chosen (matters for nonlinear laws)"},
    {0},
};
static const struct scree_param warnings_params[] = {
    {"contact_steps", SCREE_PARAM_REAL, "1", 0, INFINITY, "50", NULL, AT(contact_steps),
     "warn if the stiffest live contact lasts fewer steps than this"},
    {"contact_steps_error", SCREE_PARAM_REAL, "1", 0, INFINITY, "10", NULL, AT(contact_steps_error),
     "end the run if it lasts fewer steps than this"},
    {"overlap", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.1", NULL, AT(overlap),
     "warn beyond this overlap, as a part of the smaller radius"},
    {"start_overlap", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.1", NULL, AT(start_overlap),
     "refuse grains that overlap more when they come in, as a part of the smaller radius"},
    {"detachment", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.3", NULL, AT(detachment),
     "warn if grains that hardly touch collide again after less than contact time / this"},
    {0},
};

const struct scree_method_keys scree_md_keys[] = {
    {"time", "how md goes from step to step", integrator_params, true},
    {"time", "the automatic step of md", step_params, false},
    {"warnings", "when md warns", warnings_params, false},
    {0},
};

void scree_md_check_keys(const void *values, const struct scree_method_setting *setting)
{
    const struct scree_md_values *v = values;
    const struct scree_node *time = scree_node_find(scree_input_root(setting->input), "time");
    const struct scree_node *integrator = scree_node_find(time, "integrator");
    if (v->integrator != SCREE_INTEGRATOR_GEAR) return;
    if (setting->has_membranes)
        scree_input_error(setting->input, integrator,
                          "time: membranes need 'integrator: leapfrog'");
    if (setting->has_servos)
        scree_input_error(setting->input, integrator,
                          "time: walls with 'servo' or 'tilt' need 'integrator: leapfrog'");
    if (setting->deforms)
        scree_input_error(setting->input, integrator,
                          "time: a box that deforms ('cell') needs 'integrator: leapfrog'");
}

void scree_md_keep_columns(const void *values, struct scree_scene *scene)
{
    const struct scree_md_values *v = values;
    struct scree_particles *particles = scene->particles;
    scree_particles_add_column(particles, "load");
    if (v->integrator == SCREE_INTEGRATOR_GEAR) {
        scree_particles_add_column(particles, "gear");
        scree_particles_add_column(particles, "mean_vel");
        scree_particles_add_column(particles, "mean_spin");
    } else if (scree_laws_are_synchronised(scene->laws)) {
        scree_particles_add_column(particles, "now_vel");
        scree_particles_add_column(particles, "now_spin");
    }
}
