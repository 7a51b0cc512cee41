/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements while a run goes on: samples when they are due, a file for each. */
#include "scree/measures.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/csv.h"

struct content {
    const struct scree_run *run;
    const struct scree_measurement *measurement;
    const double *mean; /* NULL: only names of columns are wanted */
};

/* Tables of rows tell the stage, as the series does. */
static void write_content(FILE *f, const void *context)
{
    const struct content *c = context;
    if (!c->measurement->kind->is_table && c->run->stage > 0) fprintf(f, ",stage");
    c->measurement->kind->write(c->measurement, &c->run->scene, c->mean, f);
}

static enum scree_status open_here(const struct scree_analyses *analyses,
                                   const struct scree_run *run, const char *folder)
{
    for (int k = 0; k < analyses->n; k++) {
        const struct scree_measurement *m = &analyses->measurement[k];
        const struct content content = {run, m, NULL};
        if (!m->kind->is_table)
            SCREE_TRY(scree_csv_open(run, folder, m->name, write_content, &content));
    }
    return SCREE_OK;
}

enum scree_status scree_measures_open(struct scree_analyses *analyses, struct scree_run *run,
                                      const char *folder)
{
    enum scree_status status =
        run->scene.comm->rank == 0 ? open_here(analyses, run, folder) : SCREE_OK;
    SCREE_TRY(scree_comm_agree(run->scene.comm, status));
    return !run->resumed ? scree_measures_poll(analyses, run, folder, false) : SCREE_OK;
}

static enum scree_status write_here(const struct scree_run *run, const char *folder,
                                    const struct scree_measurement *m, const double *mean)
{
    const struct content content = {run, m, mean};
    if (m->kind->is_table) return scree_csv_write(folder, m->name, write_content, &content);
    int n_first = run->stage > 0 ? 1 : 0;
    double *row = scree_alloc((size_t)(m->n + n_first), sizeof *row);
    if (n_first > 0) row[0] = run->stage;
    memcpy(row + n_first, mean, (size_t)m->n * sizeof *row);
    enum scree_status status = scree_csv_append(run, folder, m->name, row, m->n + n_first);
    scree_alloc_free(row);
    return status;
}

enum scree_status scree_measures_poll(struct scree_analyses *analyses, struct scree_run *run,
                                      const char *folder, bool must)
{
    const struct scree_analysis_view view = {&run->scene, run->stepper, run->state};
    int64_t step = scree_run_step(run);
    enum scree_status status = SCREE_OK;
    if (analyses->n == 0) return SCREE_OK;
    scree_analyses_sample(analyses, &view, step, must);
    for (int k = 0; k < analyses->n; k++) {
        struct scree_measurement *m = &analyses->measurement[k];
        if (!scree_measurement_is_due(analyses, m, step, must)) continue;
        double *mean = scree_alloc((size_t)m->n, sizeof *mean);
        scree_measurement_compute_mean(m, mean);
        if (run->scene.comm->rank == 0 && status == SCREE_OK)
            status = write_here(run, folder, m, mean);
        scree_alloc_free(mean);
    }
    return scree_comm_agree(run->scene.comm, status);
}
