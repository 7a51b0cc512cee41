/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of four numbers as one value, for code that gathers and scatters rows at random.
 *
 * The vector_size attribute of GCC and Clang, not plain C11: a compiler cannot know that rows
 * reached through index lists do not overlap and would move them number by number, which costs a
 * third of the whole md step. It works for every target; arithmetic is element-wise IEEE. */
#ifndef SCREE_ROW_H
#define SCREE_ROW_H

#include <stdint.h>

typedef double scree_row __attribute__((vector_size(32), aligned(32), may_alias));
typedef int64_t scree_row_int __attribute__((vector_size(32), aligned(32), may_alias));

/* At any place where a double may be. */
typedef double scree_row_loose __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint64_t scree_row_bits __attribute__((vector_size(32), aligned(32), may_alias));

static inline scree_row scree_row_at(const double *four)
{
    return *(const scree_row *)four;
}

static inline void scree_row_store(double *four, scree_row row)
{
    *(scree_row *)four = row;
}

static inline scree_row scree_row_anywhere(const double *four)
{
    return *(const scree_row_loose *)four;
}

static inline void scree_row_store_anywhere(double *four, scree_row row)
{
    *(scree_row_loose *)four = row;
}

static inline scree_row scree_row_fill(double x)
{
    return (scree_row){x, x, x, x};
}

static inline scree_row_int scree_row_int_at(const int64_t *four)
{
    return *(const scree_row_int *)four;
}

static inline void scree_row_int_store(int64_t *four, scree_row_int row)
{
    *(scree_row_int *)four = row;
}

/* Integers as the nearest doubles, as a cast does it: the upper 32 bits and the lower 32 bits
 * become doubles by their place in the mantissa of 2^84 and of 2^52; only the last sum is rounded.
 */
static inline scree_row scree_row_of_int(scree_row_int x)
{
    const int64_t two_84 = 0x4530000000000000, two_52 = 0x4330000000000000;
    const scree_row_int sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    scree_row_int shifted = x ^ sign; /* x + 2^63, without a sign */
    scree_row_int high = (scree_row_int)((scree_row_bits)shifted >> 32) | two_84;
    scree_row_int low = (shifted & 0xffffffff) | two_52;
    scree_row upper = (scree_row)high - 0x1.00000801p84; /* 2^84 + 2^63 + 2^52 */
    return upper + (scree_row)low;
}

/* Four rows become four columns: turns gathered rows into arrays and back. */
static inline void scree_row_transpose(scree_row *a, scree_row *b, scree_row *c, scree_row *d)
{
    scree_row ab_low = __builtin_shufflevector(*a, *b, 0, 4, 2, 6);
    scree_row ab_high = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
    scree_row cd_low = __builtin_shufflevector(*c, *d, 0, 4, 2, 6);
    scree_row cd_high = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

#endif
