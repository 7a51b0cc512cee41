/* SPDX-License-Identifier: BSD-3-Clause
 * What does not go together with a box that deforms. */
#include "job_cell.h"

static bool is_zero(const double v[3])
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static void refuse_gravity(struct scree_job *job, const struct scree_node *node)
{
    scree_input_error(job->input, node,
                      "'gravity' has nothing to hold against in a box that deforms ('cell'): it is "
                      "periodic everywhere, all grains would fall for ever");
}

static void check_stages(struct scree_job *job)
{
    for (int k = 0; k < job->stages.n && job->stages.given; k++) {
        const struct scree_stage *stage = &job->stages.stage[k];
        if (stage->original != k || scree_node_kind(stage->node) != SCREE_NODE_MAP) continue;
        const struct scree_node *gravity = scree_node_find(stage->node, "gravity");
        const struct scree_node *particles = scree_node_find(stage->node, "particles");
        if (gravity != NULL && !is_zero(stage->gravity)) refuse_gravity(job, gravity);
        if (particles != NULL && k > 0)
            scree_input_error(job->input, particles,
                              "stage '%s': grains find their places in a box that has not deformed "
                              "yet ('cell'); add them in the first stage",
                              stage->name);
    }
}

void scree_job_check_cell(struct scree_job *job, const struct scree_node *root)
{
    const struct scree_node *time = scree_node_find(root, "time");
    const struct scree_node *groups = scree_node_find(root, "groups");
    const struct scree_node *membranes = scree_node_find(root, "membranes");
    if (job->walls.n > 0)
        scree_input_error(job->input, scree_node_find(root, "boundaries"),
                          "boundaries: there are no walls in a box that deforms ('cell'): it is "
                          "periodic everywhere, and the flow would go through them");
    if (job->domain.wedge != NULL)
        scree_input_error(job->input, job->domain.wedge,
                          "domain: a wedge does not deform ('cell')");
    if (membranes != NULL)
        scree_input_error(job->input, membranes,
                          "membranes: there are none in a box that deforms ('cell')");
    if (job->time.integrator == SCREE_INTEGRATOR_GEAR)
        scree_input_error(job->input, scree_node_find(time, "integrator"),
                          "time: a box that deforms ('cell') needs 'integrator: leapfrog'");
    if (!is_zero(job->gravity)) refuse_gravity(job, scree_node_find(root, "gravity"));
    for (int g = 0; g < job->n_groups; g++)
        if (job->group[g].frozen)
            scree_input_error(job->input, groups,
                              "groups: there are no frozen grains in a box that deforms ('cell')");
    check_stages(job);
}
