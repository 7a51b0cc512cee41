/* SPDX-License-Identifier: BSD-3-Clause
 * Stopwatch: every moment belongs to one phase. */
#include "scree/timer.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "unit.h"

static void wait_for(double seconds)
{
    double end = scree_timer_now() + seconds;
    while (scree_timer_now() < end) continue;
}

Test(timer, clock_never_goes_back)
{
    double last = scree_timer_now();
    for (int i = 0; i < 100000; ++i) {
        double now = scree_timer_now();
        cr_assert(now >= last);
        last = now;
    }
}

static const char *const phases[] = {"move", "touch", NULL};

Test(timer, phases_have_names_of_their_own)
{
    struct scree_timer timer;
    scree_timer_init(&timer, phases);
    for (int a = 0; a < SCREE_N_PHASES; ++a) {
        const char *name = scree_timer_phase_name(&timer, (enum scree_phase)a);
        bool missing = a >= SCREE_PHASE_METHOD + 2 && a < SCREE_PHASE_NEIGHBOURS;
        cr_assert_eq(name == NULL, missing);
        for (const char *c = name; c != NULL && *c != '\0'; ++c)
            cr_assert(islower((unsigned char)*c));
        for (int b = 0; b < a && !missing; ++b) {
            const char *other = scree_timer_phase_name(&timer, (enum scree_phase)b);
            cr_assert(other == NULL || strcmp(name, other) != 0);
        }
    }
    cr_assert_str_eq(scree_timer_phase_name(&timer, SCREE_PHASE_METHOD), "move");
}

Test(timer, starts_with_setup)
{
    struct scree_timer timer;
    scree_timer_init(&timer, phases);
    cr_assert_eq(timer.running, SCREE_PHASE_SETUP);
    for (int k = 0; k < SCREE_N_PHASES; ++k) cr_assert(timer.seconds[k] == 0);
}

Test(timer, callee_gives_control_back)
{
    struct scree_timer timer;
    scree_timer_init(&timer, phases);
    scree_timer_switch(&timer, SCREE_PHASE_METHOD);
    enum scree_phase before = scree_timer_switch(&timer, SCREE_PHASE_WAIT);
    cr_assert_eq(before, SCREE_PHASE_METHOD);
    cr_assert_eq(scree_timer_switch(&timer, before), SCREE_PHASE_WAIT);
    cr_assert_eq(timer.running, SCREE_PHASE_METHOD);
    cr_assert_eq(timer.calls[SCREE_PHASE_SETUP], 1);
    cr_assert_eq(timer.calls[SCREE_PHASE_METHOD], 2);
    cr_assert_eq(timer.calls[SCREE_PHASE_WAIT], 1);
}

/* No upper bounds on times: a busy machine may stop us anywhere. */
Test(timer, no_moment_is_lost)
{
    double begin = scree_timer_now();
    struct scree_timer timer;
    scree_timer_init(&timer, phases);
    wait_for(2e-3);
    scree_timer_switch(&timer, SCREE_PHASE_HALO);
    wait_for(5e-3);
    scree_timer_switch(&timer, SCREE_PHASE_OTHER);
    wait_for(1e-3);
    double total = scree_timer_total(&timer), elapsed = scree_timer_now() - begin;
    cr_assert(timer.seconds[SCREE_PHASE_SETUP] >= 2e-3);
    cr_assert(timer.seconds[SCREE_PHASE_HALO] >= 5e-3);
    cr_assert(timer.seconds[SCREE_PHASE_OTHER] == 0); /* still running */
    cr_assert(total >= 8e-3 * (1 - 1e-9) && total <= elapsed * (1 + 1e-9));
}
