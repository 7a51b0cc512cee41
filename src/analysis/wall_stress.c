/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `walls`: force of the grains on walls per area. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "round.h"
#include "scree/alloc.h"

struct values {
    const char *wall;
    double area; /* m^2; NAN: from the box */
    const struct scree_walls *walls;
    int only; /* number of the wall; -1: all */
};

static const struct scree_param params[] = {
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, offsetof(struct values, wall),
     "name of one wall; default: all planes across an axis"},
    {"area", SCREE_PARAM_REAL, "m^2", DBL_MIN, INFINITY, "", NULL, offsetof(struct values, area),
     "of that wall (2D: per metre of depth); default, for planes across an axis: the section of "
     "the box between walls"},
    {0},
};

static int find_wall(const struct scree_walls *walls, const char *name)
{
    for (int w = 0; w < walls->n; w++)
        if (strcmp(walls->wall[w].name, name) == 0) return w;
    return -1;
}

static void report_unknown(const struct values *v, struct scree_input *input,
                           const struct scree_node *node)
{
    const char **names = scree_alloc((size_t)v->walls->n + 1, sizeof *names);
    for (int w = 0; w < v->walls->n; w++) names[w] = v->walls->wall[w].name;
    names[v->walls->n] = NULL;
    scree_input_unknown(input, scree_node_find(node, "wall"), "wall", v->wall, names);
    scree_alloc_free(names);
}

/* Is there a number for this wall? */
static bool is_measured(const struct values *v, int w, const struct scree_box *box)
{
    struct scree_face face;
    if (v->only >= 0) return w == v->only;
    return scree_face_find(&v->walls->wall[w], box, &face);
}

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    struct scree_face face;
    v->walls = setting->walls;
    v->only = v->wall != NULL ? find_wall(v->walls, v->wall) : -1;
    if (v->wall != NULL && v->only < 0) {
        report_unknown(v, input, node);
        return;
    }
    if (v->wall == NULL && !isnan(v->area)) {
        scree_input_error(input, scree_node_find(node, "area"),
                          "walls: 'area' is given, but not of which 'wall'");
        return;
    }
    if (v->only >= 0 && isnan(v->area) &&
        !scree_face_find(&v->walls->wall[v->only], setting->box, &face))
        scree_input_error(input, scree_node_find(node, "wall"),
                          "walls: '%s' is not a plane across an axis; give its 'area'", v->wall);
    for (int w = 0; w < v->walls->n; w++)
        if (is_measured(v, w, setting->box)) m->n += 1 + setting->box->dimension;
    if (m->n == 0)
        scree_input_error(input, node,
                          "walls: there is no plane across an axis to measure; name a "
                          "'wall' and its 'area'");
}

/* Of the section across a wall between the other walls. */
static double section(const struct scree_extent *all, const struct scree_box *box, int axis)
{
    double area = 1.0;
    if (all->round != NULL && axis == all->round->axis) return scree_round_section(all);
    for (int a = 0; a < box->dimension; a++)
        if (a != axis) area *= all->high[a] - all->low[a];
    return area;
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    const struct values *v = m->values;
    const struct scree_box *box = &view->scene->domain->box;
    struct scree_extent all;
    scree_extent_all(&all, view->scene);
    for (int w = 0; w < v->walls->n; w++) {
        if (!is_measured(v, w, box)) continue;
        struct scree_face face;
        struct scree_wall_total total;
        bool flat = scree_face_find(&v->walls->wall[w], box, &face);
        double area = isnan(v->area) ? section(&all, box, face.axis) : v->area;
        scree_walls_total(v->walls, w, view->scene->comm, &total);
        double *pressure = value++;
        for (int a = 0; a < box->dimension; a++)
            /* In a wedge, forces across its axis cancel over all sectors. */
            *value++ = box->wedge.n > 0 && a != box->wedge.axis ? 0.0 : total.force[a] / area;
        *pressure = flat ? -face.sign * pressure[1 + face.axis] : NAN;
    }
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    const struct values *v = m->values;
    const struct scree_box *box = &scene->domain->box;
    const char *unit = box->dimension == 2 ? "N/m" : "Pa";
    (void)mean;
    for (int w = 0; w < v->walls->n; w++) {
        if (!is_measured(v, w, box)) continue;
        fprintf(f, ",pressure on %s [%s]", v->walls->wall[w].name, unit);
        for (int a = 0; a < box->dimension; a++)
            fprintf(f, ",traction on %s %c [%s]", v->walls->wall[w].name, "xyz"[a], unit);
    }
}

const struct scree_analysis_kind scree_analysis_walls = {
    .name = "walls",
    .summary = "force of the grains on walls per area; pressure > 0 pushes the wall outward",
    .params = params,
    .values_size = sizeof(struct values),
    .check = check,
    .sample = sample,
    .write = write,
};
