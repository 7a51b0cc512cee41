/* SPDX-License-Identifier: BSD-3-Clause
 * The text of a LAMMPS dump, taken apart. */
#ifndef SCREE_LAMMPS_DUMP_PARSE_H
#define SCREE_LAMMPS_DUMP_PARSE_H

#include "lammps_lines.h"
#include "scree/state.h"

enum scree_dump_column {
    SCREE_DUMP_ID,
    SCREE_DUMP_TYPE,
    SCREE_DUMP_IX,
    SCREE_DUMP_IY,
    SCREE_DUMP_IZ,
    SCREE_DUMP_FIRST_REAL,
    SCREE_DUMP_X = SCREE_DUMP_FIRST_REAL,
    SCREE_DUMP_Y,
    SCREE_DUMP_Z,
    SCREE_DUMP_RADIUS,
    SCREE_DUMP_DIAMETER,
    SCREE_DUMP_MASS,
    SCREE_DUMP_DENSITY,
    SCREE_DUMP_VX,
    SCREE_DUMP_VY,
    SCREE_DUMP_VZ,
    SCREE_DUMP_OMEGAX,
    SCREE_DUMP_OMEGAY,
    SCREE_DUMP_OMEGAZ,
    SCREE_DUMP_N_COLUMNS
};
enum { SCREE_DUMP_WORDS = 128 };

struct scree_lammps_dump_atom {
    int64_t whole[SCREE_DUMP_FIRST_REAL]; /* id, type, image */
    double real[SCREE_DUMP_N_COLUMNS];    /* from SCREE_DUMP_FIRST_REAL on */
    int line;
};

struct scree_lammps_dump {
    struct scree_lammps_lines lines;
    int n_words;
    const char *word[SCREE_DUMP_WORDS];
    struct scree_state_header header;
    int place[SCREE_DUMP_N_COLUMNS]; /* of each column among the words; -1: absent */
    int n_columns;
    int64_t n;
    struct scree_lammps_dump_atom *atom; /* owned */
};

/* Cut the next line into words; false, and no words, at the end of the file. */
bool scree_lammps_dump_next_words(struct scree_lammps_dump *d);
/* Is this line "ITEM: a b ...", where `text` is "a b"? */
bool scree_lammps_dump_is_item(const struct scree_lammps_dump *d, const char *text);
/* The next line must be this item; it must have n words. */
enum scree_status scree_lammps_dump_expect_item(struct scree_lammps_dump *d, const char *text);
enum scree_status scree_lammps_dump_expect_values(struct scree_lammps_dump *d, int n,
                                                  const char *what);
/* Word k as a number; `what` names it in messages. */
enum scree_status scree_lammps_dump_whole(struct scree_lammps_dump *d, int k, const char *what,
                                          int64_t least, int64_t most, int64_t *value);
enum scree_status scree_lammps_dump_real(struct scree_lammps_dump *d, int k, const char *what,
                                         double *value);

/* Read up to frame `frame` (-1: the last), which is in `d` then, sorted by id without duplicates.
 */
enum scree_status scree_lammps_dump_parse(struct scree_lammps_dump *d, int64_t frame);

#endif
