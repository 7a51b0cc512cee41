/* SPDX-License-Identifier: BSD-3-Clause
 * Reading what moves a wall, at the start or in a stage. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tilt.h"
#include "walls_read.h"

#define AT(member) offsetof(struct scree_wall_keys, member)
/* clang-format off */
#define DRIVE_KEYS                                                                 \
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL, AT(velocity), \
     "constant velocity of the wall; 'move' comes on top of it"},                  \
    {"move", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(move),                       \
     "motion along a direction by a law of time"},                                 \
    {"rotate", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(rotate),                   \
     "turning about an axis by a law of time"},                                    \
    {"servo", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(servo),                     \
     "motion by the force or torque of the grains and a target"},                  \
    {"tilt", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(tilt),                       \
     "free to turn about both directions across its normal"},                      \
    {0}
/* clang-format on */
static const struct scree_param drive_params[] = {DRIVE_KEYS};
static const struct scree_param common_params[] = {
    {"shape", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(shape),
     "kind of wall; see `scree list boundaries`"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "a name of the section 'materials'"},
    DRIVE_KEYS,
};

const struct scree_param *scree_walls_common_params(void)
{
    return common_params;
}

const struct scree_param *scree_walls_drive_params(void)
{
    return drive_params;
}

/* A servo takes the place of the law of time for its kind of motion. */
static bool read_servo(struct scree_wall_entry *e, const struct scree_wall_keys *keys,
                       double point[3])
{
    struct scree_wall *wall = &e->wall;
    double along[3];
    bool good = scree_servo_read(&wall->servo, e->input, keys->servo, wall->name, e->box->dimension,
                                 along, point);
    bool turns = wall->servo.kind == SCREE_MOTION_TURN;
    if ((turns ? keys->rotate : keys->move) != NULL) {
        scree_input_error(e->input, keys->servo,
                          "wall '%s' has both 'servo' and '%s': its motion follows from the one or "
                          "the other",
                          wall->name, turns ? "rotate" : "move");
        return false;
    }
    memcpy(turns ? wall->axis : wall->direction, along, sizeof along);
    return good;
}

/* The normal waits in the place of the directions across it, see scree_tilt_aim(). */
static bool read_tilt(struct scree_wall_entry *e, const struct scree_wall_keys *keys,
                      double point[3])
{
    struct scree_wall *wall = &e->wall;
    bool turns = wall->servo.on && wall->servo.kind == SCREE_MOTION_TURN;
    bool good = scree_tilt_read(wall, e->input, keys->tilt, wall->across[0], point);
    if (!turns && keys->rotate == NULL) return good;
    scree_input_error(e->input, keys->tilt,
                      "wall '%s' has both 'tilt' and %s: a wall that turns does not tilt",
                      wall->name, turns ? "a torque" : "'rotate'");
    return false;
}

bool scree_wall_read_drive(struct scree_wall_entry *e, const struct scree_wall_keys *keys,
                           double point[3])
{
    struct scree_wall *wall = &e->wall;
    bool good = true;
    point[0] = point[1] = point[2] = NAN;
    memcpy(wall->steady, keys->velocity, sizeof wall->steady);
    wall->move.kind = SCREE_MOTION_SHIFT;
    wall->spin.kind = SCREE_MOTION_TURN;
    if (keys->move != NULL)
        good =
            scree_motion_read(&wall->move, e->input, keys->move, wall->name, wall->direction, NULL);
    if (keys->rotate != NULL)
        good =
            scree_motion_read(&wall->spin, e->input, keys->rotate, wall->name, wall->axis, point) &&
            good;
    if (keys->servo != NULL) good = read_servo(e, keys, point) && good;
    if (keys->tilt != NULL) good = read_tilt(e, keys, point) && good;
    return good;
}
