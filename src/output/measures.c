/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements while a run goes on: samples when they are due, a file for each. */
#include "scree/measures.h"

#include "scree/alloc.h"
#include "scree/csv.h"

struct content {
    const struct scree_job *job;
    const struct scree_measurement *measurement;
    const double *mean; /* NULL: only names of columns are wanted */
};

static void write_content(FILE *f, const void *context)
{
    const struct content *c = context;
    c->measurement->kind->write(c->measurement, &c->job->scene, c->mean, f);
}

static enum scree_status open_here(struct scree_job *job, const char *folder)
{
    for (int k = 0; k < job->analyses.n; k++) {
        const struct scree_measurement *m = &job->analyses.measurement[k];
        const struct content content = {job, m, NULL};
        if (!m->kind->is_table)
            SCREE_TRY(scree_csv_open(job, folder, m->name, write_content, &content));
    }
    return SCREE_OK;
}

enum scree_status scree_measures_open(struct scree_job *job, const char *folder)
{
    enum scree_status status = job->comm->rank == 0 ? open_here(job, folder) : SCREE_OK;
    SCREE_TRY(scree_comm_agree(job->comm, status));
    return job->resume_path == NULL ? scree_measures_look(job, folder, false) : SCREE_OK;
}

static enum scree_status write_here(const struct scree_job *job, const char *folder,
                                    const struct scree_measurement *m, const double *mean)
{
    const struct content content = {job, m, mean};
    if (m->kind->is_table) return scree_csv_write(folder, m->name, write_content, &content);
    return scree_csv_append(job, folder, m->name, mean, m->n);
}

enum scree_status scree_measures_look(struct scree_job *job, const char *folder, bool must)
{
    const struct scree_analysis_view view = {&job->scene, job->stepper, job->state};
    int64_t step = scree_job_step(job);
    enum scree_status status = SCREE_OK;
    if (job->analyses.n == 0) return SCREE_OK;
    scree_analyses_sample(&job->analyses, &view, step);
    for (int k = 0; k < job->analyses.n; k++) {
        struct scree_measurement *m = &job->analyses.measurement[k];
        bool due = scree_measurement_is_due(m, step, step >= job->n_steps);
        if (!due && !(must && *m->n_samples > 0.0)) continue;
        double *mean = scree_alloc((size_t)m->n, sizeof *mean);
        scree_measurement_take_mean(m, mean);
        if (job->comm->rank == 0 && status == SCREE_OK) status = write_here(job, folder, m, mean);
        scree_alloc_free(mean);
    }
    return scree_comm_agree(job->comm, status);
}
