/* SPDX-License-Identifier: BSD-3-Clause
 * Stages while a run goes on: when one ends, and how the next one begins. */
#include "scree/stages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/csv.h"
#include "scree/job.h"
#include "scree/log.h"

void scree_stages_clear(struct scree_job *job)
{
    struct scree_stages *stages = &job->stages;
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
    *stages = (struct scree_stages){0};
}

bool scree_stages_have_snapshots(const struct scree_job *job)
{
    bool any = job->snapshots.n_times > 0;
    for (int k = 0; k < job->stages.n; k++) any = any || job->stages.stage[k].snapshot_steps > 0;
    return any;
}

const char *scree_stages_end_word(int64_t end)
{
    static const char *const words[] = {"goes on", "time", "conditions", "bound", "stop"};
    return words[end];
}

void scree_stages_log(const struct scree_job *job)
{
    const struct scree_stages *stages = &job->stages;
    char text[400];
    if (stages->has_stop) {
        scree_end_condition_describe(&stages->stop, &job->walls, text, sizeof text);
        scree_log(SCREE_LOG_INFO, "the run stops early when %s", text);
    }
    for (int k = 0; k < stages->n && stages->given; k++) {
        const struct scree_stage *stage = &stages->stage[k];
        const struct scree_end_condition *until = &stage->until;
        if (until->steps > 0) {
            scree_log(SCREE_LOG_INFO, "stage %d '%s': %lld steps, %g s", k + 1, stage->name,
                      (long long)until->steps, (double)until->steps * job->time.step);
            continue;
        }
        scree_end_condition_describe(until, &job->walls, text, sizeof text);
        scree_log(SCREE_LOG_INFO,
                  "stage %d '%s': until %s, looked at every %lld steps, at most %lld steps, %g s%s",
                  k + 1, stage->name, text, (long long)until->check, (long long)until->most,
                  (double)until->most * job->time.step,
                  until->required ? "; an error if they are not met" : "");
    }
}

/* All that a stage decides but the drives of walls and friction. */
static void take_settings(struct scree_job *job)
{
    const struct scree_stage *stage = &job->stages.stage[job->stages.now];
    memcpy(job->scene.gravity, stage->gravity, sizeof stage->gravity);
    job->scene.background_friction = stage->background_friction;
    job->series_steps = stage->series_steps;
    job->snapshot_steps = stage->snapshot_steps;
    for (int m = 0; m < job->analyses.n; m++)
        job->analyses.measurement[m].off = !stage->measured[m];
    job->n_steps = stage->first;
    for (int k = job->stages.now; k < job->stages.n; k++) {
        const struct scree_end_condition *until = &job->stages.stage[k].until;
        job->n_steps += until->steps > 0 ? until->steps : until->most;
    }
}

/* Repetitions go on with what their stage began. */
static void begin_cell(struct scree_job *job, double t)
{
    const struct scree_stage *stage = &job->stages.stage[job->stages.now];
    if (job->cell.on)
        scree_deformation_control_begin(&job->cell,
                                        stage->original == job->stages.now ? stage->cell : NULL,
                                        &job->domain_built.cell, t);
}

static void take_friction(struct scree_job *job)
{
    const struct scree_stages *stages = &job->stages;
    const double *friction = stages->stage[stages->now].friction;
    for (int k = 0; k < job->laws.n_pairs && stages->laws != NULL; k++) {
        struct scree_pair_law *pair = &job->laws.pair[k];
        *pair = stages->laws[k];
        if (!isnan(friction[k]))
            pair->law[SCREE_LAW_TANGENTIAL]->set_friction(pair->values[SCREE_LAW_TANGENTIAL],
                                                          friction[k]);
    }
}

void scree_stages_tell(const struct scree_job *job)
{
    const struct scree_stages *stages = &job->stages;
    if (stages->given)
        scree_log(SCREE_LOG_INFO, "stage %d of %d, '%s', %s at step %lld", stages->now + 1,
                  stages->n, stages->stage[stages->now].name,
                  scree_job_step(job) == stages->stage[stages->now].first ? "begins" : "began",
                  (long long)stages->stage[stages->now].first);
}

void scree_stages_start(struct scree_job *job)
{
    scree_walls_begin_stage(&job->walls, 0, 0.0, job->scene.dt);
    for (int w = 0; w < job->walls.n; w++) job->walls.wall[w].servo.begins = false;
    begin_cell(job, 0.0);
    take_settings(job);
    take_friction(job);
}

void scree_stages_resume(struct scree_job *job, const double *places, const double *shape)
{
    const struct scree_deformation_control *given = NULL;
    for (int k = 0; k <= job->stages.now; k++)
        if (job->stages.stage[k].cell != NULL) given = job->stages.stage[k].cell;
    scree_walls_load_places(&job->walls, job->stages.now, places);
    if (job->cell.on) scree_deformation_control_load_stage(&job->cell, given, shape);
    take_settings(job);
    take_friction(job);
    scree_job_measure_grains(job);
}

int64_t scree_stages_next(const struct scree_job *job, int64_t step)
{
    const struct scree_stages *stages = &job->stages;
    const struct scree_stage *stage = &stages->stage[stages->now];
    int64_t next = stage->first + scree_end_condition_next(&stage->until, step - stage->first);
    if (!stages->has_stop) return next;
    int64_t stop = (step / stages->stop.check + 1) * stages->stop.check;
    return stop < next ? stop : next;
}

/* Whether and why the present stage ends now. */
static enum scree_stage_end find_end(struct scree_job *job)
{
    struct scree_stages *stages = &job->stages;
    const struct scree_stage *stage = &stages->stage[stages->now];
    const struct scree_end_condition *until = &stage->until;
    int64_t step = scree_job_step(job), steps = step - stage->first;
    if (stages->has_stop && step % stages->stop.check == 0 &&
        scree_end_condition_holds(&stages->stop, job, stages->why, sizeof stages->why))
        return SCREE_STAGE_STOP;
    stages->why[0] = '\0';
    if (until->steps > 0) return steps >= until->steps ? SCREE_STAGE_TIME : SCREE_STAGE_GOES_ON;
    bool late = until->most > 0 && steps >= until->most;
    if (!late && (steps < until->after || steps % until->check != 0)) return SCREE_STAGE_GOES_ON;
    if (scree_end_condition_holds(until, job, stages->why, sizeof stages->why))
        return SCREE_STAGE_CONDITIONS;
    return late ? SCREE_STAGE_BOUND : SCREE_STAGE_GOES_ON;
}

enum scree_status scree_stages_look(struct scree_job *job, bool *ends)
{
    struct scree_stages *stages = &job->stages;
    struct scree_stage *stage = &stages->stage[stages->now];
    stage->end = find_end(job);
    *ends = stage->end != SCREE_STAGE_GOES_ON;
    if (!*ends) return SCREE_OK;
    stage->last = scree_job_step(job);
    if (stages->now + 1 == stages->n || stage->end == SCREE_STAGE_STOP) job->n_steps = stage->last;
    SCREE_CHECK(stage->end != SCREE_STAGE_BOUND || !stage->until.required, SCREE_PHYSICS,
                "step %lld: stage '%s' has lasted the %lld steps of 'at_most', and its conditions, "
                "which are required, are not met: %s",
                (long long)stage->last, stage->name, (long long)stage->until.most, stages->why);
    return SCREE_OK;
}

static void tell_end(const struct scree_job *job)
{
    const struct scree_stages *stages = &job->stages;
    const struct scree_stage *stage = &stages->stage[stages->now];
    long long step = (long long)stage->last;
    double seconds = (double)(stage->last - stage->first) * job->scene.dt;
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

static enum scree_status begin(struct scree_job *job)
{
    struct scree_stages *stages = &job->stages;
    const struct scree_stepper *stepper = job->stepper;
    scree_stages_tell(job);
    SCREE_TRY(scree_stages_change_grains(job));
    stepper->before_change(job->state, &job->scene, SCREE_CHANGE_DRIVES);
    scree_walls_begin_stage(&job->walls, stages->now, scree_job_time(job), job->scene.dt);
    begin_cell(job, scree_job_time(job));
    take_settings(job);
    SCREE_TRY(stepper->after_change(job->state, &job->scene, SCREE_CHANGE_DRIVES));
    scree_walls_hold_servos(&job->walls);
    take_friction(job);
    return SCREE_OK;
}

static void write_head(FILE *f, const void *context)
{
    (void)context;
    fputs(",stage,name,first step,first time [s],ended by,found", f);
}

enum scree_status scree_stages_open(struct scree_job *job, const char *folder)
{
    enum scree_status status = SCREE_OK;
    if (!job->stages.given) return SCREE_OK;
    if (job->comm->rank == 0) status = scree_csv_open(job, folder, "stages", write_head, NULL);
    return scree_comm_agree(job->comm, status);
}

static enum scree_status write_row(const struct scree_job *job, const char *folder)
{
    const struct scree_stages *stages = &job->stages;
    const struct scree_stage *stage = &stages->stage[stages->now];
    char text[800];
    snprintf(text, sizeof text, "%d,%s,%" PRId64 ",%.17g,%s,\"%s\"", stages->now + 1, stage->name,
             stage->first, (double)stage->first * job->scene.dt, scree_stages_end_word(stage->end),
             stages->why);
    return scree_csv_append_text(job, folder, "stages", text);
}

enum scree_status scree_stages_turn(struct scree_job *job, const char *folder)
{
    struct scree_stages *stages = &job->stages;
    enum scree_status status = SCREE_OK;
    tell_end(job);
    if (stages->given && folder != NULL && job->comm->rank == 0) status = write_row(job, folder);
    SCREE_TRY(scree_comm_agree(job->comm, status));
    if (scree_job_step(job) >= job->n_steps) return SCREE_OK;
    stages->now++;
    stages->stage[stages->now].first = scree_job_step(job);
    return begin(job);
}
