/* SPDX-License-Identifier: BSD-3-Clause
 * Accounts of the energy ledger: exact, however amounts come to them. */
#include "scree/ledger.h"

#include <math.h>
#include <string.h>

#include "unit.h"

enum { N = 5000, BLOCK = 88 };

/* Of both signs, from 2^-60 to 2^50 quanta. */
static double amount(double quantum, int k)
{
    double u = fmod(0.6180339887498949 * k, 1.0), v = fmod(0.4142135623730951 * k, 1.0);
    return (k % 3 == 0 ? -1.0 : 1.0) * ldexp(1.0 + v, (int)(110.0 * u) - 60) * quantum;
}

static void assert_same(const struct scree_account *a, const struct scree_account *b)
{
    cr_assert_eq(memcmp(a, b, sizeof *a), 0);
}

Test(ledger, tallies_and_blocks_make_the_same_account)
{
    const double quantum = ldexp(1.0, -37);
    struct scree_account one_by_one = {0}, by_tally = {0}, by_other = {0};
    struct scree_tally tally[3] = {{.rows = 0}};
    alignas(SCREE_ALIGNMENT) double block[3][BLOCK];
    int n = 0, length = 1, settled = 0, in_tally = 0;
    for (int k = 0; k < N; k++) {
        double a = amount(quantum, k);
        scree_account_add(&one_by_one, quantum, &a, 1, 2);
        block[0][n] = block[2][n] = a;
        block[1][n++] = NAN; /* of a channel that is not asked for */
        if (n < length && k + 1 < N) continue;
        for (int m = n; m < BLOCK; m++) block[0][m] = block[2][m] = NAN; /* never looked at */
        if (k % 2 == 0) { /* together or one after the other */
            scree_tally_add(tally, 5u, block[0], BLOCK, quantum, n);
        } else {
            scree_tally_add(tally, 1u, block[0], BLOCK, quantum, n);
            scree_tally_add(tally, 4u, block[0], BLOCK, quantum, n);
        }
        in_tally += n;
        if (in_tally > SCREE_TALLY_ROOM - BLOCK || k + 1 == N) {
            scree_tally_reduce(&tally[0], &by_tally, quantum, 2);
            scree_tally_reduce(&tally[2], &by_other, quantum, 2);
            in_tally = 0;
            settled++;
        }
        n = 0;
        length = length % BLOCK + 1;
    }
    cr_assert_gt(settled, 1);
    assert_same(&one_by_one, &by_tally);
    assert_same(&one_by_one, &by_other);
}

Test(ledger, a_full_tally_of_the_largest_amounts_does_not_wrap)
{
    const double quantum = 0.25, largest = -ldexp(0.999, 51) * quantum;
    struct scree_account account = {0};
    struct scree_tally tally = {0};
    alignas(SCREE_ALIGNMENT) double block[BLOCK];
    double sum = 0.0;
    for (int m = 0; m < BLOCK; m++) block[m] = largest;
    for (int n = 0; n + BLOCK <= SCREE_TALLY_ROOM; n += BLOCK) {
        scree_tally_add(&tally, 1u, block, BLOCK, quantum, BLOCK);
        sum += BLOCK * largest;
    }
    scree_tally_reduce(&tally, &account, quantum, 2);
    cr_assert_float_eq(scree_account_value(&account, quantum) / sum, 1.0, 1e-12);
    cr_assert_eq(tally.rows, 0);
}

Test(ledger, halves_count_half)
{
    struct scree_account whole = {0}, half = {0};
    struct scree_tally tally = {0};
    alignas(SCREE_ALIGNMENT) double block[8] = {3.0, -1.0, 0.125};
    scree_tally_add(&tally, 1u, block, 8, 1.0, 3);
    scree_tally_reduce(&tally, &whole, 1.0, 2);
    scree_tally_add(&tally, 1u, block, 8, 1.0, 3);
    scree_tally_reduce(&tally, &half, 1.0, 1);
    cr_assert_eq(scree_account_value(&whole, 1.0), 2.125);
    cr_assert_eq(scree_account_value(&half, 1.0), 1.0625);
}
