/* SPDX-License-Identifier: BSD-3-Clause
 * Where the time goes: one stopwatch per phase of the run. */
#ifndef SCREE_TIMER_H
#define SCREE_TIMER_H

enum { SCREE_METHOD_PHASES = 6 }; /* that a method may have */

enum scree_phase {
    SCREE_PHASE_SETUP,
    /* Those of the method, which names them. The time of the first one grows with the number of
     * grains, that of the second one with the number of contacts: load balance counts on it. */
    SCREE_PHASE_METHOD,
    SCREE_PHASE_NEIGHBOURS = SCREE_PHASE_METHOD + SCREE_METHOD_PHASES,
    SCREE_PHASE_HALO, /* packing, sending, unpacking */
    SCREE_PHASE_WAIT, /* waiting for messages of other ranks */
    SCREE_PHASE_MIGRATE,
    SCREE_PHASE_BALANCE,
    SCREE_PHASE_MEASURE, /* between steps: rows of tables, measurements, conditions */
    SCREE_PHASE_IO,
    SCREE_PHASE_OTHER,
    SCREE_N_PHASES
};

struct scree_timer {
    double seconds[SCREE_N_PHASES];
    long calls[SCREE_N_PHASES];
    double since; /* when the running phase began */
    enum scree_phase running;
    const char *method_phase[SCREE_METHOD_PHASES]; /* names, borrowed; NULL: there is none */
};

double scree_timer_now(void); /* s, monotonic */
/* Begins the phase SETUP. method_phases: names, NULL-ended, of which the first
 * SCREE_METHOD_PHASES count; or NULL. */
void scree_timer_init(struct scree_timer *timer, const char *const *method_phases);
/* The name of a phase; NULL if the method has no such. */
const char *scree_timer_phase_name(const struct scree_timer *timer, enum scree_phase phase);
/* End the running phase and begin another: every moment belongs to exactly one phase. Returns the
 * phase that was running, so that a callee can give control back. `next`: an enum scree_phase, or
 * one of the method. */
enum scree_phase scree_timer_switch(struct scree_timer *timer, int next);
double scree_timer_total(const struct scree_timer *timer); /* s since init, up to now */

#endif
