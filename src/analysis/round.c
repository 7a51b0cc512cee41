/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements in a wedge: cylindrical components, and rings as volumes. */
#include "round.h"

#include <math.h>
#include <string.h>

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

/* The radius of a wall about the axis and whether grains are outside it; false: no such wall. */
static bool find_cylinder(const struct scree_wall *wall, const struct scree_box *box,
                          double *radius, bool *outside)
{
    const struct scree_wedge *wedge = &box->wedge;
    double probe[1][4] = {{0.0}};
    struct scree_wall_contact found;
    if (strcmp(wall->shape->name, "cylinder") != 0 || !isinf(wall->radius)) return false;
    probe[0][wedge->axis] = 0.5 * (box->low[wedge->axis] + box->high[wedge->axis]);
    probe[0][wedge->u] = fmax(fabs(box->low[wedge->u]), fabs(box->high[wedge->u]));
    scree_wall_locate(wall, 1, (const double(*)[4])probe, &found);
    *outside = found.at.normal[wedge->u] > 0.0;
    *radius = probe[0][wedge->u] - (*outside ? found.at.gap : -found.at.gap);
    return true;
}

void scree_round_bounds(struct scree_extent *extent, const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    const struct scree_wedge *wedge = extent->round = &box->wedge;
    extent->inner = 0.0;
    extent->outer = fmax(fmax(fabs(box->low[wedge->u]), fabs(box->high[wedge->u])),
                         fmax(fabs(box->low[wedge->v]), fabs(box->high[wedge->v])));
    for (int w = 0; w < scene->walls->n; w++) {
        double radius;
        bool outside;
        if (!find_cylinder(&scene->walls->wall[w], box, &radius, &outside)) continue;
        if (outside)
            extent->inner = fmax(extent->inner, radius);
        else
            extent->outer = fmin(extent->outer, radius);
    }
}

double scree_round_section(const struct scree_extent *extent)
{
    const double pi = 3.14159265358979323846;
    return pi / extent->round->n * (extent->outer - extent->inner) *
           (extent->outer + extent->inner);
}

bool scree_round_holds(const struct scree_extent *extent, const double pos[3])
{
    double x = pos[extent->round->u], y = pos[extent->round->v], square = x * x + y * y;
    return square >= extent->inner * extent->inner && square < extent->outer * extent->outer;
}

/* How much of [from, to] is within a cylinder of this radius. */
static double inside(const struct scree_wedge *wedge, double radius, const double start[3],
                     const double along[3], double from, double to)
{
    double x = start[wedge->u], y = start[wedge->v], dx = along[wedge->u], dy = along[wedge->v];
    double a = dx * dx + dy * dy, b = x * dx + y * dy, c = x * x + y * y - radius * radius;
    if (a == 0.0) return c < 0.0 ? to - from : 0.0;
    double root = b * b - a * c;
    if (!(root > 0.0)) return 0.0;
    root = sqrt(root);
    return fmax(fmin(to, (root - b) / a) - fmax(from, (-root - b) / a), 0.0);
}

double scree_round_fraction(const struct scree_extent *extent, const double start[3],
                            const double along[3], double from, double to)
{
    return inside(extent->round, extent->outer, start, along, from, to) -
           inside(extent->round, extent->inner, start, along, from, to);
}
