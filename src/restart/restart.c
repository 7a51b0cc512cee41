/* SPDX-License-Identifier: BSD-3-Clause
 * What of a job goes into a checkpoint, and back: grains, contacts, the method's fields, the input.
 */
#include "scree/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "restart_analysis.h"
#include "restart_stages.h"
#include "scree/alloc.h"
#include "scree/job.h"
#include "scree/restart_balance.h"

enum { TABLE_GRAINS, TABLE_CONTACTS, TABLE_METHOD, TABLE_BALANCE };
/* Servos, a cell that deforms, analyses and stages have a table each, if there are any. */
enum { TABLE_OPTIONAL = TABLE_BALANCE + SCREE_BALANCE_TABLES, MOST_TABLES = TABLE_OPTIONAL + 4 };
enum { TEXT_INPUT, TEXT_SETS, TEXT_METHOD, TEXT_NUMBER, N_TEXTS };

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
static void describe_method(struct scree_job *job, struct scree_table *table)
{
    *table = (struct scree_table){.name = "method",
                                  .n = job->comm->rank == 0 ? 1 : 0,
                                  .n_columns = 1,
                                  .column = {{"step", "", SCREE_NUMBER_INT64, 1, &job->tick}}};
    const struct scree_field *f = job->stepper->fields;
    for (; f != NULL && f->name != NULL; f++)
        table->column[table->n_columns++] = (struct scree_table_column){
            f->name, "", f->type == SCREE_FIELD_REAL ? SCREE_NUMBER_REAL : SCREE_NUMBER_INT64,
            f->count > 0 ? f->count : 1, (unsigned char *)job->state + f->offset};
}

/* The state of all servos of walls: one row, on rank 0. */
static void describe_servos(const struct scree_job *job, double *numbers, struct scree_table *table)
{
    int n = scree_walls_n_servos(&job->walls) * SCREE_SERVO_NUMBERS;
    *table = (struct scree_table){.name = "servos",
                                  .n = job->comm->rank == 0 ? 1 : 0,
                                  .n_columns = 1,
                                  .column = {{"state", "", SCREE_NUMBER_REAL, n, numbers}}};
}

static double *make_servo_numbers(const struct scree_job *job)
{
    size_t n = (size_t)scree_walls_n_servos(&job->walls);
    double *numbers = scree_alloc(n + 1, sizeof(struct scree_servo_state));
    scree_walls_save_servos(&job->walls, numbers);
    return numbers;
}

static enum scree_status load_servos(struct scree_job *job, const char *path)
{
    struct scree_table table;
    int n = scree_walls_n_servos(&job->walls);
    if (n == 0) return SCREE_OK;
    double *numbers = make_servo_numbers(job);
    describe_servos(job, numbers, &table);
    enum scree_status status = scree_checkpoint_open(path, job->comm, 1, &table, 0, NULL);
    if (status == SCREE_OK) status = scree_checkpoint_read(path, job->comm, 1, &table);
    scree_comm_broadcast(job->comm, numbers, (size_t)n * sizeof(struct scree_servo_state), 0);
    if (status == SCREE_OK) scree_walls_load_servos(&job->walls, numbers);
    scree_alloc_free(numbers);
    return status;
}

/* A cell that deforms and its servos: one row, on rank 0. */
struct cell_numbers {
    double cell[SCREE_DEFORMATION_NUMBERS], servos[SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS];
};

static void describe_cell(struct scree_job *job, struct cell_numbers *numbers,
                          struct scree_table *table)
{
    memcpy(numbers->cell, &job->domain_built.cell.state, sizeof numbers->cell);
    scree_deformation_control_save(&job->cell, numbers->servos);
    *table = (struct scree_table){
        .name = "cell",
        .n = job->comm->rank == 0 ? 1 : 0,
        .n_columns = 2,
        .column = {{"state", "", SCREE_NUMBER_REAL, SCREE_DEFORMATION_NUMBERS, numbers->cell},
                   {"servos", "", SCREE_NUMBER_REAL, SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS,
                    numbers->servos}}};
}

static enum scree_status load_cell(struct scree_job *job, const char *path)
{
    struct scree_table table;
    struct cell_numbers numbers;
    if (!job->cell.on) return SCREE_OK;
    describe_cell(job, &numbers, &table);
    SCREE_TRY(scree_checkpoint_open(path, job->comm, 1, &table, 0, NULL));
    SCREE_TRY(scree_checkpoint_read(path, job->comm, 1, &table));
    scree_comm_broadcast(job->comm, &numbers, sizeof numbers, 0);
    memcpy(&job->domain_built.cell.state, numbers.cell, sizeof numbers.cell);
    scree_deformation_control_load(&job->cell, numbers.servos);
    scree_deformation_refresh(&job->domain_built.cell);
    return SCREE_OK;
}

enum scree_status scree_restart_save(struct scree_job *job, const char *path)
{
    struct scree_contact_rows rows;
    struct scree_table table[MOST_TABLES];
    struct scree_balance_memory balance;
    if (job->stepper->settle != NULL) job->stepper->settle(job->state, &job->scene);
    scree_contacts_export(job->scene.contacts, job->scene.particles, &rows);
    describe_grains(job->scene.particles, &table[TABLE_GRAINS]);
    describe_contacts(&rows, job->scene.contacts->stride, &table[TABLE_CONTACTS]);
    describe_method(job, &table[TABLE_METHOD]);
    scree_balance_remember(&job->balance_built, &job->domain_built, job->comm, job->scene.particles,
                           &balance);
    scree_restart_describe_balance(&balance, job->comm->rank == 0, &table[TABLE_BALANCE]);
    double *servos = make_servo_numbers(job);
    int n_tables = TABLE_OPTIONAL;
    if (scree_walls_n_servos(&job->walls) > 0) describe_servos(job, servos, &table[n_tables++]);
    struct cell_numbers cell;
    if (job->cell.on) describe_cell(job, &cell, &table[n_tables++]);
    n_tables += scree_restart_describe_analyses(job, &table[n_tables]);
    struct scree_restart_stages_memory stages;
    scree_restart_remember_stages(job, &stages);
    n_tables += scree_restart_describe_stages(job, &stages, &table[n_tables]);
    char method[16], number[32];
    snprintf(method, sizeof method, "%s", job->stepper->name);
    snprintf(number, sizeof number, "%lld", (long long)job->n_checkpoints);
    struct scree_checkpoint_text text[N_TEXTS] = {
        {"input", (char *)(uintptr_t)scree_input_text(job->input)},
        {"sets", job->sets_text},
        {"method_name", method},
        {"number", number}};
    enum scree_status status =
        scree_checkpoint_write(path, job->comm, n_tables, table, N_TEXTS, text);
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

/* The method's row was read by whichever rank's share it is: give it to all. */
static void share_fields(struct scree_job *job)
{
    const struct scree_field *f = job->stepper->fields;
    scree_comm_broadcast(job->comm, &job->tick, sizeof job->tick, 0);
    for (; f != NULL && f->name != NULL; f++)
        scree_comm_broadcast(job->comm, (unsigned char *)job->state + f->offset,
                             8 * (size_t)(f->count > 0 ? f->count : 1), 0);
}

static bool is_unit(const double q[4])
{
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-9;
}

/* Numbers that would break the run rather than stop it: refuse them here. */
static enum scree_status check_grains(const struct scree_job *job, const char *path)
{
    const struct scree_particles *p = job->scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        bool sound = p->species[i] >= 0 && p->species[i] < job->n_materials && p->gid[i] >= 1 &&
                     p->pos[i][3] > 0.0 && p->vel[i][3] >= 0.0 && p->spin[i][3] >= 0.0;
        sound = sound && (p->orientation == NULL || is_unit(p->orientation[i]));
        sound = sound && (p->glued == NULL || (p->glued[i] >= 0 && p->glued[i] <= job->walls.n));
        for (int c = 0; c < 4; c++)
            sound = sound && p->pos[i][c] - p->pos[i][c] == 0.0 &&
                    p->vel[i][c] - p->vel[i][c] == 0.0 && p->spin[i][c] - p->spin[i][c] == 0.0;
        SCREE_CHECK(sound, SCREE_IO, "%s: grain %lld has impossible values", path,
                    (long long)p->gid[i]);
    }
    return SCREE_OK;
}

enum scree_status scree_restart_load_grains(struct scree_job *job, const char *path)
{
    struct scree_particles *p = job->scene.particles;
    struct scree_table table;
    describe_grains(p, &table);
    SCREE_TRY(scree_checkpoint_open(path, job->comm, 1, &table, 0, NULL));
    scree_particles_reserve(p, (size_t)table.n + 1);
    p->n_owned = (scree_lid)table.n;
    p->n_ghost = 0;
    int64_t n_total = table.n_total;
    describe_grains(p, &table);
    table.n_total = n_total;
    SCREE_TRY(scree_checkpoint_read(path, job->comm, 1, &table));
    return scree_comm_agree(job->comm, check_grains(job, path));
}

enum scree_status scree_restart_load_rest(struct scree_job *job, const char *path)
{
    struct scree_contact_rows rows = {0};
    struct scree_table table[2];
    int stride = job->scene.contacts->stride;
    describe_contacts(&rows, stride, &table[0]);
    describe_method(job, &table[1]);
    struct scree_checkpoint_text number = {"number", NULL};
    SCREE_TRY(scree_checkpoint_open(path, job->comm, 2, table, 1, &number));
    job->n_checkpoints = strtoll(number.text, NULL, 10);
    scree_alloc_free(number.text);
    int64_t n = table[0].n, n_total = table[0].n_total;
    scree_contact_rows_init(&rows, n, stride);
    describe_contacts(&rows, stride, &table[0]);
    table[0].n_total = n_total;
    enum scree_status status = scree_checkpoint_read(path, job->comm, 2, table);
    if (status == SCREE_OK) {
        share_fields(job);
        status = scree_contacts_import(job->scene.contacts, job->comm, job->scene.particles, &rows);
    }
    scree_contact_rows_clear(&rows);
    SCREE_TRY(status);
    SCREE_TRY(scree_restart_load_stages(job, path));
    SCREE_TRY(load_servos(job, path));
    SCREE_TRY(load_cell(job, path));
    SCREE_TRY(scree_restart_load_analyses(job, path));
    job->balance_built.step_since = scree_job_step(job); /* the clocks begin anew as well */
    return job->stepper->resume(job->state, &job->scene, job->tick);
}
