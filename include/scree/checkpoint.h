/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoint files: tables of numbers and named texts, written so that they cannot be lost. What
 * the tables mean is the caller's business; this module keeps them safe. */
#ifndef SCREE_CHECKPOINT_H
#define SCREE_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/comm.h"
#include "scree/status.h"

enum scree_number { SCREE_NUMBER_REAL, SCREE_NUMBER_INT64, SCREE_NUMBER_INT32 };
enum { SCREE_TABLE_COLUMNS = 16, SCREE_CHECKPOINT_VERSION = 4 };

struct scree_table_column {
    const char *name, *unit;
    enum scree_number type;
    int width;    /* numbers per row */
    void *memory; /* rows of this rank without gaps; written from or read into */
};

/* Rows of this rank; the file holds those of all ranks. Identity (the first column) decides
 * nothing here: the order of rows may differ from file to file. */
struct scree_table {
    const char *name;
    int64_t n;       /* rows of this rank */
    int64_t n_total; /* of all ranks; set by write and open */
    int n_columns;
    struct scree_table_column column[SCREE_TABLE_COLUMNS];
};

struct scree_checkpoint_text {
    const char *name;
    char *text; /* write: borrowed; read: allocated with scree_alloc */
};

/* Write under a temporary name, bring it to disk, read it back and compare its digest, rename, sync
 * the folder. On failure nothing has changed under `path`. Collective. */
enum scree_status scree_checkpoint_write(const char *path, struct scree_comm *comm, int n_tables,
                                         struct scree_table *table, int n_texts,
                                         const struct scree_checkpoint_text *text);

/* What the parts of the last write took on this rank (s). */
struct scree_checkpoint_times {
    double write, read_back, sync;
};
struct scree_checkpoint_times scree_checkpoint_times(void);

/* Look at a file: is it one of ours, whole, of a version we know; sets table[].n_total and n to
 * this rank's even share, and reads the texts. Tables and columns must be there with the types and
 * widths asked for. Collective. */
enum scree_status scree_checkpoint_open(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table, int n_texts,
                                        struct scree_checkpoint_text *text);
/* The beginning of a text of a checkpoint; false if it cannot be had. Local. */
bool scree_checkpoint_peek(const char *path, const char *name, char *text, size_t size);
/* Read this rank's rows into memory provided for table[].n rows, and verify the digest over all.
 * Collective. */
enum scree_status scree_checkpoint_read(const char *path, struct scree_comm *comm, int n_tables,
                                        struct scree_table *table);

#endif
