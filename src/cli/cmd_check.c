/* SPDX-License-Identifier: BSD-3-Clause
 * The command check: mistakes, and what the contacts of a run will be like. */
#include <math.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/prospect.h"

static bool was_told(const struct scree_stages *stages, int k)
{
    for (int e = 0; e < k; e++)
        if (stages->stage[e].method == stages->stage[k].method &&
            stages->stage[e].dt == stages->stage[k].dt)
            return true;
    return false;
}

/* What methods of later stages say: each takes over the grains of the start from the one before it,
 * with walls and cell as they are then. Nothing goes on from there. Hard grains must not overlap,
 * which those of the start may do: not asked. */
static enum scree_status advise_later(struct scree_job *job, const struct scree_advice *advice)
{
    const struct scree_stages *stages = &job->stages;
    for (int k = 1; k < stages->n; k++) {
        const struct scree_stage *stage = &stages->stage[k];
        struct scree_run_handover left;
        if (job->run.method[stage->method].stepper->has_no_steps || was_told(stages, k)) continue;
        scree_log(SCREE_LOG_INFO,
                  "stage '%s', method %s with steps of %g s, if it began now:", stage->name,
                  job->run.method[stage->method].stepper->name, stage->dt);
        SCREE_TRY(scree_run_hand_over(&job->run, stage->method, stage->dt, &left));
        SCREE_TRY(scree_run_advise(&job->run, advice));
    }
    return SCREE_OK;
}

static enum scree_status print_estimates(struct scree_job *job, double speed)
{
    struct scree_prospect prospect;
    double smallest = INFINITY;
    scree_prospect_init(&prospect, job, speed);
    for (int m = 0; m < job->materials.n; m++)
        smallest = fmin(smallest, prospect.range[m].radius[0]);
    scree_log(SCREE_LOG_INFO, "%lld grains, radii %.4g to %.4g m, %lld steps of %g s",
              (long long)job->run.n_grains, smallest, job->run.scene.largest_radius,
              (long long)job->run.n_steps, job->run.scene.dt);
    scree_stages_log(&job->stages, &job->run);
    scree_job_describe_sizes(job, scree_cli_log_line, NULL);
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_CHECK, .prospect = &prospect};
    enum scree_status status = scree_run_advise(&job->run, &advice);
    double grains = (double)job->run.n_grains, cost = job->run.stepper->grain_step;
    int64_t peak = (int64_t)scree_alloc_peak(); /* lists and bricks are there by now */
    scree_comm_sum_int(job->comm, &peak, 1);
    double memory = fmax(grains * job->run.stepper->grain_bytes, (double)peak) / 1e9;
    if (job->run.stepper->has_no_steps)
        scree_log(SCREE_LOG_INFO, "memory about %.3g GB", memory);
    else
        scree_log(SCREE_LOG_INFO,
                  "memory about %.3g GB; at %g us per grain-step about %.3g core-hours", memory,
                  1e6 * cost, grains * (double)job->run.n_steps * cost / 3600.0);
    if (status == SCREE_OK) status = advise_later(job, &advice);
    scree_prospect_clear(&prospect);
    return status;
}

enum scree_status scree_cli_check(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job;
    char why[200];
    double speed = 1.0; /* m/s */
    const char *given = cli->lab[SCREE_LAW_PROBE_SPEED];
    SCREE_CHECK(given == NULL ||
                    (scree_units_parse(given, "m/s", &speed, why, sizeof why) && speed > 0.0),
                SCREE_INPUT, "--speed is '%s'; expected an impact speed such as '0.5 m/s'", given);
    enum scree_status status = scree_cli_read_job(cli, comm, NULL, &job);
    if (status == SCREE_OK) status = scree_cli_build_job(&job);
    if (status == SCREE_OK) status = scree_job_start(&job); /* do grains overlap? */
    if (status == SCREE_OK) {
        status = print_estimates(&job, speed);
        scree_log(SCREE_LOG_INFO, "%s: no mistakes found", scree_cli_shown_name(cli->argument[0]));
    }
    scree_job_clear(&job);
    return status;
}
