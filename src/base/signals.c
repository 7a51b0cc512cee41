/* SPDX-License-Identifier: BSD-3-Clause
 * Signals that wait while a library is at work. */
#define _POSIX_C_SOURCE 200809L
#include "scree/signals.h"

#include <signal.h>
#include <stddef.h>

static struct {
    sigset_t mask;
    struct sigaction on_term;
} before;

void scree_signals_hold(void)
{
    sigset_t waiting;
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGTERM);
    sigaction(SIGTERM, NULL, &before.on_term);
    pthread_sigmask(SIG_BLOCK, &waiting, &before.mask);
}

void scree_signals_release(void)
{
    sigaction(SIGTERM, &before.on_term, NULL);
    pthread_sigmask(SIG_SETMASK, &before.mask, NULL);
}
