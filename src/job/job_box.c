/* SPDX-License-Identifier: BSD-3-Clause
 * What does not go together with a box that deforms, or with a wedge. */
#include "job_box.h"

#include "scree/deformation_walls.h"
#include "scree/wedge_read.h"

static bool is_open(const struct scree_job *job, int axis)
{
    return axis < job->domain.box.dimension && !job->domain.box.periodic[axis];
}

/* In some stage, or in a run without any. */
static bool ever_moves(const struct scree_job *job, int axis)
{
    if (scree_deformation_control_moves(&job->cell, axis)) return true;
    for (int k = 0; k < job->stages.n; k++)
        if (job->stages.stage[k].cell != NULL &&
            scree_deformation_control_moves(job->stages.stage[k].cell, axis))
            return true;
    return false;
}

/* Relative to the flow grains have a weight only where there is none. */
static void check_gravity(struct scree_job *job, const struct scree_node *node,
                          const double gravity[3])
{
    bool walls = is_open(job, 0) || is_open(job, 1) || is_open(job, 2);
    for (int a = 0; a < 3; a++) {
        if (gravity[a] == 0.0 || is_open(job, a)) continue;
        if (!walls) {
            scree_input_error(job->input, node,
                              "'gravity' has nothing to hold against in a box that deforms "
                              "('cell'): it is periodic everywhere, all grains would fall for "
                              "ever");
            return;
        }
        if (ever_moves(job, a))
            scree_input_error(job->input, node,
                              "'gravity' has a part along %c, in which the box deforms ('cell'): "
                              "no wall could hold the grains there; it may act along directions "
                              "that keep still",
                              "xyz"[a]);
    }
}

/* A stress is a force per area, and servos are to know that. */
static void check_enclosed(struct scree_job *job, const struct scree_node *node,
                           const struct scree_deformation_control *control)
{
    if (scree_deformation_control_n_servos(control) == 0) return;
    for (int a = 0; a < job->domain.box.dimension; a++)
        if (is_open(job, a) && !scree_deformation_walls_enclose(&job->walls, a))
            scree_input_error(job->input, node,
                              "cell: a stress is wanted, but %c is not periodic and does not have "
                              "walls at both ends: the size of the sample is not known",
                              "xyz"[a]);
}

static void check_stages(struct scree_job *job)
{
    for (int k = 0; k < job->stages.n && job->stages.given; k++) {
        const struct scree_stage *stage = &job->stages.stage[k];
        if (stage->original != k || scree_node_kind(stage->node) != SCREE_NODE_MAP) continue;
        const struct scree_node *gravity = scree_node_find(stage->node, "gravity");
        const struct scree_node *particles = scree_node_find(stage->node, "particles");
        if (gravity != NULL) check_gravity(job, gravity, stage->gravity);
        if (stage->cell != NULL)
            check_enclosed(job, scree_node_find(stage->node, "cell"), stage->cell);
        if (particles != NULL && k > 0)
            scree_input_error(job->input, particles,
                              "stage '%s': grains find their places in a box that has not deformed "
                              "yet ('cell'); add them in the first stage",
                              stage->name);
    }
}

void scree_job_check_deformation(struct scree_job *job, const struct scree_node *root)
{
    const struct scree_node *groups = scree_node_find(root, "groups");
    const struct scree_node *membranes = scree_node_find(root, "membranes");
    scree_deformation_walls_check(&job->walls, job->input, scree_node_find(root, "boundaries"));
    check_enclosed(job, scree_node_find(root, "cell"), &job->cell);
    const struct scree_node *wedge = scree_node_find(scree_node_find(root, "domain"), "wedge");
    if (wedge != NULL)
        scree_input_error(job->input, wedge, "domain: a wedge does not deform ('cell')");
    if (membranes != NULL)
        scree_input_error(job->input, membranes,
                          "membranes: there are none in a box that deforms ('cell')");
    check_gravity(job, scree_node_find(root, "gravity"), job->run.scene.gravity);
    for (int g = 0; g < job->groups.n; g++)
        if (job->groups.group[g].frozen)
            scree_input_error(job->input, groups,
                              "groups: there are no frozen grains in a box that deforms ('cell')");
    check_stages(job);
}

void scree_job_check_wedge(struct scree_job *job, const struct scree_node *root)
{
    const struct scree_node *groups = scree_node_find(root, "groups");
    const struct scree_wedge *wedge = &job->domain.box.wedge;
    if (wedge->n > 0 && job->membranes.n > 0)
        scree_input_error(job->input, scree_node_find(scree_node_find(root, "domain"), "wedge"),
                          "domain: membranes close around the axis; there are none in a wedge");
    for (int k = 0; k < job->groups.n && wedge->n > 0; k++)
        if (scree_wedge_is_across(wedge, job->groups.group[k].velocity))
            scree_input_error(
                job->input,
                scree_node_find(scree_node_find(groups, job->groups.group[k].name), "velocity"),
                "group '%s' moves across the axis of the wedge: its velocity would "
                "not be the same in all sectors",
                job->groups.group[k].name);
}
