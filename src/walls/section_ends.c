/* SPDX-License-Identifier: BSD-3-Clause
 * Where the space of the grains ends along an axis: at planes, or at sheets that close it. */
#include <math.h>
#include <stdio.h>

#include "section.h"

#define SLACK 1e-6 /* of a length: walls that are closer than this meet */

static double place_of(const struct scree_wall *wall, int axis, bool when_staged)
{
    return wall->centre[axis] + (when_staged ? wall->staged[axis] : wall->offset[axis]);
}

int scree_section_find_plane(const struct scree_walls *walls, int axis, bool high, bool when_staged)
{
    int found = -1;
    double sign = high ? -1.0 : 1.0;
    for (int w = 0; w < walls->n; w++) {
        const struct scree_wall *wall = &walls->wall[w];
        double normal[3];
        if (wall->shape->facing == NULL || scree_section_turns_away(wall)) continue;
        wall->shape->facing(wall->values, normal);
        if (normal[axis] != sign) continue;
        if (found < 0 || sign * (place_of(wall, axis, when_staged) -
                                 place_of(&walls->wall[found], axis, when_staged)) >
                             0.0)
            found = w;
    }
    return found;
}

bool scree_walls_are_bounding(const struct scree_walls *walls, int axis)
{
    const struct scree_wall_sides *s = &walls->sides[axis];
    return s->repeats || (s->low_wall >= 0 && s->high_wall >= 0);
}

double scree_walls_end(const struct scree_walls *walls, int axis, bool high, bool when_staged)
{
    const struct scree_wall_sides *s = &walls->sides[axis];
    int wall = high ? s->high_wall : s->low_wall;
    if (wall < 0) return high ? s->high : s->low;
    int plane = scree_section_find_plane(walls, axis, high, when_staged);
    return place_of(&walls->wall[plane >= 0 ? plane : wall], axis, when_staged);
}

double scree_walls_extent(const struct scree_walls *walls, int axis, bool when_staged)
{
    return scree_walls_end(walls, axis, true, when_staged) -
           scree_walls_end(walls, axis, false, when_staged);
}

static bool is_sheet_across(const struct scree_walls *walls, int w, int axis,
                            struct scree_outline *o)
{
    *o = scree_section_outline(walls, w);
    return o->kind == SCREE_OUTLINE_SHEET && scree_section_axis(o->normal) == axis;
}

/* Does one sheet close the section by itself? */
static bool covers(const struct scree_walls *walls, int w, int axis, const struct scree_outline *o)
{
    const struct scree_section *s = &walls->section[axis];
    const struct scree_wall *wall = &walls->wall[w];
    if (s->round && o->outer > 0.0)
        return scree_section_between(wall->centre, s->centre, axis) <= SLACK * s->outer &&
               o->inner <= s->inner * (1.0 + SLACK) && o->outer >= s->outer * (1.0 - SLACK);
    for (int a = 0; a < walls->dimension; a++) {
        double low = s->round ? s->centre[a] - s->outer : scree_walls_end(walls, a, false, false);
        double high = s->round ? s->centre[a] + s->outer : scree_walls_end(walls, a, true, false);
        double slack = SLACK * (high - low);
        if (a == axis) continue;
        if (wall->centre[a] - o->half[a] > low + slack ||
            wall->centre[a] + o->half[a] < high - slack)
            return false;
    }
    return o->outer == 0.0; /* a disk closes no rectangle but one that is inside it */
}

/* How far out, from `from` on, rings and disks that rest at this place close a round section. */
static double cover_rings(const struct scree_walls *walls, int axis, double place, double from)
{
    const struct scree_section *s = &walls->section[axis];
    for (int tries = 0; tries < walls->n; tries++)
        for (int w = 0; w < walls->n; w++) {
            struct scree_outline o;
            const struct scree_wall *wall = &walls->wall[w];
            if (!is_sheet_across(walls, w, axis, &o) || wall->shifts) continue;
            if (fabs(wall->centre[axis] - place) > SLACK * s->outer) continue;
            if (scree_section_between(wall->centre, s->centre, axis) > SLACK * s->outer) continue;
            if (o.inner <= from * (1.0 + SLACK)) from = fmax(from, o.outer);
        }
    return from;
}

/* Is the space closed where this sheet is, by it or by its neighbours in the same place? */
static bool closes(const struct scree_walls *walls, int w, int axis)
{
    struct scree_outline o;
    const struct scree_section *s = &walls->section[axis];
    if (!is_sheet_across(walls, w, axis, &o)) return false;
    if (covers(walls, w, axis, &o)) return true;
    if (!s->round || o.outer == 0.0 || walls->wall[w].shifts) return false;
    return cover_rings(walls, axis, walls->wall[w].centre[axis], s->inner) >=
           s->outer * (1.0 - SLACK);
}

/* Sheets that close the space between its planes, as far as there are any: at most three places. */
static int find_closed(const struct scree_walls *walls, int axis, int sheet[3])
{
    const struct scree_wall_sides *s = &walls->sides[axis];
    double slack = SLACK * fabs(s->high - s->low);
    int n = 0;
    for (int w = 0; w < walls->n; w++) {
        double place = walls->wall[w].centre[axis];
        if (!closes(walls, w, axis)) continue;
        bool beyond =
            (s->low_wall >= 0 && place <= walls->wall[s->low_wall].centre[axis] + slack) ||
            (s->high_wall >= 0 && place >= walls->wall[s->high_wall].centre[axis] - slack);
        for (int k = 0; k < n; k++)
            beyond = beyond || fabs(walls->wall[sheet[k]].centre[axis] - place) <= slack;
        if (beyond) continue;
        if (n < 3) sheet[n++] = w;
    }
    return n;
}

void scree_section_close(struct scree_walls *walls, int axis, char *why, size_t size)
{
    struct scree_wall_sides *s = &walls->sides[axis];
    int sheet[3];
    if (s->repeats) return;
    int n = find_closed(walls, axis, sheet), open = (s->low_wall < 0) + (s->high_wall < 0);
    if (n > open) {
        snprintf(why, size, "grains may be on either side of %s '%.60s'",
                 walls->wall[sheet[0]].shape->name, walls->wall[sheet[0]].name);
        return;
    }
    if (open == 2 && n == 2) {
        bool up = walls->wall[sheet[0]].centre[axis] < walls->wall[sheet[1]].centre[axis];
        s->low_wall = sheet[up ? 0 : 1];
        s->high_wall = sheet[up ? 1 : 0];
    } else if (open == 1 && n == 1) {
        *(s->low_wall < 0 ? &s->low_wall : &s->high_wall) = sheet[0];
    }
    if (scree_walls_are_bounding(walls, axis)) return;
    snprintf(why, size, "no wall bounds it along %c%s", "xyz"[axis],
             s -> low_wall >= 0       ? ", upwards"
                  : s->high_wall >= 0 ? ", downwards"
                                      : "");
}
