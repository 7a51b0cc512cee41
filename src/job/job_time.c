/* SPDX-License-Identifier: BSD-3-Clause
 * The sections `time` and `domain`. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "job_sections.h"

static const char *const auto_word[] = {"auto", NULL};

#define JOB(member) offsetof(struct scree_job, member)
const struct scree_param scree_job_time_params[] = {
    {"step", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, NULL, auto_word, JOB(time.step),
     "time step; auto: a fraction of the shortest contact time (see warnings.contact_steps)"},
    {"end", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, JOB(time.end), "when to stop"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, JOB(time.steps),
     "instead of end: number of steps; a run with 'stages' has neither"},
    {"stop", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(time.stop),
     "conditions as in a stage, with which the run ends early"},
    {0},
};
const struct scree_param scree_job_domain_params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, JOB(domain.low), "lower corner"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, JOB(domain.high), "upper corner"},
    {"periodic", SCREE_PARAM_AXES, "", 0, 0, "[]", NULL, JOB(domain.periodic),
     "periodic directions; the others are open"},
    {"wedge", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(domain.wedge),
     "a sector of a ring that repeats by turns about an axis, such as {axis: z, sectors: 4}"},
    {0},
};

void scree_job_read_time(struct scree_job *job, const struct scree_node *node,
                         const struct scree_node *root)
{
    bool good = scree_input_read(job->input, node, root, "time", scree_job_time_params, job);
    const struct scree_node *end = scree_node_find(node, "end");
    const struct scree_node *steps = scree_node_find(node, "steps");
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    if (end != NULL && steps != NULL) /* an override has no line: if it is one of them, blame it */
        scree_input_error(job->input, scree_node_line(steps) == 0 ? steps : end,
                          "time: 'end' and 'steps' are both given; keep one of them");
    bool staged = scree_node_find(root, "stages") != NULL;
    if (staged && (end != NULL || steps != NULL))
        scree_input_error(job->input, end != NULL ? end : steps,
                          "time: '%s' and 'stages' are both given; each stage says when it ends",
                          end != NULL ? "end" : "steps");
    if (end == NULL && steps == NULL && !staged)
        scree_input_error(job->input, node, "time: give 'end' (such as 1 s) or 'steps'");
    job->time.automatic = good && isnan(job->time.step);
    if (job->time.automatic) job->time.step = 1e-6; /* until it is known */
    if (!good || (end == NULL) == (steps == NULL)) return;
    job->n_steps =
        steps != NULL ? job->time.steps : (int64_t)ceil(job->time.end / job->time.step - 1e-9);
}

void scree_job_read_domain(struct scree_job *job, const struct scree_node *node,
                           const struct scree_node *root)
{
    static const char axis[] = "xyz";
    scree_input_read(job->input, node, root, "domain", scree_job_domain_params, job);
    for (int a = 0; a < (int)job->dimension; a++)
        if (job->domain.low[a] >= job->domain.high[a]) /* false if either could not be read */
            scree_input_error(job->input, scree_node_find(node, "low"),
                              "domain: 'low' is %g m along %c, not below 'high' of %g m",
                              job->domain.low[a], axis[a], job->domain.high[a]);
    if (job->dimension == 3) return;
    if (job->domain.periodic[2])
        scree_input_error(job->input, scree_node_find(node, "periodic"),
                          "domain: 'periodic' holds z, but the run has two dimensions");
    if (job->gravity[2] != 0.0)
        scree_input_error(job->input, scree_node_find(root, "gravity"),
                          "'gravity' has a z component, but the run has two dimensions");
    job->domain.low[2] = job->domain.high[2] = 0.0;
}
