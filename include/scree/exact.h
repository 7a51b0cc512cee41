/* SPDX-License-Identifier: BSD-3-Clause
 * Exact sums: results that do not depend on the order of additions or the number of ranks.
 *
 * A superaccumulator: a double is an integer times a power of two, so a fixed-point register wide
 * enough for the whole exponent range adds doubles without any rounding. It is kept as 64-bit
 * limbs of 32 significant bits each, so that limbs of different ranks can be added plainly and
 * carries propagate later. Rounding happens once, when the value is read (to nearest even). */
#ifndef SCREE_EXACT_H
#define SCREE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

/* Products of doubles reach from 2^-2148 to 2^2048; the rest of 134 * 32 bits is room for 2^60 of
 * the largest. */
enum { SCREE_EXACT_LIMBS = 134, SCREE_EXACT_LOWEST = -2148 };

/* Two registers are added by adding all members, element by element, as an integer reduction over
 * ranks does. After scree_exact_normalize() the carry room is good for 2^30 registers. */
struct scree_exact {
    int64_t limb[SCREE_EXACT_LIMBS]; /* value = sum limb[k] * 2^(32 k + SCREE_EXACT_LOWEST) */
    int64_t n_pending;               /* each |limb| but the last is at most n_pending * 2^32 */
    int64_t n_invalid;               /* NaNs and infinities added: the sum reads as NaN */
};

void scree_exact_clear(struct scree_exact *sum);
void scree_exact_add(struct scree_exact *sum, double value);
void scree_exact_add_product(struct scree_exact *sum, double a,
                             double b); /* a*b without rounding */
void scree_exact_merge(struct scree_exact *sum, const struct scree_exact *other);
/* Canonical form (each limb but the last in [0, 2^32), n_pending = 1): equal sums have equal
 * bytes, unless NaNs or infinities were added. */
void scree_exact_normalize(struct scree_exact *sum);
/* The nearest double, ties to even. NaN if invalid, an infinity if the sum is beyond the largest
 * double (it may come back into range by further additions), +0 for an exact zero. */
double scree_exact_value(const struct scree_exact *sum);

/* n exact sums to which rows of n numbers are added: the same sums as by scree_exact_add(), at less
 * cost, since rows are added in blocks. Begin clears the sums, which hold all that was added only
 * after the end. */
enum { SCREE_EXACT_ROW = 48, SCREE_EXACT_ROWS = 32 };
struct scree_exact_rows {
    struct scree_exact *sum; /* [n]; borrowed */
    int n, n_rows;           /* numbers in a row, at most SCREE_EXACT_ROW; rows that wait */
    double row[SCREE_EXACT_ROWS][SCREE_EXACT_ROW];
};
void scree_exact_rows_begin(struct scree_exact_rows *rows, struct scree_exact *sum, int n);
/* The place of the next row; all of it is to be written. */
double *scree_exact_rows_next(struct scree_exact_rows *rows);
void scree_exact_rows_end(struct scree_exact_rows *rows);

/* A 128-bit signed integer for totals of fixed-point quanta, e.g. the force on a wall. Starts as
 * {0, 0}; wraps modulo 2^128. */
struct scree_wide {
    uint64_t low;
    int64_t high;
};

void scree_wide_add(struct scree_wide *sum, int64_t value);
void scree_wide_add_rounded(struct scree_wide *sum,
                            double value); /* nearest integer, below 2^125 */
void scree_wide_merge(struct scree_wide *sum, struct scree_wide other);
bool scree_wide_is_zero(struct scree_wide sum);
double scree_wide_value(struct scree_wide sum); /* nearest double, ties to even */

#endif
