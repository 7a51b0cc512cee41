/* SPDX-License-Identifier: BSD-3-Clause
 * The keys of conditions with which a stage or a run ends. */
#include <float.h>
#include <math.h>

#include "end_condition_read.h"

#define AT(member) offsetof(struct scree_end_condition_keys, member)
/* clang-format off */
#define KEYS(area_unit)                                                                     \
{                                                                                           \
    {"time", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(time),                  \
     "how long it lasts; otherwise give conditions, which must all be met, and 'at_most'"}, \
    {"steps", SCREE_PARAM_INTEGER, "", 1, 9e15, "", NULL, AT(steps),                        \
     "instead of time: number of steps"},                                                   \
    {"energy_ratio", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(energy_ratio),  \
     "kinetic and rotational energy are below this part of the elastic energy"},            \
    {"speed", SCREE_PARAM_REAL, "m/s", DBL_MIN, INFINITY, "", NULL, AT(speed),              \
     "no grain that forces move is faster"},                                                \
    {"coordination", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(coordination),  \
     "grains have at least so many contacts with grains, on average"},                      \
    {"servos", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(servos),              \
     "the loads of all servos differ from their targets by less than this part"},           \
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(wall),                                \
     "of which the next seven keys tell"},                                                  \
    {"displacement", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(displacement),  \
     "it has come so far since the stage began"},                                           \
    {"strain", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(strain),              \
     "likewise along its normal, as a part of the distance between the walls then"},        \
    {"shear", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "", NULL, AT(shear),                \
     "likewise across its normal"},                                                         \
    {"angle", SCREE_PARAM_REAL, "rad", DBL_MIN, INFINITY, "", NULL, AT(angle),              \
     "it has turned so far since the stage began"},                                         \
    {"force", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(force),                              \
     "grains push it with at least so much, a plane along its normal; or {at_least: ...}, " \
     "{at_most: ...}"},                                                                     \
    {"stress", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(stress),                            \
     "likewise per area of the wall"},                                                      \
    {"area", SCREE_PARAM_REAL, area_unit, DBL_MIN, INFINITY, "", NULL, AT(area),            \
     "on which 'stress' acts; default: what other walls and periods leave of a plane, the " \
     "face of a disk, ring or rectangle"},                                                  \
    {"contacts", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(contacts),                        \
     "number of grains that touch a wall"},                                                 \
    {"grains", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(grains),                            \
     "number of grains beyond a plane"},                                                    \
    {"cell", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(cell),                                \
     "strain, stress, pressure or solid fraction of a box that deforms"},                   \
    {"after", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(after),                     \
     "time before which conditions are not looked at"},                                     \
    {"check", SCREE_PARAM_INTEGER, "", 1, 9e15, "100", NULL, AT(check),                     \
     "steps between looks at the conditions"},                                              \
    {"at_most", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(at_most),                          \
     "when it ends with a warning if the conditions are not met"},                          \
    {0},                                                                                    \
}
/* clang-format on */
static const struct scree_param keys_2d[] = KEYS("m"), keys_3d[] = KEYS("m^2");
#undef AT

const struct scree_param *scree_end_condition_params(int dimension)
{
    return dimension == 2 ? keys_2d : keys_3d;
}
