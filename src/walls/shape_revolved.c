/* SPDX-License-Identifier: BSD-3-Clause
 * Sheets of revolution: a straight line swept about an axis. The point closest to a grain lies in
 * the half plane of the grain and the axis, so the search is one in two dimensions. */
#include <math.h>

#include "scree/vec.h"
#include "shape.h"

/* The generating line: unit vector along it, from one end to the other. */
static double line(const struct scree_shape_revolved *sheet, double t[2])
{
    double off = sheet->to[0] - sheet->from[0], along = sheet->to[1] - sheet->from[1];
    double length = sqrt(off * off + along * along);
    t[0] = off / length;
    t[1] = along / length;
    return length;
}

/* Away from an end of the line: the grain is beyond it. `normal` is {outwards, along}. */
static double beyond(const double end[2], const struct scree_shape_place *place, double normal[2])
{
    double off = place->off - end[0], along = place->along - end[1];
    double distance = sqrt(off * off + along * along);
    if (distance > 0.0) { /* else: the normal of the face will do */
        normal[0] = off / distance;
        normal[1] = along / distance;
    }
    return distance;
}

void scree_shape_revolved_locate(const void *values, int n, const double (*pos)[4],
                                 struct scree_wall_point *found)
{
    const struct scree_shape_revolved *sheet = values;
    double t[2], length = line(sheet, t);
    for (int i = 0; i < n; i++) {
        struct scree_shape_place place = scree_shape_find_place(sheet->point, sheet->axis, pos[i]);
        double off = place.off - sheet->from[0], along = place.along - sheet->from[1];
        double s = off * t[0] + along * t[1], distance = off * t[1] - along * t[0];
        double side = distance < 0.0 ? -1.0 : 1.0, normal[2] = {side * t[1], -side * t[0]};
        distance = fabs(distance);
        found[i].edge = s < 0.0 || s > length;
        if (s < 0.0) distance = beyond(sheet->from, &place, normal);
        if (s > length) distance = beyond(sheet->to, &place, normal);
        found[i].gap = distance - pos[i][3];
        for (int k = 0; k < 3; k++)
            found[i].normal[k] = normal[0] * place.outwards[k] + normal[1] * sheet->axis[k];
    }
}

void scree_shape_revolved_bound(const void *values, double centre[3], double *radius)
{
    const struct scree_shape_revolved *sheet = values;
    double middle = 0.5 * (sheet->from[1] + sheet->to[1]);
    double half = 0.5 * fabs(sheet->to[1] - sheet->from[1]);
    for (int k = 0; k < 3; k++) centre[k] = sheet->point[k] + middle * sheet->axis[k];
    double off = fmax(sheet->from[0], sheet->to[0]);
    *radius = sqrt(half * half + off * off);
}

bool scree_shape_revolved_revolves(const void *values, const double point[3], const double axis[3])
{
    const struct scree_shape_revolved *sheet = values;
    return scree_shape_is_parallel(sheet->axis, axis) &&
           scree_shape_is_on_line(sheet->point, point, axis);
}
