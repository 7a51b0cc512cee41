/* SPDX-License-Identifier: BSD-3-Clause
 * Where the time goes: one stopwatch per phase of the run. */
#ifndef SCREE_TIMER_H
#define SCREE_TIMER_H

enum scree_phase {
    SCREE_PHASE_SETUP,
    SCREE_PHASE_INTEGRATE,
    SCREE_PHASE_CONTACTS, /* search among listed pairs and contact laws */
    SCREE_PHASE_NEIGHBOURS,
    SCREE_PHASE_HALO, /* packing, sending, unpacking */
    SCREE_PHASE_WAIT, /* waiting for messages of other ranks */
    SCREE_PHASE_MIGRATE,
    SCREE_PHASE_BALANCE,
    SCREE_PHASE_MEASURE, /* between steps: rows of tables, measurements, conditions */
    SCREE_PHASE_IO,
    SCREE_PHASE_OTHER,
    SCREE_N_PHASES
};

const char *scree_phase_name(enum scree_phase phase);

struct scree_timer {
    double seconds[SCREE_N_PHASES];
    long calls[SCREE_N_PHASES];
    double since; /* when the running phase began */
    enum scree_phase running;
};

double scree_timer_now(void);                     /* s, monotonic */
void scree_timer_init(struct scree_timer *timer); /* begins the phase SETUP */
/* End the running phase and begin another: every moment belongs to exactly one phase. Returns the
 * phase that was running, so that a callee can give control back. */
enum scree_phase scree_timer_switch(struct scree_timer *timer, enum scree_phase next);
double scree_timer_total(const struct scree_timer *timer); /* s since init, up to now */

#endif
