/* SPDX-License-Identifier: BSD-3-Clause
 * What tangential laws lose in the same way. Private to laws. */
#ifndef SCREE_LAWS_LOSSES_H
#define SCREE_LAWS_LOSSES_H

#include "scree/batch.h"

/* Work of tangential dashpots over the last step. `drag` (N): minus their forces now, before the
 * shares of the step. `held`: three odd history slots, the share of the force that acts until now.
 * The friction limit holds for spring and dashpot together: where a contact slips, all is lost to
 * sliding. */
void scree_dashpot_book(struct scree_batch *b, const double (*drag)[SCREE_BATCH],
                        double (*held)[SCREE_BATCH], const double *slips);

/* Contacts about to open, after their forces are known: what their springs (three odd slots;
 * stiffness in N/m of each) will do until then is taken off what they will lose by opening. */
void scree_spring_part(struct scree_batch *b, const double *stiffness,
                       double (*spring)[SCREE_BATCH]);
/* J/s^2; of what contact k has booked of its spring and dashpot while it closes or opens, the part
 * that has not acted by now, with the sign of a debt. */
double scree_spring_ahead(const struct scree_batch *b, int k, double stiffness, double x, double y,
                          double z);
/* J; energy of a spring that is lost when its contact opens. */
double scree_spring_release(double stiffness, const double spring[3]);

#endif
