/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions that tell of a box that deforms. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "end_condition_read.h"

struct keys {
    const struct scree_node *strain, *stress, *pressure, *solid_fraction;
};
#define AT(member) offsetof(struct keys, member)
const struct scree_param scree_end_condition_deformation_params[] = {
    {"strain", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(strain),
     "it has been strained so far since the stage began, by component"},
    {"stress", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(stress),
     "of the sample, by component: {at_least: ...} or {at_most: ...}; > 0 is compression"},
    {"pressure", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(pressure),
     "likewise the mean of xx, yy and zz (two dimensions: of xx and yy)"},
    {"solid_fraction", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(solid_fraction),
     "likewise the volume of all grains, as a part of the box"},
    {0},
};
#undef AT

#define STRAIN(name, k, help)                                                           \
    {                                                                                   \
        name, SCREE_PARAM_REAL, "1", 0, 0, "", NULL, (size_t)(k) * sizeof(double), help \
    }
const struct scree_param scree_end_condition_strain_params[] = {
    STRAIN("xx", SCREE_DEFORMATION_XX,
           "logarithmic; < 0: shorter, at least by so much, > 0: longer"),
    STRAIN("yy", SCREE_DEFORMATION_YY, ""),
    STRAIN("zz", SCREE_DEFORMATION_ZZ, ""),
    STRAIN("xy", SCREE_DEFORMATION_XY, "shear to the side that the sign tells"),
    STRAIN("xz", SCREE_DEFORMATION_XZ, ""),
    STRAIN("yz", SCREE_DEFORMATION_YZ, ""),
    {0},
};

#define STRESS(name, k)                                                                           \
    {                                                                                             \
        name, SCREE_PARAM_NODE, "", 0, 0, "", NULL, (size_t)(k) * sizeof(struct scree_node *), "" \
    }
const struct scree_param scree_end_condition_stress_params[] = {
    STRESS("xx", SCREE_DEFORMATION_XX),
    STRESS("yy", SCREE_DEFORMATION_YY),
    STRESS("zz", SCREE_DEFORMATION_ZZ),
    STRESS("xy", SCREE_DEFORMATION_XY),
    STRESS("xz", SCREE_DEFORMATION_XZ),
    STRESS("yz", SCREE_DEFORMATION_YZ),
    {0},
};

#define AT(member) offsetof(struct scree_end_condition_range, member)
#define RANGE(unit)                                                                                \
    {                                                                                              \
        {"at_least", SCREE_PARAM_REAL, unit, 0, 0, "", NULL, AT(at_least), "so much"},             \
            {"at_most", SCREE_PARAM_REAL, unit, 0, 0, "", NULL, AT(at_most), "or so little"}, {0}, \
    }
const struct scree_param scree_end_condition_stress_range_params_3d[] = RANGE("Pa");
static const struct scree_param stress_range_params_2d[] = RANGE(SCREE_UNIT_FLAT_STRESS);
const struct scree_param scree_end_condition_number_range_params[] = RANGE("1");
const struct scree_param scree_end_condition_force_range_params[] = RANGE("N");
#undef AT

const struct scree_end_condition_range scree_end_condition_any_range = {NAN, NAN};

const struct scree_param *scree_end_condition_stress_range_params(int dimension)
{
    return dimension == 2 ? stress_range_params_2d : scree_end_condition_stress_range_params_3d;
}

bool scree_end_condition_has_range(const struct scree_end_condition_range *range)
{
    return !isnan(range->at_least) || !isnan(range->at_most);
}

void scree_end_condition_read_range(const struct scree_end_condition_reading *r,
                                    const struct scree_node *node, const char *key,
                                    const struct scree_param *params,
                                    struct scree_end_condition_range *range)
{
    char what[160];
    if (node == NULL) return;
    snprintf(what, sizeof what, "%s.%s", r->what, key);
    if (!scree_input_read(r->input, node, NULL, what, params, range))
        *range = scree_end_condition_any_range;
    else if (!scree_end_condition_has_range(range))
        scree_input_error(r->input, node, "%s: give at_least, at_most or both", what);
}

void scree_end_condition_clear_deformation(struct scree_end_condition_deformation *cell)
{
    cell->pressure = cell->solid_fraction = scree_end_condition_any_range;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        cell->strain[c] = NAN;
        cell->stress[c] = scree_end_condition_any_range;
    }
}

bool scree_end_condition_has_deformation(const struct scree_end_condition_deformation *cell)
{
    bool found = scree_end_condition_has_range(&cell->pressure) ||
                 scree_end_condition_has_range(&cell->solid_fraction);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        found = found || !isnan(cell->strain[c]) || scree_end_condition_has_range(&cell->stress[c]);
    return found;
}

static void check_dimension(const struct scree_end_condition_reading *r,
                            const struct scree_node *node, int component)
{
    if (node != NULL && scree_deformation_column[component] >= r->setting->dimension)
        scree_input_error(r->input, node, "%s: cell: '%s' is given, but the run has two dimensions",
                          r->what, scree_deformation_names[component]);
}

static void read_strains(const struct scree_end_condition_reading *r, const struct scree_node *node)
{
    struct scree_end_condition_deformation *cell = &r->until->cell;
    char what[160];
    if (node == NULL) return;
    snprintf(what, sizeof what, "%s.cell.strain", r->what);
    scree_input_read(r->input, node, NULL, what, scree_end_condition_strain_params, cell->strain);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        const struct scree_node *item = scree_node_find(node, scree_deformation_names[c]);
        check_dimension(r, item, c);
        if (cell->strain[c] == 0.0)
            scree_input_error(r->input, item,
                              "%s: '%s' is 0, expected a strain such as -0.1 (shorter) or 0.1",
                              what, scree_deformation_names[c]);
    }
}

static void read_stresses(const struct scree_end_condition_reading *r,
                          const struct scree_node *node, const struct scree_param *params)
{
    const struct scree_node *item[SCREE_DEFORMATION_COMPONENTS];
    char what[160];
    if (node == NULL) return;
    snprintf(what, sizeof what, "%s.cell.stress", r->what);
    if (!scree_input_read(r->input, node, NULL, what, scree_end_condition_stress_params, item))
        return;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        char key[40];
        snprintf(key, sizeof key, "cell.stress.%s", scree_deformation_names[c]);
        check_dimension(r, item[c], c);
        scree_end_condition_read_range(r, item[c], key, params, &r->until->cell.stress[c]);
    }
}

void scree_end_condition_read_deformation(const struct scree_end_condition_reading *r,
                                          const struct scree_node *node)
{
    const struct scree_param *stress =
        scree_end_condition_stress_range_params(r->setting->dimension);
    struct keys keys;
    char what[128];
    snprintf(what, sizeof what, "%s.cell", r->what);
    if (!r->setting->deforms)
        scree_input_error(r->input, node,
                          "%s: the box does not deform; the section 'cell' says how", what);
    bool good =
        scree_input_read(r->input, node, NULL, what, scree_end_condition_deformation_params, &keys);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    read_strains(r, keys.strain);
    read_stresses(r, keys.stress, stress);
    scree_end_condition_read_range(r, keys.pressure, "cell.pressure", stress,
                                   &r->until->cell.pressure);
    scree_end_condition_read_range(r, keys.solid_fraction, "cell.solid_fraction",
                                   scree_end_condition_number_range_params,
                                   &r->until->cell.solid_fraction);
    if (good && !scree_end_condition_has_deformation(&r->until->cell) &&
        scree_node_count(node) == 0)
        scree_input_error(r->input, node, "%s: give strain, stress, pressure or solid_fraction",
                          what);
}
