/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `boundaries`. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/boundaries.h"
#include "shape.h"

#define SCREE_BOUNDARY(name) #name,
static const char *const shape_names[] = {
#include "scree/boundaries.def"
    NULL};
#undef SCREE_BOUNDARY

/* Keys of every wall, whatever its shape. */
struct common {
    const char *shape, *material;
    double velocity[3]; /* m/s */
    const struct scree_node *move, *rotate, *servo;
};

#define AT(member) offsetof(struct common, member)
#define DRIVE_KEYS                                                    \
    {"velocity",                                                      \
     SCREE_PARAM_VECTOR,                                              \
     "m/s",                                                           \
     0,                                                               \
     0,                                                               \
     "[0, 0, 0]",                                                     \
     NULL,                                                            \
     AT(velocity),                                                    \
     "constant velocity of the wall; 'move' comes on top of it"},     \
        {"move",                                                      \
         SCREE_PARAM_NODE,                                            \
         "",                                                          \
         0,                                                           \
         0,                                                           \
         "",                                                          \
         NULL,                                                        \
         AT(move),                                                    \
         "motion along a direction by a law of time"},                \
        {"rotate",                                                    \
         SCREE_PARAM_NODE,                                            \
         "",                                                          \
         0,                                                           \
         0,                                                           \
         "",                                                          \
         NULL,                                                        \
         AT(rotate),                                                  \
         "turning about an axis by a law of time"},                   \
        {"servo",                                                     \
         SCREE_PARAM_NODE,                                            \
         "",                                                          \
         0,                                                           \
         0,                                                           \
         "",                                                          \
         NULL,                                                        \
         AT(servo),                                                   \
         "motion by the force or torque of the grains and a target"}, \
    {                                                                 \
        0                                                             \
    }
static const struct scree_param drive_params[] = {DRIVE_KEYS};
static const struct scree_param common_params[] = {
    {"shape", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(shape),
     "kind of wall; see `scree list boundaries`"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "a name of the section 'materials'"},
    DRIVE_KEYS,
};

const struct scree_param *scree_boundaries_common_params(void)
{
    return common_params;
}

const struct scree_param *scree_boundaries_drive_params(void)
{
    return drive_params;
}

/* What one entry of the section says, which may be several walls. */
struct entry {
    struct scree_input *input;
    const struct scree_node *node;
    const struct scree_box *box;
    struct scree_wall wall;
};

static int find_word(const char *const *words, const char *word)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

static bool read_material(struct entry *e, const char *material, const char *const *materials)
{
    if (material == NULL) return false;
    e->wall.species = find_word(materials, material);
    if (e->wall.species < 0)
        scree_input_unknown(e->input, scree_node_find(e->node, "material"), "material", material,
                            materials);
    return e->wall.species >= 0;
}

static bool read_shape(struct entry *e, const char *word, const char *what)
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
    wall->shape = scree_boundaries_shapes(&n_shapes)[k];
    int before = scree_input_n_errors(e->input);
    bool good = scree_input_read(e->input, e->node, NULL, what, wall->shape->params, wall->values);
    if (wall->shape->check != NULL)
        wall->shape->check(e->input, e->node, e->box->dimension, wall->values);
    return good && scree_input_n_errors(e->input) == before;
}

/* A servo takes the place of the law of time for its kind of motion. */
static bool read_servo(struct entry *e, const struct common *common, double point[3])
{
    struct scree_wall *wall = &e->wall;
    double along[3];
    bool good = scree_servo_read(&wall->servo, e->input, common->servo, wall->name,
                                 e->box->dimension, along, point);
    bool turns = wall->servo.kind == SCREE_MOTION_TURN;
    if ((turns ? common->rotate : common->move) != NULL) {
        scree_input_error(e->input, common->servo,
                          "wall '%s' has both 'servo' and '%s': its motion follows from the one or "
                          "the other",
                          wall->name, turns ? "rotate" : "move");
        return false;
    }
    memcpy(turns ? wall->axis : wall->direction, along, sizeof along);
    return good;
}

/* `point` of the axis: NANs if it is not given. */
static bool read_drive(struct entry *e, const struct common *common, double point[3])
{
    struct scree_wall *wall = &e->wall;
    bool good = true;
    point[0] = point[1] = point[2] = NAN;
    memcpy(wall->steady, common->velocity, sizeof wall->steady);
    wall->move.kind = SCREE_MOTION_SHIFT;
    wall->spin.kind = SCREE_MOTION_TURN;
    if (common->move != NULL)
        good = scree_motion_read(&wall->move, e->input, common->move, wall->name, wall->direction,
                                 NULL);
    if (common->rotate != NULL)
        good = scree_motion_read(&wall->spin, e->input, common->rotate, wall->name, wall->axis,
                                 point) &&
               good;
    if (common->servo != NULL) good = read_servo(e, common, point) && good;
    return good;
}

/* The axis goes through the middle of the wall unless the input says otherwise; so do torques. */
static bool read_motion(struct entry *e, const struct common *common)
{
    struct scree_wall *wall = &e->wall;
    double radius, point[3];
    bool good = read_drive(e, common, point);
    if (wall->shape == NULL) return false;
    wall->shape->bound(wall->values, wall->pivot, &radius);
    if (!isnan(point[0])) memcpy(wall->pivot, point, sizeof point);
    return good;
}

/* A wall must be the same from all sectors of a wedge, and so must its motion. */
static void check_wedge(const struct entry *e, const struct scree_wall *wall)
{
    const struct scree_wedge *wedge = &e->box->wedge;
    const double origin[3] = {0.0, 0.0, 0.0};
    double axis[3] = {0.0, 0.0, 0.0};
    if (wedge->n == 0) return;
    int u = wedge->u, v = wedge->v;
    axis[wedge->axis] = 1.0;
    if (wall->shape->revolves == NULL || !wall->shape->revolves(wall->values, origin, axis))
        scree_input_error(e->input, e->node,
                          "wall '%s' is not the same after a turn about %c, the axis of the wedge",
                          wall->name, "xyz"[wedge->axis]);
    else if (wall->steady[u] != 0.0 || wall->steady[v] != 0.0 || wall->direction[u] != 0.0 ||
             wall->direction[v] != 0.0)
        scree_input_error(e->input, e->node, "wall '%s' moves across %c, the axis of the wedge",
                          wall->name, "xyz"[wedge->axis]);
    else if (scree_wall_turns(wall) && (fabs(wall->axis[wedge->axis]) != 1.0 ||
                                        wall->pivot[u] != 0.0 || wall->pivot[v] != 0.0))
        scree_input_error(e->input, e->node,
                          "wall '%s' turns about an axis that is not that of the wedge",
                          wall->name);
}

/* A wall without end along a periodic direction must be the same everywhere along it, its motion
 * included; others are seen in their images. In two dimensions walls must push within the plane and
 * stay in it. */
static void check_space(const struct entry *e, const struct scree_wall *wall)
{
    const struct scree_box *box = e->box;
    for (int a = 0; a < box->dimension; a++) {
        if (!wall->endless[a]) continue;
        if (isinf(wall->radius) && !wall->shape->repeats(wall->values, a))
            scree_input_error(e->input, e->node,
                              "wall '%s' is not the same after a shift along %c, which is periodic",
                              wall->name, "xyz"[a]);
        else if (scree_wall_turns(wall) && fabs(wall->axis[a]) != 1.0)
            scree_input_error(e->input, e->node,
                              "wall '%s' has no end, and turns about an axis that is not %c, which "
                              "is periodic",
                              wall->name, "xyz"[a]);
    }
    if (box->dimension == 3) return;
    bool turns_out = scree_wall_turns(wall) && fabs(wall->axis[2]) != 1.0;
    if (wall->shape->is_flat == NULL || !wall->shape->is_flat(wall->values))
        scree_input_error(e->input, e->node,
                          "wall '%s' would push grains out of the plane z = 0 of two dimensions",
                          wall->name);
    else if (wall->steady[2] != 0.0 || wall->direction[2] != 0.0 || turns_out)
        scree_input_error(e->input, e->node,
                          "wall '%s' moves out of the plane z = 0 of two dimensions", wall->name);
}

static char *join_names(const char *name, const char *suffix)
{
    size_t size = strlen(name) + strlen(suffix) + 2;
    char *joined = scree_alloc(size, 1);
    snprintf(joined, size, "%s.%s", name, suffix);
    return joined;
}

static void add_wall(struct scree_boundaries *walls, const struct entry *e,
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
    scree_wall_init(wall, e->box);
    check_space(e, wall);
    check_wedge(e, wall);
}

/* Everything is read before giving up, so that all mistakes are reported at once. */
static void read_entry(struct scree_boundaries *walls, struct entry *e,
                       const char *const *materials)
{
    struct common common;
    char what[80];
    snprintf(what, sizeof what, "boundary '%s'", e->wall.name);
    bool good = scree_input_read(e->input, e->node, NULL, what, common_params, &common);
    good = read_material(e, common.material, materials) && good;
    good = read_shape(e, common.shape, what) && good;
    good = read_motion(e, &common) && good;
    if (good && e->wall.shape->split == NULL) add_wall(walls, e, NULL);
    if (good && e->wall.shape->split != NULL) {
        struct scree_wall_piece piece[SCREE_WALL_PIECES];
        int n = e->wall.shape->split(e->wall.values, e->box, piece);
        for (int k = 0; k < n; k++) add_wall(walls, e, &piece[k]);
    }
    scree_motion_clear(&e->wall.move);
    scree_motion_clear(&e->wall.spin);
}

void scree_boundaries_read(struct scree_boundaries *walls, struct scree_input *input,
                           const struct scree_node *node, const char *const *materials,
                           const struct scree_box *box)
{
    *walls = (struct scree_boundaries){0};
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
        struct entry e = {.input = input, .node = scree_node_item(node, k), .box = box};
        e.wall.name = scree_node_key(node, k);
        read_entry(walls, &e, materials);
    }
    scree_boundaries_find_sides(walls, box);
}

/* One axis serves all stages: where a wall is follows from an offset and an angle. */
static void take_axis(const struct entry *e, struct scree_wall *wall, const double point[3])
{
    bool other_axis = false, other_point = false;
    for (int k = 0; k < 3; k++) {
        other_axis = other_axis || e->wall.axis[k] != wall->axis[k];
        other_point = other_point || (!isnan(point[0]) && point[k] != wall->pivot[k]);
    }
    if (wall->turns && (other_axis || other_point)) {
        scree_input_error(e->input, e->node,
                          "wall '%s' turns about another %s than before; one serves all stages",
                          wall->name, other_axis ? "axis" : "point");
        return;
    }
    memcpy(wall->axis, e->wall.axis, sizeof wall->axis);
    if (!isnan(point[0])) memcpy(wall->pivot, point, sizeof wall->pivot);
}

/* The drive that was read into `e`, for one of the walls of its name. */
static void add_change(struct scree_boundaries *walls, const struct entry *e, int w, int stage,
                       const double point[3])
{
    struct scree_wall *wall = &walls->wall[w], trial = *wall;
    struct scree_wall_change *change = &walls->change[walls->n_changes++];
    struct scree_wall_drive *drive = &change->drive;
    bool turns =
        e->wall.spin.law != NULL || (e->wall.servo.on && e->wall.servo.kind == SCREE_MOTION_TURN);
    if (turns) take_axis(e, wall, point);
    *change = (struct scree_wall_change){.stage = stage, .wall = w};
    scree_motion_copy(&drive->move, &e->wall.move);
    scree_motion_copy(&drive->spin, &e->wall.spin);
    memcpy(drive->steady, e->wall.steady, sizeof drive->steady);
    drive->servo = trial.servo = e->wall.servo;
    memcpy(trial.steady, e->wall.steady, sizeof trial.steady);
    memcpy(trial.direction, e->wall.direction, sizeof trial.direction);
    memcpy(trial.axis, wall->axis, sizeof trial.axis);
    if (drive->servo.on) scree_servo_aim(&trial, e->input, scree_node_find(e->node, "servo"));
    memcpy(drive->direction, trial.direction, sizeof drive->direction);
    scree_wall_expect(wall, drive, e->box);
    trial.turns = wall->turns;
    check_space(e, &trial);
    check_wedge(e, &trial);
}

static bool is_called(const struct scree_wall *wall, const char *name)
{
    size_t n = strlen(name);
    return strcmp(wall->name, name) == 0 ||
           (wall->is_piece && strncmp(wall->name, name, n) == 0 && wall->name[n] == '.');
}

static void refuse_name(struct entry *e, const struct scree_boundaries *walls)
{
    const char **names = scree_alloc((size_t)walls->n + 1, sizeof *names);
    for (int w = 0; w < walls->n; w++) names[w] = walls->wall[w].name;
    names[walls->n] = NULL;
    scree_input_unknown(e->input, e->node, "wall", e->wall.name, names);
    scree_node_mark_all_used(e->node);
    scree_alloc_free(names);
}

static void read_change(struct scree_boundaries *walls, struct entry *e, int stage)
{
    struct common common = {0};
    double point[3] = {NAN, NAN, NAN};
    char what[80];
    int first = 0;
    snprintf(what, sizeof what, "boundary '%s'", e->wall.name);
    while (first < walls->n && !is_called(&walls->wall[first], e->wall.name)) first++;
    if (first == walls->n) {
        refuse_name(e, walls);
        return;
    }
    bool rests = strcmp(scree_node_text(e->node), "fixed") == 0, good = true;
    memcpy(e->wall.axis, walls->wall[first].axis, sizeof e->wall.axis);
    if (rests)
        scree_node_mark_used(e->node);
    else if (scree_node_kind(e->node) == SCREE_NODE_SCALAR)
        scree_input_error(e->input, e->node,
                          "%s: expected a map (velocity, move, rotate, servo) "
                          "or the word 'fixed'",
                          what);
    else
        good = scree_input_read(e->input, e->node, NULL, what, drive_params, &common) &&
               read_drive(e, &common, point);
    for (int w = first; w < walls->n && good; w++)
        if (is_called(&walls->wall[w], e->wall.name)) add_change(walls, e, w, stage, point);
    scree_motion_clear(&e->wall.move);
    scree_motion_clear(&e->wall.spin);
}

void scree_boundaries_read_stage(struct scree_boundaries *walls, struct scree_input *input,
                                 const struct scree_node *node, int stage,
                                 const struct scree_box *box)
{
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_MAP) {
        scree_input_error(input, node, "boundaries: expected a map (name: {velocity: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    int n = scree_node_count(node), most = walls->n_changes + n * walls->n;
    walls->change = scree_alloc_resize(walls->change, (size_t)walls->n_changes, (size_t)most + 1,
                                       sizeof *walls->change);
    for (int k = 0; k < n; k++) {
        struct entry e = {.input = input, .node = scree_node_item(node, k), .box = box};
        e.wall.name = scree_node_key(node, k);
        e.wall.move.kind = SCREE_MOTION_SHIFT;
        e.wall.spin.kind = SCREE_MOTION_TURN;
        read_change(walls, &e, stage);
    }
}
