/* SPDX-License-Identifier: BSD-3-Clause
 * How large sections, walls and the space of the grains are, where the walls are now. */
#include <math.h>
#include <stdio.h>

#include "section.h"

#define SLACK 1e-6 /* of a length: walls that are closer than this meet */

int scree_walls_main_axis(const struct scree_walls *walls)
{
    for (int a = 0; a < 3; a++)
        if (walls->section[a].round || walls->section[a].share < 1.0) return a;
    return 2;
}

/* m^2; of a ring between two radii. */
static double ring(const struct scree_section *s, double inner, double outer)
{
    return s->share * acos(-1.0) * (outer - inner) * (outer + inner);
}

double scree_walls_section(const struct scree_walls *walls, int axis)
{
    const struct scree_section *s = &walls->section[axis];
    double area = 1.0;
    if (s->unknown[0] != '\0') return NAN;
    if (s->round) return ring(s, s->inner, s->outer) - s->holes;
    for (int a = 0; a < walls->dimension; a++)
        if (a != axis) area *= scree_walls_extent(walls, a, false);
    return area - s->holes;
}

double scree_walls_volume(const struct scree_walls *walls)
{
    int axis = scree_walls_main_axis(walls);
    if (walls->volume_unknown[0] != '\0') return NAN;
    double section = scree_walls_section(walls, axis);
    return walls->dimension == 2 ? section : section * scree_walls_extent(walls, axis, false);
}

static bool refuse(char *why, size_t size, const char *reason, const struct scree_wall *wall)
{
    if (wall == NULL)
        snprintf(why, size, "%s", reason);
    else
        snprintf(why, size, "%s '%.60s' %s", wall->shape->name, wall->name, reason);
    return false;
}

/* A sheet in the same place has the contacts there (see joints). */
static bool know_plane(const struct scree_walls *walls, int w, const struct scree_outline *o,
                       char *why, size_t size)
{
    const struct scree_wall *plane = &walls->wall[w];
    int axis = scree_section_axis(o->normal);
    if (axis < 0) return refuse(why, size, "is inclined", plane);
    if (scree_section_turns_away(plane)) return refuse(why, size, "turns", plane);
    const struct scree_section *s = &walls->section[axis];
    if (s->unknown[0] != '\0') return refuse(why, size, s->unknown, NULL);
    for (int v = 0; v < walls->n; v++) {
        struct scree_outline other = scree_section_outline(walls, v);
        double apart = walls->wall[v].centre[axis] - plane->centre[axis];
        if (other.kind != SCREE_OUTLINE_SHEET || scree_section_axis(other.normal) != axis) continue;
        if (fabs(apart) <= SLACK * (other.half[0] + other.half[1] + other.half[2]))
            return refuse(why, size, "covers a part of it", &walls->wall[v]);
    }
    return true;
}

/* A disk or ring about the axis of a round space: what is beyond the cylinders does not count. */
static const struct scree_section *find_round(const struct scree_walls *walls, int w,
                                              const struct scree_outline *o)
{
    int axis = scree_section_axis(o->normal);
    if (axis < 0 || o->outer == 0.0) return NULL;
    const struct scree_section *s = &walls->section[axis];
    double apart = scree_section_between(walls->wall[w].centre, s->centre, axis);
    bool known = s->unknown[0] == '\0' && s->holes == 0.0;
    return s->round && known && apart <= SLACK * s->outer ? s : NULL;
}

/* Is all of a sheet where grains may be? */
static bool fits(const struct scree_walls *walls, const struct scree_wall *wall,
                 const struct scree_outline *o)
{
    int axis = scree_walls_main_axis(walls);
    const struct scree_section *s = &walls->section[axis];
    for (int a = 0; a < walls->dimension; a++) {
        double slack = SLACK * o->half[a];
        if (o->half[a] == 0.0 || !scree_walls_are_bounding(walls, a)) continue;
        if (wall->centre[a] - o->half[a] < scree_walls_end(walls, a, false, false) - slack ||
            wall->centre[a] + o->half[a] > scree_walls_end(walls, a, true, false) + slack)
            return false;
    }
    double reach = o->outer;
    for (int a = 0; a < 3 && o->outer == 0.0; a++)
        if (a != axis) reach = hypot(reach, o->half[a]);
    double apart = scree_section_between(wall->centre, s->centre, axis);
    return !s->round || apart + reach <= s->outer * (1.0 + SLACK);
}

bool scree_walls_know_area(const struct scree_walls *walls, int w, char *why, size_t size)
{
    struct scree_outline o = scree_section_outline(walls, w);
    const struct scree_wall *wall = &walls->wall[w];
    if (o.kind == SCREE_OUTLINE_PLANE) return know_plane(walls, w, &o, why, size);
    if (o.kind != SCREE_OUTLINE_SHEET)
        return refuse(why, size, "has none of its own, as planes, disks, rings and rectangles have",
                      wall);
    if (find_round(walls, w, &o) != NULL || fits(walls, wall, &o)) return true;
    return refuse(why, size, "reaches beyond other walls", wall);
}

double scree_walls_area(const struct scree_walls *walls, int w)
{
    struct scree_outline o = scree_section_outline(walls, w);
    int axis = scree_section_axis(o.normal);
    if (o.kind == SCREE_OUTLINE_PLANE) return axis < 0 ? NAN : scree_walls_section(walls, axis);
    if (o.kind != SCREE_OUTLINE_SHEET) return NAN;
    const struct scree_section *s = find_round(walls, w, &o);
    if (s != NULL) return ring(s, fmax(o.inner, s->inner), fmin(o.outer, s->outer));
    return o.area * (axis >= 0 ? walls->section[axis].share : 1.0);
}

void scree_walls_describe_area(const struct scree_walls *walls, int w, double given,
                               const char *where, scree_line_writer write, void *context)
{
    char line[240];
    snprintf(line, sizeof line, "area of wall '%.60s' in %.100s: %.6g %s%s", walls->wall[w].name,
             where, isnan(given) ? scree_walls_area(walls, w) : given,
             walls->dimension == 2 ? "m" : "m^2", isnan(given) ? "" : ", as given");
    write(context, line);
}

int scree_walls_plane_axis(const struct scree_walls *walls, int w, double *sign)
{
    int main = scree_walls_main_axis(walls);
    struct scree_outline o = scree_section_outline(walls, w);
    const struct scree_section *s = &walls->section[main];
    int axis = scree_section_axis(o.normal);
    if (o.kind != SCREE_OUTLINE_PLANE || axis < 0) return -1;
    if (scree_section_turns_away(&walls->wall[w])) return -1;
    /* A round section that is known is one that no plane beside it cuts. */
    if (s->round && s->unknown[0] == '\0' && axis != main) return -1;
    *sign = o.normal[axis];
    return axis;
}
