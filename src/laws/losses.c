/* SPDX-License-Identifier: BSD-3-Clause
 * Losses of tangential dashpots, and of springs whose contact is about to open. */
#include "losses.h"

void scree_dashpot_book(struct scree_batch *restrict b, const double (*restrict drag)[SCREE_BATCH],
                        double (*restrict held)[SCREE_BATCH], const double *restrict slips)
{
    double *restrict hx = held[0], *restrict hy = held[1], *restrict hz = held[2];
    double *restrict loss = b->loss[SCREE_LOSS_TANGENTIAL];
    double *restrict sliding = b->loss[SCREE_LOSS_SLIDING];
    for (int k = 0; k < b->n; k++) {
        double fx = drag[0][k], fy = drag[1][k], fz = drag[2][k];
        double now = b->now[k], later = b->later[k];
        double vx = b->vtx[k], vy = b->vty[k], vz = b->vtz[k];
        double work = (hx[k] + now * fx) * vx + (hy[k] + now * fy) * vy + (hz[k] + now * fz) * vz;
        double all = work * b->dt + scree_batch_turned(b, k, hx[k], hy[k], hz[k]);
        loss[k] = slips[k] != 0.0 ? 0.0 : all;
        sliding[k] += slips[k] != 0.0 ? all : 0.0;
        hx[k] = later * fx;
        hy[k] = later * fy;
        hz[k] = later * fz;
    }
}

/* J/s^2; times dt^2: energy that grains gain by the tangential force of a step beyond its work at
 * the velocity before. */
static inline double gained_by_impulse(const struct scree_batch *b, int k)
{
    double pull = b->ftx[k] * b->ftx[k] + b->fty[k] * b->fty[k] + b->ftz[k] * b->ftz[k];
    return 0.5 * (b->ease * b->inverse_m[k]) * pull;
}

/* Such a spring acts for the closed part of the next step, now - 1/2 of it. The whole force of that
 * moment, ft, does its work at the mean of the velocities before and after its impulse. */
void scree_spring_part(struct scree_batch *restrict b, const double *restrict stiffness,
                       double (*restrict spring)[SCREE_BATCH])
{
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    for (int k = 0; k < b->n; k++) {
        double closed = (b->now[k] - 0.5) * b->dt;
        double way = spring[0][k] * b->vtx[k] + spring[1][k] * b->vty[k] + spring[2][k] * b->vtz[k];
        double opens = b->later[k] == 0.0 ? stiffness[k] : 0.0;
        double gained = b->dt * b->dt * gained_by_impulse(b, k);
        lost[k] += opens * (closed * way) - (b->later[k] == 0.0 ? gained : 0.0);
    }
}

/* The whole spring force does `shear` f vt dt, half of it by now. Booked is half of f vt over the
 * closed part of the last step; of a contact about to open, all, but half its impulse has only a
 * quarter of gained_by_impulse(). What is in ft besides the spring is the dashpot, booked by `now`
 * of now + later. */
double scree_spring_ahead(const struct scree_batch *b, int k, double stiffness, double x, double y,
                          double z)
{
    double closed = 2.0 * b->spring[k] - 1.0, per_dt = 1.0 / (2.0 * b->half);
    if (closed == 1.0) return 0.0;
    double spring = stiffness * (x * b->vtx[k] + y * b->vty[k] + z * b->vtz[k]) * per_dt;
    double all = (b->ftx[k] * b->vtx[k] + b->fty[k] * b->vty[k] + b->ftz[k] * b->vtz[k]) * per_dt;
    bool opens = b->later[k] == 0.0;
    double dashpot = all + b->shear[k] * spring,
           of_spring = opens ? b->shear[k] : closed - b->shear[k];
    double of_dashpot = b->now[k] / (b->now[k] + b->later[k]) - 0.5;
    return of_dashpot * dashpot - 0.5 * of_spring * spring +
           (opens ? 0.75 * gained_by_impulse(b, k) : 0.0);
}

double scree_spring_release(double stiffness, const double spring[3])
{
    return 0.5 * stiffness *
           (spring[0] * spring[0] + spring[1] * spring[1] + spring[2] * spring[2]);
}
