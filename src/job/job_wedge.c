/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a wedge, and what an input may not say with one. */
#include "scree/job_wedge.h"

#include <stddef.h>
#include <string.h>

struct values {
    int axis;
    int64_t sectors;
};

static const char *const axes[] = {"x", "y", "z", NULL};

const struct scree_param scree_job_wedge_params[] = {
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "z", axes, offsetof(struct values, axis),
     "direction of the axis, which goes through the origin"},
    {"sectors", SCREE_PARAM_INTEGER, "", 2, SCREE_WEDGE_MOST, NULL, NULL,
     offsetof(struct values, sectors),
     "of a full turn; the run holds the one from the direction that follows the axis on (x, for "
     "the axis z)"},
    {0},
};

static bool is_across(const struct scree_wedge *wedge, const double vector[3])
{
    return vector[wedge->u] != 0.0 || vector[wedge->v] != 0.0;
}

void scree_job_check_gravity(struct scree_job *job, const struct scree_node *node,
                             const double gravity[3])
{
    const struct scree_wedge *wedge = &job->domain_built.box.wedge;
    if (wedge->n > 0 && is_across(wedge, gravity))
        scree_input_error(job->input, node,
                          "'gravity' must act along %s, the axis of the wedge: it would not be the "
                          "same in all sectors",
                          axes[wedge->axis]);
}

void scree_job_read_wedge(struct scree_job *job, const struct scree_node *domain)
{
    struct scree_wedge *wedge = &job->domain_built.box.wedge;
    const struct scree_node *root = scree_input_root(job->input);
    struct values v;
    if (!scree_input_read(job->input, job->domain.wedge, domain, "wedge", scree_job_wedge_params,
                          &v))
        return;
    if (job->dimension == 2 && v.axis != 2) {
        scree_input_error(job->input, scree_node_find(job->domain.wedge, "axis"),
                          "wedge: 'axis' must be z in two dimensions");
        return;
    }
    scree_wedge_init(wedge, (int)v.sectors, v.axis);
    if (job->domain.periodic[wedge->u] || job->domain.periodic[wedge->v])
        scree_input_error(job->input, scree_node_find(domain, "periodic"),
                          "domain: with a wedge about %s, directions across it cannot be periodic",
                          axes[v.axis]);
    scree_job_check_gravity(job, scree_node_find(root, "gravity"), job->gravity);
}

void scree_job_check_wedge(struct scree_job *job, const struct scree_node *groups)
{
    const struct scree_wedge *wedge = &job->domain_built.box.wedge;
    if (wedge->n > 0 && job->membranes.n > 0)
        scree_input_error(job->input, job->domain.wedge,
                          "domain: membranes close around the axis; there are none in a wedge");
    for (int k = 0; k < job->n_groups && wedge->n > 0; k++)
        if (is_across(wedge, job->group[k].velocity))
            scree_input_error(
                job->input,
                scree_node_find(scree_node_find(groups, job->group[k].name), "velocity"),
                "group '%s' moves across the axis of the wedge: its velocity would "
                "not be the same in all sectors",
                job->group[k].name);
}
