/* SPDX-License-Identifier: BSD-3-Clause
 * Stages while a run goes on: when one ends, and how the next one begins. */
#include "scree/stages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/csv.h"
#include "scree/glued.h"
#include "scree/log.h"

void scree_stages_clear(struct scree_stages *stages)
{
    for (int k = 0; k < stages->n; k++) {
        scree_alloc_free(stages->stage[k].friction);
        scree_alloc_free(stages->stage[k].measured);
        if (stages->stage[k].original != k) continue;
        scree_alloc_free(stages->stage[k].cell);
        if (stages->stage[k].samples != NULL) scree_samples_clear(stages->stage[k].samples);
        scree_alloc_free(stages->stage[k].samples);
    }
    scree_alloc_free(stages->stage);
    scree_alloc_free(stages->laws);
    scree_pours_clear(&stages->pours);
    *stages = (struct scree_stages){0};
}

const char *scree_stages_end_word(int64_t end)
{
    static const char *const words[] = {"goes on", "time", "conditions", "bound", "stop"};
    return words[end];
}

void scree_stages_log(const struct scree_stages *stages, const struct scree_run *run)
{
    char text[400];
    if (stages->has_stop) {
        scree_end_condition_describe(&stages->stop, run->scene.walls, text, sizeof text);
        scree_log(SCREE_LOG_INFO, "the run stops early when %s", text);
    }
    for (int k = 0; k < stages->n && stages->given; k++) {
        const struct scree_stage *stage = &stages->stage[k];
        const struct scree_end_condition *until = &stage->until;
        if (until->steps > 0) {
            scree_log(SCREE_LOG_INFO, "stage %d '%s': %lld steps, %g s", k + 1, stage->name,
                      (long long)until->steps, (double)until->steps * stage->dt);
            continue;
        }
        scree_end_condition_describe(until, run->scene.walls, text, sizeof text);
        scree_log(SCREE_LOG_INFO,
                  "stage %d '%s': until %s, looked at every %lld steps, at most %lld steps, %g s%s",
                  k + 1, stage->name, text, (long long)until->check, (long long)until->most,
                  (double)until->most * stage->dt,
                  until->required ? "; an error if they are not met" : "");
    }
}

/* Since when the present steps have their length, from the lengths of all stages so far. */
static void find_clock(const struct scree_stages *stages, struct scree_scene *scene)
{
    if (stages->now == 0) return;
    scene->since_tick = 0;
    scene->since_time = 0.0;
    scene->dt = stages->stage[0].dt;
    for (int k = 1; k <= stages->now; k++) {
        const struct scree_stage *stage = &stages->stage[k];
        if (stage->method == stages->stage[k - 1].method) continue;
        scene->since_time = scree_scene_time(scene, stage->first);
        scene->since_tick = stage->first;
        scene->dt = stage->dt;
    }
}

/* All that a stage decides but the drives of walls and friction. */
static void take_settings(const struct scree_stages *stages, struct scree_run *run,
                          struct scree_output *output)
{
    run->stage = stages->given ? stages->now + 1 : 0;
    find_clock(stages, &run->scene);
    scree_output_take_clock(output, &run->scene);
    const struct scree_stage *stage = &stages->stage[stages->now];
    memcpy(run->scene.gravity, stage->gravity, sizeof stage->gravity);
    run->scene.background_friction = stage->background_friction;
    output->series_steps = stage->series_steps;
    output->snapshots.steps = stage->snapshot_steps;
    for (int m = 0; m < output->analyses.n; m++)
        output->analyses.measurement[m].off = !stage->measured[m];
    run->n_steps = stage->first;
    for (int k = stages->now; k < stages->n; k++) {
        const struct scree_end_condition *until = &stages->stage[k].until;
        run->n_steps += until->steps > 0 ? until->steps : until->most;
    }
}

/* Repetitions go on with what their stage began. */
static void begin_cell(const struct scree_stages *stages, struct scree_run *run, double t)
{
    const struct scree_stage *stage = &stages->stage[stages->now];
    if (run->scene.cell_control->on)
        scree_deformation_control_begin(run->scene.cell_control,
                                        stage->original == stages->now ? stage->cell : NULL,
                                        &run->scene.domain->cell, t);
}

static void take_friction(const struct scree_stages *stages, struct scree_laws *laws)
{
    const double *friction = stages->stage[stages->now].friction;
    for (int k = 0; k < laws->n_pairs && stages->laws != NULL; k++) {
        struct scree_pair_law *pair = &laws->pair[k];
        *pair = stages->laws[k];
        if (!isnan(friction[k])) scree_laws_change_friction(laws, pair, friction[k]);
    }
}

void scree_stages_log_present(const struct scree_stages *stages, int64_t step)
{
    if (stages->given)
        scree_log(SCREE_LOG_INFO, "stage %d of %d, '%s', %s at step %lld", stages->now + 1,
                  stages->n, stages->stage[stages->now].name,
                  step == stages->stage[stages->now].first ? "begins" : "began",
                  (long long)stages->stage[stages->now].first);
}

void scree_stages_start(struct scree_stages *stages, struct scree_run *run,
                        struct scree_output *output)
{
    scree_walls_begin_stage(run->scene.walls, 0, 0.0, run->scene.dt);
    for (int w = 0; w < run->scene.walls->n; w++) run->scene.walls->wall[w].servo.begins = false;
    take_settings(stages, run, output);
    begin_cell(stages, run, 0.0);
    take_friction(stages, run->scene.laws);
}

void scree_stages_resume(struct scree_stages *stages, struct scree_run *run,
                         struct scree_output *output, const double *places, const double *shape)
{
    const struct scree_deformation_control *given = NULL;
    for (int k = 0; k <= stages->now; k++)
        if (stages->stage[k].cell != NULL) given = stages->stage[k].cell;
    scree_walls_load_places(run->scene.walls, stages->now, places);
    if (run->scene.cell_control->on)
        scree_deformation_control_load_stage(run->scene.cell_control, given, shape);
    take_settings(stages, run, output);
    take_friction(stages, run->scene.laws);
    scree_stages_measure_grains(stages, run);
}

int64_t scree_stages_next(const struct scree_stages *stages, int64_t step)
{
    const struct scree_stage *stage = &stages->stage[stages->now];
    int64_t next = stage->first + scree_end_condition_next(&stage->until, step - stage->first);
    if (!stages->has_stop) return next;
    int64_t stop = (step / stages->stop.check + 1) * stages->stop.check;
    return stop < next ? stop : next;
}

/* Whether and why the present stage ends now. */
static enum scree_stage_end find_end(struct scree_stages *stages, struct scree_run *run)
{
    const struct scree_stage *stage = &stages->stage[stages->now];
    const struct scree_end_condition *until = &stage->until;
    int64_t step = scree_run_step(run), steps = step - stage->first;
    if (stages->has_stop && step % stages->stop.check == 0 &&
        scree_end_condition_holds(&stages->stop, run, stages->why, sizeof stages->why))
        return SCREE_STAGE_STOP;
    stages->why[0] = '\0';
    if (until->steps > 0) return steps >= until->steps ? SCREE_STAGE_TIME : SCREE_STAGE_GOES_ON;
    bool late = until->most > 0 && steps >= until->most;
    if (!late && (steps < until->after || steps % until->check != 0)) return SCREE_STAGE_GOES_ON;
    if (scree_end_condition_holds(until, run, stages->why, sizeof stages->why))
        return SCREE_STAGE_CONDITIONS;
    return late ? SCREE_STAGE_BOUND : SCREE_STAGE_GOES_ON;
}

enum scree_status scree_stages_poll(struct scree_stages *stages, struct scree_run *run, bool *ends)
{
    struct scree_stage *stage = &stages->stage[stages->now];
    stage->end = find_end(stages, run);
    *ends = stage->end != SCREE_STAGE_GOES_ON;
    if (!*ends) return SCREE_OK;
    stage->last = scree_run_step(run);
    if (stages->now + 1 == stages->n || stage->end == SCREE_STAGE_STOP) run->n_steps = stage->last;
    SCREE_CHECK(stage->end != SCREE_STAGE_BOUND || !stage->until.required, SCREE_PHYSICS,
                "step %lld: stage '%s' has lasted the %lld steps of 'at_most', and its conditions, "
                "which are required, are not met: %s",
                (long long)stage->last, stage->name, (long long)stage->until.most, stages->why);
    return SCREE_OK;
}

static void tell_end(const struct scree_stages *stages, double dt)
{
    const struct scree_stage *stage = &stages->stage[stages->now];
    long long step = (long long)stage->last;
    double seconds = (double)(stage->last - stage->first) * dt;
    if (stage->end == SCREE_STAGE_STOP)
        scree_log(SCREE_LOG_INFO, "the run stops early at step %lld: %s", step, stages->why);
    else if (stage->end == SCREE_STAGE_BOUND)
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: stage '%s' ENDS WITHOUT ITS CONDITIONS after %g s, the most it may "
                  "take: %s",
                  step, stage->name, seconds, stages->why);
    else if (stages->given)
        scree_log(SCREE_LOG_INFO, "stage '%s' ends at step %lld after %g s%s%s", stage->name, step,
                  seconds, stages->why[0] != '\0' ? ": " : "", stages->why);
}

/* Before anything else changes, so that forces are those of the old drives on both sides. */
static enum scree_status change_method(struct scree_stages *stages, struct scree_run *run)
{
    struct scree_stage *stage = &stages->stage[stages->now];
    struct scree_run_handover h;
    if (stage->method == stages->stage[stages->now - 1].method) return SCREE_OK;
    const char *before = run->stepper->name;
    SCREE_TRY(scree_run_hand_over(run, stage->method, stage->dt, &h));
    memcpy(stage->unbalanced, h.unbalanced, sizeof stage->unbalanced);
    if (isnan(h.unbalanced[0]) || isnan(h.unbalanced[1]))
        scree_log(SCREE_LOG_INFO,
                  "from %s to %s with steps of %g s; no contact forces are handed over between "
                  "these; energy changed by %.4g J",
                  before, run->stepper->name, stage->dt, h.work);
    else
        scree_log(
            SCREE_LOG_INFO,
            "from %s to %s with steps of %g s: %.0f contacts, mean force %.4g N; unbalanced force "
            "of grains %.2e of it before, %.2e after; energy changed by %.4g J",
            before, run->stepper->name, stage->dt, h.contacts, h.mean_force, h.unbalanced[0],
            h.unbalanced[1], h.work);
    return SCREE_OK;
}

static enum scree_status begin(struct scree_stages *stages, struct scree_run *run,
                               struct scree_output *output)
{
    scree_stages_log_present(stages, scree_run_step(run));
    SCREE_TRY(change_method(stages, run));
    const struct scree_stepper *stepper = run->stepper;
    SCREE_TRY(scree_stages_change_grains(stages, run));
    stepper->before_change(run->state, &run->scene, SCREE_CHANGE_DRIVES);
    scree_walls_begin_stage(run->scene.walls, stages->now, scree_run_time(run), run->scene.dt);
    scree_glued_change_pivots(run->scene.walls, run->scene.particles);
    begin_cell(stages, run, scree_run_time(run));
    take_settings(stages, run, output);
    SCREE_TRY(stepper->after_change(run->state, &run->scene, SCREE_CHANGE_DRIVES));
    scree_walls_hold_servos(run->scene.walls);
    take_friction(stages, run->scene.laws);
    return SCREE_OK;
}

static void write_head(FILE *f, const void *context)
{
    const struct scree_run *run = context;
    fputs(",stage,name,first step,first time [s],ended by,found", f);
    if (run->n_methods > 1) fputs(",method,unbalanced before,unbalanced after", f);
}

enum scree_status scree_stages_open(const struct scree_stages *stages, const struct scree_run *run,
                                    const char *folder)
{
    enum scree_status status = SCREE_OK;
    if (!stages->given) return SCREE_OK;
    if (run->scene.comm->rank == 0) status = scree_csv_open(run, folder, "stages", write_head, run);
    return scree_comm_agree(run->scene.comm, status);
}

/* The method of a stage, and what its hand-over left; nothing of the first one, nor if one of both
 * knows no forces. */
static void write_method(const struct scree_stage *stage, const struct scree_run *run, char *text,
                         size_t size)
{
    if (isnan(stage->unbalanced[0]) || isnan(stage->unbalanced[1]))
        snprintf(text, size, ",%s,,", run->stepper->name);
    else
        snprintf(text, size, ",%s,%.17g,%.17g", run->stepper->name, stage->unbalanced[0],
                 stage->unbalanced[1]);
}

static enum scree_status write_row(const struct scree_stages *stages, const struct scree_run *run,
                                   const char *folder)
{
    const struct scree_stage *stage = &stages->stage[stages->now];
    char text[800];
    int n = snprintf(text, sizeof text, "%d,%s,%" PRId64 ",%.17g,%s,\"%s\"", stages->now + 1,
                     stage->name, stage->first, scree_scene_time(&run->scene, stage->first),
                     scree_stages_end_word(stage->end), stages->why);
    if (run->n_methods > 1) write_method(stage, run, text + n, sizeof text - (size_t)n);
    return scree_csv_append_text(run, folder, "stages", text);
}

enum scree_status scree_stages_turn(struct scree_stages *stages, struct scree_run *run,
                                    struct scree_output *output, const char *folder)
{
    enum scree_status status = SCREE_OK;
    tell_end(stages, run->scene.dt);
    if (stages->given && folder != NULL && run->scene.comm->rank == 0)
        status = write_row(stages, run, folder);
    SCREE_TRY(scree_comm_agree(run->scene.comm, status));
    if (scree_run_step(run) >= run->n_steps) return SCREE_OK;
    stages->now++;
    stages->stage[stages->now].first = scree_run_step(run);
    return begin(stages, run, output);
}

int scree_stages_report(const struct scree_stages *stages, int64_t step,
                        struct scree_report_stage **report)
{
    int n = stages->given ? stages->now + 1 : 0;
    *report = scree_alloc((size_t)n + 1, sizeof **report);
    for (int k = 0; k < n; k++) {
        const struct scree_stage *stage = &stages->stage[k];
        bool ended = stage->end != SCREE_STAGE_GOES_ON;
        (*report)[k] = (struct scree_report_stage){.name = stage->name,
                                                   .ended_by = scree_stages_end_word(stage->end),
                                                   .first = stage->first,
                                                   .last = ended ? stage->last : step};
    }
    return n;
}
