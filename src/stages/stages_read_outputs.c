/* SPDX-License-Identifier: BSD-3-Clause
 * What a stage writes and measures: its keys `output` and `analysis`. They are of that stage alone;
 * without them a stage has what the top of the input says. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/stages.h"

struct intervals {
    const struct scree_node *series, *snapshots;
};
#define AT(member) offsetof(struct intervals, member)
const struct scree_param scree_stages_output_params[] = {
    {"series", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(series), "between rows"},
    {"snapshots", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(snapshots), "between frames"},
    {0},
};
#undef AT

#define AT(member) offsetof(struct scree_interval, member)
const struct scree_param scree_stages_interval_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(every), "simulated time"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(steps),
     "instead of every; 0: none at all"},
    {0},
};
#undef AT

static double read_interval(struct scree_input *input, double dt, const struct scree_node *node,
                            const char *what, double before)
{
    struct scree_interval given;
    if (node == NULL) return before;
    if (!scree_input_read(input, node, NULL, what, scree_stages_interval_params, &given))
        return before;
    if (isnan(given.every) && given.steps == INT64_MIN)
        scree_input_error(input, node, "%s: give 'every' or 'steps'", what);
    return scree_input_interval(input, node, what, &given, dt, before);
}

static void read_output(struct scree_stage *stage, struct scree_input *input, bool has_snapshots,
                        const struct scree_node *node)
{
    struct intervals in;
    double dt = stage->dt;
    if (node == NULL) return;
    if (!scree_input_read(input, node, NULL, "output", scree_stages_output_params, &in)) return;
    stage->series_steps = read_interval(input, dt, in.series, "output.series", stage->series_steps);
    if (in.snapshots != NULL && !has_snapshots)
        scree_input_error(input, in.snapshots,
                          "output.snapshots: what is written is said at the top, in "
                          "'output: {snapshots: {steps: 0, ...}}'");
    stage->snapshot_steps =
        read_interval(input, dt, in.snapshots, "output.snapshots", stage->snapshot_steps);
}

void scree_stages_read_outputs(struct scree_stages *stages, struct scree_input *input,
                               struct scree_output *output)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    snapshots->wanted = snapshots->n_times > 0;
    for (int k = 0; k < stages->n; k++) {
        struct scree_stage *stage = &stages->stage[k], *original = &stages->stage[stage->original];
        bool again = original != stage;
        stage->series_steps =
            again ? original->series_steps
                  : scree_interval_steps(output->series_every, stage->dt, output->series_steps);
        stage->snapshot_steps =
            again ? original->snapshot_steps
                  : scree_interval_steps(snapshots->every, stage->dt, snapshots->steps);
        if (!again && stage->node != NULL && scree_node_kind(stage->node) == SCREE_NODE_MAP)
            read_output(stage, input, snapshots->given, scree_node_find(stage->node, "output"));
        snapshots->wanted = snapshots->wanted || stage->snapshot_steps > 0.0;
    }
}

static void read_measured(struct scree_stage *stage, struct scree_input *input,
                          const struct scree_analyses *analyses)
{
    const struct scree_node *node = stage->analysis;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(input, node,
                          "analysis: expected a list of names of measurements, such as [stress]");
        return;
    }
    const char **names = scree_alloc((size_t)analyses->n + 1, sizeof *names);
    for (int m = 0; m < analyses->n; m++) {
        names[m] = analyses->measurement[m].name;
        stage->measured[m] = false;
    }
    names[analyses->n] = NULL;
    for (int k = 0; k < scree_node_count(node); k++) {
        const struct scree_node *item = scree_node_item(node, k);
        int m = 0;
        scree_node_mark_used(item);
        while (m < analyses->n && strcmp(names[m], scree_node_text(item)) != 0) m++;
        if (m < analyses->n)
            stage->measured[m] = true;
        else
            scree_input_unknown(input, item, "measurement", scree_node_text(item), names);
    }
    scree_alloc_free(names);
}

void scree_stages_read_analyses(struct scree_stages *stages, struct scree_input *input,
                                const struct scree_analyses *analyses)
{
    for (int k = 0; k < stages->n; k++) {
        struct scree_stage *stage = &stages->stage[k], *original = &stages->stage[stage->original];
        stage->measured = scree_alloc((size_t)analyses->n + 1, sizeof *stage->measured);
        for (int m = 0; m < analyses->n; m++)
            stage->measured[m] = original == stage || original->measured[m];
        if (stage->analysis != NULL && original == stage) read_measured(stage, input, analyses);
    }
}
