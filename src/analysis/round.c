/* SPDX-License-Identifier: BSD-3-Clause
 * Round samples: rings as volumes, and in a wedge cylindrical components. */
#include "round.h"

#include <math.h>

void scree_round_components(const struct scree_wedge *wedge, const double pos[3], double vector[3])
{
    double x = pos[wedge->u], y = pos[wedge->v], r = sqrt(x * x + y * y);
    double c = r > 0.0 ? x / r : 1.0, s = r > 0.0 ? y / r : 0.0;
    double along_u = vector[wedge->u], along_v = vector[wedge->v], axial = vector[wedge->axis];
    vector[0] = c * along_u + s * along_v;
    vector[1] = c * along_v - s * along_u;
    vector[2] = axial;
}

const char *const *scree_round_names(const struct scree_box *box)
{
    static const char *const straight[] = {"x", "y", "z"};
    static const char *const about[3][3] = {
        {"r", "phi", "x"}, {"r", "phi", "y"}, {"r", "phi", "z"}};
    return box->wedge.n > 0 ? about[box->wedge.axis] : straight;
}

double scree_round_section(const struct scree_extent *extent)
{
    double inner = extent->inner, outer = fmax(extent->outer, inner);
    return extent->round->share * acos(-1.0) * (outer - inner) * (outer + inner);
}

bool scree_round_holds(const struct scree_extent *extent, const double pos[3])
{
    double square = 0.0;
    for (int a = 0; a < 3; a++) {
        double d = pos[a] - extent->round->centre[a];
        if (a != extent->axis) square += d * d;
    }
    return square >= extent->inner * extent->inner && square < extent->outer * extent->outer;
}

/* How much of [from, to] is within a cylinder of this radius. */
static double inside(const struct scree_extent *extent, double radius, const double start[3],
                     const double along[3], double from, double to)
{
    double a = 0.0, b = 0.0, c = -radius * radius;
    for (int k = 0; k < 3; k++) {
        double x = start[k] - extent->round->centre[k], dx = along[k];
        if (k == extent->axis) continue;
        a += dx * dx;
        b += x * dx;
        c += x * x;
    }
    if (a == 0.0) return c < 0.0 ? to - from : 0.0;
    double root = b * b - a * c;
    if (!(root > 0.0)) return 0.0;
    root = sqrt(root);
    return fmax(fmin(to, (root - b) / a) - fmax(from, (-root - b) / a), 0.0);
}

double scree_round_fraction(const struct scree_extent *extent, const double start[3],
                            const double along[3], double from, double to)
{
    return inside(extent, extent->outer, start, along, from, to) -
           inside(extent, extent->inner, start, along, from, to);
}
