/* SPDX-License-Identifier: BSD-3-Clause
 * Moments of intervals that are not whole numbers of steps. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "scree/input.h"
#include "unit.h"

/* Each is the step nearest to a multiple, however many came before; next() and is_due() agree. */
Test(interval, moments_do_not_drift)
{
    static const double intervals[] = {1.0, 1.3, 7.0, 0.05 / 7e-6, 1e6 / 3.0};
    for (int i = 0; i < 5; i++) {
        double interval = intervals[i];
        int64_t step = 0;
        for (int64_t k = 1; k < 3000; k++) {
            int64_t next = scree_interval_next(interval, step, 0);
            cr_assert_leq(fabs((double)next - (double)k * interval), 0.5 + 1e-9);
            cr_assert(scree_interval_is_due(interval, next, 0));
            for (int64_t s = step + 1; s < next && s < step + 4; s++)
                cr_assert_not(scree_interval_is_due(interval, s, 0));
            cr_assert_eq(scree_interval_next(interval, next - 1, 0), next);
            step = next;
        }
    }
}

Test(interval, never)
{
    cr_expect_eq(scree_interval_next(0.0, 5, 0), INT64_MAX);
    cr_expect_not(scree_interval_is_due(0.0, 0, 0));
    cr_expect_eq(scree_interval_next(9e15, 5, 0), (int64_t)9e15);
}
