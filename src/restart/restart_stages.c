/* SPDX-License-Identifier: BSD-3-Clause
 * What a checkpoint remembers of stages: one row, on rank 0. */
#include "restart_stages.h"

#include <string.h>

#include "scree/alloc.h"

enum { PER_STAGE = 3 };

static int n_record(const struct scree_restart *restart)
{
    return 1 + PER_STAGE * restart->stages->n;
}

static int n_place(const struct scree_restart *restart)
{
    return SCREE_WALL_NUMBERS * restart->run->scene.walls->n;
}

void scree_restart_remember_stages(const struct scree_restart *restart,
                                   struct scree_restart_stages_memory *m)
{
    m->record = scree_alloc((size_t)n_record(restart), sizeof *m->record);
    m->unbalanced = scree_alloc(2 * (size_t)restart->stages->n, sizeof *m->unbalanced);
    m->place = scree_alloc((size_t)n_place(restart) + 1, sizeof *m->place);
    m->record[0] = restart->stages->now;
    for (int k = 0; k < restart->stages->n; k++) {
        const struct scree_stage *stage = &restart->stages->stage[k];
        const int64_t numbers[PER_STAGE] = {stage->first, stage->last, stage->end};
        memcpy(&m->record[1 + PER_STAGE * k], numbers, sizeof numbers);
    }
    for (int k = 0; k < restart->stages->n; k++)
        memcpy(m->unbalanced + 2 * k, restart->stages->stage[k].unbalanced,
               sizeof restart->stages->stage[k].unbalanced);
    scree_walls_save_places(restart->run->scene.walls, m->place);
    scree_deformation_control_save_stage(restart->run->scene.cell_control, m->shape);
}

void scree_restart_stages_memory_clear(struct scree_restart_stages_memory *m)
{
    scree_alloc_free(m->record);
    scree_alloc_free(m->place);
    scree_alloc_free(m->unbalanced);
}

int scree_restart_describe_stages(const struct scree_restart *restart,
                                  struct scree_restart_stages_memory *m, struct scree_table *table)
{
    if (!restart->stages->given) return 0;
    *table = (struct scree_table){
        .name = "stages",
        .n = restart->run->scene.comm->rank == 0 ? 1 : 0,
        .n_columns = 1,
        .column = {{"record", "", SCREE_NUMBER_INT64, n_record(restart), m->record}}};
    if (restart->run->scene.walls->n > 0)
        table->column[table->n_columns++] =
            (struct scree_table_column){"walls", "", SCREE_NUMBER_REAL, n_place(restart), m->place};
    if (restart->run->n_methods > 1)
        table->column[table->n_columns++] = (struct scree_table_column){
            "unbalanced", "", SCREE_NUMBER_REAL, 2 * restart->stages->n, m->unbalanced};
    if (restart->run->scene.cell_control->on)
        table->column[table->n_columns++] = (struct scree_table_column){
            "cell", "", SCREE_NUMBER_REAL, SCREE_DEFORMATION_STAGE_NUMBERS, m->shape};
    return 1;
}

static enum scree_status take(struct scree_restart *restart, const char *path,
                              const struct scree_restart_stages_memory *m)
{
    SCREE_CHECK(m->record[0] >= 0 && m->record[0] < restart->stages->n, SCREE_IO,
                "%s: table /stages has impossible values", path);
    restart->stages->now = (int)m->record[0];
    for (int k = 0; k < restart->stages->n; k++) {
        struct scree_stage *stage = &restart->stages->stage[k];
        const int64_t *numbers = &m->record[1 + PER_STAGE * k];
        SCREE_CHECK(numbers[0] >= 0 && numbers[2] >= SCREE_STAGE_GOES_ON &&
                        numbers[2] <= SCREE_STAGE_STOP,
                    SCREE_IO, "%s: table /stages has impossible values", path);
        stage->first = numbers[0];
        stage->last = numbers[1];
        stage->end = numbers[2];
        memcpy(stage->unbalanced, m->unbalanced + 2 * k, sizeof stage->unbalanced);
    }
    return SCREE_OK;
}

enum scree_status scree_restart_load_stages(struct scree_restart *restart, const char *path)
{
    struct scree_restart_stages_memory memory;
    struct scree_table table;
    enum scree_status status = SCREE_OK;
    scree_restart_remember_stages(restart, &memory);
    if (scree_restart_describe_stages(restart, &memory, &table) > 0) {
        status = scree_checkpoint_open(path, restart->run->scene.comm, 1, &table, 0, NULL);
        if (status == SCREE_OK)
            status = scree_checkpoint_read(path, restart->run->scene.comm, 1, &table);
        scree_comm_broadcast(restart->run->scene.comm, memory.record,
                             (size_t)n_record(restart) * sizeof(int64_t), 0);
        scree_comm_broadcast(restart->run->scene.comm, memory.unbalanced,
                             2 * (size_t)restart->stages->n * sizeof(double), 0);
        scree_comm_broadcast(restart->run->scene.comm, memory.place,
                             (size_t)n_place(restart) * sizeof(double), 0);
        scree_comm_broadcast(restart->run->scene.comm, memory.shape, sizeof memory.shape, 0);
        if (status == SCREE_OK) status = take(restart, path, &memory);
    }
    if (status == SCREE_OK)
        scree_stages_resume(restart->stages, restart->run, restart->output, memory.place,
                            memory.shape);
    scree_restart_stages_memory_clear(&memory);
    return status;
}
