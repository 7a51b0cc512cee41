/* SPDX-License-Identifier: BSD-3-Clause
 * Signals and libraries that meddle with them. METIS puts its own handler on SIGTERM while it works
 * and takes one from outside for a failure of its own; the one-shot handler that it leaves behind
 * would let the next SIGTERM end the process. So a signal waits until such a library is done, and
 * our handler is put back. */
#ifndef SCREE_SIGNALS_H
#define SCREE_SIGNALS_H

/* From here to the release, SIGTERM waits (for this thread and those that it starts). Not nested.
 */
void scree_signals_hold(void);
/* Handler and mask as they were; a signal that came meanwhile arrives now. */
void scree_signals_release(void);

#endif
