/* SPDX-License-Identifier: BSD-3-Clause
 * Failures: the first message is the one that tells why; exit codes are a promise. */
#include "scree/status.h"

#include <string.h>
#include <unistd.h>

#include "unit.h"

static enum scree_status check_positive(int x)
{
    SCREE_CHECK(x > 0, SCREE_PHYSICS, "x is %d", x);
    return SCREE_OK;
}

static enum scree_status try_twice(int first, int second)
{
    SCREE_TRY(check_positive(first));
    SCREE_TRY(check_positive(second));
    return SCREE_OK;
}

Test(status, nothing_to_say_at_first)
{
    cr_assert_str_eq(scree_status_message(), "");
    cr_assert_str_eq(scree_status_place(), "");
}

Test(status, first_message_is_kept)
{
    cr_assert_eq(scree_status_fail(SCREE_IO, "a.c", 12, "disk %s is full", "sda"), SCREE_IO);
    cr_assert_eq(scree_status_fail(SCREE_PHYSICS, "b.c", 3, "later"), SCREE_PHYSICS);
    cr_assert_str_eq(scree_status_message(), "disk sda is full");
    cr_assert_str_eq(scree_status_place(), "a.c:12");
    scree_status_clear();
    cr_assert_str_eq(scree_status_message(), "");
    cr_assert_str_eq(scree_status_place(), "");
    scree_status_fail(SCREE_PHYSICS, "b.c", 3, "later");
    cr_assert_str_eq(scree_status_message(), "later");
}

Test(status, long_message_is_cut)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    scree_status_fail(SCREE_IO, text, 1, "%s", text);
    size_t length = strlen(scree_status_message());
    cr_assert(length > 100 && length < sizeof text);
    cr_assert(strlen(scree_status_place()) < sizeof text);
}

Test(status, check_and_try_leave_early)
{
    cr_assert_eq(try_twice(1, 2), SCREE_OK);
    cr_assert_str_eq(scree_status_message(), "");
    cr_assert_eq(try_twice(-1, -2), SCREE_PHYSICS);
    cr_assert_str_eq(scree_status_message(), "x is -1");
    scree_status_clear();
    cr_assert_eq(try_twice(1, -2), SCREE_PHYSICS);
    cr_assert_str_eq(scree_status_message(), "x is -2");
    cr_assert(strstr(scree_status_place(), "test_status.c:") != NULL);
}

Test(status, exit_codes)
{
    cr_assert_eq(scree_status_exit_code(SCREE_OK), 0);
    cr_assert_eq(scree_status_exit_code(SCREE_STOPPED), 75);
    cr_assert_eq(scree_status_exit_code(SCREE_INPUT), 2);
    cr_assert_eq(scree_status_exit_code(SCREE_IO), 1);
    cr_assert_eq(scree_status_exit_code(SCREE_MEMORY), 1);
    cr_assert_eq(scree_status_exit_code(SCREE_PHYSICS), 1);
}

Test(status, failure_set_aside)
{
    struct scree_failure first;
    scree_status_fail(SCREE_PHYSICS, "a.c", 7, "grain 5 is nowhere");
    scree_status_set_aside(&first);
    cr_assert_str_empty(scree_status_message());
    scree_status_fail(SCREE_IO, "b.c", 8, "disk full");
    cr_assert_str_eq(scree_status_message(), "disk full");
    scree_status_restore(&first);
    cr_assert_str_eq(scree_status_message(), "grain 5 is nowhere");
    cr_assert_str_eq(scree_status_place(), "a.c:7");
    scree_status_clear();
}

Test(status, severity_is_ordered)
{
    cr_assert(SCREE_OK < SCREE_STOPPED && SCREE_STOPPED < SCREE_INPUT && SCREE_INPUT < SCREE_IO &&
              SCREE_IO < SCREE_MEMORY && SCREE_MEMORY < SCREE_PHYSICS);
}

Test(status, broken_invariant_exits_with_3, .exit_code = 3, .init = cr_redirect_stderr)
{
    SCREE_ABORT("grain %d is nowhere", 5);
}

static void leave_with_40_more(int exit_code)
{
    _exit(40 + exit_code);
}

Test(status, giving_up_is_no_bug, .exit_code = 41, .init = cr_redirect_stderr)
{
    scree_status_set_abort_hook(leave_with_40_more, 2);
    scree_status_give_up("a.c", 1, "no more memory");
}

Test(status, abort_calls_the_hook, .exit_code = 43, .init = cr_redirect_stderr)
{
    scree_status_set_abort_hook(leave_with_40_more, 2);
    SCREE_ABORT("all ranks must end");
}
