/* SPDX-License-Identifier: BSD-3-Clause
 * The sections `time` and `domain`. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "job_sections.h"
#include "scree/wedge_read.h"

static const char *const auto_word[] = {"auto", NULL};

struct time_keys {
    double step, end;
    int64_t steps;
    const struct scree_node *stop;
};
struct domain_keys {
    double low[3], high[3];
    bool periodic[3];
    const struct scree_node *wedge;
};

#define AT(member) offsetof(struct time_keys, member)
const struct scree_param scree_job_time_params[] = {
    {"step", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, NULL, auto_word, AT(step),
     "time step; auto: a fraction of the shortest contact time (see warnings.contact_steps)"},
    {"end", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, AT(end), "when to stop"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(steps),
     "instead of end: number of steps; a run with 'stages' has neither"},
    {"stop", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(stop),
     "conditions as in a stage, with which the run ends early"},
    {0},
};
#undef AT
#define AT(member) offsetof(struct domain_keys, member)
const struct scree_param scree_job_domain_params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(low), "lower corner"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(high), "upper corner"},
    {"periodic", SCREE_PARAM_AXES, "", 0, 0, "[]", NULL, AT(periodic),
     "periodic directions; the others are open"},
    {"wedge", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(wedge),
     "a sector of a ring that repeats by turns about an axis, such as {axis: z, sectors: 4}"},
    {0},
};
#undef AT

const struct scree_node *scree_job_read_time(struct scree_job *job, const struct scree_node *node,
                                             const struct scree_node *root)
{
    struct time_keys keys;
    bool good = scree_input_read(job->input, node, root, "time", scree_job_time_params, &keys);
    const struct scree_node *end = scree_node_find(node, "end");
    const struct scree_node *steps = scree_node_find(node, "steps");
    job->run.scene.dt = keys.step;
    if (scree_node_kind(node) != SCREE_NODE_MAP) return keys.stop;
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
    job->automatic_step = good && isnan(job->run.scene.dt);
    if (job->automatic_step) job->run.scene.dt = 1e-6; /* until it is known */
    if (!good || (end == NULL) == (steps == NULL)) return keys.stop;
    job->run.n_steps =
        steps != NULL ? keys.steps : (int64_t)ceil(keys.end / job->run.scene.dt - 1e-9);
    return keys.stop;
}

/* Two dimensions are a plane at z = 0. */
static void flatten(struct scree_job *job, const struct scree_node *node, struct domain_keys *keys)
{
    if (keys->periodic[2])
        scree_input_error(job->input, scree_node_find(node, "periodic"),
                          "domain: 'periodic' holds z, but the run has two dimensions");
    if (job->run.scene.gravity[2] != 0.0)
        scree_input_error(job->input, scree_node_find(scree_input_root(job->input), "gravity"),
                          "'gravity' has a z component, but the run has two dimensions");
    keys->low[2] = keys->high[2] = 0.0;
}

void scree_job_read_domain(struct scree_job *job, const struct scree_node *node, int dimension)
{
    static const char axis[] = "xyz";
    const struct scree_node *root = scree_input_root(job->input);
    struct scree_box *box = &job->domain.box;
    struct domain_keys keys = {.wedge = NULL};
    if (node != NULL)
        scree_input_read(job->input, node, root, "domain", scree_job_domain_params, &keys);
    for (int a = 0; a < dimension && node != NULL; a++)
        if (keys.low[a] >= keys.high[a]) /* false if either could not be read */
            scree_input_error(job->input, scree_node_find(node, "low"),
                              "domain: 'low' is %g m along %c, not below 'high' of %g m",
                              keys.low[a], axis[a], keys.high[a]);
    if (dimension == 2 && node != NULL) flatten(job, node, &keys);
    scree_box_init(box, dimension, keys.low, keys.high, keys.periodic);
    if (keys.wedge == NULL) return;
    scree_wedge_read(box, job->input, keys.wedge, node);
    scree_wedge_check_gravity(&box->wedge, job->input, scree_node_find(root, "gravity"),
                              job->run.scene.gravity);
}
