/* SPDX-License-Identifier: BSD-3-Clause
 * The volume of a measurement at one moment: its bounds, its size, what is inside. */
#include <math.h>
#include <stdio.h>

#include "round.h"

const struct scree_section *scree_volume_round(const struct scree_walls *walls, int *axis)
{
    *axis = scree_walls_main_axis(walls);
    const struct scree_section *s = &walls->section[*axis];
    return s->share < 1.0 || (s->round && s->unknown[0] == '\0') ? s : NULL;
}

static void explain(char *why, size_t size, const char *reason)
{
    if (why != NULL) snprintf(why, size, "%s", reason);
}

static bool has_corners(const struct scree_volume *volume)
{
    return !isnan(volume->low[0]) && !isnan(volume->high[0]);
}

/* m; of the part of a region that is between walls. */
static double clipped(const struct scree_extent *extent, const struct scree_walls *walls, int a)
{
    const struct scree_wall_sides *s = &walls->sides[a];
    double low = extent->low[a], high = extent->high[a];
    if (!s->repeats && s->low_wall >= 0) low = fmax(low, scree_walls_end(walls, a, false, false));
    if (!s->repeats && s->high_wall >= 0) high = fmin(high, scree_walls_end(walls, a, true, false));
    return fmax(high - low, 0.0);
}

/* How corners are to the circle of a round sample. */
enum corners { AROUND, WITHIN, ACROSS };

static enum corners compare(const struct scree_extent *extent, int dimension)
{
    const struct scree_section *s = extent->round;
    double farthest = 0.0;
    bool around = true, beside = false;
    for (int a = 0; a < dimension; a++) {
        double low = extent->low[a] - s->centre[a], high = extent->high[a] - s->centre[a];
        if (a == extent->axis) continue;
        around = around && low <= -s->outer * (1.0 - 1e-9) && high >= s->outer * (1.0 - 1e-9);
        beside = beside || low >= s->inner || high <= -s->inner;
        farthest = hypot(farthest, fmax(fabs(low), fabs(high)));
    }
    if (around) return AROUND;
    bool within = farthest <= s->outer && (beside || s->inner == 0.0) && s->holes == 0.0;
    return within && !extent->cut_round ? WITHIN : ACROSS;
}

/* m^2 (3D) of the part of a section that is in the region; NAN: it is not known. */
static double round_part(const struct scree_extent *extent, const struct scree_volume *volume,
                         const struct scree_walls *walls, char *why, size_t size)
{
    const struct scree_section *s = extent->round;
    double area = 1.0;
    if (isinf(extent->outer) || (s->unknown[0] != '\0' && isnan(volume->outer))) {
        explain(why, size, s->unknown);
        return NAN;
    }
    if (extent->cut_round && s->holes > 0.0) {
        explain(why, size, "there are other cylinders in it");
        return NAN;
    }
    bool corners = !isnan(volume->low[0]) || !isnan(volume->high[0]);
    enum corners how = corners ? compare(extent, walls->dimension) : AROUND;
    if (how == ACROSS) explain(why, size, "the region cuts through a cylinder");
    if (how == ACROSS) return NAN;
    if (how == AROUND) return scree_round_section(extent) - s->holes;
    for (int a = 0; a < walls->dimension; a++)
        if (a != extent->axis) area *= clipped(extent, walls, a);
    return area;
}

/* m^3; 2D: m^2; NAN: it is not known. The user's corners say what walls do not. */
static double find_size(const struct scree_extent *extent, const struct scree_volume *volume,
                        const struct scree_walls *walls, char *why, size_t size)
{
    bool stated = has_corners(volume) || (!isnan(volume->bottom) && !isnan(volume->top));
    int axis = extent->axis;
    double holes = extent->round == NULL ? walls->section[axis].holes : 0.0, part = 1.0;
    if (!isnan(volume->size)) return volume->size;
    if (!stated && walls->volume_unknown[0] != '\0') {
        explain(why, size, walls->volume_unknown);
        return NAN;
    }
    if (stated && holes > 0.0) {
        explain(why, size, "there are cylinders in it");
        return NAN;
    }
    if (extent->round != NULL)
        part = round_part(extent, volume, walls, why, size);
    else
        for (int a = 0; a < walls->dimension; a++)
            if (a != axis) part *= clipped(extent, walls, a);
    return (part - holes) * (walls->dimension == 3 ? clipped(extent, walls, axis) : 1.0);
}

/* A part of the ring. */
static void cut_ring(struct scree_extent *extent, const struct scree_volume *volume)
{
    const struct scree_section *s = extent->round;
    int a = extent->axis;
    extent->inner = s->inner;
    extent->outer = s->round ? s->outer : INFINITY;
    double layer = volume->border + volume->border_share * (extent->outer - extent->inner);
    bool border = layer > 0.0 && isfinite(layer);
    if (border) extent->outer -= layer;
    if (border && s->inner > 0.0) extent->inner += layer;
    if (!isnan(volume->inner)) extent->inner = fmax(extent->inner, volume->inner);
    if (!isnan(volume->outer)) extent->outer = fmin(extent->outer, volume->outer);
    extent->cut_round = border || !isnan(volume->inner) || !isnan(volume->outer);
    if (!isnan(volume->bottom)) extent->low[a] = volume->bottom;
    if (!isnan(volume->top)) extent->high[a] = volume->top;
    extent->cut[a] = extent->cut[a] || !isnan(volume->bottom) || !isnan(volume->top);
}

/* A part along one axis: between corners, or without the layers at walls. */
static void cut_axis(struct scree_extent *extent, const struct scree_volume *volume,
                     const struct scree_walls *walls, const struct scree_box *box, int a)
{
    extent->low[a] = scree_walls_end(walls, a, false, false);
    extent->high[a] = scree_walls_end(walls, a, true, false);
    bool corner = !isnan(volume->low[a]) || !isnan(volume->high[a]);
    bool across = extent->round != NULL && a != extent->axis;
    double layer = volume->border + volume->border_share * (extent->high[a] - extent->low[a]);
    if (!isnan(volume->low[a])) extent->low[a] = volume->low[a];
    if (!isnan(volume->high[a])) extent->high[a] = volume->high[a];
    bool border = !corner && !across && !box->periodic[a] && layer > 0.0;
    if (border) {
        extent->low[a] += layer;
        extent->high[a] -= layer;
    }
    bool whole =
        box->periodic[a] && extent->high[a] - extent->low[a] >= box->length[a] * (1.0 - 1e-9);
    extent->cut[a] = (corner || border) && !whole;
}

static void find_extent(struct scree_extent *extent, const struct scree_volume *volume,
                        const struct scree_walls *walls, const struct scree_box *box)
{
    *extent = (struct scree_extent){.round = NULL};
    extent->round = scree_volume_round(walls, &extent->axis);
    for (int a = 0; a < box->dimension; a++) cut_axis(extent, volume, walls, box, a);
    if (extent->round != NULL) cut_ring(extent, volume);
}

void scree_extent_now(struct scree_extent *extent, const struct scree_volume *volume,
                      const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    find_extent(extent, volume, scene->walls, box);
    if (!scene->domain->cell.on) {
        extent->size = find_size(extent, volume, scene->walls, NULL, 0);
        return;
    }
    double tilt[3]; /* volumes are whole there */
    scree_deformation_corners(&scene->domain->cell, box, extent->low, extent->high, tilt);
    extent->size = scree_deformation_size(&scene->domain->cell, box);
}

double scree_volume_at_start(const struct scree_volume *volume,
                             const struct scree_analysis_setting *setting, char *why, size_t size)
{
    struct scree_extent extent;
    find_extent(&extent, volume, setting->walls, setting->box);
    return find_size(&extent, volume, setting->walls, why, size);
}

bool scree_extent_is_whole(const struct scree_extent *extent)
{
    return !extent->cut[0] && !extent->cut[1] && !extent->cut[2] && !extent->cut_round;
}

bool scree_extent_holds(const struct scree_extent *extent, const double pos[3])
{
    for (int a = 0; a < 3; a++)
        if (extent->cut[a] && !(pos[a] >= extent->low[a] && pos[a] < extent->high[a])) return false;
    return !extent->cut_round || scree_round_holds(extent, pos);
}

/* The part [from, to] of the way that is inside along one axis. */
static void clip(double low, double high, double start, double along, double *from, double *to)
{
    if (along == 0.0) {
        if (!(start >= low && start < high)) *to = *from;
        return;
    }
    double at_low = (low - start) / along, at_high = (high - start) / along;
    *from = fmax(*from, fmin(at_low, at_high));
    *to = fmin(*to, fmax(at_low, at_high));
}

static double fraction_in_images(const struct scree_extent *extent, const struct scree_box *box,
                                 const double start[3], const double along[3], int a, double from,
                                 double to)
{
    if (!(to > from)) return 0.0;
    if (a == 3)
        return extent->cut_round ? scree_round_fraction(extent, start, along, from, to) : to - from;
    int n_images = extent->cut[a] && box->periodic[a] ? 1 : 0;
    double sum = 0.0;
    for (int image = -n_images; image <= n_images; image++) {
        double f = from, t = to;
        if (extent->cut[a])
            clip(extent->low[a], extent->high[a], start[a] + image * box->length[a], along[a], &f,
                 &t);
        sum += fraction_in_images(extent, box, start, along, a + 1, f, t);
    }
    return sum;
}

double scree_extent_fraction(const struct scree_extent *extent, const struct scree_box *box,
                             const double start[3], const double along[3])
{
    return fraction_in_images(extent, box, start, along, 0, 0.0, 1.0);
}
