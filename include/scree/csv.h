/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as comma-separated text, FOLDER/NAME.csv, readable while the run goes on. Local: for
 * rank 0. */
#ifndef SCREE_CSV_H
#define SCREE_CSV_H

#include <stdio.h>

#include "scree/run.h"

typedef void scree_csv_writer(FILE *f, const void *context);

/* The whole file at once: it is either the old one or the new one. */
enum scree_status scree_csv_write(const char *folder, const char *name, scree_csv_writer *write,
                                  const void *context);
/* A table whose rows begin with step and time: begin it or, after a resume, continue it without
 * the rows beyond the present step, so that none is doubled or missing. The head is written anew
 * and ends without a line break. */
enum scree_status scree_csv_open(const struct scree_run *run, const char *folder, const char *name,
                                 scree_csv_writer *write_head, const void *context);
/* Rows of n numbers each, all of the present step. */
enum scree_status scree_csv_append(const struct scree_run *run, const char *folder,
                                   const char *name, const double *value, int n_rows, int n);
/* Append a row whose columns are text already, without a line end. Local. */
enum scree_status scree_csv_append_text(const struct scree_run *run, const char *folder,
                                        const char *name, const char *text);

#endif
