/* SPDX-License-Identifier: BSD-3-Clause
 * The section `materials`, and the mass of grains. */
#include "scree/materials.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"

/* The density of one material is read into its place of the array. */
#define DENSITY(unit)                                                                           \
    {                                                                                           \
        {"density", SCREE_PARAM_REAL, unit, DBL_MIN, INFINITY, NULL, NULL, 0, "of the grains"}, \
        {                                                                                       \
            0                                                                                   \
        }                                                                                       \
    }
const struct scree_param scree_materials_sphere_params[] = DENSITY("kg/m^3");
const struct scree_param scree_materials_disk_params[] = DENSITY("kg/m^2");

void scree_materials_read(struct scree_materials *materials, struct scree_input *input,
                          const struct scree_node *node)
{
    bool good = scree_input_is_map(input, node, "materials", "name: {density: ...}");
    int n = good ? scree_node_count(node) : 0;
    if (good && n == 0) scree_input_error(input, node, "materials: name at least one");
    materials->n = n;
    materials->density = scree_alloc((size_t)n + 1, sizeof *materials->density);
    materials->name = scree_alloc((size_t)n + 1, sizeof *materials->name);
    for (int m = 0; m < n; m++) {
        char what[96];
        materials->name[m] = scree_node_key(node, m);
        snprintf(what, sizeof what, "material '%s'", materials->name[m]);
        scree_input_read(input, scree_node_item(node, m), node, what,
                         materials->disks ? scree_materials_disk_params
                                          : scree_materials_sphere_params,
                         &materials->density[m]);
    }
    materials->name[n] = NULL;
}

void scree_materials_clear(struct scree_materials *materials)
{
    scree_alloc_free(materials->density);
    scree_alloc_free(materials->name);
    *materials = (struct scree_materials){.disks = materials->disks};
}

int scree_materials_find(const struct scree_materials *materials, const char *name)
{
    for (int m = 0; m < materials->n; m++)
        if (strcmp(name, materials->name[m]) == 0) return m;
    return -1;
}

double scree_materials_unit_volume(const struct scree_materials *materials)
{
    return acos(-1.0) * (materials->disks ? 1.0 : 4.0 / 3.0);
}

double scree_materials_mass(const struct scree_materials *materials, double density, double radius)
{
    return density * scree_materials_unit_volume(materials) *
           pow(radius, materials->disks ? 2.0 : 3.0);
}

double scree_materials_heaviest(const struct scree_materials *materials, double radius)
{
    double density = 0.0;
    for (int m = 0; m < materials->n; m++) density = fmax(density, materials->density[m]);
    return scree_materials_mass(materials, density, radius);
}
