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

/* J/s^2; times dt^2: lost by the spring of contact k while it closes, or 0. pull (N m): the product
 * of spring and force. The spring force acts with the share `shear`, half at vt before its impulse
 * and half after it, but is booked for the closed part of the step before and for the whole step
 * after. The rest is lost: of second order for springs that slip against a dashpot. For vt after
 * the impulse of its own force. */
static inline double scree_spring_touched(const struct scree_batch *b, int k, double stiffness,
                                          double pull)
{
    double open = 2.0 - 2.0 * b->spring[k], slower = b->ease * b->inverse_m[k];
    double closing = b->later[k] == 0.0 ? 0.0 : 1.0;
    return -0.25 * stiffness * (open * closing) * pull * slower;
}
/* The same for all contacts, after their forces are known, with the losses to `loss`. */
void scree_spring_touch(struct scree_batch *b, const double *stiffness,
                        double (*spring)[SCREE_BATCH], double *loss);
/* Contacts about to open, after their forces are known: springs (three odd slots; stiffness in N/m
 * of each) become as long as the share of their force that acts, so that the force of the last
 * evaluation is always that of the spring in the history. Lost to `loss` is what this takes; v
 * (m/s): how fast the springs are drawn out. */
void scree_spring_part(struct scree_batch *b, const double *stiffness,
                       double (*spring)[SCREE_BATCH], const double *const v[3], double *loss);
/* J/s^2; of what contact k has booked of its spring while it closes, the part that has not acted by
 * now, with the sign of a debt. */
double scree_spring_ahead(const struct scree_batch *b, int k, double stiffness, double x, double y,
                          double z);
/* Springs of contacts that opened: their energy, less half their force times the way v dt. */
void scree_spring_release(const struct scree_batch *b, const double *stiffness,
                          const double (*spring)[SCREE_BATCH], const double (*v)[SCREE_BATCH],
                          double *loss);
/* Their dashpots: the held share of the force times that way. */
void scree_dashpot_release(const struct scree_batch *b, const double (*held)[SCREE_BATCH],
                           const double (*v)[SCREE_BATCH], double *loss);
/* J */
double scree_spring_energy(double stiffness, const double spring[3]);

#endif
