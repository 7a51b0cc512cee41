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

static inline scree_row scree_row_at(const double *four)
{
    return *(const scree_row *)four;
}

static inline void scree_row_store(double *four, scree_row row)
{
    *(scree_row *)four = row;
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

#endif
