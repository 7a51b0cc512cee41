/* SPDX-License-Identifier: BSD-3-Clause
 * One sample of measurements of grains that a test has put where it wants them. */
#ifndef SCREE_ANALYSIS_TEST_H
#define SCREE_ANALYSIS_TEST_H

#include "job_test.h"

static const char analysis_head[] =
    "time: {step: 1e-4, steps: 1000}\nmaterials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 1000, damping: 0}\n"
    "  tangential: {law: spring, stiffness: 300, damping: 2, friction: 5}\n";

/* Reads, places the grains, starts and takes one sample of everything. */
static inline bool analysis_open(struct mpi_test *t, struct scree_job *job, const char *text,
                                 const struct job_grain *grain, int n)
{
    char all[3000];
    snprintf(all, sizeof all, "%s%s", analysis_head, text);
    if (!job_open(t, job, t->comm, all, NULL)) return false;
    job_put(job, grain, n);
    job_start(t, job);
    const struct scree_analysis_view view = {&job->run.scene, job->run.stepper, job->run.state};
    scree_analyses_sample(&job->output.analyses, &view, 0, false);
    return true;
}

/* Rows of the measurement k that this one sample makes; scree_alloc_free() them. */
static inline double *analysis_rows(struct scree_job *job, int k)
{
    struct scree_measurement *m = &job->output.analyses.measurement[k];
    double *mean = scree_alloc((size_t)m->n, sizeof *mean);
    double *row = scree_alloc((size_t)(m->n_rows * m->n_columns), sizeof *row);
    scree_measurement_compute_mean(m, mean);
    m->kind->derive(m, &job->run.scene, mean, row);
    scree_alloc_free(mean);
    return row;
}

#endif
