/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `walls`: force of the grains on walls per area. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "volume.h"

struct values {
    const char *wall;
    const struct scree_node *area_node;
    double area; /* m^2; 2D: m; NAN: of the wall */
    const struct scree_walls *walls;
    int only; /* number of the wall; -1: all */
};

static const struct scree_param params[] = {
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, offsetof(struct values, wall),
     "name of one wall; default: all planes across an axis"},
    {"area", SCREE_PARAM_NODE, "", 0, 0, "", NULL, offsetof(struct values, area_node),
     "of that wall (2D: its length); default: what other walls and periods leave of a plane, the "
     "face of a disk, ring or rectangle"},
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
static bool is_measured(const struct values *v, int w)
{
    double sign;
    if (v->only >= 0) return w == v->only;
    return scree_walls_plane_axis(v->walls, w, &sign) >= 0;
}

static void read_area(struct values *v, struct scree_input *input, int dimension)
{
    v->area = NAN;
    if (v->area_node == NULL) return;
    scree_node_mark_used(v->area_node);
    if (!scree_input_real(input, v->area_node, dimension == 2 ? "m" : "m^2", &v->area)) return;
    if (!(v->area > 0.0))
        scree_input_error(input, v->area_node, "walls: 'area' is %g, allowed > 0", v->area);
    else if (v->wall == NULL)
        scree_input_error(input, v->area_node, "walls: 'area' is given, but not of which 'wall'");
}

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    char why[SCREE_SECTION_REASON];
    v->walls = setting->walls;
    v->only = v->wall != NULL ? find_wall(v->walls, v->wall) : -1;
    read_area(v, input, setting->box->dimension);
    if (v->wall != NULL && v->only < 0) {
        report_unknown(v, input, node);
        return;
    }
    for (int w = 0; w < v->walls->n; w++) {
        if (!is_measured(v, w)) continue;
        m->n += 1 + setting->box->dimension;
        if (v->area_node == NULL && !scree_walls_know_area(v->walls, w, why, sizeof why))
            scree_input_error(input, v->only >= 0 ? scree_node_find(node, "wall") : node,
                              "walls: the area of '%s' is not known: %s; give %s",
                              v->walls->wall[w].name, why,
                              v->only >= 0 ? "its 'area'" : "'wall' and 'area', one by one");
    }
    if (m->n == 0)
        scree_input_error(input, node,
                          "walls: there is no plane across an axis to measure; name a "
                          "'wall' and its 'area'");
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    const struct values *v = m->values;
    const struct scree_box *box = &view->scene->domain->box;
    for (int w = 0; w < v->walls->n; w++) {
        if (!is_measured(v, w)) continue;
        double sign = 0.0, area = isnan(v->area) ? scree_walls_area(v->walls, w) : v->area;
        struct scree_wall_total total;
        int axis = scree_walls_plane_axis(v->walls, w, &sign);
        scree_walls_total(v->walls, w, view->scene->comm, &total);
        double *pressure = value++;
        for (int a = 0; a < box->dimension; a++)
            /* In a wedge, forces across its axis cancel over all sectors. */
            *value++ = box->wedge.n > 0 && a != box->wedge.axis ? 0.0 : total.force[a] / area;
        *pressure = axis >= 0 ? -sign * pressure[1 + axis] : NAN;
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
        if (!is_measured(v, w)) continue;
        fprintf(f, ",pressure on %s [%s]", v->walls->wall[w].name, unit);
        for (int a = 0; a < box->dimension; a++)
            fprintf(f, ",traction on %s %c [%s]", v->walls->wall[w].name, "xyz"[a], unit);
    }
}

static void describe(const struct scree_measurement *m, const struct scree_walls *walls,
                     scree_line_writer write_line, void *context)
{
    const struct values *v = m->values;
    for (int w = 0; w < walls->n; w++)
        if (is_measured(v, w))
            scree_walls_describe_area(walls, w, v->area, m->name, write_line, context);
}

const struct scree_analysis_kind scree_analysis_walls = {
    .name = "walls",
    .summary = "force of the grains on walls per area; pressure > 0 pushes the wall outward",
    .params = params,
    .values_size = sizeof(struct values),
    .check = check,
    .describe = describe,
    .sample = sample,
    .write = write,
};
