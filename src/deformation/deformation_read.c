/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `cell`. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/deformation_control.h"

static const char *const auto_word[] = {"auto", NULL};
static const char *const volumes[] = {"free", "constant", NULL};

/* Of grains, for the drift of servos: in a sample that is strained everywhere alike the load
 * follows as that of one layer on a wall. */
#define LAYERS 1.0

struct keys {
    const struct scree_node *strain_rate, *stress;
    double pressure, inertia, damping, limit, start, rise, stress_rise;
    int volume;
};

#define AT(member) offsetof(struct keys, member)
/* clang-format off */
#define CELL(stress_unit)                                                                          \
    {                                                                                              \
        {"strain_rate", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(strain_rate),                     \
         "rates of strain that are given; directions and shears named nowhere keep still"},        \
        {"stress", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(stress),                               \
         "stresses that servos keep; > 0 is compression"},                                         \
        {"pressure", SCREE_PARAM_REAL, stress_unit, 0, 0, "", NULL, AT(pressure),                  \
         "mean stress that one servo keeps by all directions without 'strain_rate' together"},     \
        {"volume", SCREE_PARAM_CHOICE, "", 0, 0, "free", volumes, AT(volume),                      \
         "constant: directions without 'strain_rate' make up for those with one"},                 \
        {"start", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(start),                        \
         "strain rates stay what they were (at first 0) so long; servos do not wait"},             \
        {"rise", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(rise),                          \
         "time from 'start' in which strain rates go over to those given, linearly"},              \
        {"stress_rise", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(stress_rise),            \
         "time in which the targets of servos go over from what the sample bears (at first 0)"},   \
        {"inertia", SCREE_PARAM_REAL, "kg m^2", DBL_MIN, INFINITY, "auto", auto_word, AT(inertia), \
         "W of the servos, W dL/dt = V (stress - target) - damping L; auto: sum of m d^2"},        \
        {"damping", SCREE_PARAM_REAL, "kg m^2/s", 0, INFINITY, "auto", auto_word, AT(damping),     \
         "auto: a third of critical for the contacts, of changes of L only; given: of all of L"},  \
        {"limit", SCREE_PARAM_REAL, "1/s", DBL_MIN, INFINITY, "", NULL, AT(limit),                 \
         "servos never strain faster than this; default: no limit"},                               \
        {0},                                                                                       \
    }
/* clang-format on */
const struct scree_param scree_deformation_params_2d[] = CELL(SCREE_UNIT_FLAT_STRESS);
const struct scree_param scree_deformation_params_3d[] = CELL("Pa");

#define C(k) ((size_t)(k) * sizeof(double))
#define RATE(name, k, help)                                       \
    {                                                             \
        name, SCREE_PARAM_REAL, "1/s", 0, 0, "", NULL, C(k), help \
    }
const struct scree_param scree_deformation_rate_params[] = {
    RATE("xx", SCREE_DEFORMATION_XX, "> 0: the cell becomes longer in x; of the present length"),
    RATE("yy", SCREE_DEFORMATION_YY, "likewise in y"),
    RATE("zz", SCREE_DEFORMATION_ZZ, "likewise in z"),
    RATE("xy", SCREE_DEFORMATION_XY, "simple shear: velocity in x that grows along y"),
    RATE("xz", SCREE_DEFORMATION_XZ, "velocity in x that grows along z"),
    RATE("yz", SCREE_DEFORMATION_YZ, "velocity in y that grows along z"),
    {0},
};
#define STRESS(name, k, unit, help)                              \
    {                                                            \
        name, SCREE_PARAM_REAL, unit, 0, 0, "", NULL, C(k), help \
    }
#define STRESSES(unit)                                                                            \
    {                                                                                             \
        STRESS("xx", SCREE_DEFORMATION_XX, unit, "> 0 is compression"),                           \
            STRESS("yy", SCREE_DEFORMATION_YY, unit, ""),                                         \
            STRESS("zz", SCREE_DEFORMATION_ZZ, unit, ""),                                         \
            STRESS("xy", SCREE_DEFORMATION_XY, unit, "< 0 shears towards positive strain rates"), \
            STRESS("xz", SCREE_DEFORMATION_XZ, unit, ""),                                         \
            STRESS("yz", SCREE_DEFORMATION_YZ, unit, ""), {0},                                    \
    }
const struct scree_param scree_deformation_stress_params_2d[] = STRESSES(SCREE_UNIT_FLAT_STRESS);
const struct scree_param scree_deformation_stress_params_3d[] = STRESSES("Pa");

/* A flow along or across a direction in which nothing repeats would go through the walls there, or
 * is no deformation of the periodic box at all. */
static void check_direction(const struct scree_deformation_control *control,
                            struct scree_input *input, const struct scree_node *node, int c)
{
    int row = scree_deformation_row[c], column = scree_deformation_column[c];
    int open = control->periodic[row] ? column : row;
    if (control->periodic[open]) return;
    scree_input_error(input, node,
                      row == column
                          ? "cell: '%s' is given, but %c is not in domain.periodic; there the "
                            "walls of 'boundaries' strain the sample"
                          : "cell: '%s' is given, but %c is not in domain.periodic; a wall across "
                            "it may move along itself instead ('boundaries')",
                      scree_deformation_names[c], "xyz"[open]);
}

static void check_components(const struct scree_deformation_control *control,
                             struct scree_input *input, const struct keys *keys)
{
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        const char *name = scree_deformation_names[c];
        bool rate = !isnan(control->rate[c]), stress = !isnan(control->stress[c]);
        if (rate && stress)
            scree_input_error(input, scree_node_find(keys->stress, name),
                              "cell: '%s' has both a strain rate and a stress; keep one of them",
                              name);
        if ((rate || stress) && scree_deformation_column[c] >= control->dimension)
            scree_input_error(input, scree_node_find(rate ? keys->strain_rate : keys->stress, name),
                              "cell: '%s' is given, but the run has two dimensions", name);
        else if (rate || stress)
            check_direction(control, input,
                            scree_node_find(rate ? keys->strain_rate : keys->stress, name), c);
    }
}

static void check_volume(const struct scree_deformation_control *control, struct scree_input *input,
                         const struct scree_node *node)
{
    const struct scree_node *pressure = scree_node_find(node, "pressure");
    const struct scree_node *volume = scree_node_find(node, "volume");
    int n_rates = 0, n_stresses = 0, n = 0;
    for (int a = 0; a < 3; a++) {
        if (!control->periodic[a]) continue;
        n++;
        n_rates += !isnan(control->rate[a]);
        n_stresses += !isnan(control->stress[a]);
    }
    if (pressure != NULL && control->constant_volume)
        scree_input_error(input, pressure,
                          "cell: 'pressure' and 'volume: constant' are both given; keep one of "
                          "them");
    if (n_stresses > 0 && (pressure != NULL || control->constant_volume))
        scree_input_error(input, scree_node_find(node, "stress"),
                          "cell: '%s' leaves no direction whose stress could be kept by itself; "
                          "keep shear stresses only",
                          pressure != NULL ? "pressure" : "volume: constant");
    else if (n_rates == n && (pressure != NULL || control->constant_volume))
        scree_input_error(input, pressure != NULL ? pressure : volume,
                          "cell: all directions have a strain rate; none is left to keep the %s",
                          pressure != NULL ? "pressure" : "volume");
}

static void check_box(struct scree_input *input, const struct scree_node *node,
                      const struct scree_box *box)
{
    for (int a = 0; a < box->dimension; a++)
        if (box->periodic[a]) return;
    scree_input_error(input, node,
                      "cell: a box deforms in its periodic directions, and there are none in "
                      "'domain'");
}

static void make_servo(struct scree_servo *servo, const struct keys *keys)
{
    *servo = (struct scree_servo){.on = true,
                                  .inertia = keys->inertia,
                                  .damping = keys->damping,
                                  .fastest = isnan(keys->limit) ? INFINITY : keys->limit,
                                  .rise = keys->stress_rise,
                                  .layers = LAYERS,
                                  .strains = true,
                                  .low = -INFINITY,
                                  .high = INFINITY};
}

void scree_deformation_control_rest(struct scree_deformation_control *control,
                                    const struct scree_box *box)
{
    memset(control, 0, sizeof *control);
    control->on = true;
    control->dimension = box->dimension;
    for (int a = 0; a < box->dimension; a++) control->periodic[a] = box->periodic[a];
    control->pressure = NAN;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        control->rate[c] = control->stress[c] = NAN;
}

void scree_deformation_control_read(struct scree_deformation_control *control,
                                    struct scree_input *input, const struct scree_node *node,
                                    const struct scree_box *box)
{
    struct keys keys;
    memset(control, 0, sizeof *control);
    if (node == NULL) return;
    bool flat = box->dimension == 2;
    scree_deformation_control_rest(control, box);
    bool good =
        scree_input_read(input, node, NULL, "cell",
                         flat ? scree_deformation_params_2d : scree_deformation_params_3d, &keys);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    good = scree_input_read(input, keys.strain_rate, node, "cell.strain_rate",
                            scree_deformation_rate_params, control->rate) &&
           good;
    good = scree_input_read(input, keys.stress, node, "cell.stress",
                            flat ? scree_deformation_stress_params_2d
                                 : scree_deformation_stress_params_3d,
                            control->stress) &&
           good;
    check_box(input, node, box);
    if (!good) return;
    control->pressure = keys.pressure;
    control->constant_volume = keys.volume == 1;
    control->start = keys.start;
    control->rise = keys.rise;
    check_components(control, input, &keys);
    check_volume(control, input, node);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if (!isnan(control->stress[c])) make_servo(&control->servo[c], &keys);
    if (!isnan(control->pressure)) make_servo(&control->servo[SCREE_DEFORMATION_ISOTROPIC], &keys);
}
