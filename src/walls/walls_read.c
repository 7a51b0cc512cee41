/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `boundaries`. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "shape.h"
#include "tilt.h"
#include "walls_read.h"

#define SCREE_WALL_SHAPE(name) #name,
static const char *const shape_names[] = {
#include "scree/wall_shapes.def"
    NULL};
#undef SCREE_WALL_SHAPE

static int find_word(const char *const *words, const char *word)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

static bool read_material(struct scree_wall_entry *e, const char *material,
                          const char *const *materials)
{
    if (material == NULL) return false;
    e->wall.species = find_word(materials, material);
    if (e->wall.species < 0)
        scree_input_unknown(e->input, scree_node_find(e->node, "material"), "material", material,
                            materials);
    return e->wall.species >= 0;
}

static bool read_shape(struct scree_wall_entry *e, const char *word, const char *what)
{
    struct scree_wall *wall = &e->wall;
    if (word == NULL) {
        scree_node_mark_all_used(e->node); /* nobody knows which of its other keys belong here */
        return false;
    }
    int k = find_word(shape_names, word), n_shapes;
    if (k < 0) {
        scree_input_unknown(e->input, scree_node_find(e->node, "shape"), "shape", word,
                            shape_names);
        return false;
    }
    wall->shape = scree_walls_shapes(&n_shapes)[k];
    int before = scree_input_n_errors(e->input);
    memset(wall->values, 0, sizeof wall->values);
    bool good = scree_input_read(e->input, e->node, NULL, what, wall->shape->params, wall->values);
    if (wall->shape->check != NULL)
        wall->shape->check(e->input, e->node, e->box->dimension, wall->values);
    return good && scree_input_n_errors(e->input) == before;
}

/* The axis goes through the middle of the wall unless the input says otherwise; so do torques. */
static bool read_motion(struct scree_wall_entry *e, const struct scree_wall_keys *keys,
                        bool good_shape)
{
    struct scree_wall *wall = &e->wall;
    double radius, point[3];
    bool good = scree_wall_read_drive(e, keys, point);
    if (wall->shape == NULL || !good_shape) return false;
    wall->shape->bound(wall->values, wall->pivot, &radius);
    if (!isnan(point[0])) memcpy(wall->pivot, point, sizeof point);
    return good;
}

static char *join_names(const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 2;
    char *joined = scree_alloc(size, 1);
    snprintf(joined, size, "%s.%s", name, suffix);
    return joined;
}

static void add_wall(struct scree_walls *walls, const struct scree_wall_entry *e,
                     const struct scree_wall_piece *piece)
{
    struct scree_wall *wall = &walls->wall[walls->n++];
    *wall = e->wall;
    scree_motion_copy(&wall->move, &e->wall.move);
    scree_motion_copy(&wall->spin, &e->wall.spin);
    if (piece != NULL) {
        wall->name = join_names(e->wall.name, piece->suffix);
        wall->is_piece = true;
        wall->shape = piece->shape;
        memcpy(wall->values, piece->values, sizeof wall->values);
    }
    if (wall->servo.on) scree_servo_aim(wall, e->input, scree_node_find(e->node, "servo"));
    if (wall->tilt[0].on)
        scree_tilt_aim(wall, e->input, scree_node_find(e->node, "tilt"), e->box->dimension);
    scree_wall_init(wall, e->box);
    scree_wall_check_box(e, wall);
}

/* Everything is read before giving up, so that all mistakes are reported at once. */
static void read_entry(struct scree_walls *walls, struct scree_wall_entry *e,
                       const char *const *materials)
{
    struct scree_wall_keys keys;
    char what[80];
    snprintf(what, sizeof what, "boundary '%s'", e->wall.name);
    bool good = scree_input_read(e->input, e->node, NULL, what, scree_walls_common_params(), &keys);
    good = read_material(e, keys.material, materials) && good;
    bool good_shape = read_shape(e, keys.shape, what);
    good = read_motion(e, &keys, good_shape) && good_shape && good;
    if (good && e->wall.shape->split == NULL) add_wall(walls, e, NULL);
    if (good && e->wall.shape->split != NULL) {
        struct scree_wall_piece piece[SCREE_WALL_PIECES];
        int n = e->wall.shape->split(e->wall.values, e->box, piece);
        for (int k = 0; k < n; k++) add_wall(walls, e, &piece[k]);
    }
    scree_motion_clear(&e->wall.move);
    scree_motion_clear(&e->wall.spin);
    if (!good && e->wall.shape != NULL && e->wall.shape->release != NULL)
        e->wall.shape->release(e->wall.values);
}

void scree_walls_read(struct scree_walls *walls, struct scree_input *input,
                      const struct scree_node *node, const char *const *materials,
                      const struct scree_box *box)
{
    *walls = (struct scree_walls){0};
    scree_walls_find_sections(walls, box, NULL);
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_MAP) {
        scree_input_error(input, node, "boundaries: expected a map (name: {shape: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    int n = scree_node_count(node);
    walls->wall = scree_alloc((size_t)n * SCREE_WALL_PIECES, sizeof *walls->wall);
    for (int k = 0; k < n; k++) {
        struct scree_wall_entry e = {.input = input, .node = scree_node_item(node, k), .box = box};
        e.wall.name = scree_node_key(node, k);
        read_entry(walls, &e, materials);
    }
    scree_walls_find_sections(walls, box, NULL);
    for (int w = 0; w < walls->n; w++) {
        const struct scree_node *entry = scree_node_find(node, walls->wall[w].name);
        if (walls->wall[w].tilts)
            scree_tilt_check_joints(walls, &walls->wall[w], input, scree_node_find(entry, "tilt"));
    }
}
