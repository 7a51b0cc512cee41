/* SPDX-License-Identifier: BSD-3-Clause
 * The section output.snapshots: when frames are written, and what of which grains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/snapshots.h"

/* In the order of the bits SCREE_WRITE_... */
static const char *const grain_fields[] = {
    "position", "id",   "image", "velocity", "angular_velocity", "species",
    "radius",   "mass", "force", "torque",   "orientation",      NULL};
static const char *const contact_fields[] = {"force", "overlap", "sliding", "history", NULL};

#define JOB(member) offsetof(struct scree_job, snapshots.member)
const struct scree_param scree_snapshots_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, JOB(every),
     "simulated time between frames"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, JOB(steps),
     "instead of every: steps between frames; 0: none (stages may write some)"},
    {"times", SCREE_PARAM_NODE, "s", 0, 0, "", NULL, JOB(times),
     "instead of every: list of the times of frames, rising; each is rounded to a step"},
    {"fields", SCREE_PARAM_WORDS, "", 0, 0,
     "[position, id, image, velocity, angular_velocity, species, radius, mass]", grain_fields,
     JOB(fields),
     "what of a grain is written; position and id always are, by default also orientation if it "
     "is followed"},
    {"forces", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, JOB(forces),
     "adds force and torque to the fields"},
    {"grains", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(grains), "which grains; default: all"},
    {"contacts", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, JOB(contacts),
     "also the contact network: contacts between chosen grains, and of chosen grains with walls"},
    {"contact_fields", SCREE_PARAM_WORDS, "", 0, 0, "[force, overlap, sliding, history]",
     contact_fields, JOB(contact_fields), "what of a contact is written, besides who touches whom"},
    {"compress", SCREE_PARAM_INTEGER, "", 0, 9, "0", NULL, JOB(compress),
     "0: no, 1 (fast) to 9 (small)"},
    {0},
};

struct grains_values {
    const struct scree_node *materials;
    double low[3], high[3];
    int64_t stride;
};

#define AT(member) offsetof(struct grains_values, member)
const struct scree_param scree_snapshots_grains_params[] = {
    {"materials", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(materials),
     "list of names: only grains of these; default: all"},
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "only grains whose centre is not below this corner at the time of the frame"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high), "nor above this corner"},
    {"stride", SCREE_PARAM_INTEGER, "", 1, 9e15, "1", NULL, AT(stride),
     "only every so many grains, by their ids: 1, 1 + stride, ..."},
    {0},
};

static void read_materials(struct scree_job *job, const struct scree_node *list)
{
    struct scree_selection *selection = &job->snapshots.selection;
    size_t n = (size_t)job->n_materials;
    if (scree_node_kind(list) != SCREE_NODE_LIST || scree_node_count(list) == 0) {
        scree_input_error(job->input, list,
                          "output.snapshots.grains: 'materials' must be a list of names");
        return;
    }
    selection->material = scree_alloc(n + 1, sizeof *selection->material);
    memset(selection->material, 0, (n + 1) * sizeof *selection->material);
    for (int k = 0; k < scree_node_count(list); k++) {
        const struct scree_node *item = scree_node_item(list, k);
        size_t m = 0;
        while (m < n && strcmp(scree_node_text(item), job->material_name[m]) != 0) m++;
        if (m == n)
            scree_input_unknown(job->input, item, "material", scree_node_text(item),
                                job->material_name);
        selection->material[m] = true;
    }
    scree_node_mark_all_used(list);
}

static void read_grains(struct scree_job *job)
{
    static const char axis[] = "xyz";
    const struct scree_node *node = job->snapshots.grains;
    struct scree_selection *selection = &job->snapshots.selection;
    struct grains_values values;
    scree_input_read(job->input, node, job->output.snapshots, "output.snapshots.grains",
                     scree_snapshots_grains_params, &values);
    if (values.materials != NULL) read_materials(job, values.materials);
    memcpy(selection->low, values.low, sizeof values.low);
    memcpy(selection->high, values.high, sizeof values.high);
    selection->stride = values.stride;
    for (int a = 0; a < 3; a++)
        if (values.low[a] > values.high[a]) /* false if either is not given */
            scree_input_error(job->input, scree_node_find(node, "low"),
                              "output.snapshots.grains: 'low' is %g m along %c, above 'high' of "
                              "%g m",
                              values.low[a], axis[a], values.high[a]);
}

/* Steps of the frames. Times of which two fall on one step are a mistake: one frame would be
 * missing. */
static void read_times(struct scree_job *job, const struct scree_node *list)
{
    if (scree_node_kind(list) != SCREE_NODE_LIST || scree_node_count(list) == 0) {
        scree_input_error(job->input, list,
                          "output.snapshots: 'times' must be a list such as [0 s, 0.1 s]");
        return;
    }
    int n = scree_node_count(list);
    double before = -INFINITY;
    job->snapshots.at = scree_alloc((size_t)n, sizeof *job->snapshots.at);
    for (int k = 0; k < n; k++) {
        const struct scree_node *item = scree_node_item(list, k);
        double time = 0.0;
        if (!scree_input_real(job->input, item, "s", &time)) continue;
        int64_t step = (int64_t)fmin(fmax(round(time / job->time.step), 0.0), 9e15),
                i = job->snapshots.n_times;
        if (time < 0.0)
            scree_input_error(job->input, item,
                              "output.snapshots: a time of 'times' is %g s, allowed >= 0", time);
        else if (!(time > before))
            scree_input_error(job->input, item,
                              "output.snapshots: 'times' must rise, but %g s comes after %g s",
                              time, before);
        else if (job->time.step > 0.0 && i > 0 && step == job->snapshots.at[i - 1])
            scree_input_error(
                job->input, item,
                "output.snapshots: %g s and %g s of 'times' are the same step of %g s", before,
                time, job->time.step);
        else
            job->snapshots.at[job->snapshots.n_times++] = step;
        before = fmax(time, before);
    }
    scree_node_mark_all_used(list);
}

static void read_moments(struct scree_job *job, const struct scree_node *node)
{
    bool interval = !isnan(job->snapshots.every) || job->snapshots.steps != INT64_MIN;
    if (job->snapshots.times != NULL && interval)
        scree_input_error(job->input, node,
                          "output.snapshots: give only one of every, steps, times");
    if (job->snapshots.times != NULL && !interval) {
        read_times(job, job->snapshots.times);
        return;
    }
    if (job->snapshots.times != NULL) scree_node_mark_all_used(job->snapshots.times);
    job->snapshot_steps = scree_job_interval(job, node, "output.snapshots", job->snapshots.every,
                                             job->snapshots.steps, -1);
    if (job->snapshot_steps < 0)
        scree_input_error(job->input, node, "output.snapshots: give 'every', 'steps' or 'times'");
}

void scree_snapshots_read(struct scree_job *job, const struct scree_node *parent)
{
    const struct scree_node *node = job->output.snapshots;
    bool good =
        scree_input_read(job->input, node, parent, "output.snapshots", scree_snapshots_params, job);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    const struct scree_node *fields = scree_node_find(node, "fields");
    const struct scree_node *of_contacts = scree_node_find(node, "contact_fields");
    if (good) read_moments(job, node);
    read_grains(job);
    if (job->snapshots.forces) job->snapshots.fields |= SCREE_WRITE_FORCE | SCREE_WRITE_TORQUE;
    if (fields == NULL && job->orientation) job->snapshots.fields |= SCREE_WRITE_ORIENTATION;
    if ((job->snapshots.fields & SCREE_WRITE_ORIENTATION) != 0 && !job->orientation)
        scree_input_error(job->input, fields,
                          "output.snapshots: 'fields' holds orientation, which is not followed; "
                          "say 'orientation: true' at the top level");
    if (of_contacts != NULL && !job->snapshots.contacts)
        scree_input_error(job->input, of_contacts,
                          "output.snapshots: 'contact_fields' without 'contacts: true'");
}
