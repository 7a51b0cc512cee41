/* SPDX-License-Identifier: BSD-3-Clause
 * The section `groups`, and the grains that it freezes. */
#include "scree/groups.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"

struct group_values {
    const char *material;
    bool frozen;
    double velocity[3];
};

const struct scree_param scree_groups_params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, offsetof(struct group_values, material),
     "all grains of this material"},
    {"frozen", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, offsetof(struct group_values, frozen),
     "forces do not move them"},
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL,
     offsetof(struct group_values, velocity), "constant velocity of the frozen grains"},
    {0},
};

void scree_groups_read(struct scree_groups *groups, struct scree_input *input,
                       const struct scree_node *node, const struct scree_materials *materials)
{
    bool good = scree_input_is_map(input, node, "groups", "name: {material: ...}");
    int n = good ? scree_node_count(node) : 0;
    groups->group = scree_alloc((size_t)n + 1, sizeof *groups->group);
    for (int k = 0; k < n; k++) {
        char what[96];
        struct group_values values;
        const struct scree_node *item = scree_node_item(node, k);
        struct scree_group *group = &groups->group[groups->n];
        group->name = scree_node_key(node, k);
        snprintf(what, sizeof what, "group '%s'", group->name);
        if (!scree_input_read(input, item, node, what, scree_groups_params, &values)) continue;
        group->material = scree_materials_find(materials, values.material);
        if (group->material < 0) {
            scree_input_unknown(input, scree_node_find(item, "material"), "material",
                                values.material, materials->name);
            continue;
        }
        group->frozen = values.frozen;
        memcpy(group->velocity, values.velocity, sizeof values.velocity);
        groups->n++;
    }
}

void scree_groups_clear(struct scree_groups *groups)
{
    scree_alloc_free(groups->group);
    *groups = (struct scree_groups){0};
}

void scree_groups_freeze(const struct scree_groups *groups, struct scree_particles *p)
{
    for (int g = 0; g < groups->n; g++) {
        const struct scree_group *group = &groups->group[g];
        for (scree_lid i = 0; i < p->n_owned; i++) {
            if (!group->frozen || p->species[i] != group->material) continue;
            p->vel[i][3] = p->spin[i][3] = 0.0;
            if (p->glued != NULL) p->glued[i] = 0; /* a group has its own velocity */
            for (int a = 0; a < 3; a++) {
                p->vel[i][a] = group->velocity[a];
                p->spin[i][a] = 0.0;
            }
        }
    }
}
