/* SPDX-License-Identifier: BSD-3-Clause
 * Many exact sums at once. A block of rows is split, column by column, into parts that are
 * multiples of a quantum which follows from the largest number of the column: so many bits below it
 * that the parts of all rows add up in doubles without rounding. Three such parts, each of the rest
 * of the one before, hold all bits of numbers within 2^67 of the largest; columns with others are
 * added number by number. Loops run along rows, so that the compiler makes vectors of them. */
#include <math.h>
#include <string.h>

#include "scree/exact.h"

enum { N_PARTS = 3, PART_BITS = 40, LEAST_EXPONENT = -800, MOST_EXPONENT = 900 };

struct parts {
    double largest[SCREE_EXACT_ROW]; /* of the absolute values of a column */
    double sum[N_PARTS][SCREE_EXACT_ROW];
    double rest[SCREE_EXACT_ROW]; /* 0 if nothing is left; perhaps NAN */
};

void scree_exact_rows_begin(struct scree_exact_rows *rows, struct scree_exact *sum, int n)
{
    rows->sum = sum;
    rows->n = n;
    rows->n_rows = 0;
    for (int k = 0; k < n; k++) scree_exact_clear(&sum[k]);
}

static void find_largest(const struct scree_exact_rows *rows, struct parts *parts)
{
    for (int r = 0; r < rows->n_rows; r++)
        for (int k = 0; k < rows->n; k++) {
            double size = fabs(rows->row[r][k]);
            parts->largest[k] = size > parts->largest[k] ? size : parts->largest[k];
        }
}

/* 2^e for the exponent e of a positive number. */
static double power_below(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (uint64_t)0x7ff << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Adding and taking away 1.5 * 2^52 quanta rounds to a whole number of them. */
static void split(const struct scree_exact_rows *rows, struct parts *parts)
{
    const double finer = ldexp(1.0, -PART_BITS);
    double shift[SCREE_EXACT_ROW];
    for (int k = 0; k < rows->n; k++)
        shift[k] = power_below(parts->largest[k]) * (1.5 * ldexp(1.0, 53 - PART_BITS));
    for (int r = 0; r < rows->n_rows; r++)
        for (int k = 0; k < rows->n; k++) {
            double rest = rows->row[r][k], by = shift[k];
            for (int part = 0; part < N_PARTS; part++, by *= finer) {
                double whole = (rest + by) - by;
                parts->sum[part][k] += whole;
                rest -= whole;
            }
            parts->rest[k] += fabs(rest);
        }
}

static void add_block(struct scree_exact_rows *rows)
{
    struct parts parts;
    memset(&parts, 0, sizeof parts);
    find_largest(rows, &parts);
    split(rows, &parts);
    for (int k = 0; k < rows->n; k++) {
        double largest = parts.largest[k];
        bool usual = largest > ldexp(1.0, LEAST_EXPONENT) && largest < ldexp(1.0, MOST_EXPONENT);
        if (usual && parts.rest[k] == 0.0)
            for (int part = 0; part < N_PARTS; part++)
                scree_exact_add(&rows->sum[k], parts.sum[part][k]);
        else
            for (int r = 0; r < rows->n_rows; r++) scree_exact_add(&rows->sum[k], rows->row[r][k]);
    }
    rows->n_rows = 0;
}

double *scree_exact_rows_next(struct scree_exact_rows *rows)
{
    if (rows->n_rows == SCREE_EXACT_ROWS) add_block(rows);
    return rows->row[rows->n_rows++];
}

void scree_exact_rows_end(struct scree_exact_rows *rows)
{
    if (rows->n_rows > 0) add_block(rows);
}
