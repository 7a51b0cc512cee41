/* SPDX-License-Identifier: BSD-3-Clause
 * What shapes share: directions from the input, lines and cylindrical coordinates. */
#include "shape.h"

#include <math.h>
#include <stddef.h>

#include "scree/vec.h"

#define ROUNDING      1e-12
#define CLOSE_TO_AXIS 1e-3

const char *const scree_shape_sides[] = {"inside", "outside", NULL};

/* Scaled by the largest component first, so that very long and very short vectors neither overflow
 * nor vanish when squared. */
bool scree_shape_direction(struct scree_input *input, const struct scree_node *node,
                           const char *what, const char *key, const char *meaning,
                           double direction[3])
{
    double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
    if (isnan(direction[0])) return false;
    if (!(largest > 0.0)) {
        const struct scree_node *place = scree_node_find(node, key);
        scree_input_error(input, place != NULL ? place : node, "%s: '%s' is zero; give %s", what,
                          key, meaning);
        return false;
    }
    for (int k = 0; k < 3; k++) direction[k] /= largest;
    double length = scree_vec_norm(direction);
    for (int k = 0; k < 3; k++) direction[k] /= length;
    return true;
}

void scree_shape_check_corners(struct scree_input *input, const struct scree_node *node,
                               const char *what, int dimension, const void *corners)
{
    const double *low = corners, *high = low + 3;
    for (int k = 0; k < dimension; k++)
        if (high[k] <= low[k])
            scree_input_error(input, scree_node_find(node, "high"),
                              "%s: 'high' is not above 'low' along %c", what, "xyz"[k]);
}

void scree_shape_bound_corners(const void *corners, double centre[3], double *radius)
{
    const double *low = corners, *high = low + 3;
    double half[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (low[k] + high[k]);
        half[k] = 0.5 * (high[k] - low[k]);
    }
    *radius = scree_vec_norm(half);
}

bool scree_shape_is_whole_period(double length, double period)
{
    return fabs(length - period) <= 1e-9 * period;
}

bool scree_shape_is_parallel(const double a[3], const double b[3])
{
    double cross[3];
    scree_vec_cross(a, b, cross);
    return scree_vec_norm(cross) < ROUNDING;
}

bool scree_shape_is_on_line(const double x[3], const double point[3], const double direction[3])
{
    struct scree_shape_place place = scree_shape_find_place(point, direction, x);
    double size = fmax(scree_vec_norm(x), scree_vec_norm(point));
    return place.off <= ROUNDING * size;
}

static void any_across(const double axis[3], double across[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) < fabs(axis[least])) least = k;
    double other[3] = {0.0, 0.0, 0.0};
    other[least] = 1.0;
    scree_vec_cross(axis, other, across);
    double length = scree_vec_norm(across);
    for (int k = 0; k < 3; k++) across[k] /= length;
}

struct scree_shape_place scree_shape_find_place(const double point[3], const double axis[3],
                                                const double x[3])
{
    struct scree_shape_place place;
    double d[3] = {x[0] - point[0], x[1] - point[1], x[2] - point[2]};
    place.along = scree_vec_dot(d, axis);
    for (int k = 0; k < 3; k++) d[k] -= place.along * axis[k];
    place.off = scree_vec_norm(d);
    if (place.off < CLOSE_TO_AXIS * fabs(place.along)) {
        /* Most of what is left along the axis is rounding, and outwards must be across it. */
        double left = scree_vec_dot(d, axis);
        for (int k = 0; k < 3; k++) d[k] -= left * axis[k];
        place.off = scree_vec_norm(d);
    }
    if (place.off > 0.0)
        for (int k = 0; k < 3; k++) place.outwards[k] = d[k] / place.off;
    else
        any_across(axis, place.outwards);
    return place;
}
