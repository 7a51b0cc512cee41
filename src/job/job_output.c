/* SPDX-License-Identifier: BSD-3-Clause
 * The section `output`, but for what snapshots_read.c reads of it. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "job_sections.h"
#include "scree/snapshots.h"

#define JOB(member) offsetof(struct scree_job, member)
const struct scree_param scree_job_checkpoint_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "20 min", NULL, JOB(checkpoint.every),
     "wall-clock time between checkpoints"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(checkpoint.steps),
     "also every so many steps; 0: by time only"},
    {"keep", SCREE_PARAM_INTEGER, "", 1, 1000000, "2", NULL, JOB(checkpoint.keep),
     "how many of the newest are kept"},
    {"keep_every", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(checkpoint.keep_every),
     "of all checkpoints of a run, every so many is kept for good; 0: none"},
    {"required", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, JOB(checkpoint.required),
     "end the run if a checkpoint cannot be written; false: warn and go on"},
    {0},
};
const struct scree_param scree_job_series_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, JOB(series.every),
     "simulated time between rows; default: 200 rows over the run, at least 100 steps apart"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, JOB(series.steps),
     "instead of every: steps between rows; 0: no series"},
    {0},
};
const struct scree_param scree_job_output_params[] = {
    {"progress", SCREE_PARAM_REAL, "s", 0, INFINITY, "5", NULL, JOB(output.progress),
     "wall-clock time between progress lines"},
    {"state", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, JOB(output.state),
     "write the final state to state.h5"},
    {"checkpoint", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.checkpoint),
     "when the run is saved for resuming"},
    {"series", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.series),
     "table of energies, contacts and wall forces against time"},
    {"snapshots", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.snapshots),
     "trajectory (H5MD, with an XDMF file for ParaView); default: none"},
    {0},
};

int64_t scree_job_interval(struct scree_job *job, const struct scree_node *node, const char *what,
                           double every, int64_t steps, int64_t fallback)
{
    const struct scree_interval given = {every, steps};
    return scree_input_interval(job->input, node, what, &given, job->time.step, fallback);
}

int64_t scree_job_usual_row_steps(const struct scree_job *job)
{
    return job->n_steps > 20000 ? job->n_steps / 200 : 100;
}

void scree_job_read_output(struct scree_job *job, const struct scree_node *node,
                           const struct scree_node *root)
{
    const struct scree_node *parent = node != NULL ? node : root;
    scree_input_read(job->input, node, root, "output", scree_job_output_params, job);
    scree_input_read(job->input, job->output.checkpoint, parent, "output.checkpoint",
                     scree_job_checkpoint_params, job);
    const struct scree_node *series = job->output.series;
    scree_input_read(job->input, series, parent, "output.series", scree_job_series_params, job);
    job->series_steps = scree_job_interval(job, series, "output.series", job->series.every,
                                           job->series.steps, scree_job_usual_row_steps(job));
    if (job->output.snapshots != NULL) scree_snapshots_read(job, parent);
}
