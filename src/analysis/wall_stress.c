/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `walls`: force of the grains on walls per area, and whether it agrees with the stress
 * of the sample. At rest the virial theorem says that the sample of volume V between planes at x_l
 * and x_h with forces F_l and F_h on them, of grains with masses m at x in gravity g, has
 *
 *     V sigma_xx = x_h F_h - x_l F_l - sum over grains of m g_x x,
 *
 * if no other wall bears forces along x, as friction makes them. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"
#include "stress_sums.h"

struct values {
    const char *wall;
    const struct scree_node *area_node;
    double area; /* m^2; 2D: m; NAN: of the wall */
    const struct scree_walls *walls;
    int only; /* number of the wall; -1: all */
    bool compare;
    double tolerance;
    int n_axes, axis[3]; /* along which walls and bulk are compared; without: none */
};

/* Of a sample, per axis of the comparison. */
enum { BY_WALLS, OF_BULK, N_COMPARED };

static const struct scree_param params[] = {
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, offsetof(struct values, wall),
     "name of one wall; default: all planes across an axis"},
    {"area", SCREE_PARAM_NODE, "", 0, 0, "", NULL, offsetof(struct values, area_node),
     "of that wall (2D: its length); default: what other walls and periods leave of a plane, the "
     "face of a disk, ring or rectangle"},
    {"compare", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, offsetof(struct values, compare),
     "between two planes across an axis, measure the stress of the bulk beside theirs"},
    {"tolerance", SCREE_PARAM_REAL, "1", 0, INFINITY, "20 %", NULL,
     offsetof(struct values, tolerance),
     "disagreement of the two, over the larger one and on average over all rows, beyond which "
     "the end of a stage or run warns, once"},
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

static bool is_plane(const struct scree_walls *walls, int w, int axis, bool high)
{
    double sign = 0.0;
    return w >= 0 && scree_walls_plane_axis(walls, w, &sign) == axis && (sign < 0.0) == high;
}

static const struct scree_volume whole = {.low = {NAN, NAN, NAN},
                                          .high = {NAN, NAN, NAN},
                                          .inner = NAN,
                                          .outer = NAN,
                                          .bottom = NAN,
                                          .top = NAN,
                                          .size = NAN};

/* Axes with a plane at either end, if the volume in between is known. */
static void find_axes(struct values *v, const struct scree_analysis_setting *setting)
{
    const struct scree_box *box = setting->box;
    v->n_axes = 0;
    if (!v->compare || v->only >= 0 || setting->deforms) return;
    if (!(scree_volume_at_start(&whole, setting, NULL, 0) > 0.0)) return;
    for (int a = 0; a < box->dimension; a++) {
        const struct scree_wall_sides *sides = &v->walls->sides[a];
        if (sides->repeats || (box->wedge.n > 0 && a != box->wedge.axis)) continue;
        if (is_plane(v->walls, sides->low_wall, a, false) &&
            is_plane(v->walls, sides->high_wall, a, true))
            v->axis[v->n_axes++] = a;
    }
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
    find_axes(v, setting);
    m->n_columns = m->n + v->n_axes * (N_COMPARED + 1);
    m->n += v->n_axes * N_COMPARED;
    m->n_rows = 1;
}

/* N m; sum over free grains of mass, gravity and place along an axis. */
static double weigh(const struct scree_scene *scene, const struct scree_grain_means *means, int a)
{
    return scene->gravity[a] != 0.0 ? means->mass * scene->gravity[a] * means->centre[a] : 0.0;
}

static void compare(const struct values *v, const struct scree_analysis_view *view, double *value)
{
    const struct scree_material_choice everybody = {.species = -1};
    const struct scree_scene *scene = view->scene;
    struct scree_extent extent;
    struct scree_grain_means means;
    struct scree_stress stress;
    struct scree_flow flow = {.slope = 0.0};
    scree_extent_now(&extent, &whole, scene);
    scree_grain_means_compute(&means, view, &extent, &everybody);
    for (int a = 0; a < 3; a++) flow.velocity[a] = means.velocity[a];
    scree_stress_compute(&stress, view, &extent, &flow, &everybody);
    for (int k = 0; k < v->n_axes; k++, value += N_COMPARED) {
        int a = v->axis[k], c = scene->domain->box.wedge.n > 0 ? 2 : a;
        double virial = -weigh(scene, &means, a);
        for (int high = 0; high < 2; high++) {
            const struct scree_wall_sides *sides = &v->walls->sides[a];
            struct scree_wall_total total;
            scree_walls_total(v->walls, high ? sides->high_wall : sides->low_wall, scene->comm,
                              &total);
            virial += scree_walls_end(v->walls, a, high, false) * total.force[a];
        }
        value[BY_WALLS] = virial / extent.size;
        value[OF_BULK] = 0.0;
        for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
            value[OF_BULK] += stress.part[part][c][c];
    }
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
    if (v->n_axes > 0) compare(v, view, value);
}

/* Memory: sums over rows of the disagreement and of the larger stress, along the axes. Rows of
 * large stress weigh most, so that the filling of a box does not matter, and the first row does not
 * count: it has the grains as they were put there. */
enum { APART, LARGER };

/* The means, then the disagreement along each axis. */
static void derive(struct scree_measurement *m, const struct scree_scene *scene, const double *mean,
                   double *row)
{
    const struct values *v = m->values;
    int n_forces = m->n - v->n_axes * N_COMPARED;
    bool first = m->memory[LARGER] == 0.0;
    (void)scene;
    memcpy(row, mean, (size_t)n_forces * sizeof *row);
    mean += n_forces;
    row += n_forces;
    for (int k = 0; k < v->n_axes; k++, mean += N_COMPARED, row += N_COMPARED + 1) {
        double apart = fabs(mean[BY_WALLS] - mean[OF_BULK]);
        double larger = fmax(fabs(mean[BY_WALLS]), fabs(mean[OF_BULK]));
        row[BY_WALLS] = mean[BY_WALLS];
        row[OF_BULK] = mean[OF_BULK];
        row[N_COMPARED] = larger > 0.0 ? apart / larger : NAN;
        if (!first) m->memory[APART] += apart;
        if (!first) m->memory[LARGER] += larger;
    }
    if (first) m->memory[LARGER] = DBL_MIN;
}

/* Once in a run. */
static void end(struct scree_measurement *m)
{
    const struct values *v = m->values;
    if (!(m->memory[APART] > v->tolerance * m->memory[LARGER])) return;
    scree_log(SCREE_LOG_WARNING,
              "%s: the stress of the bulk and that by walls are %.0f %% apart, on average over all "
              "rows: the sample is not in equilibrium, or other forces act along the axis, such "
              "as friction at other walls; see 'disagreement' in %s.csv",
              m->name, 100.0 * m->memory[APART] / m->memory[LARGER], m->name);
    m->memory[LARGER] = INFINITY;
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
    for (int k = 0; k < v->n_axes; k++) {
        char a = "xyz"[v->axis[k]];
        fprintf(f, ",stress %c%c by walls [%s],stress %c%c of bulk [%s],disagreement %c", a, a,
                unit, a, a, unit, a);
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
    .summary =
        "force of the grains on walls per area; pressure > 0 pushes the wall outward; stress "
        "by walls beside that of the bulk",
    .params = params,
    .values_size = sizeof(struct values),
    .check = check,
    .describe = describe,
    .sample = sample,
    .derive = derive,
    .end = end,
    .write = write,
};
