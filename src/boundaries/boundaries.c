/* SPDX-License-Identifier: BSD-3-Clause
 * The walls of a run: the list of shapes, reading the section `boundaries`, motion in time. */
#include "scree/boundaries.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"

#define SCREE_BOUNDARY(name) extern const struct scree_wall_shape scree_boundary_##name;
#include "scree/boundaries.def"
#undef SCREE_BOUNDARY

#define SCREE_BOUNDARY(name) &scree_boundary_##name,
static const struct scree_wall_shape *const shapes[] = {
#include "scree/boundaries.def"
};
#undef SCREE_BOUNDARY

#define SCREE_BOUNDARY(name) #name,
static const char *const shape_names[] = {
#include "scree/boundaries.def"
    NULL};
#undef SCREE_BOUNDARY

enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

/* Keys of every wall, whatever its shape. */
struct common {
    const char *shape, *material;
    double velocity[3]; /* m/s */
};

#define AT(member) offsetof(struct common, member)
static const struct scree_param common_params[] = {
    {"shape", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(shape),
     "kind of wall; see `scree list boundaries`"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "a name of the section 'materials'"},
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL, AT(velocity),
     "constant velocity of the wall"},
    {0},
};

const struct scree_wall_shape *const *scree_boundaries_shapes(int *n)
{
    *n = N_SHAPES;
    return shapes;
}

static int find_word(const char *const *words, const char *word)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

/* Read one wall; false if it cannot be used. Both words are looked up before giving up, so that
 * all mistakes are reported at once. */
static bool read_wall(struct scree_wall *wall, struct scree_input *input,
                      const struct scree_node *node, const char *const *materials)
{
    struct common common;
    char what[80];
    snprintf(what, sizeof what, "boundary '%s'", wall->name);
    bool good = scree_input_read(input, node, NULL, what, common_params, &common);
    memcpy(wall->velocity, common.velocity, sizeof wall->velocity);
    if (common.material != NULL) {
        wall->species = find_word(materials, common.material);
        if (wall->species < 0)
            scree_input_unknown(input, scree_node_find(node, "material"), "material",
                                common.material, materials);
        good = good && wall->species >= 0;
    }
    if (common.shape == NULL) {
        scree_node_mark_all_used(node); /* nobody knows which of its other keys belong here */
        return false;
    }
    int k = find_word(shape_names, common.shape);
    if (k < 0) {
        scree_input_unknown(input, scree_node_find(node, "shape"), "shape", common.shape,
                            shape_names);
        return false;
    }
    wall->shape = shapes[k];
    good =
        scree_input_read(input, node, NULL, what, wall->shape->params, wall->shape_values) && good;
    if (wall->shape->check != NULL) wall->shape->check(input, node, wall->shape_values);
    return good;
}

void scree_boundaries_read(struct scree_boundaries *walls, struct scree_input *input,
                           const struct scree_node *node, const char *const *materials)
{
    *walls = (struct scree_boundaries){0};
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_MAP) {
        scree_input_error(input, node, "boundaries: expected a map (name: {shape: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    int n_walls = scree_node_count(node);
    walls->wall = scree_alloc((size_t)n_walls, sizeof *walls->wall);
    for (int k = 0; k < n_walls; k++) {
        struct scree_wall *wall = &walls->wall[walls->n];
        *wall = (struct scree_wall){.name = scree_node_key(node, k)};
        if (read_wall(wall, input, scree_node_item(node, k), materials)) walls->n++;
    }
}

void scree_boundaries_clear(struct scree_boundaries *walls)
{
    scree_alloc_free(walls->wall);
    *walls = (struct scree_boundaries){0};
}

void scree_boundaries_move(struct scree_boundaries *walls, double t)
{
    for (int w = 0; w < walls->n; w++)
        for (int k = 0; k < 3; k++) walls->wall[w].offset[k] = walls->wall[w].velocity[k] * t;
}

double scree_boundaries_speed(const struct scree_boundaries *walls)
{
    double largest = 0.0;
    for (int w = 0; w < walls->n; w++)
        largest = fmax(largest, scree_vec_norm(walls->wall[w].velocity));
    return largest;
}

const struct scree_param *scree_boundaries_common_params(void)
{
    return common_params;
}
