/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the key `tilt` of a wall. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/vec.h"
#include "shape.h"
#include "tilt.h"

struct keys {
    double inertia, damping, limit, start, rise, normal[3], point[3];
};

static const char *const auto_word[] = {"auto", NULL};

#define AT(member) offsetof(struct keys, member)
const struct scree_param scree_tilt_params[] = {
    {"inertia", SCREE_PARAM_REAL, "kg m^2", DBL_MIN, INFINITY, NULL, NULL, AT(inertia),
     "moment of inertia of the wall about any axis across its normal"},
    {"damping", SCREE_PARAM_REAL, "kg m^2/s", 0, INFINITY, "auto", auto_word, AT(damping),
     "gamma of the torque -gamma w on the wall; auto: critical for its contacts"},
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(point),
     "of the wall that does not move by tilting; default: its middle"},
    {"normal", SCREE_PARAM_VECTOR, "1", 0, 0, "", NULL, AT(normal),
     "it tilts about the directions across this one; default: the normal of the wall"},
    {"limit", SCREE_PARAM_REAL, "rad", DBL_MIN, 1.5, "30 deg", NULL, AT(limit),
     "largest angle about either direction"},
    {"start", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(start), "held before"},
    {"rise", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(rise),
     "time from 'start' in which the torque that holds it in stages falls to 0"},
    {0},
};

bool scree_tilt_read(struct scree_wall *wall, struct scree_input *input,
                     const struct scree_node *node, double normal[3], double point[3])
{
    struct keys keys;
    char what[96];
    int before = scree_input_n_errors(input);
    snprintf(what, sizeof what, "tilt of '%s'", wall->name);
    scree_input_read(input, node, NULL, what, scree_tilt_params, &keys);
    if (!isnan(keys.normal[0]))
        scree_shape_direction(input, node, what, "normal", "a direction such as [0, 0, 1]",
                              keys.normal);
    for (int s = 0; s < SCREE_WALL_TILTS; s++)
        wall->tilt[s] = (struct scree_servo){.on = true,
                                             .kind = SCREE_MOTION_TURN,
                                             .push = 0.0,
                                             .stress = NAN,
                                             .area = NAN,
                                             .inertia = keys.inertia,
                                             .damping = keys.damping,
                                             .fastest = INFINITY,
                                             .low = -keys.limit,
                                             .high = keys.limit,
                                             .start = keys.start,
                                             .rise = keys.rise};
    memcpy(normal, keys.normal, sizeof keys.normal);
    memcpy(point, keys.point, sizeof keys.point);
    return scree_input_n_errors(input) == before;
}

/* `wall->across[0]` holds the normal that was read. */
void scree_tilt_aim(struct scree_wall *wall, struct scree_input *input,
                    const struct scree_node *node, int dimension)
{
    double normal[3], along;
    int least = 0;
    memcpy(normal, wall->across[0], sizeof normal);
    memset(wall->across, 0, sizeof wall->across);
    if (wall->is_piece)
        scree_input_error(input, node,
                          "tilt of '%s': it is one of several walls; give the one that tilts a "
                          "name of its own",
                          wall->name);
    bool is_disk = strcmp(wall->shape->name, "disk") == 0;
    if (wall->shape->facing == NULL && !is_disk) {
        scree_input_error(input, node, "tilt of '%s': only planes%s tilt", wall->name,
                          dimension == 2 ? "" : " and disks");
        return;
    }
    if (dimension == 2) {
        wall->across[0][2] = 1.0;
        wall->tilt[1].on = false;
        return;
    }
    if (isnan(normal[0]) && is_disk)
        memcpy(normal, ((const struct scree_shape_revolved *)(const void *)wall->values)->axis,
               sizeof normal);
    else if (isnan(normal[0]))
        wall->shape->facing(wall->values, normal);
    for (int a = 1; a < 3; a++)
        if (fabs(normal[a]) < fabs(normal[least])) least = a;
    wall->across[0][least] = 1.0;
    along = normal[least];
    for (int a = 0; a < 3; a++) wall->across[0][a] -= along * normal[a];
    double length = scree_vec_norm(wall->across[0]);
    for (int a = 0; a < 3; a++) wall->across[0][a] /= length;
    scree_vec_cross(normal, wall->across[0], wall->across[1]);
}

/* A point of the rim of a disk; its shape is swept about its axis. */
static void find_rim(const struct scree_shape_revolved *disk, double angle, double pos[4])
{
    double side[3], other[3], out[3] = {0.0, 0.0, 0.0};
    out[fabs(disk->axis[0]) < 0.8 ? 0 : 1] = 1.0;
    scree_vec_cross(disk->axis, out, side);
    double length = scree_vec_norm(side);
    for (int k = 0; k < 3; k++) side[k] /= length;
    scree_vec_cross(disk->axis, side, other);
    for (int k = 0; k < 3; k++)
        pos[k] = disk->point[k] + disk->to[0] * (cos(angle) * side[k] + sin(angle) * other[k]);
    pos[3] = 0.0;
}

void scree_tilt_check_joints(const struct scree_walls *walls, const struct scree_wall *wall,
                             struct scree_input *input, const struct scree_node *node)
{
    enum { POINTS = 24 };
    if (isinf(wall->radius)) return;
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *other = &walls->wall[w];
        bool meets = false;
        for (int k = 0; k < POINTS && other != wall; k++) {
            double pos[4], gap;
            find_rim((const void *)wall->values, 6.283185307179586 * k / POINTS, pos);
            scree_wall_gaps(other, 1, (const double(*)[4])pos, &gap);
            meets = meets || fabs(gap) < SCREE_JOINT_TOLERANCE * wall->radius;
        }
        if (!meets) continue;
        scree_input_error(input, node,
                          "tilt of '%s': its edge meets wall '%s', from which it would part; leave "
                          "a gap that no grain falls through",
                          wall->name, other->name);
    }
}
