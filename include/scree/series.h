/* SPDX-License-Identifier: BSD-3-Clause
 * The series: one table per run, a row per interval, readable while the run goes on. */
#ifndef SCREE_SERIES_H
#define SCREE_SERIES_H

#include "scree/run.h"

struct scree_output;
/* Begin series.csv in the folder, or continue it after a resume: rows beyond the present step are
 * dropped, so that none is doubled or missing. Collective. */
enum scree_status scree_series_open(struct scree_output *output, struct scree_run *run,
                                    const char *folder);
/* The next step at which a row is due, after `step`; INT64_MAX: never. */
int64_t scree_series_next(const struct scree_output *output, int64_t step);
/* What a row holds after step and time. */
struct scree_series_quantity {
    const char *what, *wall, *unit; /* wall: its name, or NULL */
    bool vector;                    /* three components, not one */
    double value[3];
};
int scree_series_count(const struct scree_run *run);
/* All of it at the present step, with its energies. Collective. */
void scree_series_compute(struct scree_run *run, const struct scree_energies *energies,
                          struct scree_series_quantity *quantity);
/* Write a row if one is due now, or if it must be. known: the energies of this step, or NULL.
 * Collective. */
enum scree_status scree_series_poll(struct scree_output *output, struct scree_run *run,
                                    const char *folder, bool must,
                                    const struct scree_energies *known);

#endif
