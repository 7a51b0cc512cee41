/* SPDX-License-Identifier: BSD-3-Clause
 * The sections `materials` and `groups`. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "job_sections.h"
#include "scree/alloc.h"

#define DENSITY(unit)                                              \
    {                                                              \
        {"density",      SCREE_PARAM_REAL,                         \
         unit,           DBL_MIN,                                  \
         INFINITY,       NULL,                                     \
         NULL,           offsetof(struct scree_material, density), \
         "of the grains"},                                         \
        {                                                          \
            0                                                      \
        }                                                          \
    }
const struct scree_param scree_job_sphere_material_params[] = DENSITY("kg/m^3");
const struct scree_param scree_job_disk_material_params[] = DENSITY("kg/m^2");

struct group_values {
    const char *material;
    bool frozen;
    double velocity[3];
};

const struct scree_param scree_job_group_params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, offsetof(struct group_values, material),
     "all grains of this material"},
    {"frozen", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, offsetof(struct group_values, frozen),
     "forces do not move them"},
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL,
     offsetof(struct group_values, velocity), "constant velocity of the frozen grains"},
    {0},
};

static bool is_map(struct scree_job *job, const struct scree_node *node, const char *what,
                   const char *example)
{
    if (node == NULL) return false;
    if (scree_node_kind(node) == SCREE_NODE_MAP) return true;
    scree_input_error(job->input, node, "%s: expected a map (%s)", what, example);
    return false;
}

void scree_job_read_materials(struct scree_job *job, const struct scree_node *node)
{
    bool good = is_map(job, node, "materials", "name: {density: ...}");
    int n = good ? scree_node_count(node) : 0;
    if (good && n == 0) scree_input_error(job->input, node, "materials: name at least one");
    job->n_materials = n;
    job->material = scree_alloc((size_t)n + 1, sizeof *job->material);
    job->material_name = scree_alloc((size_t)n + 1, sizeof *job->material_name);
    for (int k = 0; k < n; k++) {
        char what[96];
        job->material_name[k] = scree_node_key(node, k);
        snprintf(what, sizeof what, "material '%s'", job->material_name[k]);
        scree_input_read(job->input, scree_node_item(node, k), node, what,
                         job->disks ? scree_job_disk_material_params
                                    : scree_job_sphere_material_params,
                         &job->material[k]);
    }
    job->material_name[n] = NULL;
}

void scree_job_read_groups(struct scree_job *job, const struct scree_node *node)
{
    int n = is_map(job, node, "groups", "name: {material: ...}") ? scree_node_count(node) : 0;
    job->group = scree_alloc((size_t)n + 1, sizeof *job->group);
    for (int k = 0; k < n; k++) {
        char what[96];
        struct group_values values;
        const struct scree_node *item = scree_node_item(node, k);
        struct scree_group *group = &job->group[job->n_groups];
        group->name = scree_node_key(node, k);
        snprintf(what, sizeof what, "group '%s'", group->name);
        if (!scree_input_read(job->input, item, node, what, scree_job_group_params, &values))
            continue;
        group->material = -1;
        for (int m = 0; m < job->n_materials; m++)
            if (strcmp(values.material, job->material_name[m]) == 0) group->material = m;
        if (group->material < 0) {
            scree_input_unknown(job->input, scree_node_find(item, "material"), "material",
                                values.material, job->material_name);
            continue;
        }
        group->frozen = values.frozen;
        memcpy(group->velocity, values.velocity, sizeof values.velocity);
        job->n_groups++;
    }
}
