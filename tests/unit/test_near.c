/* SPDX-License-Identifier: BSD-3-Clause
 * Marks of near pairs: which contacts go on, which are new, and which have opened. */
#include "scree/near.h"

#include <string.h>

#include "unit.h"

enum { MOST = 1200 };
static uint8_t touched[MOST];
static struct scree_near near;

static void make(size_t n)
{
    memset(touched, 0, sizeof touched);
    near = (struct scree_near){.n = n, .touched = touched, .epoch = 1};
}

/* A pass in which the pairs of a NULL-like list, ended by MOST, are in contact. */
static void pass_over(const size_t *contact)
{
    struct scree_near_pass pass = scree_near_begin(&near);
    for (; *contact < MOST; contact++) scree_near_mark(&pass, *contact);
    scree_near_end(&pass);
}

Test(near, contacts_are_new_then_go_on_then_open)
{
    make(3);
    struct scree_near_pass pass = scree_near_begin(&near);
    size_t k = 0;
    cr_expect_not(scree_near_mark(&pass, 1));
    cr_expect_not(scree_near_next_opened(&pass, &k));
    scree_near_end(&pass);
    cr_expect(scree_near_is_marked(&near, 1));
    cr_expect_not(scree_near_is_marked(&near, 0));

    pass = scree_near_begin(&near);
    cr_expect(scree_near_goes_on(&pass, 1));
    cr_expect(scree_near_mark(&pass, 1));
    cr_expect_not(scree_near_mark(&pass, 2));
    cr_expect_not(scree_near_next_opened(&pass, &k));
    scree_near_end(&pass);

    pass = scree_near_begin(&near);
    cr_expect(scree_near_mark(&pass, 2));
    cr_expect(scree_near_next_opened(&pass, &k));
    cr_expect_eq(k, 1);
    cr_expect_not(scree_near_next_opened(&pass, &k));
    scree_near_end(&pass);
    cr_expect_not(scree_near_is_marked(&near, 1));
    cr_expect(scree_near_is_marked(&near, 2));
}

Test(near, a_contact_that_comes_back_is_new)
{
    make(2);
    pass_over((const size_t[]){0, MOST});
    pass_over((const size_t[]){MOST});
    for (int later = 0; later < 3; later++) { /* epochs repeat */
        struct scree_near_pass pass = scree_near_begin(&near);
        cr_expect_not(scree_near_goes_on(&pass, 0));
        pass_over((const size_t[]){1, MOST});
    }
    struct scree_near_pass pass = scree_near_begin(&near);
    cr_expect_not(scree_near_mark(&pass, 0));
    cr_expect(scree_near_mark(&pass, 1));
}

Test(near, looking_changes_nothing)
{
    make(2);
    pass_over((const size_t[]){1, MOST});
    for (int twice = 0; twice < 2; twice++) {
        struct scree_near_pass look = scree_near_begin(&near);
        cr_expect_not(scree_near_goes_on(&look, 0));
        cr_expect(scree_near_goes_on(&look, 1));
    }
    cr_expect(scree_near_is_marked(&near, 1));
}

/* Opened pairs are searched in blocks; every place in a block, and the rest behind the last. */
Test(near, all_that_opened_are_found_in_order)
{
    static const size_t opens[] = {0, 1, 255, 256, 700, 767, 768, 1023, 1024, 1198, 1199, MOST};
    for (size_t n = 1100; n <= MOST; n += 50) {
        make(n);
        struct scree_near_pass pass = scree_near_begin(&near);
        for (size_t k = 0; k < n; k++) scree_near_mark(&pass, k);
        scree_near_end(&pass);
        pass = scree_near_begin(&near);
        size_t next = 0, k;
        for (k = 0; k < n; k++) {
            if (k != opens[next])
                scree_near_mark(&pass, k);
            else
                next++;
        }
        size_t n_opened = 0;
        while (scree_near_next_opened(&pass, &k)) cr_expect_eq(k, opens[n_opened++]);
        cr_expect_eq(n_opened, next);
        scree_near_end(&pass);
        for (k = 0, n_opened = 0; k < n; k++) n_opened += !scree_near_is_marked(&near, k);
        cr_expect_eq(n_opened, next);
    }
}

Test(near, what_nobody_asked_for_is_forgotten)
{
    make(600);
    pass_over((const size_t[]){3, 300, 599, MOST});
    pass_over((const size_t[]){300, MOST});
    for (size_t k = 0; k < 600; k++) cr_expect_eq(touched[k] != 0, k == 300);
}
