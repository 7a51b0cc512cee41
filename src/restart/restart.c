/* SPDX-License-Identifier: BSD-3-Clause
 * What of a run goes into a checkpoint, and back: grains, contacts, the method's fields, the input.
 */
#include "scree/restart.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "restart_analysis.h"
#include "restart_meshes.h"
#include "restart_stages.h"
#include "scree/alloc.h"
#include "scree/checkpoint.h"
#include "scree/restart_balance.h"

enum { TABLE_GRAINS, TABLE_CONTACTS, TABLE_METHOD, TABLE_BALANCE };
/* Servos, a cell that deforms, the ledger, analyses and stages have a table each, if there are any.
 */
enum { TABLE_OPTIONAL = TABLE_BALANCE + SCREE_BALANCE_TABLES, MOST_TABLES = TABLE_OPTIONAL + 5 };
enum { TEXT_INPUT, TEXT_SETS, TEXT_METHOD, TEXT_NUMBER, TEXT_MESHES, N_TEXTS };

#define AT(member) offsetof(struct scree_restart, member)
const struct scree_param scree_restart_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "20 min", NULL, AT(every),
     "wall-clock time between checkpoints"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, AT(steps),
     "also every so many steps; 0: by time only"},
    {"keep", SCREE_PARAM_INTEGER, "", 1, 1000000, "2", NULL, AT(keep),
     "how many of the newest are kept"},
    {"keep_every", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, AT(keep_every),
     "of all checkpoints of a run, every so many is kept for good; 0: none"},
    {"required", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, AT(required),
     "end the run if a checkpoint cannot be written; false: warn and go on"},
    {0},
};
#undef AT

void scree_restart_read(struct scree_restart *restart, struct scree_input *input,
                        const struct scree_node *node, const struct scree_node *parent)
{
    scree_input_read(input, node, parent, "output.checkpoint", scree_restart_params, restart);
}

static enum scree_number number_type(const char *type)
{
    if (strcmp(type, "double") == 0) return SCREE_NUMBER_REAL;
    return strcmp(type, "int64_t") == 0 ? SCREE_NUMBER_INT64 : SCREE_NUMBER_INT32;
}

/* Every column of the particle store that is to be saved; the store itself is the memory. */
static void describe_grains(const struct scree_particles *p, struct scree_table *table)
{
    *table = (struct scree_table){.name = "grains", .n = p->n_owned};
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        const struct scree_column *column = scree_particles_column(k);
        if (!(column->travels & SCREE_SAVE) || !scree_particles_keeps(p, k)) continue;
        SCREE_ASSERT(table->n_columns < SCREE_TABLE_COLUMNS);
        table->column[table->n_columns++] =
            (struct scree_table_column){column->name, column->unit, number_type(column->type),
                                        column->width, scree_particles_column_bytes(p, k)};
    }
}

static void describe_contacts(const struct scree_contact_rows *rows, int stride,
                              struct scree_table *table)
{
    *table = (struct scree_table){
        .name = "contacts",
        .n = rows->n,
        .n_columns = stride > 0 ? 3 : 2,
        .column = {{"pair", "", SCREE_NUMBER_INT64, 2, rows->pair},
                   {"image", "", SCREE_NUMBER_INT32, 3, rows->image},
                   {"history", "law", SCREE_NUMBER_REAL, stride, rows->history}}};
}

/* The clock and the method's fields: one row, on rank 0. */
static void describe_method(struct scree_run *run, struct scree_table *table)
{
    *table = (struct scree_table){.name = "method",
                                  .n = run->scene.comm->rank == 0 ? 1 : 0,
                                  .n_columns = 1,
                                  .column = {{"step", "", SCREE_NUMBER_INT64, 1, &run->tick}}};
    const struct scree_field *f = run->stepper->fields;
    for (; f != NULL && f->name != NULL; f++)
        table->column[table->n_columns++] = (struct scree_table_column){
            f->name, "", f->type == SCREE_FIELD_REAL ? SCREE_NUMBER_REAL : SCREE_NUMBER_INT64,
            f->count > 0 ? f->count : 1, (unsigned char *)run->state + f->offset};
}

/* The state of all servos of walls: one row, on rank 0. */
static void describe_servos(const struct scree_run *run, double *numbers, struct scree_table *table)
{
    int n = scree_walls_n_servos(run->scene.walls) * SCREE_SERVO_NUMBERS;
    *table = (struct scree_table){.name = "servos",
                                  .n = run->scene.comm->rank == 0 ? 1 : 0,
                                  .n_columns = 1,
                                  .column = {{"state", "", SCREE_NUMBER_REAL, n, numbers}}};
}

static double *make_servo_numbers(const struct scree_run *run)
{
    size_t n = (size_t)scree_walls_n_servos(run->scene.walls);
    double *numbers = scree_alloc(n + 1, sizeof(struct scree_servo_state));
    scree_walls_save_servos(run->scene.walls, numbers);
    return numbers;
}

static enum scree_status load_servos(struct scree_run *run, const char *path)
{
    struct scree_table table;
    int n = scree_walls_n_servos(run->scene.walls);
    if (n == 0) return SCREE_OK;
    double *numbers = make_servo_numbers(run);
    describe_servos(run, numbers, &table);
    enum scree_status status = scree_checkpoint_open(path, run->scene.comm, 1, &table, 0, NULL);
    if (status == SCREE_OK) status = scree_checkpoint_read(path, run->scene.comm, 1, &table);
    scree_comm_broadcast(run->scene.comm, numbers, (size_t)n * sizeof(struct scree_servo_state), 0);
    if (status == SCREE_OK) scree_walls_load_servos(run->scene.walls, numbers);
    scree_alloc_free(numbers);
    return status;
}

/* A cell that deforms and its servos: one row, on rank 0. */
struct cell_numbers {
    double cell[SCREE_DEFORMATION_NUMBERS], servos[SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS];
};

static void describe_cell(struct scree_run *run, struct cell_numbers *numbers,
                          struct scree_table *table)
{
    memcpy(numbers->cell, &run->scene.domain->cell.state, sizeof numbers->cell);
    scree_deformation_control_save(run->scene.cell_control, numbers->servos);
    *table = (struct scree_table){
        .name = "cell",
        .n = run->scene.comm->rank == 0 ? 1 : 0,
        .n_columns = 2,
        .column = {{"state", "", SCREE_NUMBER_REAL, SCREE_DEFORMATION_NUMBERS, numbers->cell},
                   {"servos", "", SCREE_NUMBER_REAL, SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS,
                    numbers->servos}}};
}

static enum scree_status load_cell(struct scree_run *run, const char *path)
{
    struct scree_table table;
    struct cell_numbers numbers;
    if (!run->scene.cell_control->on) return SCREE_OK;
    describe_cell(run, &numbers, &table);
    SCREE_TRY(scree_checkpoint_open(path, run->scene.comm, 1, &table, 0, NULL));
    SCREE_TRY(scree_checkpoint_read(path, run->scene.comm, 1, &table));
    scree_comm_broadcast(run->scene.comm, &numbers, sizeof numbers, 0);
    memcpy(&run->scene.domain->cell.state, numbers.cell, sizeof numbers.cell);
    scree_deformation_control_load(run->scene.cell_control, numbers.servos);
    scree_deformation_refresh(&run->scene.domain->cell);
    return SCREE_OK;
}

/* Energies that methods before the present one left behind: one row, on rank 0. */
enum { LEDGER_NUMBERS = SCREE_ENERGY_LINES + 2 };
static void describe_ledger(const struct scree_run *run, double *numbers, struct scree_table *table)
{
    memcpy(numbers, run->ledger.before, sizeof run->ledger.before);
    numbers[SCREE_ENERGY_LINES] = run->ledger.closure;
    numbers[SCREE_ENERGY_LINES + 1] = run->ledger.turnover;
    *table = (struct scree_table){
        .name = "ledger",
        .n = run->scene.comm->rank == 0 ? 1 : 0,
        .n_columns = 1,
        .column = {{"before", "J", SCREE_NUMBER_REAL, LEDGER_NUMBERS, numbers}}};
}

static enum scree_status load_ledger(struct scree_run *run, const char *path)
{
    struct scree_table table;
    double numbers[LEDGER_NUMBERS];
    if (run->n_methods < 2) return SCREE_OK;
    describe_ledger(run, numbers, &table);
    SCREE_TRY(scree_checkpoint_open(path, run->scene.comm, 1, &table, 0, NULL));
    SCREE_TRY(scree_checkpoint_read(path, run->scene.comm, 1, &table));
    scree_comm_broadcast(run->scene.comm, numbers, sizeof numbers, 0);
    memcpy(run->ledger.before, numbers, sizeof run->ledger.before);
    run->ledger.closure = numbers[SCREE_ENERGY_LINES];
    run->ledger.turnover = numbers[SCREE_ENERGY_LINES + 1];
    return SCREE_OK;
}

enum scree_status scree_restart_save(struct scree_restart *restart, const char *path)
{
    struct scree_run *run = restart->run;
    struct scree_contact_rows rows;
    struct scree_table table[MOST_TABLES];
    struct scree_balance_memory balance;
    if (run->stepper->settle != NULL) run->stepper->settle(run->state, &run->scene);
    scree_contacts_export(run->scene.contacts, run->scene.particles, &rows);
    describe_grains(run->scene.particles, &table[TABLE_GRAINS]);
    describe_contacts(&rows, run->scene.contacts->stride, &table[TABLE_CONTACTS]);
    describe_method(run, &table[TABLE_METHOD]);
    scree_balance_remember(run->scene.balance, run->scene.domain, run->scene.comm,
                           run->scene.particles, &balance);
    scree_restart_describe_balance(&balance, run->scene.comm->rank == 0, &table[TABLE_BALANCE]);
    double *servos = make_servo_numbers(run);
    int n_tables = TABLE_OPTIONAL;
    if (scree_walls_n_servos(run->scene.walls) > 0)
        describe_servos(run, servos, &table[n_tables++]);
    struct cell_numbers cell;
    if (run->scene.cell_control->on) describe_cell(run, &cell, &table[n_tables++]);
    double ledger[LEDGER_NUMBERS];
    if (run->n_methods > 1) describe_ledger(run, ledger, &table[n_tables++]);
    n_tables += scree_restart_describe_analyses(&restart->output->analyses, run->scene.comm,
                                                &table[n_tables]);
    struct scree_restart_stages_memory stages;
    scree_restart_remember_stages(restart, &stages);
    n_tables += scree_restart_describe_stages(restart, &stages, &table[n_tables]);
    char method[16], number[32];
    snprintf(method, sizeof method, "%s", run->stepper->name);
    snprintf(number, sizeof number, "%lld", (long long)restart->n_checkpoints);
    char *meshes = scree_restart_mesh_prints(run->scene.walls);
    struct scree_checkpoint_text text[N_TEXTS] = {
        {"input", (char *)(uintptr_t)scree_input_text(restart->input)},
        {"sets", restart->sets_text},
        {"method_name", method},
        {"number", number},
        {"meshes", meshes}};
    enum scree_status status =
        scree_checkpoint_write(path, run->scene.comm, n_tables, table, N_TEXTS, text);
    scree_alloc_free(meshes);
    scree_alloc_free(servos);
    scree_restart_stages_memory_clear(&stages);
    scree_balance_memory_clear(&balance);
    scree_contact_rows_clear(&rows);
    return status;
}

enum scree_status scree_restart_peek(struct scree_comm *comm, const char *path, char **input,
                                     char **sets)
{
    enum { N_PEEKED = TEXT_METHOD + 1 };
    struct scree_checkpoint_text text[N_PEEKED] = {
        {"input", NULL}, {"sets", NULL}, {"method_name", NULL}};
    SCREE_TRY(scree_checkpoint_open(path, comm, 0, NULL, N_PEEKED, text));
    *input = text[TEXT_INPUT].text;
    *sets = text[TEXT_SETS].text;
    scree_alloc_free(text[TEXT_METHOD].text);
    return SCREE_OK;
}

enum scree_status scree_restart_find_method(const struct scree_restart *restart, const char *path,
                                            int *method)
{
    const struct scree_run *run = restart->run;
    struct scree_checkpoint_text name = {"method_name", NULL};
    SCREE_TRY(scree_checkpoint_open(path, run->scene.comm, 0, NULL, 1, &name));
    *method = -1;
    for (int m = 0; m < run->n_methods; m++)
        if (strcmp(run->method[m].stepper->name, name.text) == 0) *method = m;
    enum scree_status status = SCREE_OK;
    if (*method < 0)
        status = SCREE_FAIL(SCREE_INPUT, "%s is of a run with method '%s', which the input has not",
                            path, name.text);
    scree_alloc_free(name.text);
    return status;
}

/* The method's row was read by whichever rank's share it is: give it to all. */
static void share_fields(struct scree_run *run)
{
    const struct scree_field *f = run->stepper->fields;
    scree_comm_broadcast(run->scene.comm, &run->tick, sizeof run->tick, 0);
    for (; f != NULL && f->name != NULL; f++)
        scree_comm_broadcast(run->scene.comm, (unsigned char *)run->state + f->offset,
                             8 * (size_t)(f->count > 0 ? f->count : 1), 0);
}

static bool is_unit(const double q[4])
{
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-9;
}

/* Numbers that would break the run rather than stop it: refuse them here. */
static enum scree_status check_grains(const struct scree_run *run, const char *path)
{
    const struct scree_particles *p = run->scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        bool sound = p->species[i] >= 0 && p->species[i] < run->scene.materials->n &&
                     p->gid[i] >= 1 && p->pos[i][3] > 0.0 && p->vel[i][3] >= 0.0 &&
                     p->spin[i][3] >= 0.0;
        sound = sound && (p->orientation == NULL || is_unit(p->orientation[i]));
        sound =
            sound && (p->glued == NULL || (p->glued[i] >= 0 && p->glued[i] <= run->scene.walls->n));
        for (int c = 0; c < 4; c++)
            sound = sound && p->pos[i][c] - p->pos[i][c] == 0.0 &&
                    p->vel[i][c] - p->vel[i][c] == 0.0 && p->spin[i][c] - p->spin[i][c] == 0.0;
        SCREE_CHECK(sound, SCREE_IO, "%s: grain %lld has impossible values", path,
                    (long long)p->gid[i]);
    }
    return SCREE_OK;
}

enum scree_status scree_restart_load_grains(struct scree_restart *restart, const char *path)
{
    struct scree_run *run = restart->run;
    struct scree_particles *p = run->scene.particles;
    struct scree_table table;
    describe_grains(p, &table);
    SCREE_TRY(scree_checkpoint_open(path, run->scene.comm, 1, &table, 0, NULL));
    scree_particles_reserve(p, (size_t)table.n + 1);
    p->n_owned = (scree_lid)table.n;
    p->n_ghost = 0;
    int64_t n_total = table.n_total;
    describe_grains(p, &table);
    table.n_total = n_total;
    SCREE_TRY(scree_checkpoint_read(path, run->scene.comm, 1, &table));
    return scree_comm_agree(run->scene.comm, check_grains(run, path));
}

enum scree_status scree_restart_load_rest(struct scree_restart *restart, const char *path)
{
    struct scree_run *run = restart->run;
    struct scree_contact_rows rows = {0};
    struct scree_table table[2];
    int stride = run->scene.contacts->stride;
    describe_contacts(&rows, stride, &table[0]);
    describe_method(run, &table[1]);
    struct scree_checkpoint_text text[2] = {{"number", NULL}, {"meshes", NULL}};
    SCREE_TRY(scree_checkpoint_open(path, run->scene.comm, 2, table, 2, text));
    restart->n_checkpoints = strtoll(text[0].text, NULL, 10);
    enum scree_status same = scree_restart_check_meshes(run->scene.walls, path, text[1].text);
    scree_alloc_free(text[0].text);
    scree_alloc_free(text[1].text);
    SCREE_TRY(scree_comm_agree(run->scene.comm, same));
    int64_t n = table[0].n, n_total = table[0].n_total;
    scree_contact_rows_init(&rows, n, stride);
    describe_contacts(&rows, stride, &table[0]);
    table[0].n_total = n_total;
    enum scree_status status = scree_checkpoint_read(path, run->scene.comm, 2, table);
    if (status == SCREE_OK) {
        share_fields(run);
        status = scree_contacts_import(run->scene.contacts, run->scene.comm, run->scene.particles,
                                       &rows);
    }
    scree_contact_rows_clear(&rows);
    SCREE_TRY(status);
    SCREE_TRY(scree_restart_load_stages(restart, path));
    SCREE_TRY(load_servos(run, path));
    SCREE_TRY(load_cell(run, path));
    SCREE_TRY(load_ledger(run, path));
    SCREE_TRY(scree_restart_load_analyses(&restart->output->analyses, run->scene.comm, path));
    run->scene.balance->step_since = scree_run_step(run); /* the clocks begin anew as well */
    return run->stepper->resume(run->state, &run->scene, run->tick);
}
