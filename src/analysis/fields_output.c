/* SPDX-License-Identifier: BSD-3-Clause
 * Fields from the sums of a window, as a table and as an HDF5 file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fields.h"
#include "scree/alloc.h"
#include "scree/hdf5_grid.h"

static const char *const directions[] = {"x", "y", "z", "r", "phi"};

/* Names of the components, in their order. */
static const char *component_name(const struct scree_fields *v, int a)
{
    return !v->round ? directions[a]
           : a < 2   ? directions[SCREE_FIELDS_R + a]
                     : directions[v->turn.axis];
}

/* Number of a cell along one of the axes of the grid. */
static int place_along(const struct scree_fields *v, int64_t cell, int axis)
{
    for (int a = v->n_axes - 1; a > axis; a--) cell /= v->axis[a].n;
    return (int)(cell % v->axis[axis].n);
}

static double edge(const struct scree_fields_axis *axis, int k)
{
    return axis->low + (axis->high - axis->low) * k / axis->n;
}

static double middle(const struct scree_fields *v, int64_t cell, int axis)
{
    int k = place_along(v, cell, axis);
    return 0.5 * (edge(&v->axis[axis], k) + edge(&v->axis[axis], k + 1));
}

static int axis_of(const struct scree_fields *v, int direction)
{
    for (int a = 0; a < v->n_axes; a++)
        if (v->axis[a].direction == direction) return a;
    return -1;
}

/* m; of all there is along a direction without cells; NAN: walls do not tell. */
static double extent_along(const struct scree_scene *scene, int a)
{
    if (scene->domain->cell.on) return scene->domain->box.length[a];
    return scree_walls_are_bounding(scene->walls, a) ? scree_walls_extent(scene->walls, a, false)
                                                     : NAN;
}

/* m^2; of the ring, or the part of it, that is in a cell; also that without cells along phi. */
static double ring_part(const struct scree_fields *v, const struct scree_scene *scene, int64_t cell)
{
    int along_r = axis_of(v, SCREE_FIELDS_R), along_phi = axis_of(v, SCREE_FIELDS_PHI);
    int wedge = scene->domain->box.wedge.n;
    double turn = 2.0 * acos(-1.0) / (wedge > 0 ? wedge : 1);
    double angle = along_phi >= 0 ? turn / v->axis[along_phi].n : turn;
    if (along_r < 0) return scree_walls_section(scene->walls, v->turn.axis) * (angle / turn);
    int k = place_along(v, cell, along_r);
    double inner = edge(&v->axis[along_r], k), outer = edge(&v->axis[along_r], k + 1);
    return 0.5 * angle * (outer - inner) * (outer + inner);
}

double scree_fields_cell_size(const struct scree_fields *v, const struct scree_scene *scene,
                              int64_t cell)
{
    const struct scree_deformation *deformation = &scene->domain->cell;
    double size = v->round ? ring_part(v, scene, cell) : 1.0;
    if (!v->round && v->n_axes == 1 && !deformation->on) { /* whatever the walls leave */
        const struct scree_fields_axis *axis = &v->axis[0];
        return scree_walls_section(scene->walls, axis->direction) * (axis->high - axis->low) /
               axis->n;
    }
    for (int a = 0; a < v->dimension; a++) {
        int along = axis_of(v, a);
        if (v->round && a != v->turn.axis) continue;
        size *= along >= 0 ? (v->axis[along].high - v->axis[along].low) / v->axis[along].n
                           : extent_along(scene, a);
        if (deformation->on) size *= deformation->f[a][a];
    }
    return size;
}

/* What is told of a cell. Tensors have their rows one after the other. */
enum number {
    GRAINS,
    SOLID,
    DENSITY,
    MOMENTUM,
    VELOCITY = MOMENTUM + 3,
    KINETIC = VELOCITY + 3,
    CONTACT = KINETIC + 9,
    SPIN = CONTACT + 9,
    TEMPERATURE = SPIN + 3,
    STRAIN_RATE,
    N_NUMBERS = STRAIN_RATE + 9
};

static const struct {
    enum number at;
    int rank;
    const char *name, *unit, *flat_unit, *description;
} fields[] = {
    {GRAINS, 0, "grains", "1", "1", "number of grains in the cell"},
    {SOLID, 0, "solid_fraction", "1", "1", "volume of grains per volume"},
    {DENSITY, 0, "density", "kg/m^3", "kg/m^2", "mass per volume"},
    {MOMENTUM, 1, "momentum", "kg/(m^2 s)", "kg/(m s)", "momentum per volume"},
    {VELOCITY, 1, "velocity", "m/s", "m/s", "momentum over density"},
    {KINETIC, 2, "kinetic_stress", "Pa", "N/m",
     "density times mean of products of velocity fluctuations; compression is positive"},
    {CONTACT, 2, "contact_stress", "Pa", "N/m",
     "branch times force of contacts per volume; compression is positive"},
    {SPIN, 1, "spin", "rad/s", "rad/s", "angular velocity of grains, weighted by mass"},
    {TEMPERATURE, 0, "granular_temperature", "m^2/s^2", "m^2/s^2",
     "mean square of velocity fluctuations per dimension"},
    {STRAIN_RATE, 2, "strain_rate", "1/s", "1/s", "symmetric gradient of the velocity"},
};
enum { N_FIELDS = sizeof fields / sizeof fields[0] };

/* All but the strain rate. */
static void find_numbers(const struct scree_fields *v, const double *sum, double size,
                         double *number)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double mass = sum[SCREE_FIELDS_MASS], trace = 0.0;
    bool empty = !(mass > 0.0);
    number[GRAINS] = sum[SCREE_FIELDS_GRAINS];
    number[SOLID] = sum[SCREE_FIELDS_SOLID] / size;
    number[DENSITY] = mass / size;
    for (int a = 0; a < 3; a++) {
        number[MOMENTUM + a] = sum[SCREE_FIELDS_MOMENTUM + a] / size;
        number[VELOCITY + a] = empty ? NAN : sum[SCREE_FIELDS_MOMENTUM + a] / mass;
        number[SPIN + a] = empty ? NAN : sum[SCREE_FIELDS_SPIN + a] / mass;
    }
    for (int k = 0; k < 6; k++) {
        double drift =
            empty ? 0.0 : number[VELOCITY + row[k]] * sum[SCREE_FIELDS_MOMENTUM + column[k]];
        double product = sum[SCREE_FIELDS_SQUARE + k] - drift;
        number[KINETIC + 3 * row[k] + column[k]] = product / size;
        number[KINETIC + 3 * column[k] + row[k]] = product / size;
        if (k < 3) trace += product;
    }
    for (int k = 0; k < 9; k++) number[CONTACT + k] = sum[SCREE_FIELDS_CONTACT + k] / size;
    number[TEMPERATURE] = empty ? NAN : fmax(trace, 0.0) / (mass * v->dimension);
}

/* Derivative of the velocity along an axis of the grid: over the neighbours where there are any. */
static void differentiate(const struct scree_fields *v, const double *number, int64_t cell,
                          int axis, double slope[3])
{
    const struct scree_fields_axis *along = &v->axis[axis];
    int64_t stride = 1;
    for (int a = v->n_axes - 1; a > axis; a--) stride *= v->axis[a].n;
    int k = place_along(v, cell, axis), steps = 0;
    double width = (along->high - along->low) / along->n;
    bool round = along->period > 0.0 && along->high - along->low >= along->period * (1.0 - 1e-9);
    int64_t at[2] = {cell, cell};
    for (int side = 0; side < 2; side++) {
        int beside = side == 0 ? k - 1 : k + 1;
        if (round) beside = (beside + along->n) % along->n;
        if (beside < 0 || beside >= along->n || beside == k) continue;
        int64_t next = cell + (beside - k) * stride;
        if (isnan(number[next * N_NUMBERS + VELOCITY])) continue;
        at[side] = next;
        steps++;
    }
    for (int a = 0; a < 3; a++)
        slope[a] = steps > 0 ? (number[at[1] * N_NUMBERS + VELOCITY + a] -
                                number[at[0] * N_NUMBERS + VELOCITY + a]) /
                                   (steps * width)
                             : NAN;
}

/* Gradient [along][of]: nothing changes in directions without cells but what turns about the axis.
 */
static void find_gradient(const struct scree_fields *v, const struct scree_deformation *deformation,
                          const double *number, int64_t cell, double gradient[3][3])
{
    memset(gradient, 0, 9 * sizeof(double));
    for (int axis = 0; axis < v->n_axes; axis++) {
        int d = v->axis[axis].direction;
        int component = !v->round ? d : d >= SCREE_FIELDS_R ? d - SCREE_FIELDS_R : 2;
        differentiate(v, number, cell, axis, gradient[component]);
    }
    if (v->round) {
        const double *velocity = number + cell * N_NUMBERS + VELOCITY;
        int along_r = axis_of(v, SCREE_FIELDS_R);
        double r = along_r >= 0 ? middle(v, cell, along_r) : NAN;
        for (int a = 0; a < 3; a++) gradient[1][a] /= r;
        gradient[1][0] -= velocity[1] / r;
        gradient[1][1] += velocity[0] / r;
    }
    if (!deformation->on) return;
    double here[3][3]; /* along places rather than along cells */
    memcpy(here, gradient, sizeof here);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            gradient[a][b] = deformation->flow[b][a];
            for (int k = 0; k < 3; k++) gradient[a][b] += deformation->inverse[k][a] * here[k][b];
        }
}

static double *find_all(const struct scree_fields *v, const struct scree_scene *scene,
                        const double *mean)
{
    double *number = scree_alloc((size_t)v->n_cells * N_NUMBERS, sizeof *number);
    for (int64_t c = 0; c < v->n_cells; c++)
        find_numbers(v, mean + c * SCREE_N_FIELDS_SUMS, scree_fields_cell_size(v, scene, c),
                     number + c * N_NUMBERS);
    for (int64_t c = 0; c < v->n_cells; c++) {
        double gradient[3][3], *rate = number + c * N_NUMBERS + STRAIN_RATE;
        bool empty = isnan(number[c * N_NUMBERS + VELOCITY]);
        find_gradient(v, &scene->domain->cell, number, c, gradient);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                rate[3 * a + b] = empty ? NAN : 0.5 * (gradient[a][b] + gradient[b][a]);
    }
    return number;
}

/* The component k of a field: is it in the table? In two dimensions only what is in the plane, and
 * spins across it. */
static bool is_told(const struct scree_fields *v, int field, int k)
{
    if (v->dimension == 3 || fields[field].rank == 0) return true;
    if (fields[field].at == SPIN) return k == 2;
    return fields[field].rank == 1 ? k < 2 : k / 3 < 2 && k % 3 < 2;
}

static int n_components(int field)
{
    return fields[field].rank == 0 ? 1 : fields[field].rank == 1 ? 3 : 9;
}

int scree_fields_n_columns(const struct scree_fields *v)
{
    int n = v->n_axes;
    for (int k = 0; k < N_FIELDS; k++)
        for (int c = 0; c < n_components(k); c++) n += is_told(v, k, c);
    return n;
}

void scree_fields_derive(struct scree_measurement *m, const struct scree_scene *scene,
                         const double *mean, double *row)
{
    const struct scree_fields *v = m->values;
    if (m->n_rows == 0) return;
    double *number = find_all(v, scene, mean);
    for (int64_t cell = 0; cell < v->n_cells; cell++) {
        for (int a = 0; a < v->n_axes; a++) *row++ = middle(v, cell, a);
        for (int k = 0; k < N_FIELDS; k++)
            for (int c = 0; c < n_components(k); c++)
                if (is_told(v, k, c)) *row++ = number[cell * N_NUMBERS + fields[k].at + c];
    }
    scree_alloc_free(number);
}

static void write_name(const struct scree_fields *v, int field, int c, FILE *f)
{
    const char *unit = v->dimension == 2 ? fields[field].flat_unit : fields[field].unit;
    fputc(',', f);
    for (const char *s = fields[field].name; *s != '\0'; s++) fputc(*s == '_' ? ' ' : *s, f);
    if (fields[field].rank == 1) fprintf(f, " %s", component_name(v, c));
    if (fields[field].rank == 2)
        fprintf(f, " %s%s", component_name(v, c / 3), component_name(v, c % 3));
    if (strcmp(unit, "1") != 0) fprintf(f, " [%s]", unit);
}

void scree_fields_write(const struct scree_measurement *m, const struct scree_scene *scene,
                        const double *mean, FILE *f)
{
    const struct scree_fields *v = m->values;
    (void)scene;
    (void)mean;
    for (int a = 0; a < v->n_axes; a++) {
        int d = v->axis[a].direction;
        fprintf(f, ",%s [%s]", directions[d], d == SCREE_FIELDS_PHI ? "rad" : "m");
    }
    for (int k = 0; k < N_FIELDS; k++)
        for (int c = 0; c < n_components(k); c++)
            if (is_told(v, k, c)) write_name(v, k, c, f);
}

/* One field of all cells behind each other. */
static double *gather(const struct scree_fields *v, const double *number, int field)
{
    size_t n = (size_t)n_components(field);
    double *values = scree_alloc((size_t)v->n_cells * n, sizeof *values);
    for (int64_t c = 0; c < v->n_cells; c++)
        memcpy(values + c * (int64_t)n, number + c * N_NUMBERS + fields[field].at,
               n * sizeof *values);
    return values;
}

enum scree_status scree_fields_save(const struct scree_measurement *m,
                                    const struct scree_scene *scene,
                                    const struct scree_analysis_window *window, const double *mean)
{
    const struct scree_fields *v = m->values;
    char path[4200], components[32];
    double *number = find_all(v, scene, mean), *values[N_FIELDS];
    struct scree_grid_file file = {.name = m->name,
                                   .version = window->version,
                                   .commit = window->commit,
                                   .input = window->input,
                                   .effective_input = window->effective_input,
                                   .components = components,
                                   .step = window->step,
                                   .time = window->time,
                                   .n_axes = v->n_axes,
                                   .n_fields = N_FIELDS,
                                   .n_numbers = 2,
                                   .number = {{"samples", window->n_samples}, {"width", v->width}}};
    snprintf(components, sizeof components, "%s %s %s", component_name(v, 0), component_name(v, 1),
             component_name(v, 2));
    snprintf(path, sizeof path, "%.4000s/%.64s.%012lld.h5", window->folder, m->name,
             (long long)window->step);
    for (int a = 0; a < v->n_axes; a++) {
        const struct scree_fields_axis *axis = &v->axis[a];
        file.axis[a] = (struct scree_grid_axis){directions[axis->direction],
                                                axis->direction == SCREE_FIELDS_PHI ? "rad" : "m",
                                                axis->n, axis->low, axis->high};
    }
    for (int k = 0; k < N_FIELDS; k++) {
        values[k] = gather(v, number, k);
        file.field[k] = (struct scree_grid_field){
            fields[k].name, v->dimension == 2 ? fields[k].flat_unit : fields[k].unit,
            fields[k].description, fields[k].rank, values[k]};
    }
    enum scree_status status = scree_hdf5_grid_write(path, &file);
    for (int k = 0; k < N_FIELDS; k++) scree_alloc_free(values[k]);
    scree_alloc_free(number);
    return status;
}
