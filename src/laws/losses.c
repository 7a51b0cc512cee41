/* SPDX-License-Identifier: BSD-3-Clause
 * Losses of tangential dashpots, and of springs whose contact opens. */
#include "losses.h"

void scree_dashpot_book(struct scree_batch *restrict b, const double (*restrict drag)[SCREE_BATCH],
                        double (*restrict held)[SCREE_BATCH], const double *restrict slips)
{
    double *restrict hx = held[0], *restrict hy = held[1], *restrict hz = held[2];
    double *restrict loss = b->loss[SCREE_LOSS_TANGENTIAL];
    double *restrict sliding = b->loss[SCREE_LOSS_SLIDING];
    for (int k = 0; k < scree_batch_n(b); k++) {
        double fx = drag[0][k], fy = drag[1][k], fz = drag[2][k];
        double half = 0.5 * (b->now[k] + b->later[k]);
        double vx = b->vtx[k], vy = b->vty[k], vz = b->vtz[k];
        double work =
            (hx[k] + half * fx) * vx + (hy[k] + half * fy) * vy + (hz[k] + half * fz) * vz;
        double all = work * b->dt + scree_batch_turned(b, k, hx[k], hy[k], hz[k]);
        loss[k] = slips[k] != 0.0 ? 0.0 : all;
        sliding[k] += slips[k] != 0.0 ? all : 0.0;
        hx[k] = half * fx;
        hy[k] = half * fy;
        hz[k] = half * fz;
    }
}

void scree_spring_part(struct scree_batch *restrict b, const double *restrict stiffness,
                       double (*restrict spring)[SCREE_BATCH], const double *const v[3],
                       double *restrict loss)
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        double x = spring[0][k], y = spring[1][k], z = spring[2][k];
        double share = b->later[k] == 0.0 ? b->shear[k] : 1.0;
        double drawn = (x * v[0][k] + y * v[1][k] + z * v[2][k]) * b->dt;
        double square = x * x + y * y + z * z;
        loss[k] += 0.5 * stiffness[k] * (share - 1.0) * (drawn - (share + 1.0) * square);
        spring[0][k] = share * x;
        spring[1][k] = share * y;
        spring[2][k] = share * z;
    }
}

static inline double pull_of(const struct scree_batch *b, int k, double x, double y, double z)
{
    return x * b->ftx[k] + y * b->fty[k] + z * b->ftz[k];
}

void scree_spring_touch(struct scree_batch *restrict b, const double *restrict stiffness,
                        double (*restrict spring)[SCREE_BATCH], double *restrict loss)
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        double pull = pull_of(b, k, spring[0][k], spring[1][k], spring[2][k]);
        loss[k] += b->dt * b->dt * scree_spring_touched(b, k, stiffness[k], pull);
    }
}

/* The whole spring force does `shear` f vt dt, half of it by now. Booked is half of f vt over the
 * closed part of the last step. */
double scree_spring_ahead(const struct scree_batch *b, int k, double stiffness, double x, double y,
                          double z)
{
    double closed = 2.0 * b->spring[k] - 1.0;
    if (closed == 1.0 || b->later[k] == 0.0) return 0.0;
    double spring = stiffness * (x * b->vtx[k] + y * b->vty[k] + z * b->vtz[k]);
    return 0.5 * (b->shear[k] - closed) * spring / (2.0 * b->half) -
           scree_spring_touched(b, k, stiffness, pull_of(b, k, x, y, z));
}

double scree_spring_energy(double stiffness, const double spring[3])
{
    return 0.5 * stiffness *
           (spring[0] * spring[0] + spring[1] * spring[1] + spring[2] * spring[2]);
}

void scree_spring_release(const struct scree_batch *b, const double *stiffness,
                          const double (*spring)[SCREE_BATCH], const double (*v)[SCREE_BATCH],
                          double *loss)
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        const double s[3] = {spring[0][k], spring[1][k], spring[2][k]};
        double drawn = (s[0] * v[0][k] + s[1] * v[1][k] + s[2] * v[2][k]) * b->dt;
        loss[k] += scree_spring_energy(stiffness[k], s) + 0.5 * stiffness[k] * drawn;
    }
}

void scree_dashpot_release(const struct scree_batch *b, const double (*held)[SCREE_BATCH],
                           const double (*v)[SCREE_BATCH], double *loss)
{
    for (int k = 0; k < scree_batch_n(b); k++)
        loss[k] += (held[0][k] * v[0][k] + held[1][k] * v[1][k] + held[2][k] * v[2][k]) * b->dt;
}
