/* SPDX-License-Identifier: BSD-3-Clause
 * The sections `output` and `energy`, but for what snapshots_read.c reads of them. */
#include "scree/output.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

struct keys {
    double progress;
    bool state;
    const struct scree_node *checkpoint, *series, *snapshots; /* checkpoint: read by restart */
};

#define AT(member) offsetof(struct keys, member)
const struct scree_param scree_output_params[] = {
    {"progress", SCREE_PARAM_REAL, "s", 0, INFINITY, "5", NULL, AT(progress),
     "wall-clock time between progress lines"},
    {"state", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, AT(state),
     "write the final state to state.h5"},
    {"checkpoint", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(checkpoint),
     "when the run is saved for resuming"},
    {"series", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(series),
     "table of energies, contacts and wall forces against time"},
    {"snapshots", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(snapshots),
     "trajectory (H5MD, with an XDMF file for ParaView); default: none"},
    {0},
};
#undef AT

#define AT(member) offsetof(struct scree_interval, member)
const struct scree_param scree_output_series_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(every),
     "simulated time between rows; default: 200 rows over the run, at least 100 steps apart"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(steps),
     "instead of every: steps between rows; 0: no series"},
    {0},
};
#undef AT

const struct scree_param scree_output_energy_params[] = {
    {"tolerance", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.05", NULL,
     offsetof(struct scree_output, energy_tolerance),
     "largest closure error, relative to all energy turned over, before the run ends"},
    {0},
};

int64_t scree_output_usual_row_steps(const struct scree_run *run)
{
    return run->n_steps > 20000 ? run->n_steps / 200 : 100;
}

void scree_output_read(struct scree_output *output, struct scree_input *input,
                       const struct scree_run *run, bool orientation)
{
    const struct scree_node *root = scree_input_root(input);
    const struct scree_node *node = scree_node_find(root, "output");
    const struct scree_node *parent = node != NULL ? node : root;
    struct keys keys;
    struct scree_interval series;
    scree_input_read(input, scree_node_find(root, "energy"), root, "energy",
                     scree_output_energy_params, output);
    scree_input_read(input, node, root, "output", scree_output_params, &keys);
    output->progress = keys.progress;
    output->state = keys.state;
    scree_input_read(input, keys.series, parent, "output.series", scree_output_series_params,
                     &series);
    output->series_every = series.every;
    output->series_steps =
        scree_input_interval(input, keys.series, "output.series", &series, run->scene.dt,
                             (double)scree_output_usual_row_steps(run));
    output->snapshots.every = NAN;
    if (keys.snapshots != NULL)
        scree_snapshots_read(&output->snapshots, input, keys.snapshots, parent, run, orientation);
}

void scree_output_take_clock(struct scree_output *output, const struct scree_scene *scene)
{
    struct scree_snapshots *snapshots = &output->snapshots;
    output->since = snapshots->since = scene->since_tick;
    for (int k = 0; k < snapshots->n_times; k++)
        snapshots->at[k] = scree_snapshots_step(snapshots->time[k], scene);
    scree_analyses_take_clock(&output->analyses, scene);
}

void scree_output_clear(struct scree_output *output)
{
    scree_snapshots_clear(&output->snapshots);
    scree_analyses_clear(&output->analyses);
}
