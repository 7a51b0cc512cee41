/* SPDX-License-Identifier: BSD-3-Clause
 * Kinematics of the contacts of a batch, and the forces that the laws gave as loads on grains. */
#include <float.h>
#include <math.h>

#include "md_impl.h"

/* How long each contact has been closed since the last evaluation: a new one for overlap / -vn. */
static void time_in_contact(struct scree_md_batch *batch, double dt, enum scree_timing timing)
{
    struct scree_batch *b = &batch->b;
    const double *known = batch->known;
    double *advance = b->advance;
    if (timing == SCREE_TIMING_HALF_STEP || dt == 0.0) {
        for (int k = 0; k < b->n; k++) advance[k] = dt;
        return;
    }
    for (int k = 0; k < b->n; k++) {
        double closing = b->vn[k] < 0.0 ? -b->vn[k] : DBL_MIN;
        double since = b->overlap[k] / closing;
        since = since < dt ? since : dt;
        advance[k] = known[k] != 0.0 ? dt : since;
    }
}

/* Relative velocity at the contact point, v_i - v_j + n x (l_i w_i + l_j w_j) with levers
 * l = r - share * overlap, split into its normal and tangential part. */
void scree_md_contact_kinematics(struct scree_md_batch *batch, double overlap_share, double dt,
                                 enum scree_timing timing)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < b->n; k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double vx = batch->moving[0][k], vy = batch->moving[1][k], vz = batch->moving[2][k];
        double back = overlap_share * b->overlap[k];
        double wx = batch->radius_spin[0][k] - back * batch->spin[0][k];
        double wy = batch->radius_spin[1][k] - back * batch->spin[1][k];
        double wz = batch->radius_spin[2][k] - back * batch->spin[2][k];
        double vn = vx * nx + vy * ny + vz * nz;
        b->vn[k] = vn;
        b->vtx[k] = (vx - vn * nx) + (ny * wz - nz * wy);
        b->vty[k] = (vy - vn * ny) + (nz * wx - nx * wz);
        b->vtz[k] = (vz - vn * nz) + (nx * wy - ny * wx);
        b->m_eff[k] = 1.0 / batch->moving[3][k];
    }
    time_in_contact(batch, dt, timing);
}

#define LARGEST 2251799813685248.0 /* 2^51, see scatter.c */

bool scree_md_scale_loads(struct scree_md_batch *batch, double overlap_share, double inverse_force,
                          double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    int64_t bad = 0;
    for (int k = 0; k < b->n; k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double ftx = b->ftx[k], fty = b->fty[k], ftz = b->ftz[k];
        double fx = (b->fn[k] * nx + ftx) * inverse_force;
        double fy = (b->fn[k] * ny + fty) * inverse_force;
        double fz = (b->fn[k] * nz + ftz) * inverse_force;
        /* The contact point is at -l_i n from i and at l_j n from j: both torques are -l n x ft. */
        double back = overlap_share * b->overlap[k];
        double l_i = (b->r_i[k] - back) * inverse_torque, l_j = (b->r_j[k] - back) * inverse_torque;
        double tx = nz * fty - ny * ftz, ty = nx * ftz - nz * ftx, tz = ny * ftx - nx * fty;
        double size = fabs(fx) + fabs(fy) + fabs(fz);
        double twist = (fabs(l_i) + fabs(l_j)) * (fabs(tx) + fabs(ty) + fabs(tz));
        bad |= !(size + twist < LARGEST) ? 1 : 0;
        batch->force[0][k] = fx;
        batch->force[1][k] = fy;
        batch->force[2][k] = fz;
        batch->torque_i[0][k] = l_i * tx;
        batch->torque_i[1][k] = l_i * ty;
        batch->torque_i[2][k] = l_i * tz;
        batch->torque_j[0][k] = l_j * tx;
        batch->torque_j[1][k] = l_j * ty;
        batch->torque_j[2][k] = l_j * tz;
    }
    return bad == 0;
}
