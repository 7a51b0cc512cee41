/* SPDX-License-Identifier: BSD-3-Clause
 * Reading grains back from state files and trajectories, without MPI. */
#ifndef SCREE_READER_H
#define SCREE_READER_H

#include <stdio.h>

#include "scree/state.h"

enum scree_reader_kind { SCREE_READER_STATE, SCREE_READER_TRAJECTORY };

/* Which members of struct scree_state_rows the file has; bits. The rest reads as zero, species as
 * 1. */
enum {
    SCREE_READER_ID = 1 << 0,
    SCREE_READER_SPECIES = 1 << 1,
    SCREE_READER_POSITION = 1 << 2,
    SCREE_READER_VELOCITY = 1 << 3,
    SCREE_READER_SPIN = 1 << 4,
    SCREE_READER_RADIUS = 1 << 5,
    SCREE_READER_MASS = 1 << 6,
    SCREE_READER_IMAGE = 1 << 7,
    SCREE_READER_ALL = (1 << 8) - 1
};

struct scree_reader_file {
    enum scree_reader_kind kind;
    char title[SCREE_STATE_TITLE];
    int64_t frames; /* complete ones; a state has 1 */
    int64_t n;      /* grains in the last frame */
    int64_t first_step, last_step;
    double first_time, last_time; /* s */
};

/* Do the work of reading a file in another process: HDF5 crashes or loops on some damaged ones,
 * also on those that have checksums over most of their structure. What the work writes to files and
 * to standard output is there afterwards, what it changes in memory is not. Its status and message
 * come back; a crash is a failure that names `path`. Local. */
enum scree_status scree_reader_guard(const char *path, enum scree_status (*work)(void *context),
                                     void *context);

/* What is it? Anything but a sound file of one of the two kinds is refused with a message. Local.
 */
enum scree_status scree_reader_inspect(const char *path, struct scree_reader_file *file);

/* Does a trajectory hold a complete frame of this step? False if it cannot be read. Local. */
bool scree_reader_has_step(const char *path, int64_t step);

/* Part `part` of `n_parts` nearly equal parts of the rows of frame `frame` (0-based; -1: the last),
 * in file order; `rows` is allocated here if all is well. Local: a caller with several ranks gives
 * rank and number of ranks and agrees on the status. */
enum scree_status scree_reader_read(const char *path, int64_t frame, int part, int n_parts,
                                    struct scree_state_header *header,
                                    struct scree_state_rows *rows, unsigned *fields);

/* One frame as tables of doubles, whatever columns the file has: all grains by id (the second key
 * is 0), and all contacts by their pair of ids (wall w is -1-w). */
enum { SCREE_READER_GRAINS, SCREE_READER_CONTACTS, SCREE_READER_TABLES };
enum { SCREE_READER_COLUMNS = 16 };

struct scree_reader_column {
    const char *name, *unit;
    int width;     /* numbers per row */
    double *value; /* owned */
};
struct scree_reader_table {
    bool there; /* state files have no contacts, trajectories not always */
    int64_t n;
    int64_t (*key)[2]; /* owned */
    int n_columns;
    struct scree_reader_column column[SCREE_READER_COLUMNS];
};

/* Clear the tables in any case. Local. */
enum scree_status scree_reader_read_tables(const char *path, int64_t frame,
                                           struct scree_state_header *header,
                                           struct scree_reader_table table[SCREE_READER_TABLES]);
void scree_reader_clear_tables(struct scree_reader_table table[SCREE_READER_TABLES]);

/* An observable of a frame of a trajectory, such as "position_of_lid", `width` numbers; a text of
 * its parameters, such as "effective_input", for scree_alloc_free(). False and NULL: there is none.
 * Local. */
bool scree_reader_observable(const char *path, const char *name, int64_t frame, int width,
                             double *values);
char *scree_reader_parameter(const char *path, const char *name);

/* Everything there is to say about an HDF5 file, for people: kind, frames, fields with shapes and
 * units, where the numbers come from. What is damaged is skipped or said to be. Local. */
enum scree_status scree_reader_print(const char *path, FILE *out);

#endif
