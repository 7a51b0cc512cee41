/* SPDX-License-Identifier: BSD-3-Clause
 * Which walls bound the space of the grains: found once, before a run. */
#include "scree/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/walls.h"
#include "section.h"

#define SLACK 1e-6 /* of a length: walls that are closer than this meet */

int scree_section_axis(const double normal[3])
{
    for (int a = 0; a < 3; a++)
        if (fabs(normal[a]) == 1.0) return a;
    return -1;
}

struct scree_outline scree_section_outline(const struct scree_walls *walls, int w)
{
    struct scree_outline o = {.kind = SCREE_OUTLINE_OTHER};
    const struct scree_wall *wall = &walls->wall[w];
    if (wall->shape->outline != NULL) wall->shape->outline(wall->values, walls->dimension, &o);
    return o;
}

bool scree_section_turns_away(const struct scree_wall *wall)
{
    return wall->changes_by_turning && !wall->tilts;
}

/* The first reason counts. */
static void refuse(struct scree_section *s, const struct scree_wall *wall, const char *flaw,
                   const struct scree_wall *other)
{
    if (s->unknown[0] != '\0') return;
    if (other == NULL)
        snprintf(s->unknown, sizeof s->unknown, "%s '%.60s' %s", wall->shape->name, wall->name,
                 flaw);
    else
        snprintf(s->unknown, sizeof s->unknown, "%s '%.60s' %s %s '%.60s'", wall->shape->name,
                 wall->name, flaw, other->shape->name, other->name);
}

/* What keeps the section across an axis from being known because of one wall alone, or NULL. */
static const char *find_flaw(const struct scree_wall *wall, const struct scree_outline *o, int axis)
{
    int along = scree_section_axis(o->normal);
    if (o->kind == SCREE_OUTLINE_BALL) return NULL;
    if (o->kind == SCREE_OUTLINE_OTHER) return "bounds it in a way that is not accounted for";
    if (scree_section_turns_away(wall)) return "turns";
    if (wall->tilts && along != axis) return "tilts";
    switch (o->kind) {
    case SCREE_OUTLINE_PLANE: return along < 0 ? "is inclined" : NULL;
    case SCREE_OUTLINE_CYLINDER: return along != axis ? "lies across" : NULL;
    default: return along != axis ? "may bound it" : NULL;
    }
}

/* A cylinder along an axis, as a circle in the section. */
struct circle {
    const struct scree_wall *wall;
    double centre[3], radius; /* m */
    bool inside;              /* grains are */
};

static bool find_circle(const struct scree_walls *walls, int w, int axis, struct circle *c)
{
    struct scree_outline o = scree_section_outline(walls, w);
    if (o.kind != SCREE_OUTLINE_CYLINDER || scree_section_axis(o.normal) != axis) return false;
    *c = (struct circle){.wall = &walls->wall[w], .radius = o.outer, .inside = o.inside};
    memcpy(c->centre, c->wall->centre, sizeof c->centre);
    return true;
}

double scree_section_between(const double a[3], const double b[3], int axis)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        if (k != axis) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

/* Planes beside a circle must leave it alone, for ever. */
static void check_planes(const struct scree_walls *walls, struct scree_section *s, int axis,
                         const struct circle *c)
{
    for (int w = 0; w < walls->n; w++) {
        struct scree_outline o = scree_section_outline(walls, w);
        const struct scree_wall *plane = &walls->wall[w];
        int along = scree_section_axis(o.normal);
        if (o.kind != SCREE_OUTLINE_PLANE || along < 0 || along == axis) continue;
        double room = o.normal[along] * (c->centre[along] - plane->centre[along]);
        if (room < c->radius * (1.0 - SLACK)) refuse(s, plane, "cuts", c->wall);
        if (plane->shifts) refuse(s, plane, "moves beside", c->wall);
        if (c->wall->shifts) refuse(s, c->wall, "moves beside", plane);
    }
}

/* The smallest cylinder around the grains. */
static bool find_outer(const struct scree_walls *walls, int axis, struct circle *outer)
{
    struct circle c;
    bool any = false;
    for (int w = 0; w < walls->n; w++) {
        if (!find_circle(walls, w, axis, &c) || !c.inside) continue;
        if (!any || c.radius < outer->radius) *outer = c;
        any = true;
    }
    return any;
}

/* Another cylinder within or around the section. */
static void add_circle(const struct scree_walls *walls, struct scree_section *s, int axis,
                       const struct circle *c, const struct circle *outer)
{
    if (outer != NULL) {
        double apart = scree_section_between(c->centre, outer->centre, axis);
        double slack = SLACK * outer->radius;
        if (c->wall->shifts) refuse(s, c->wall, "moves beside", outer->wall);
        if (outer->wall->shifts) refuse(s, outer->wall, "moves beside", c->wall);
        if (c->inside) {
            if (apart + outer->radius > c->radius + slack)
                refuse(s, c->wall, "intersects", outer->wall);
            return;
        }
        if (apart >= outer->radius + c->radius - slack) return; /* grains cannot get there */
        if (apart + c->radius > outer->radius + slack)
            refuse(s, c->wall, "intersects", outer->wall);
        if (apart <= slack) {
            s->inner = fmax(s->inner, c->radius);
            return;
        }
    } else {
        check_planes(walls, s, axis, c);
    }
    s->holes += acos(-1.0) * c->radius * c->radius;
}

/* Cylinders among the grains must be apart from each other, unless they have one axis. */
static void check_pair(struct scree_section *s, int axis, const struct circle *c,
                       const struct circle *d)
{
    double apart = scree_section_between(c->centre, d->centre, axis);
    bool same_axis = s->round &&
                     scree_section_between(c->centre, s->centre, axis) <= SLACK * s->outer &&
                     apart <= SLACK * s->outer;
    if (c->inside || d->inside || same_axis) return;
    if (apart < (c->radius + d->radius) * (1.0 - SLACK)) refuse(s, c->wall, "intersects", d->wall);
    if (c->wall->shifts) refuse(s, c->wall, "moves beside", d->wall);
    if (d->wall->shifts) refuse(s, d->wall, "moves beside", c->wall);
}

static void add_circles(const struct scree_walls *walls, struct scree_section *s, int axis)
{
    struct circle outer, c, d;
    s->round = find_outer(walls, axis, &outer);
    if (s->round) {
        s->outer = outer.radius;
        memcpy(s->centre, outer.centre, sizeof s->centre);
        check_planes(walls, s, axis, &outer);
    }
    for (int w = 0; w < walls->n; w++) {
        if (!find_circle(walls, w, axis, &c)) continue;
        if (!s->round || c.wall != outer.wall)
            add_circle(walls, s, axis, &c, s->round ? &outer : NULL);
        for (int v = 0; v < w; v++)
            if (find_circle(walls, v, axis, &d)) check_pair(s, axis, &c, &d);
    }
}

/* What planes and periods leave must be closed all round. */
static void check_sides(const struct scree_walls *walls, struct scree_section *s, int axis,
                        const struct scree_wedge *wedge)
{
    if (s->unknown[0] != '\0' || s->round) return;
    if (wedge->n > 0)
        snprintf(s->unknown, sizeof s->unknown,
                 axis == wedge->axis ? "no cylinder bounds the wedge outwards"
                                     : "the domain is a wedge");
    for (int a = 0; a < walls->dimension; a++) {
        if (a == axis || scree_walls_are_bounding(walls, a) || s->unknown[0] != '\0') continue;
        const struct scree_wall_sides *side = &walls->sides[a];
        snprintf(s->unknown, sizeof s->unknown, "no wall bounds it along %c%s", "xyz"[a],
                 side -> low_wall >= 0          ? ", upwards"
                         : side->high_wall >= 0 ? ", downwards"
                                                : "");
    }
}

static void find_section(struct scree_walls *walls, const struct scree_box *box, int axis,
                         const char *membrane)
{
    struct scree_section *s = &walls->section[axis];
    *s = (struct scree_section){.share = 1.0};
    if (box->wedge.n > 0 && axis == box->wedge.axis) s->share = 1.0 / box->wedge.n;
    if (membrane != NULL)
        snprintf(s->unknown, sizeof s->unknown, "membrane '%.60s' bounds it", membrane);
    for (int w = 0; w < walls->n; w++) {
        struct scree_outline o = scree_section_outline(walls, w);
        const char *flaw = find_flaw(&walls->wall[w], &o, axis);
        if (flaw != NULL) refuse(s, &walls->wall[w], flaw, NULL);
    }
    add_circles(walls, s, axis);
}

static void find_sides(struct scree_walls *walls, const struct scree_box *box)
{
    for (int a = 0; a < 3; a++) {
        struct scree_wall_sides *s = &walls->sides[a];
        s->low = box->low[a];
        s->high = box->high[a];
        s->repeats = box->periodic[a];
        s->low_wall = s->repeats ? -1 : scree_section_find_plane(walls, a, false, false);
        s->high_wall = s->repeats ? -1 : scree_section_find_plane(walls, a, true, false);
    }
}

/* Why the volume is not known, although the section is. */
static void check_volume(struct scree_walls *walls)
{
    int axis = scree_walls_main_axis(walls);
    char *text = walls->volume_unknown;
    size_t size = sizeof walls->volume_unknown;
    snprintf(text, size, "%s", walls->section[axis].unknown);
    for (int w = 0; w < walls->n && text[0] == '\0'; w++)
        if (scree_section_outline(walls, w).kind == SCREE_OUTLINE_BALL)
            snprintf(text, size, "%s '%.60s' takes a part of it", walls->wall[w].shape->name,
                     walls->wall[w].name);
    if (walls->dimension == 2 || text[0] != '\0') return;
    scree_section_close(walls, axis, text, size);
}

void scree_walls_find_sections(struct scree_walls *walls, const struct scree_box *box,
                               const char *membrane)
{
    walls->dimension = box->dimension;
    find_sides(walls, box);
    for (int a = 0; a < 3; a++) find_section(walls, box, a, membrane);
    for (int a = 0; a < 3; a++) check_sides(walls, &walls->section[a], a, &box->wedge);
    check_volume(walls);
}
