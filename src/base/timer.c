/* SPDX-License-Identifier: BSD-3-Clause
 * Stopwatch of the phases. */
#define _POSIX_C_SOURCE 200809L
#include "scree/timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static const char *const names[SCREE_N_PHASES] = {
    [SCREE_PHASE_SETUP] = "setup",     [SCREE_PHASE_NEIGHBOURS] = "neighbours",
    [SCREE_PHASE_HALO] = "halo",       [SCREE_PHASE_WAIT] = "wait",
    [SCREE_PHASE_MIGRATE] = "migrate", [SCREE_PHASE_BALANCE] = "balance",
    [SCREE_PHASE_MEASURE] = "measure", [SCREE_PHASE_IO] = "io",
    [SCREE_PHASE_OTHER] = "other",
};

double scree_timer_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void scree_timer_init(struct scree_timer *timer, const char *const *method_phases)
{
    *timer = (struct scree_timer){.running = SCREE_PHASE_SETUP};
    timer->calls[SCREE_PHASE_SETUP] = 1;
    timer->since = scree_timer_now();
    for (int k = 0; k < SCREE_METHOD_PHASES && method_phases != NULL; k++) {
        if (method_phases[k] == NULL) break;
        timer->method_phase[k] = method_phases[k];
    }
}

const char *scree_timer_phase_name(const struct scree_timer *timer, enum scree_phase phase)
{
    bool of_method = phase >= SCREE_PHASE_METHOD && phase < SCREE_PHASE_NEIGHBOURS;
    return of_method ? timer->method_phase[phase - SCREE_PHASE_METHOD] : names[phase];
}

enum scree_phase scree_timer_switch(struct scree_timer *timer, int next)
{
    double now = scree_timer_now();
    enum scree_phase ended = timer->running;
    timer->seconds[ended] += now - timer->since;
    timer->since = now;
    timer->running = (enum scree_phase)next;
    ++timer->calls[next];
    return ended;
}

double scree_timer_total(const struct scree_timer *timer)
{
    double total = scree_timer_now() - timer->since;
    for (int k = 0; k < SCREE_N_PHASES; ++k) total += timer->seconds[k];
    return total;
}
