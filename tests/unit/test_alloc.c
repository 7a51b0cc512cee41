/* SPDX-License-Identifier: BSD-3-Clause
 * Memory: alignment, contents kept on resize, honest accounts. */
#include "scree/alloc.h"

#include <stdint.h>

#include "scree/status.h"
#include "scree/types.h"
#include "unit.h"

Test(alloc, is_aligned)
{
    for (size_t n = 0; n < 300; ++n) {
        unsigned char *memory = scree_alloc(n, 1);
        cr_assert_not_null(memory);
        cr_assert_eq((uintptr_t)memory % SCREE_ALIGNMENT, 0);
        for (size_t i = 0; i < n; ++i) memory[i] = 0xff; /* for the sanitizer */
        scree_alloc_free(memory);
    }
}

Test(alloc, resize_keeps_contents)
{
    int *x = scree_alloc_resize(NULL, 0, 10, sizeof *x);
    for (int i = 0; i < 10; ++i) x[i] = i;
    x = scree_alloc_resize(x, 10, 5000, sizeof *x);
    cr_assert_eq((uintptr_t)x % SCREE_ALIGNMENT, 0);
    for (int i = 0; i < 10; ++i) cr_assert_eq(x[i], i);
    x[4999] = 1;
    x = scree_alloc_resize(x, 10, 3, sizeof *x);
    for (int i = 0; i < 3; ++i) cr_assert_eq(x[i], i);
    scree_alloc_free(x);
}

Test(alloc, account_returns_to_the_start)
{
    size_t start = scree_alloc_in_use();
    void *a = scree_alloc(1000, 8);
    cr_assert(scree_alloc_in_use() >= start + 8000);
    void *b = scree_alloc(10, 3);
    a = scree_alloc_resize(a, 1000, 2000, 8);
    cr_assert(scree_alloc_in_use() >= start + 16030);
    cr_assert(scree_alloc_peak() >= start + 24030); /* both copies are there while resizing */
    scree_alloc_free(a);
    scree_alloc_free(b);
    scree_alloc_free(NULL);
    cr_assert_eq(scree_alloc_in_use(), start);
    cr_assert(scree_alloc_peak() >= start + 24030);
}

/* Freed blocks of some MB serve again, whole and counted. */
Test(alloc, large_blocks_come_and_go)
{
    enum { N = 6 };
    const size_t size = 5u << 20;
    size_t start = scree_alloc_in_use();
    unsigned char *block[N];
    for (int round = 0; round < 12; ++round) {
        for (int k = 0; k < N; ++k) {
            size_t n = size + (size_t)((round + k) % 3) * 300000;
            block[k] = scree_alloc(n, 1);
            cr_assert_eq((uintptr_t)block[k] % SCREE_ALIGNMENT, 0);
            for (size_t i = 0; i < n; i += 1000) block[k][i] = (unsigned char)(round + k);
            block[k][n - 1] = (unsigned char)(round + k);
        }
        for (int k = 0; k < N; ++k) { /* none lies in another */
            for (size_t i = 0; i < size; i += 1000) cr_assert_eq(block[k][i], round + k);
            scree_alloc_free(block[k]);
        }
        cr_assert_eq(scree_alloc_in_use(), start);
    }
    cr_assert(scree_alloc_peak() < start + 2 * N * size, "freed memory is not in use");
}

Test(alloc, grown_is_enough_and_geometric)
{
    for (size_t capacity = 0; capacity < 1000000; capacity = capacity * 2 + 1) {
        cr_assert(scree_alloc_grown(capacity, capacity + 1) >= capacity + capacity / 2);
        cr_assert(scree_alloc_grown(capacity, 5 * capacity + 100) >= 5 * capacity + 100);
    }
}

Test(alloc, grow_macro)
{
    int *x = NULL;
    size_t n = 0, capacity = 0;
    for (int i = 0; i < 1000; ++i) {
        SCREE_GROW(x, n, capacity, n + 1);
        x[n++] = i;
    }
    cr_assert(capacity >= n);
    for (int i = 0; i < 1000; ++i) cr_assert_eq(x[i], i);
    scree_alloc_free(x);
}

Test(alloc, overflowing_size_ends_the_run, .exit_code = SCREE_EXIT_FAILED,
     .init = cr_redirect_stderr)
{
    scree_alloc(SIZE_MAX / 2, 16);
}
