/* SPDX-License-Identifier: BSD-3-Clause
 * Exact sums: any order, any grouping, one rounding. */
#include "scree/exact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { N_MANY = 100000 };

/* splitmix64 (Steele, Lea, Flood 2014): independent of the code under test */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Any finite double, subnormals included: uniform in its bits. */
static double random_double(uint64_t *state)
{
    double x;
    do {
        uint64_t bits = random_bits(state);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

static void shuffle(double *x, int n, uint64_t *state)
{
    for (int i = n - 1; i > 0; --i) {
        int j = (int)(random_bits(state) % (uint64_t)(i + 1));
        double kept = x[i];
        x[i] = x[j];
        x[j] = kept;
    }
}

static void add_all(struct scree_exact *sum, const double *x, int n)
{
    scree_exact_clear(sum);
    for (int i = 0; i < n; ++i) scree_exact_add(sum, x[i]);
}

static double sum_of(const double *x, int n)
{
    struct scree_exact sum;
    add_all(&sum, x, n);
    return scree_exact_value(&sum);
}
#define SUM_OF(...) \
    sum_of((const double[]){__VA_ARGS__}, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)))

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

Test(exact, order_does_not_matter)
{
    double *x = malloc(N_MANY * sizeof *x);
    uint64_t state = 1;
    for (int i = 0; i < N_MANY; ++i) x[i] = random_double(&state);
    struct scree_exact first, again;
    add_all(&first, x, N_MANY);
    double value = scree_exact_value(&first);
    scree_exact_normalize(&first);
    cr_assert(same_bits(value, scree_exact_value(&first)));
    for (int k = 0; k < 5; ++k) {
        shuffle(x, N_MANY, &state);
        add_all(&again, x, N_MANY);
        cr_assert(same_bits(value, scree_exact_value(&again)));
        scree_exact_normalize(&again);
        cr_assert_arr_eq(&first, &again, sizeof first);
    }
    free(x);
}

Test(exact, merge_equals_sequential)
{
    enum { N_PARTS = 7 };
    struct scree_exact all, part[N_PARTS], merged, elementwise;
    scree_exact_clear(&all);
    for (int k = 0; k < N_PARTS; ++k) scree_exact_clear(&part[k]);
    uint64_t state = 2;
    for (int i = 0; i < 10000; ++i) {
        double x = random_double(&state);
        scree_exact_add(&all, x);
        scree_exact_add(&part[random_bits(&state) % N_PARTS], x);
    }
    scree_exact_normalize(&all);
    scree_exact_clear(&merged);
    for (int k = 0; k < N_PARTS; ++k) scree_exact_merge(&merged, &part[k]);
    scree_exact_normalize(&merged);
    cr_assert_arr_eq(&all, &merged, sizeof all);

    /* what a reduction over ranks does */
    scree_exact_clear(&elementwise);
    for (int k = 0; k < N_PARTS; ++k) {
        scree_exact_normalize(&part[k]);
        for (int l = 0; l < SCREE_EXACT_LIMBS; ++l) elementwise.limb[l] += part[k].limb[l];
        elementwise.n_pending += part[k].n_pending;
    }
    scree_exact_normalize(&elementwise);
    cr_assert_arr_eq(&all, &elementwise, sizeof all);
}

Test(exact, fused_multiply_add_is_the_oracle)
{
    uint64_t state = 3;
    for (int i = 0; i < 300000; ++i) {
        double a = random_double(&state), b = random_double(&state), c = random_double(&state);
        if (i % 3 == 1) b = ldexp(b, -ilogb(a) - ilogb(b) + ilogb(c)); /* a*b as large as c */
        if (i % 3 == 2) { /* a*b around the smallest doubles */
            b = ldexp(b, -1074 - ilogb(a) - ilogb(b) + (int)(random_bits(&state) % 120) - 60);
            c = i % 2 == 0 ? 0.0 : ldexp(c, -1060 - ilogb(c));
        }
        if (!isfinite(b)) continue;
        struct scree_exact sum;
        scree_exact_clear(&sum);
        scree_exact_add_product(&sum, a, b);
        scree_exact_add(&sum, c);
        double expected = fma(a, b, c), found = scree_exact_value(&sum);
        cr_assert(found == expected, "%a * %a + %a: %a, not %a", a, b, c, found, expected);
    }
}

Test(exact, products_cancel_completely)
{
    struct scree_exact sum, zero;
    scree_exact_clear(&sum);
    scree_exact_clear(&zero);
    uint64_t state = 4;
    for (int i = 0; i < 1000; ++i) {
        double a = random_double(&state), b = random_double(&state);
        scree_exact_add_product(&sum, a, b);
        scree_exact_add_product(&sum, b, -a);
    }
    cr_assert(same_bits(scree_exact_value(&sum), 0.0));
    scree_exact_normalize(&sum);
    scree_exact_normalize(&zero);
    cr_assert_arr_eq(&sum, &zero, sizeof sum);

    /* the error of a rounded product, recovered: (1+e)(1-e) - 1 = -e^2 */
    scree_exact_add_product(&sum, 1 + DBL_EPSILON, 1 - DBL_EPSILON);
    scree_exact_add(&sum, -1.0);
    cr_assert(scree_exact_value(&sum) == -DBL_EPSILON * DBL_EPSILON);
}

Test(exact, hard_cases)
{
    const double tiny = 0x1p-1074;
    cr_assert(SUM_OF(1e308, 1.0, -1e308) == 1.0);
    cr_assert(SUM_OF(1e308, 1e308, -1e308, -1e308, tiny) == tiny);
    cr_assert(SUM_OF(DBL_MAX, DBL_MAX, -DBL_MAX) == DBL_MAX);
    cr_assert(SUM_OF(0x1p-1022, -0x1.ffffffffffffep-1023) == tiny);
    cr_assert(SUM_OF(1.0, tiny, -1.0, tiny) == 2 * tiny);
    cr_assert(SUM_OF(-DBL_MAX, -tiny, DBL_MAX) == -tiny);
    cr_assert(same_bits(SUM_OF(0.0), 0.0));
    cr_assert(same_bits(SUM_OF(-0.0), 0.0));
    cr_assert(same_bits(SUM_OF(5.0, -5.0), 0.0));
}

Test(exact, ties_go_to_even)
{
    const double half = 0x1p-53; /* half a unit in the last place of 1 */
    const double odd = 1 + DBL_EPSILON;
    cr_assert(SUM_OF(1.0, half) == 1.0);
    cr_assert(SUM_OF(odd, half) == 1 + 2 * DBL_EPSILON);
    cr_assert(SUM_OF(-1.0, -half) == -1.0);
    cr_assert(SUM_OF(-odd, -half) == -1 - 2 * DBL_EPSILON);
    cr_assert(SUM_OF(1.0, half, 0x1p-1074) == odd);
    cr_assert(SUM_OF(1.0, half, -0x1p-1074) == 1.0);
    cr_assert(SUM_OF(odd, half, -0x1p-1074) == odd);
    cr_assert(SUM_OF(2.0, -0x1p-1074) == 2.0);
    cr_assert(SUM_OF(0x1.fffffffffffffp0, half) == 2.0); /* carries into the next binade */
}

Test(exact, overflow_rounds_to_infinity)
{
    const double half = 0x1p970; /* half a unit in the last place of DBL_MAX */
    cr_assert(SUM_OF(DBL_MAX, half) == HUGE_VAL);
    cr_assert(SUM_OF(DBL_MAX, half, -0x1p-1074) == DBL_MAX);
    cr_assert(SUM_OF(-DBL_MAX, -half) == -HUGE_VAL);
    cr_assert(SUM_OF(DBL_MAX, DBL_MAX) == HUGE_VAL);
    struct scree_exact sum;
    scree_exact_clear(&sum);
    scree_exact_add_product(&sum, DBL_MAX, DBL_MAX);
    cr_assert(scree_exact_value(&sum) == HUGE_VAL);
    scree_exact_add_product(&sum, -DBL_MAX, DBL_MAX);
    scree_exact_add(&sum, -3.0);
    cr_assert(scree_exact_value(&sum) == -3.0);
}

Test(exact, long_double_agrees_where_it_is_exact)
{
    if (LDBL_MANT_DIG < 64) cr_skip_test("long double is no wider than double here");
    struct scree_exact sum;
    scree_exact_clear(&sum);
    long double oracle = 0;
    uint64_t state = 5;
    for (int i = 0; i < N_MANY; ++i) {
        /* multiples of 2^-20 below 2^26: 2^17 of them fit into 64 bits */
        double x = ldexp((double)(int64_t)(random_bits(&state) >> 18) - 0x1p45, -20);
        scree_exact_add(&sum, x);
        oracle += (long double)x;
    }
    cr_assert(scree_exact_value(&sum) == (double)oracle);
}

Test(exact, carries_never_overflow)
{
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (int i = 0; i < 100; ++i) scree_exact_add(&sum, -0x1.fffffffffffffp-3);
    for (int k = 0; k < 200; ++k) scree_exact_merge(&sum, &sum);
    cr_assert(scree_exact_value(&sum) == ldexp(SUM_OF(-100 * 0x1p-2, 100 * 0x1p-55), 200));

    scree_exact_clear(&sum);
    sum.n_pending = (int64_t)1 << 30; /* as after that many additions */
    scree_exact_add(&sum, 1.5);
    cr_assert_eq(sum.n_pending, 2);
    cr_assert(scree_exact_value(&sum) == 1.5);
}

Test(exact, invalid_numbers_are_counted)
{
    cr_assert(isnan(SUM_OF(1.0, (double)NAN)));
    cr_assert(isnan(SUM_OF(HUGE_VAL, 1.0)));
    struct scree_exact sum, other;
    scree_exact_clear(&sum);
    scree_exact_add_product(&sum, HUGE_VAL, 0.0);
    scree_exact_add_product(&sum, 1.0, (double)NAN);
    scree_exact_add(&sum, -HUGE_VAL);
    cr_assert_eq(sum.n_invalid, 3);
    scree_exact_clear(&other);
    scree_exact_add(&other, 1.0);
    scree_exact_merge(&other, &sum);
    cr_assert_eq(other.n_invalid, 3);
    cr_assert(isnan(scree_exact_value(&other)));
    scree_exact_clear(&other);
    cr_assert(scree_exact_value(&other) == 0.0);
}

/* Rows in blocks give the bytes that numbers one by one give, whatever is in a column. */
Test(exact, rows_are_sums_of_their_columns)
{
    enum { N = 6, ROWS = 3 * SCREE_EXACT_ROWS + 5 };
    static struct scree_exact_rows rows;
    struct scree_exact sum[N], expected[N];
    uint64_t state = 11;
    for (int n_rows = 0; n_rows <= ROWS; n_rows += SCREE_EXACT_ROWS - 1) {
        scree_exact_rows_begin(&rows, sum, N);
        for (int k = 0; k < N; k++) scree_exact_clear(&expected[k]);
        for (int r = 0; r < n_rows; r++) {
            double *row = scree_exact_rows_next(&rows);
            double usual = ldexp((double)(int64_t)random_bits(&state), -63);
            const double column[N] = {
                usual,
                ldexp(usual, -(int)(random_bits(&state) % 140)), /* too wide */
                random_double(&state),
                ldexp(usual, -1060), /* subnormal */
                r % 2 == 0 ? 0.0 : -0.0,
                ldexp(usual, (int)(random_bits(&state) % 15))};
            for (int k = 0; k < N; k++) {
                row[k] = column[k];
                scree_exact_add(&expected[k], column[k]);
            }
        }
        scree_exact_rows_end(&rows);
        for (int k = 0; k < N; k++) {
            scree_exact_normalize(&sum[k]);
            scree_exact_normalize(&expected[k]);
            cr_expect(memcmp(&sum[k], &expected[k], sizeof sum[k]) == 0, "column %d, %d rows", k,
                      n_rows);
        }
    }
    const double wrong[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1.0};
    scree_exact_rows_begin(&rows, sum, 4);
    for (int r = 0; r < 2; r++) memcpy(scree_exact_rows_next(&rows), wrong, sizeof wrong);
    scree_exact_rows_end(&rows);
    for (int k = 0; k < 3; k++) cr_expect(isnan(scree_exact_value(&sum[k])));
    cr_expect(scree_exact_value(&sum[3]) == 2.0);
}
