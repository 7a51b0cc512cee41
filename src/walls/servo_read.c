/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the key `servo` of a wall. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/vec.h"
#include "scree/walls.h"
#include "shape.h"

struct keys {
    double push, stress, area;
    double direction[3], point[3];
    double inertia, damping, speed, low, high, start, rise;
};

static const char *const auto_word[] = {"auto", NULL};

#define AT(member) offsetof(struct keys, member)
#define LIMITS(length, rate)                                                                   \
    {"speed", SCREE_PARAM_REAL, rate,                                                          \
     DBL_MIN, INFINITY,         "",                                                            \
     NULL,    AT(speed),        "never faster than this; default: no limit"},                  \
        {"low",                                                                                \
         SCREE_PARAM_REAL,                                                                     \
         length,                                                                               \
         -INFINITY,                                                                            \
         0.0,                                                                                  \
         "",                                                                                   \
         NULL,                                                                                 \
         AT(low),                                                                              \
         "farthest back from where it starts, <= 0"},                                          \
        {"high", SCREE_PARAM_REAL, length,                                                     \
         0.0,    INFINITY,         "",                                                         \
         NULL,   AT(high),         "farthest forth from where it starts"},                     \
        {"start", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(start), "at rest before"}, \
        {"rise",                                                                               \
         SCREE_PARAM_REAL,                                                                     \
         "s",                                                                                  \
         0,                                                                                    \
         INFINITY,                                                                             \
         "0",                                                                                  \
         NULL,                                                                                 \
         AT(rise),                                                                             \
         "time from 'start' in which the target rises from 0 (in stages: the present load)"},  \
    {                                                                                          \
        0                                                                                      \
    }
#define SHIFT(stress_unit, area_unit)                                                             \
    {                                                                                             \
        {"force",                                                                                 \
         SCREE_PARAM_REAL,                                                                        \
         "N",                                                                                     \
         0,                                                                                       \
         0,                                                                                       \
         "",                                                                                      \
         NULL,                                                                                    \
         AT(push),                                                                                \
         "of the outside on the wall along 'direction'; or give 'stress'"},                       \
            {"stress",                                                                            \
             SCREE_PARAM_REAL,                                                                    \
             stress_unit,                                                                         \
             0,                                                                                   \
             0,                                                                                   \
             "",                                                                                  \
             NULL,                                                                                \
             AT(stress),                                                                          \
             "likewise, per area of the wall"},                                                   \
            {"area",                                                                              \
             SCREE_PARAM_REAL,                                                                    \
             area_unit,                                                                           \
             DBL_MIN,                                                                             \
             INFINITY,                                                                            \
             "",                                                                                  \
             NULL,                                                                                \
             AT(area),                                                                            \
             "on which 'stress' acts; default: what other walls and periods leave of a "          \
             "plane, the face of a disk, ring or rectangle"},                                     \
            {"direction",                                                                         \
             SCREE_PARAM_VECTOR,                                                                  \
             "1",                                                                                 \
             0,                                                                                   \
             0,                                                                                   \
             "",                                                                                  \
             NULL,                                                                                \
             AT(direction),                                                                       \
             "in which it moves, of any length; default: the normal of a plane"},                 \
            {"mass",    SCREE_PARAM_REAL, "kg",                                                   \
             DBL_MIN,   INFINITY,         "auto",                                                 \
             auto_word, AT(inertia),      "of the wall; auto: that of the grains that touch it"}, \
            {"damping",                                                                           \
             SCREE_PARAM_REAL,                                                                    \
             "kg/s",                                                                              \
             0,                                                                                   \
             INFINITY,                                                                            \
             "auto",                                                                              \
             auto_word,                                                                           \
             AT(damping),                                                                         \
             "gamma of the force -gamma x' on the wall; auto: critical for its contacts"},        \
            LIMITS("m", "m/s")                                                                    \
    }
static const struct scree_param shift_2d[] = SHIFT(SCREE_UNIT_FLAT_STRESS, "m"),
                                shift_3d[] = SHIFT("Pa", "m^2");
static const struct scree_param turn_params[] = {
    {"torque", SCREE_PARAM_REAL, "N m", 0, 0, NULL, NULL, AT(push),
     "of the outside on the wall about 'axis'"},
    {"axis", SCREE_PARAM_VECTOR, "1", 0, 0, "[0, 0, 1]", NULL, AT(direction),
     "about which it turns, of any length"},
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(point),
     "any point of the axis, where it is in space when this begins; default: as before, at first "
     "the middle of the wall"},
    {"inertia", SCREE_PARAM_REAL, "kg m^2", DBL_MIN, INFINITY, NULL, NULL, AT(inertia),
     "moment of inertia of the wall about the axis"},
    {"damping", SCREE_PARAM_REAL, "kg m^2/s", 0, INFINITY, "0", auto_word, AT(damping),
     "gamma of the torque -gamma w on the wall; auto: critical for its contacts"},
    LIMITS("rad", "rad/s"),
};

const struct scree_param *scree_servo_params(enum scree_motion_kind kind, int dimension)
{
    if (kind == SCREE_MOTION_TURN) return turn_params;
    return dimension == 2 ? shift_2d : shift_3d;
}

static void check_target(struct scree_input *input, const struct scree_node *node, const char *what,
                         const struct keys *keys)
{
    if (isnan(keys->push) == isnan(keys->stress))
        scree_input_error(input, node, "%s: give either 'force' or 'stress' (or 'torque')", what);
    if (!isnan(keys->area) && isnan(keys->stress))
        scree_input_error(input, scree_node_find(node, "area"),
                          "%s: 'area' is of use only with 'stress'", what);
}

bool scree_servo_read(struct scree_servo *servo, struct scree_input *input,
                      const struct scree_node *node, const char *name, int dimension,
                      double direction[3], double point[3])
{
    struct keys keys;
    char what[96];
    int before = scree_input_n_errors(input);
    bool is_map = scree_node_kind(node) == SCREE_NODE_MAP;
    bool turns = is_map && scree_node_find(node, "torque") != NULL;
    *servo =
        (struct scree_servo){.on = true, .kind = turns ? SCREE_MOTION_TURN : SCREE_MOTION_SHIFT};
    keys.stress = keys.area = NAN;
    snprintf(what, sizeof what, "servo of '%s'", name);
    scree_input_read(input, node, NULL, what, scree_servo_params(servo->kind, dimension), &keys);
    if (is_map && !turns && scree_input_n_errors(input) == before)
        check_target(input, node, what, &keys);
    if (!isnan(keys.direction[0]))
        scree_shape_direction(input, node, what, turns ? "axis" : "direction",
                              "a direction such as [0, 0, 1]", keys.direction);
    memcpy(direction, keys.direction, sizeof keys.direction);
    if (turns) memcpy(point, keys.point, sizeof keys.point);
    servo->node = node;
    servo->push = keys.push;
    servo->stress = keys.stress;
    servo->area = keys.area;
    servo->inertia = keys.inertia;
    servo->damping = keys.damping;
    servo->fastest = isnan(keys.speed) ? INFINITY : keys.speed;
    servo->low = isnan(keys.low) ? -INFINITY : keys.low;
    servo->high = isnan(keys.high) ? INFINITY : keys.high;
    servo->start = keys.start;
    servo->rise = keys.rise;
    return scree_input_n_errors(input) == before;
}

void scree_servo_aim(struct scree_wall *wall, struct scree_input *input,
                     const struct scree_node *node)
{
    const struct scree_servo *servo = &wall->servo;
    double *along = wall->direction;
    if (servo->kind == SCREE_MOTION_TURN) return;
    if (isnan(along[0]) && wall->shape->facing == NULL) {
        scree_input_error(input, node,
                          "servo of '%s': 'direction' is required (only planes have one of their "
                          "own)",
                          wall->name);
        return;
    }
    if (isnan(along[0])) wall->shape->facing(wall->values, along);
    if (fabs(scree_vec_dot(along, wall->steady)) > 1e-12 * scree_vec_norm(wall->steady))
        scree_input_error(input, node, "servo of '%s': 'velocity' must be across its direction",
                          wall->name);
}

static void check_area(const struct scree_walls *walls, int w, const struct scree_servo *servo,
                       struct scree_input *input)
{
    char why[SCREE_SECTION_REASON];
    if (!servo->on || servo->kind != SCREE_MOTION_SHIFT || isnan(servo->stress)) return;
    if (!isnan(servo->area) || scree_walls_know_area(walls, w, why, sizeof why)) return;
    scree_input_error(input, servo->node,
                      "servo of '%s': give the 'area' on which 'stress' acts; it is not known: %s",
                      walls->wall[w].name, why);
}

void scree_walls_check_servo_areas(const struct scree_walls *walls, struct scree_input *input)
{
    for (int w = 0; w < walls->n; w++) check_area(walls, w, &walls->wall[w].servo, input);
    for (int k = 0; k < walls->n_changes; k++)
        check_area(walls, walls->change[k].wall, &walls->change[k].drive.servo, input);
}
