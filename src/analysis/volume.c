/* SPDX-License-Identifier: BSD-3-Clause
 * Where a measurement looks: bounds by box, walls and input; what is inside. */
#include "volume.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "round.h"

#define AT(member) offsetof(struct scree_volume, member)
const struct scree_param scree_volume_params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "lower corner of the volume; default: all there is"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high), "upper corner"},
    {"border", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(border_node),
     "instead of corners: layer left out at box faces and walls that do not repeat; a length, or "
     "a part of the extent such as 10 %"},
    {"inner", SCREE_PARAM_REAL, "m", 0, INFINITY, "", NULL, AT(inner),
     "in a wedge: least distance from the axis; default: at the inner wall"},
    {"outer", SCREE_PARAM_REAL, "m", 0, INFINITY, "", NULL, AT(outer),
     "in a wedge: largest distance from the axis; default: at the outer wall"},
    {"bottom", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(bottom),
     "in a wedge: lower end along the axis; default: all there is"},
    {"top", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(top), "in a wedge: upper end"},
    {0},
};

static void read_border(struct scree_volume *volume, struct scree_input *input)
{
    const struct scree_node *node = volume->border_node;
    const char *text = scree_node_text(node);
    char why[256];
    scree_node_mark_used(node);
    if (strchr(text, '%') != NULL) {
        if (!scree_units_parse(text, "1", &volume->border_share, why, sizeof why))
            scree_input_error(input, node, "'border' is '%s', expected a part such as 10 %%", text);
        else if (!(volume->border_share >= 0.0 && volume->border_share < 0.5))
            scree_input_error(input, node, "'border' is '%s', allowed 0 %% to below 50 %%", text);
    } else if (scree_input_real(input, node, "m", &volume->border) && volume->border < 0.0) {
        scree_input_error(input, node, "'border' is %g m, allowed >= 0", volume->border);
    }
}

static void check_axis(const struct scree_volume *volume, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box, int a)
{
    double low = volume->low[a], high = volume->high[a], slack = 1e-9 * box->length[a];
    const struct scree_node *key = scree_node_find(node, isnan(low) ? "high" : "low");
    if (isnan(low)) low = box->low[a];
    if (isnan(high)) high = box->high[a];
    if (low < high && low >= box->low[a] - slack && high <= box->high[a] + slack) return;
    if (key != NULL && box->length[a] > 0.0)
        scree_input_error(input, key,
                          "volume from %g m to %g m in %c is empty or outside the domain, which "
                          "reaches from %g m to %g m",
                          low, high, "xyz"[a], box -> low[a], box -> high[a]);
}

/* A wedge has rings for volumes, everybody else has boxes. False if there are mistakes. */
static bool check_keys(const struct scree_volume *volume, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box)
{
    static const char *const keys[2][5] = {{"inner", "outer", "bottom", "top", NULL},
                                           {"low", "high", "border", NULL}};
    bool wedge = box->wedge.n > 0, good = true;
    for (int k = 0; keys[wedge][k] != NULL; k++) {
        const struct scree_node *key = scree_node_find(node, keys[wedge][k]);
        if (key == NULL) continue;
        good = false;
        scree_input_error(input, key,
                          wedge ? "'%s' is of a box; in a wedge give 'inner', 'outer', 'bottom', "
                                  "'top'"
                                : "'%s' is only for a domain that is a wedge",
                          keys[wedge][k]);
    }
    if (volume->inner >= volume->outer || volume->bottom >= volume->top) {
        scree_input_error(input, node, "the volume from %g m to %g m is empty",
                          volume->inner >= volume->outer ? volume->inner : volume->bottom,
                          volume->inner >= volume->outer ? volume->outer : volume->top);
        good = false;
    }
    return good;
}

void scree_volume_check(struct scree_volume *volume, struct scree_input *input,
                        const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    bool corners = scree_node_find(node, "low") != NULL || scree_node_find(node, "high") != NULL;
    volume->border = volume->border_share = 0.0;
    if (setting->deforms && (corners || volume->border_node != NULL)) {
        scree_input_error(input, corners ? node : volume->border_node,
                          "in a box that deforms ('cell') volumes are the whole box; leave out "
                          "'low', 'high' and 'border'");
        return;
    }
    if (!check_keys(volume, input, node, setting->box)) return;
    if (volume->border_node != NULL) read_border(volume, input);
    if (volume->border_node != NULL && corners)
        scree_input_error(input, volume->border_node,
                          "'border' and 'low' or 'high' are both given; keep one of them");
    for (int a = 0; a < setting->box->dimension; a++)
        check_axis(volume, input, node, setting->box, a);
    for (int a = 0; a < setting->box->dimension; a++)
        if (!setting->box->periodic[a] && setting->box->length[a] > 0.0 &&
            2.0 * volume->border >= setting->box->length[a]) {
            scree_input_error(input, volume->border_node,
                              "'border' is %g m, which leaves nothing of %g m in %c",
                              volume->border, setting->box->length[a], "xyz"[a]);
            return;
        }
}

bool scree_face_find(const struct scree_wall *wall, const struct scree_box *box,
                     struct scree_face *face)
{
    if (strcmp(wall->shape->name, "plane") != 0) return false;
    double centre[1][4] = {{0}};
    struct scree_wall_contact found;
    for (int a = 0; a < 3; a++) centre[0][a] = 0.5 * (box->low[a] + box->high[a]);
    scree_wall_locate(wall, 1, (const double(*)[4])centre, &found);
    for (int a = 0; a < box->dimension; a++) {
        double sign = found.at.normal[a] > 0.0 ? 1.0 : -1.0;
        if (fabs(found.at.normal[a]) < 1.0 - 1e-12) continue;
        *face = (struct scree_face){a, sign, centre[0][a] - sign * found.at.gap};
        return true;
    }
    return false;
}

static double size_of(const struct scree_extent *extent, int dimension)
{
    double size = 1.0;
    for (int a = 0; a < dimension; a++)
        if (extent->round == NULL || a == extent->round->axis)
            size *= extent->high[a] - extent->low[a];
    return extent->round != NULL ? size * scree_round_section(extent) : size;
}

/* Between the planes that face each other. Without one the box ends what there is, and across
 * periods it always does, as deformed as it is; walls and grains may be beyond it elsewhere. */
static void bound_by_planes(struct scree_extent *extent, const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    double from[3], to[3], tilt[3];
    scree_deformation_corners(&scene->domain->cell, box, from, to, tilt);
    for (int a = 0; a < 3; a++) {
        extent->low[a] = box->periodic[a] ? from[a] : -INFINITY;
        extent->high[a] = box->periodic[a] ? to[a] : INFINITY;
        extent->cut[a] = false;
    }
    for (int w = 0; w < scene->walls->n; w++) {
        struct scree_face face;
        if (!scree_face_find(&scene->walls->wall[w], box, &face)) continue;
        double *low = &extent->low[face.axis], *high = &extent->high[face.axis];
        if (face.sign > 0.0)
            *low = fmax(*low, face.place);
        else
            *high = fmin(*high, face.place);
    }
    for (int a = 0; a < 3; a++) {
        if (isinf(extent->low[a])) extent->low[a] = box->low[a];
        if (isinf(extent->high[a])) extent->high[a] = box->high[a];
    }
}

void scree_extent_all(struct scree_extent *extent, const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    bound_by_planes(extent, scene);
    extent->round = NULL;
    extent->cut_round = false;
    if (box->wedge.n > 0) scree_round_bounds(extent, scene);
    extent->size = scene->domain->cell.on ? scree_deformation_size(&scene->domain->cell, box)
                                          : size_of(extent, box->dimension);
}

/* A part of the ring. */
static void cut_ring(struct scree_extent *extent, const struct scree_volume *volume)
{
    int a = extent->round->axis;
    if (!isnan(volume->inner)) extent->inner = volume->inner;
    if (!isnan(volume->outer)) extent->outer = volume->outer;
    if (!isnan(volume->bottom)) extent->low[a] = volume->bottom;
    if (!isnan(volume->top)) extent->high[a] = volume->top;
    extent->cut_round = !isnan(volume->inner) || !isnan(volume->outer);
    extent->cut[a] = !isnan(volume->bottom) || !isnan(volume->top);
}

void scree_extent_now(struct scree_extent *extent, const struct scree_volume *volume,
                      const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    scree_extent_all(extent, scene);
    if (scene->domain->cell.on) return; /* volumes are whole there */
    for (int a = 0; a < box->dimension; a++) {
        bool corner = !isnan(volume->low[a]) || !isnan(volume->high[a]);
        double layer = volume->border + volume->border_share * (extent->high[a] - extent->low[a]);
        if (!isnan(volume->low[a])) extent->low[a] = volume->low[a];
        if (!isnan(volume->high[a])) extent->high[a] = volume->high[a];
        bool border = !corner && !box->periodic[a] && layer > 0.0;
        if (border) {
            extent->low[a] += layer;
            extent->high[a] -= layer;
        }
        bool whole =
            box->periodic[a] && extent->high[a] - extent->low[a] >= box->length[a] * (1.0 - 1e-9);
        extent->cut[a] = (corner || border) && !whole;
    }
    if (extent->round != NULL) cut_ring(extent, volume);
    extent->size = size_of(extent, box->dimension);
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
