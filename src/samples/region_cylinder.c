/* SPDX-License-Identifier: BSD-3-Clause
 * A cylinder along an axis (2D: a disk); with an inner radius a ring; with angles a wedge of it. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/regions.h"

struct cylinder {
    double centre[3], radius, inner, low, high, from, to;
    int axis;
};
_Static_assert(sizeof(struct cylinder) <= SCREE_REGION_VALUES * sizeof(double), "cylinder fits");

static const char *const axes[] = {"x", "y", "z", NULL};

#define AT(member) offsetof(struct cylinder, member)
static const struct scree_param params[] = {
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "z", axes, AT(axis), "direction of the cylinder"},
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, "[0, 0, 0]", NULL, AT(centre),
     "any point of its axis"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(radius), "outer radius"},
    {"inner", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(inner), "inner radius of a ring"},
    {"low", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(low),
     "lower end along the axis; default: of the domain"},
    {"high", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(high),
     "upper end along the axis; default: of the domain"},
    {"from", SCREE_PARAM_REAL, "rad", -7, 7, "", NULL, AT(from),
     "angle at which a wedge begins, counted about the axis from the axis that follows it"},
    {"to", SCREE_PARAM_REAL, "rad", -7, 7, "", NULL, AT(to), "angle at which it ends"},
    {0},
};

static const double two_pi = 6.283185307179586;

static bool is_wedge(const struct cylinder *v)
{
    return !isnan(v->from);
}

/* How far an angle lies beyond `from`, in [0, 2 pi). */
static double turn(const struct cylinder *v, double angle)
{
    double t = fmod(angle - v->from, two_pi);
    return t < 0.0 ? t + two_pi : t;
}

static void widen(struct scree_region *region, int axis, double x)
{
    region->low[axis] = fmin(region->low[axis], x);
    region->high[axis] = fmax(region->high[axis], x);
}

/* A wedge reaches to its corners and to those axes that lie within it. */
static void bound_section(struct scree_region *region, const struct cylinder *v, int b, int c)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        double angle = quarter * 0.25 * two_pi;
        if (is_wedge(v) && turn(v, angle) > v->to - v->from) continue;
        widen(region, quarter % 2 == 0 ? b : c,
              v->centre[quarter % 2 == 0 ? b : c] + (quarter < 2 ? v->radius : -v->radius));
    }
    for (int corner = 0; corner < 4 && is_wedge(v); corner++) {
        double angle = corner % 2 == 0 ? v->from : v->to;
        double radius = corner < 2 ? v->radius : v->inner;
        widen(region, b, v->centre[b] + radius * cos(angle));
        widen(region, c, v->centre[c] + radius * sin(angle));
    }
}

static bool check_values(const struct cylinder *v, struct scree_input *input,
                         const struct scree_node *node, const struct scree_box *box)
{
    if (box->dimension == 2 && v->axis != 2) {
        scree_input_error(input, scree_node_find(node, "axis"),
                          "region: 'axis' of a cylinder is z in two dimensions");
        return false;
    }
    if (v->inner >= v->radius) {
        scree_input_error(input, scree_node_find(node, "inner"),
                          "region: 'inner' is %g m, not below 'radius' of %g m", v->inner,
                          v->radius);
        return false;
    }
    if (isnan(v->from) != isnan(v->to)) {
        scree_input_error(input, node, "region: a wedge needs both 'from' and 'to'");
        return false;
    }
    if (is_wedge(v) && !(v->to > v->from && v->to - v->from < two_pi)) {
        scree_input_error(input, scree_node_find(node, "to"),
                          "region: a wedge from %g rad to %g rad is empty or more than a turn",
                          v->from, v->to);
        return false;
    }
    return true;
}

/* About the axis of the box's wedge, a full turn means all of the wedge. */
static void fill_wedge(struct scree_region *region, const struct scree_box *box)
{
    struct cylinder *v = (struct cylinder *)region->values;
    const struct scree_wedge *wedge = &box->wedge;
    if (wedge->n == 0 || is_wedge(v) || v->axis != wedge->axis || v->centre[wedge->u] != 0.0 ||
        v->centre[wedge->v] != 0.0)
        return;
    v->from = 0.0;
    v->to = two_pi / wedge->n;
    region->round = true;
}

static bool check(struct scree_region *region, struct scree_input *input,
                  const struct scree_node *node, const struct scree_box *box)
{
    const struct cylinder *v = (const struct cylinder *)region->values;
    if (!check_values(v, input, node, box)) return false;
    fill_wedge(region, box);
    int a = v->axis, b = (a + 1) % 3, c = (a + 2) % 3;
    region->low[b] = region->low[c] = INFINITY;
    region->high[b] = region->high[c] = -INFINITY;
    bound_section(region, v, b, c);
    if (box->dimension == 2) return true;
    double slack = 1e-9 * box->length[a];
    region->low[a] = isnan(v->low) ? box->low[a] : v->low;
    region->high[a] = isnan(v->high) ? box->high[a] : v->high;
    region->whole[a] = box->periodic[a] && fabs(region->low[a] - box->low[a]) <= slack &&
                       fabs(region->high[a] - box->high[a]) <= slack;
    return true;
}

static double size(const struct scree_region *region)
{
    const struct cylinder *v = (const struct cylinder *)region->values;
    double angle = is_wedge(v) ? v->to - v->from : two_pi;
    double section = 0.5 * angle * (v->radius * v->radius - v->inner * v->inner);
    return region->dimension == 2 ? section
                                  : section * (region->high[v->axis] - region->low[v->axis]);
}

/* Distance to the half plane from the axis outwards at this angle. */
static double face_distance(double angle, double x, double y, double distance)
{
    double along = x * cos(angle) + y * sin(angle);
    return along > 0.0 ? fabs(y * cos(angle) - x * sin(angle)) : distance;
}

static double wedge_room(const struct cylinder *v, double x, double y, double distance)
{
    double least =
        fmin(face_distance(v->from, x, y, distance), face_distance(v->to, x, y, distance));
    return turn(v, atan2(y, x)) <= v->to - v->from ? least : -least;
}

static double room(const struct scree_region *region, const double pos[3])
{
    const struct cylinder *v = (const struct cylinder *)region->values;
    int a = v->axis, b = (a + 1) % 3, c = (a + 2) % 3;
    double x = pos[b] - v->centre[b], y = pos[c] - v->centre[c], distance = sqrt(x * x + y * y);
    double least = v->radius - distance;
    if (v->inner > 0.0) least = fmin(least, distance - v->inner);
    if (is_wedge(v) && !region->round) least = fmin(least, wedge_room(v, x, y, distance));
    if (region->dimension == 3 && !region->whole[a])
        least = fmin(least, fmin(pos[a] - region->low[a], region->high[a] - pos[a]));
    return least;
}

const struct scree_region_shape scree_region_cylinder = {
    .name = "cylinder",
    .summary = "cylinder or ring, or a wedge of it (2D: disk, ring)",
    .params = params,
    .check = check,
    .size = size,
    .room = room,
};
