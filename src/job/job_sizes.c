/* SPDX-License-Identifier: BSD-3-Clause
 * The areas and volumes that a run takes from its walls, for people to look at. */
#include <math.h>
#include <stdio.h>

#include "scree/job.h"

static void describe_end(const struct scree_job *job, const struct scree_end_condition *until,
                         const char *where, scree_line_writer write, void *context)
{
    bool asked = !isnan(until->stress.at_least) || !isnan(until->stress.at_most);
    if (asked && until->wall >= 0)
        scree_walls_describe_area(&job->walls, until->wall, until->area, where, write, context);
}

void scree_job_describe_sizes(const struct scree_job *job, scree_line_writer write, void *context)
{
    const struct scree_analysis_setting setting = {
        .box = &job->domain.box, .walls = &job->walls, .deforms = job->cell.on};
    scree_walls_describe_surfaces(&job->walls, write, context);
    scree_walls_describe_servo_areas(&job->walls, write, context);
    for (int k = 0; k < job->stages.n && job->stages.given; k++) {
        const struct scree_stage *stage = &job->stages.stage[k];
        char where[100];
        snprintf(where, sizeof where, "the end of stage '%.60s'", stage->name);
        if (stage->original == k) describe_end(job, &stage->until, where, write, context);
    }
    if (job->stages.has_stop) describe_end(job, &job->stages.stop, "time.stop", write, context);
    scree_analyses_describe(&job->output.analyses, &setting, write, context);
}
