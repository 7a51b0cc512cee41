/* SPDX-License-Identifier: BSD-3-Clause
 * 128-bit totals: carries, signs, rounding. */
#include "scree/exact.h"

#include <math.h>

#include "unit.h"

static struct scree_wide wide(int64_t high, uint64_t low)
{
    return (struct scree_wide){.low = low, .high = high};
}

static void assert_is(struct scree_wide found, int64_t high, uint64_t low)
{
    cr_assert_eq(found.high, high);
    cr_assert_eq(found.low, low);
}

Test(wide, carries_and_borrows)
{
    struct scree_wide sum = wide(0, 0);
    cr_assert(scree_wide_is_zero(sum));
    scree_wide_add(&sum, -1);
    assert_is(sum, -1, UINT64_MAX);
    cr_assert(!scree_wide_is_zero(sum));
    scree_wide_add(&sum, 1);
    cr_assert(scree_wide_is_zero(sum));
    for (int k = 0; k < 3; ++k) scree_wide_add(&sum, INT64_MAX);
    assert_is(sum, 1, (uint64_t)INT64_MAX - 2);
    for (int k = 0; k < 6; ++k) scree_wide_add(&sum, INT64_MIN);
    assert_is(sum, -2, (uint64_t)INT64_MAX - 2);
    cr_assert(!scree_wide_is_zero(wide(1, 0)));
}

Test(wide, merge_equals_sequential)
{
    struct scree_wide all = wide(0, 0), even = wide(0, 0), odd = wide(0, 0);
    uint64_t x = 1;
    for (int i = 0; i < 100000; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
        scree_wide_add(&all, (int64_t)x);
        scree_wide_add(i % 2 == 0 ? &even : &odd, (int64_t)x);
    }
    struct scree_wide merged = odd;
    scree_wide_merge(&merged, even);
    assert_is(merged, all.high, all.low);
    scree_wide_merge(&even, odd);
    assert_is(even, all.high, all.low);
}

Test(wide, wraps_back_from_beyond_the_range)
{
    struct scree_wide sum = wide(INT64_MAX, UINT64_MAX);
    scree_wide_add(&sum, 1);
    assert_is(sum, INT64_MIN, 0);
    scree_wide_merge(&sum, wide(-1, UINT64_MAX));
    assert_is(sum, INT64_MAX, UINT64_MAX);
}

Test(wide, value_is_the_nearest_double)
{
    cr_assert(scree_wide_value(wide(0, 0)) == 0.0);
    cr_assert(scree_wide_value(wide(0, 12345)) == 12345.0);
    cr_assert(scree_wide_value(wide(-1, UINT64_MAX)) == -1.0);
    cr_assert(scree_wide_value(wide(-1, 0)) == -0x1p64);
    cr_assert(scree_wide_value(wide(1, 0)) == 0x1p64);
    cr_assert(scree_wide_value(wide(0, UINT64_MAX)) == 0x1p64);
    cr_assert(scree_wide_value(wide(INT64_MAX, UINT64_MAX)) == 0x1p127);
    cr_assert(scree_wide_value(wide(INT64_MIN, 0)) == -0x1p127);
    /* 2^64 + 2^11 is a tie between 2^64 and 2^64 + 2^12 */
    cr_assert(scree_wide_value(wide(1, 0x800)) == 0x1p64);
    cr_assert(scree_wide_value(wide(1, 0x801)) == 0x1p64 + 0x1p12);
    cr_assert(scree_wide_value(wide(1, 0x1800)) == 0x1p64 + 0x1p13);
    cr_assert(scree_wide_value(wide(1, 0x17ff)) == 0x1p64 + 0x1p12);
    cr_assert(scree_wide_value(wide((int64_t)1 << 53, 1)) == 0x1p117);
    cr_assert(scree_wide_value(wide(((int64_t)1 << 53) + 1, 1)) == 0x1p117 + 0x1p65);
}

Test(wide, value_agrees_with_the_exact_sum)
{
    uint64_t x = 7;
    for (int i = 0; i < 100000; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int64_t high = (int64_t)x >> (x >> 33) % 64;
        x = x * 6364136223846793005u + 1442695040888963407u;
        struct scree_exact sum;
        scree_exact_clear(&sum);
        scree_exact_add_product(&sum, (double)(high >> 32), 0x1p96);
        scree_exact_add_product(&sum, (double)(high & 0xffffffff), 0x1p64);
        scree_exact_add_product(&sum, (double)(x >> 32), 0x1p32);
        scree_exact_add(&sum, (double)(x & 0xffffffff));
        cr_assert(scree_wide_value(wide(high, x)) == scree_exact_value(&sum));
    }
}

Test(wide, doubles_are_added_as_the_nearest_integer)
{
    const double values[] = {0.0,   -3.4, 2.6,    1e15 + 0.25, -0x1p62,           0x1p62 - 512.0,
                             -1e30, 1e37, 0x1p63, -0x1p64,     -0x1p125 + 0x1p80, 0x1p124};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        struct scree_wide sum = wide(0, 7);
        scree_wide_add_rounded(&sum, values[k]);
        scree_wide_add(&sum, -7);
        cr_expect(scree_wide_value(sum) == nearbyint(values[k]), "%g: %g", values[k],
                  scree_wide_value(sum));
    }
}
