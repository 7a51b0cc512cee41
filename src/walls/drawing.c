/* SPDX-License-Identifier: BSD-3-Clause
 * Triangles of walls, for pictures: round ones have facets, endless ones end at the box. */
#include "drawing.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"

enum { AROUND = 96, UP = 48, MOST_CORNERS = 16 };

void scree_drawing_add(struct scree_wall_drawing *d, const double a[3], const double b[3],
                       const double c[3])
{
    const double *corner[3] = {a, b, c};
    SCREE_GROW(d->corner, d->n, d->capacity, d->n + 1);
    for (int v = 0; v < 3; v++) memcpy(d->corner[d->n][v], corner[v], sizeof d->corner[0][0]);
    d->n++;
}

void scree_drawing_across(const double axis[3], double across[2][3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) < fabs(axis[least])) least = k;
    double along[3] = {least == 0, least == 1, least == 2};
    scree_vec_cross(axis, along, across[0]);
    double length = scree_vec_norm(across[0]);
    for (int k = 0; k < 3; k++) across[0][k] /= length;
    scree_vec_cross(axis, across[0], across[1]);
}

/* Cut off what is beyond x[axis] = at, on the upper side if `upper`. Returns the corners left. */
static int cut_polygon(double (*corner)[3], int n, int axis, double at, bool upper)
{
    double left[MOST_CORNERS][3];
    int n_left = 0;
    for (int k = 0; k < n && n_left < MOST_CORNERS - 1; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % n];
        double in_a = upper ? at - a[axis] : a[axis] - at,
               in_b = upper ? at - b[axis] : b[axis] - at;
        if (in_a >= 0.0) memcpy(left[n_left++], a, sizeof left[0]);
        if ((in_a < 0.0) == (in_b < 0.0)) continue;
        for (int c = 0; c < 3; c++) left[n_left][c] = a[c] + (b[c] - a[c]) * in_a / (in_a - in_b);
        n_left++;
    }
    memcpy(corner, left, (size_t)n_left * sizeof left[0]);
    return n_left;
}

void scree_drawing_plane(struct scree_wall_drawing *d, const double point[3],
                         const double normal[3], const double low[3], const double high[3])
{
    double across[2][3], middle[3], size[3], corner[MOST_CORNERS][3];
    int n = 4;
    for (int k = 0; k < 3; k++) {
        size[k] = high[k] - low[k];
        middle[k] = 0.5 * (low[k] + high[k]) - point[k];
    }
    double off = scree_vec_dot(middle, normal), half = 2.0 * scree_vec_norm(size);
    scree_drawing_across(normal, across);
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            corner[c][k] = point[k] + middle[k] - off * normal[k] +
                           (c == 0 || c == 3 ? -half : half) * across[0][k] +
                           (c < 2 ? -half : half) * across[1][k];
    for (int a = 0; a < 3; a++) { /* not where it faces: it may stand outside of the box */
        if (fabs(normal[a]) > 0.999) continue;
        n = cut_polygon(corner, n, a, low[a], false);
        n = cut_polygon(corner, n, a, high[a], true);
    }
    for (int k = 2; k < n; k++) scree_drawing_add(d, corner[0], corner[k - 1], corner[k]);
}

void scree_drawing_revolved(struct scree_wall_drawing *d, const struct scree_shape_revolved *sheet)
{
    double across[2][3], at[2][2][3];
    scree_drawing_across(sheet->axis, across);
    for (int a = 0; a < AROUND; a++) {
        for (int side = 0; side < 2; side++) {
            double angle = 2.0 * acos(-1.0) * ((a + side) % AROUND) / AROUND;
            double c = cos(angle), s = sin(angle);
            for (int e = 0; e < 2; e++) {
                const double *end = e == 0 ? sheet->from : sheet->to;
                for (int k = 0; k < 3; k++)
                    at[side][e][k] = sheet->point[k] + end[1] * sheet->axis[k] +
                                     end[0] * (c * across[0][k] + s * across[1][k]);
            }
        }
        scree_drawing_add(d, at[0][0], at[1][0], at[1][1]);
        scree_drawing_add(d, at[0][0], at[1][1], at[0][1]);
    }
}

void scree_drawing_sphere(struct scree_wall_drawing *d, const double centre[3], double radius)
{
    struct scree_shape_revolved belt = {.axis = {0.0, 0.0, 1.0}};
    memcpy(belt.point, centre, sizeof belt.point);
    for (int u = 0; u < UP; u++)
        for (int side = 0; side < 2; side++) {
            double angle = acos(-1.0) * (u + side) / UP, *end = side == 0 ? belt.from : belt.to;
            end[0] = radius * sin(angle);
            end[1] = -radius * cos(angle);
            if (side == 1) scree_drawing_revolved(d, &belt);
        }
}

void scree_drawing_block(struct scree_wall_drawing *d, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++) {
            double corner[4][3];
            for (int c = 0; c < 4; c++) {
                corner[c][a] = side == 0 ? low[a] : high[a];
                corner[c][(a + 1) % 3] = c == 1 || c == 2 ? high[(a + 1) % 3] : low[(a + 1) % 3];
                corner[c][(a + 2) % 3] = c >= 2 ? high[(a + 2) % 3] : low[(a + 2) % 3];
            }
            scree_drawing_add(d, corner[0], corner[1], corner[2]);
            scree_drawing_add(d, corner[0], corner[2], corner[3]);
        }
}
