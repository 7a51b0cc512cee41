/* SPDX-License-Identifier: BSD-3-Clause
 * The command check: mistakes, and what the contacts of a run will be like. */
#include <math.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/prospect.h"

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
    scree_log(SCREE_LOG_INFO, "memory about %.3g GB; at %g us per grain-step about %.3g core-hours",
              fmax(grains * job->run.stepper->grain_bytes, (double)peak) / 1e9, 1e6 * cost,
              grains * (double)job->run.n_steps * cost / 3600.0);
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
