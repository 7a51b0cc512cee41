/* SPDX-License-Identifier: BSD-3-Clause
 * A text file line by line, cut into words, with numbers that are checked. */
#ifndef SCREE_LAMMPS_LINES_H
#define SCREE_LAMMPS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/state.h"
#include "scree/status.h"

enum { SCREE_LAMMPS_WORDS = 12, SCREE_LAMMPS_SHOWN = 40 };

struct scree_lammps_lines {
    const char *path; /* borrowed */
    char *text;       /* owned; whole file, cut up as the lines are read */
    size_t size, at;
    int line;                             /* number of the line read last, from 1 */
    int n_words;                          /* all of them; only the first few are kept */
    const char *word[SCREE_LAMMPS_WORDS]; /* of that line, without the comment */
    const char *comment;                  /* after '#', without leading blanks; "" if none */
};

/* Fail with "file:line: ...". Needs at least one argument after the format. */
#define SCREE_LAMMPS_BAD(lines, format, ...) \
    SCREE_FAIL(SCREE_INPUT, "%s:%d: " format, (lines)->path, (lines)->line, __VA_ARGS__)

/* Read the whole file, whose last line must have an end. Nothing to clear after a failure. */
enum scree_status scree_lammps_open(struct scree_lammps_lines *lines, const char *path);
void scree_lammps_close(struct scree_lammps_lines *lines);

/* The next line uncut, without its end; NULL at the end of the file. */
char *scree_lammps_next_line(struct scree_lammps_lines *lines);
/* Cut the next line that has words. False at the end of the file, where `line` is the last. */
bool scree_lammps_next_words(struct scree_lammps_lines *lines);

/* Word k as a number in a range; `what` names it in messages. */
enum scree_status scree_lammps_integer(const struct scree_lammps_lines *lines, int k,
                                       const char *what, int64_t least, int64_t most,
                                       int64_t *value);
enum scree_status scree_lammps_real(const struct scree_lammps_lines *lines, int k, const char *what,
                                    double *value);

/* Is a position in the box of the header or not far from it? What is farther away than the box is
 * long is a number that went wrong. */
enum scree_status scree_lammps_check_place(const struct scree_lammps_lines *lines,
                                           const struct scree_state_header *header,
                                           const double position[3]);

/* A word fit to print: short, and without unprintable bytes. Valid until the next call. */
const char *scree_lammps_shown(const char *word);

#endif
