/* SPDX-License-Identifier: BSD-3-Clause
 * Measurements while a run goes on: samples when they are due, a file for each. */
#include "scree/measures.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/csv.h"
#include "scree/hdf5_grid.h"
#include "scree/version.h"

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
        if (m->kind->save != NULL)
            SCREE_TRY(scree_hdf5_grid_remove_later(folder, m->name, scree_run_step(run)));
        bool none = m->kind->derive != NULL && m->n_rows == 0;
        if (!m->kind->is_table && !none)
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

/* Rows of this step, each with the stage in front where there are stages. */
static enum scree_status append_rows(const struct scree_run *run, const char *folder,
                                     const struct scree_measurement *m, const double *row)
{
    bool derived = m->kind->derive != NULL;
    int n_rows = derived ? m->n_rows : 1, n = derived ? m->n_columns : m->n;
    int n_first = run->stage > 0 ? 1 : 0;
    size_t n_all = (size_t)n_rows * (size_t)(n + n_first);
    double *all = scree_alloc(n_all + 1, sizeof *all);
    for (int r = 0; r < n_rows; r++) {
        double *at = all + (ptrdiff_t)r * (n + n_first);
        if (n_first > 0) at[0] = run->stage;
        memcpy(at + n_first, row + (ptrdiff_t)r * n, (size_t)n * sizeof *at);
    }
    enum scree_status status =
        n_rows > 0 ? scree_csv_append(run, folder, m->name, all, n_rows, n + n_first) : SCREE_OK;
    scree_alloc_free(all);
    return status;
}

/* Files beside the table. */
static enum scree_status save(const struct scree_analyses *analyses, const struct scree_run *run,
                              const char *folder, const struct scree_measurement *m,
                              double n_samples, const double *mean)
{
    char *effective = scree_input_effective_text(analyses->input);
    const struct scree_analysis_window window = {.folder = folder,
                                                 .version = scree_version(),
                                                 .commit = scree_version_commit(),
                                                 .input = scree_input_text(analyses->input),
                                                 .effective_input = effective,
                                                 .step = scree_run_step(run),
                                                 .time = scree_run_time(run),
                                                 .n_samples = n_samples};
    enum scree_status status = m->kind->save(m, &run->scene, &window, mean);
    free(effective);
    return status;
}

static enum scree_status write_here(const struct scree_run *run, const char *folder,
                                    const struct scree_measurement *m, const double *mean,
                                    const double *row)
{
    const struct content content = {run, m, mean};
    if (m->kind->is_table) return scree_csv_write(folder, m->name, write_content, &content);
    return append_rows(run, folder, m, row);
}

/* The means of a window, the rows made of them on all ranks, and what is written of them. */
static enum scree_status write_window(const struct scree_analyses *analyses,
                                      const struct scree_run *run, const char *folder,
                                      struct scree_measurement *m)
{
    enum scree_status status = SCREE_OK;
    double *mean = scree_alloc((size_t)m->n, sizeof *mean), *row = NULL;
    double n_samples = *m->n_samples;
    scree_measurement_compute_mean(m, mean);
    if (m->kind->derive != NULL) {
        row = scree_alloc((size_t)m->n_rows * (size_t)m->n_columns + 1, sizeof *row);
        m->kind->derive(m, &run->scene, mean, row);
    }
    if (run->scene.comm->rank == 0)
        status = write_here(run, folder, m, mean, row != NULL ? row : mean);
    if (run->scene.comm->rank == 0 && status == SCREE_OK && m->kind->save != NULL)
        status = save(analyses, run, folder, m, n_samples, mean);
    scree_alloc_free(row);
    scree_alloc_free(mean);
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
        enum scree_status written = write_window(analyses, run, folder, m);
        if (status == SCREE_OK) status = written;
        if (must && m->kind->end != NULL) m->kind->end(m);
    }
    return scree_comm_agree(run->scene.comm, status);
}
