/* SPDX-License-Identifier: BSD-3-Clause
 * The command check: mistakes, and what the contacts of a run will be like. */
#include <math.h>

#include "cli.h"
#include "scree/log.h"
#include "scree/prospect.h"

static enum scree_status print_estimates(struct scree_job *job, double speed)
{
    struct scree_prospect prospect;
    double smallest = INFINITY;
    scree_prospect_init(&prospect, job, speed);
    for (int m = 0; m < job->n_materials; m++)
        smallest = fmin(smallest, prospect.range[m].radius[0]);
    scree_log(SCREE_LOG_INFO, "%lld grains, radii %.4g to %.4g m, %lld steps of %g s",
              (long long)job->n_grains, smallest, job->scene.largest_radius,
              (long long)job->n_steps, job->scene.dt);
    scree_stages_log(job);
    const struct scree_advice advice = {.occasion = SCREE_ADVISE_CHECK, .prospect = &prospect};
    enum scree_status status = scree_job_advise(job, &advice);
    double grains = (double)job->n_grains;
    scree_log(SCREE_LOG_INFO,
              "memory about %.3g GB; at 100 ns per grain-step about %.3g core-hours",
              grains * 900.0 / 1e9, grains * (double)job->n_steps * 100e-9 / 3600.0);
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
    if (status == SCREE_OK) {
        status = print_estimates(&job, speed);
        scree_log(SCREE_LOG_INFO, "%s: no mistakes found", scree_cli_shown_name(cli->argument[0]));
    }
    scree_job_clear(&job);
    return status;
}
