/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of four numbers. */
#include "scree/row.h"

#include "unit.h"

static void expect_as_cast(int64_t x)
{
    scree_row row = scree_row_of_int((scree_row_int){x, -x, x ^ 1, 0});
    cr_expect_eq(row[0], (double)x, "%lld becomes %.17g", (long long)x, row[0]);
    cr_expect_eq(row[1], (double)-x, "%lld becomes %.17g", (long long)-x, row[1]);
    cr_expect_eq(row[2], (double)(x ^ 1), "%lld becomes %.17g", (long long)(x ^ 1), row[2]);
    cr_expect_eq(row[3], 0.0);
}

/* Around powers of two, where rounding begins, and halfway between neighbouring doubles. */
Test(row, integers_become_the_nearest_doubles)
{
    for (int bit = 0; bit < 63; bit++)
        for (int64_t off = -3; off <= 3; off++) expect_as_cast(((int64_t)1 << bit) + off);
    expect_as_cast(((int64_t)1 << 53) + ((int64_t)1 << 52) + 1);
    expect_as_cast(((int64_t)1 << 62) + 256);
    expect_as_cast(((int64_t)1 << 62) + 768);
    expect_as_cast(INT64_MAX);
    uint64_t x = 1;
    for (int k = 0; k < 10000; k++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        expect_as_cast((int64_t)(x >> 1) >> k % 50);
    }
}
