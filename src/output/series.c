/* SPDX-License-Identifier: BSD-3-Clause
 * The series: energies, contacts and wall forces against time, as comma-separated text. */
#include "scree/series.h"

#include <stdio.h>

#include "scree/alloc.h"
#include "scree/csv.h"
#include "scree/output.h"

enum { N_SERVO = 5 }; /* numbers of a servo */

/* Along the direction of the servo or about its axis; rates are those of half a step before. */
static void describe_servo(const struct scree_wall *wall, double dt,
                           struct scree_series_quantity *q)
{
    const struct scree_servo_state *s = &wall->servo.state;
    bool turns = wall->first_servo_turns; /* heads of columns do not change with stages */
    const struct scree_series_quantity all[N_SERVO] = {
        {.what = "servo path of", .unit = turns ? "rad" : "m", .value = {s->path}},
        {.what = "servo rate of", .unit = turns ? "rad/s" : "m/s", .value = {s->rate}},
        {.what = "servo load on", .unit = turns ? "N m" : "N", .value = {s->force}},
        {.what = "servo target of", .unit = turns ? "N m" : "N", .value = {s->target}},
        {.what = "servo work of", .unit = "J", .value = {scree_servo_work(&wall->servo, dt)}}};
    for (int k = 0; k < N_SERVO; k++) {
        q[k] = all[k];
        q[k].wall = wall->name;
    }
}

enum { N_TILT = 2 }; /* numbers of a wall that tilts, besides the torque on it */

static void describe_tilt(const struct scree_wall *wall, double dt, struct scree_series_quantity *q)
{
    double work = 0.0;
    q[0] = (struct scree_series_quantity){
        .what = "tilt of", .wall = wall->name, .unit = "rad", .vector = true};
    scree_wall_tilt_vector(wall, false, q[0].value);
    for (int s = 0; s < SCREE_WALL_TILTS; s++) work += scree_servo_work(&wall->tilt[s], dt);
    q[1] = (struct scree_series_quantity){
        .what = "tilt work of", .wall = wall->name, .unit = "J", .value = {work}};
}

static int count_of_wall(const struct scree_wall *wall)
{
    return 2 + (scree_wall_shifts(wall) ? 1 : 0) + (scree_wall_turns(wall) ? 1 : 0) +
           (wall->tilts ? N_TILT : 0) + (wall->has_servo ? N_SERVO : 0);
}

enum { N_CELL = 5 * SCREE_DEFORMATION_COMPONENTS + 1 }; /* numbers of a cell that deforms */

static int count_of_cell(const struct scree_run *run)
{
    return run->scene.cell_control->on ? N_CELL : 0;
}

/* Edges, strains since the start, rates of half a step before, and stresses of the sample; these
 * change from step to step, so there are sums over all steps to take means from. */
static void describe_cell(const struct scree_run *run, struct scree_series_quantity *q)
{
    static const char *const whats[] = {"cell", "strain", "strain rate", "stress",
                                        "sum over time of stress"};
    const struct scree_deformation *cell = &run->scene.domain->cell;
    const struct scree_box *box = &run->scene.domain->box;
    bool flat = box->dimension == 2;
    const char *units[] = {"m", "", "1/s", flat ? "N/m" : "Pa", flat ? "N s/m" : "Pa s"};
    double size = scree_deformation_size(cell, box);
    for (int k = 0; k < 5; k++)
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
            const double value[] = {cell->state.stretch[c] *
                                        box->length[scree_deformation_column[c]],
                                    cell->state.strain[c], cell->state.rate[c],
                                    scree_deformation_stress(cell, box, c), cell->state.impulse[c]};
            *q++ = (struct scree_series_quantity){.what = whats[k],
                                                  .wall = scree_deformation_names[c],
                                                  .unit = units[k],
                                                  .value = {value[k]}};
        }
    *q = (struct scree_series_quantity){
        .what = "cell size", .unit = flat ? "m^2" : "m^3", .value = {size}};
}

/* The lines of the method, and the closure error. */
static int count_of_ledger(const struct scree_run *run)
{
    int n = 1;
    while (scree_run_lines(run)[n - 1].name != NULL) n++;
    return n;
}

static void describe_ledger(const struct scree_run *run, const struct scree_energies *energies,
                            struct scree_series_quantity *q)
{
    const struct scree_energy_line *line = scree_run_lines(run);
    for (int k = 0; line[k].name != NULL; k++)
        *q++ = (struct scree_series_quantity){
            .what = line[k].name, .unit = "J", .value = {energies->value[k]}};
    *q = (struct scree_series_quantity){
        .what = "closure error", .unit = "", .value = {scree_energies_error(energies)}};
}

/* The numbers of the method about its work. */
static int count_of_figures(const struct scree_run *run)
{
    return scree_run_n_figures(run);
}

static void describe_figures(const struct scree_run *run, struct scree_series_quantity *q)
{
    const struct scree_figure *figure = scree_run_figures(run);
    for (int k = 0; k < count_of_figures(run); k++)
        q[k] = (struct scree_series_quantity){.what = figure[k].name, .unit = figure[k].unit};
}

static void compute_figures(struct scree_run *run, struct scree_series_quantity *q)
{
    double value[SCREE_FIGURES];
    scree_run_measure(run, value);
    for (int k = 0; k < count_of_figures(run); k++) q[k].value[0] = value[k];
}

int scree_series_count(const struct scree_run *run)
{
    int n = 2 + count_of_ledger(run) + count_of_figures(run) + (run->stage > 0 ? 1 : 0) +
            count_of_cell(run);
    for (int w = 0; w < run->scene.walls->n; w++) n += count_of_wall(&run->scene.walls->wall[w]);
    return n + run->scene.membranes->n;
}

/* Force and torque, and where a wall that moves is by now: the point that torques are about. */
static void describe_wall(const struct scree_wall *wall, double dt, struct scree_series_quantity *q)
{
    struct scree_series_quantity one = {.wall = wall->name, .vector = true};
    *q = *(q + 1) = one;
    q->what = "force on";
    q++->unit = "N";
    q->what = "torque on";
    q++->unit = "N m";
    if (scree_wall_shifts(wall)) {
        *q = one;
        for (int a = 0; a < 3; a++) q->value[a] = wall->pivot[a] + wall->offset[a];
        q->what = "position of";
        q++->unit = "m";
    }
    if (scree_wall_turns(wall))
        *q++ = (struct scree_series_quantity){
            .what = "angle of", .wall = wall->name, .unit = "rad", .value = {wall->angle}};
    if (wall->tilts) describe_tilt(wall, dt, q);
    q += wall->tilts ? N_TILT : 0;
    if (wall->has_servo) describe_servo(wall, dt, q);
}

/* Names and units, the numbers of the ledger, and where walls are. */
static void describe(const struct scree_run *run, const struct scree_energies *energies,
                     struct scree_series_quantity *q)
{
    *q++ = (struct scree_series_quantity){.what = "contacts", .unit = ""};
    *q++ = (struct scree_series_quantity){.what = "wall contacts", .unit = ""};
    describe_ledger(run, energies, q);
    q += count_of_ledger(run);
    describe_figures(run, q);
    q += count_of_figures(run);
    if (run->scene.cell_control->on) describe_cell(run, q);
    q += count_of_cell(run);
    for (int w = 0; w < run->scene.walls->n; w++) {
        describe_wall(&run->scene.walls->wall[w], run->scene.dt, q);
        q += count_of_wall(&run->scene.walls->wall[w]);
    }
    for (int k = 0; k < run->scene.membranes->n; k++)
        *q++ = (struct scree_series_quantity){
            .what = "volume in", .wall = run->scene.membranes->membrane[k].name, .unit = "m^3"};
    if (run->stage > 0)
        *q = (struct scree_series_quantity){.what = "stage", .unit = "", .value = {run->stage}};
}

void scree_series_compute(struct scree_run *run, const struct scree_energies *energies,
                          struct scree_series_quantity *q)
{
    const struct scree_wedge *wedge = &run->scene.domain->box.wedge;
    describe(run, energies, q);
    scree_contacts_count_all(run->scene.contacts, run->scene.comm, &q[0].value[0], &q[1].value[0]);
    q += 2 + count_of_ledger(run);
    compute_figures(run, q);
    q += count_of_figures(run) + count_of_cell(run);
    for (int w = 0; w < run->scene.walls->n; w++) {
        struct scree_wall_total total;
        scree_walls_total(run->scene.walls, w, run->scene.comm, &total);
        for (int a = 0; a < 3; a++) {
            q[0].value[a] = total.force[a];
            q[1].value[a] = total.torque[a];
            if (wedge->n == 0 || a == wedge->axis) continue;
            q[0].value[a] = q[1].value[a] = 0.0; /* over all sectors these cancel */
        }
        q += count_of_wall(&run->scene.walls->wall[w]);
    }
    for (int k = 0; k < run->scene.membranes->n; k++)
        q++->value[0] = scree_membrane_volume(&run->scene.membranes->membrane[k], run->scene.mesh,
                                              run->scene.particles, run->scene.comm);
}

static void write_name(FILE *f, const struct scree_series_quantity *q, int component)
{
    fprintf(f, ",%s", q->what);
    if (q->wall != NULL) fprintf(f, " %s", q->wall);
    if (q->vector) fprintf(f, " %c", "xyz"[component]);
    if (q->unit[0] != '\0') fprintf(f, " [%s]", q->unit);
}

static void write_head(FILE *f, const void *context)
{
    const struct scree_run *run = context;
    struct scree_energies none = {0};
    int n = scree_series_count(run);
    struct scree_series_quantity *q = scree_alloc((size_t)n, sizeof *q);
    describe(run, &none, q);
    for (int k = 0; k < n; k++)
        for (int a = 0; a < (q[k].vector ? 3 : 1); a++) write_name(f, &q[k], a);
    scree_alloc_free(q);
}

enum scree_status scree_series_open(struct scree_output *output, struct scree_run *run,
                                    const char *folder)
{
    enum scree_status status = SCREE_OK;
    if (run->scene.comm->rank == 0) status = scree_csv_open(run, folder, "series", write_head, run);
    SCREE_TRY(scree_comm_agree(run->scene.comm, status));
    return !run->resumed ? scree_series_poll(output, run, folder, false, NULL) : SCREE_OK;
}

int64_t scree_series_next(const struct scree_output *output, int64_t step)
{
    return scree_interval_next(output->series_steps, step, output->since);
}

static enum scree_status append(const struct scree_run *run, const char *folder,
                                const struct scree_series_quantity *q, int n)
{
    double *value = scree_alloc(3 * (size_t)n, sizeof *value);
    int n_values = 0;
    for (int k = 0; k < n; k++)
        for (int a = 0; a < (q[k].vector ? 3 : 1); a++) value[n_values++] = q[k].value[a];
    enum scree_status status = scree_csv_append(run, folder, "series", value, 1, n_values);
    scree_alloc_free(value);
    return status;
}

enum scree_status scree_series_poll(struct scree_output *output, struct scree_run *run,
                                    const char *folder, bool must,
                                    const struct scree_energies *known)
{
    if (output->series_steps <= 0.0) return SCREE_OK;
    if (!must && !scree_interval_is_due(output->series_steps, scree_run_step(run), output->since))
        return SCREE_OK;
    int n = scree_series_count(run);
    struct scree_energies energies;
    struct scree_series_quantity *q = scree_alloc((size_t)n, sizeof *q);
    scree_closure_reuse_or_compute_energies(run, known, &energies);
    scree_series_compute(run, &energies, q);
    enum scree_status status = run->scene.comm->rank == 0 ? append(run, folder, q, n) : SCREE_OK;
    scree_alloc_free(q);
    SCREE_TRY(scree_comm_agree(run->scene.comm, status));
    return scree_closure_check(run, &energies, output->energy_tolerance);
}
