/* SPDX-License-Identifier: BSD-3-Clause
 * Kinematics of the contacts of a batch, and the forces that the laws gave as loads on grains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "md_impl.h"

/* In which part of the steps around now each contact is closed. One that approaches by more than
 * its overlap in a step was open at its beginning; one that parts so fast will be open at the end
 * of the next. Only the present kinematics decides, so that the same force can be told again; laws
 * keep springs about to open as long as their force was. */
static void shares_of_step(struct scree_md_batch *batch, double step, double dt)
{
    struct scree_batch *b = &batch->b;
    int64_t opening = 0;
    const bool again = dt == 0.0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double vn = b->vn[k], way = fabs(vn) * step;
        double part = b->overlap[k] / (way > DBL_MIN ? way : DBL_MIN);
        bool partial = part < 1.0, closing = vn < 0.0;
        part = partial ? part : 1.0;
        double first = partial ? part : 0.5, last = partial ? 0.5 + part : 0.5;
        b->spring[k] = 0.5 + 0.5 * part;
        double later = partial && !closing ? 0.0 : 0.5;
        b->shear[k] = closing ? 0.5 + 0.5 * part : again ? 1.0 : last + later;
        b->now[k] = closing ? first : last;
        b->later[k] = later;
        b->advance[k] = closing ? dt * part : dt;
        opening |= partial && !closing ? 1 : 0;
    }
    b->opening = opening != 0;
    b->partial = true;
    batch->whole = false;
}

/* Whether some contact closes or opens within a step: few do. */
static bool any_partial(const struct scree_batch *b, double step)
{
    int64_t any = 0;
    for (int k = 0; k < scree_batch_n(b); k++) any |= b->overlap[k] < fabs(b->vn[k]) * step ? 1 : 0;
    return any != 0;
}

/* The same for every batch without such contacts: written once. */
static void whole_steps(struct scree_md_batch *batch, double dt)
{
    struct scree_batch *b = &batch->b;
    b->opening = b->partial = false;
    if (batch->whole && b->advance[0] == dt) return;
    for (int k = 0; k < SCREE_BATCH; k++) {
        b->spring[k] = b->shear[k] = 1.0;
        b->now[k] = b->later[k] = 0.5;
        b->advance[k] = dt;
    }
    batch->whole = true;
}

/* Relative velocity at the contact point, v_i - v_j + n x L with L = l_i w_i + l_j w_j and levers
 * l = r - share * overlap, split into its normal and tangential part. `then`: likewise with the
 * normal and the levers of the last evaluation, but for what is along that normal. `back`: that
 * normal is found here, from positions that moved by dt times the present velocities: in one loop,
 * because the processor can do the rest while it waits for root and quotients. */
SCREE_SPECIALISED void relative_motion(struct scree_md_batch *restrict batch, double overlap_share,
                                       double dt, const bool levers, const enum scree_md_then then,
                                       const bool back)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double vx = batch->moving[0][k], vy = batch->moving[1][k], vz = batch->moving[2][k];
        double wx = batch->radius_spin[0][k], wy = batch->radius_spin[1][k];
        double wz = batch->radius_spin[2][k];
        if (levers) {
            double shorter = overlap_share * b->overlap[k];
            wx -= shorter * batch->spin[0][k];
            wy -= shorter * batch->spin[1][k];
            wz -= shorter * batch->spin[2][k];
        }
        double vn = vx * nx + vy * ny + vz * nz;
        double vtx = (vx - vn * nx) + (ny * wz - nz * wy);
        double vty = (vy - vn * ny) + (nz * wx - nx * wz);
        double vtz = (vz - vn * nz) + (nx * wy - ny * wx);
        b->vn[k] = vn;
        b->vtx[k] = vtx;
        b->vty[k] = vty;
        b->vtz[k] = vtz;
        b->inverse_m[k] = batch->moving[3][k];
        b->m_eff[k] = 1.0 / batch->moving[3][k];
        if (back) {
            double dx = batch->apart[0][k] - dt * vx, dy = batch->apart[1][k] - dt * vy;
            double dz = batch->apart[2][k] - dt * vz;
            double inverse = 1.0 / sqrt(dx * dx + dy * dy + dz * dz);
            nx = dx * inverse;
            ny = dy * inverse;
            nz = dz * inverse;
            b->before_x[k] = nx;
            b->before_y[k] = ny;
            b->before_z[k] = nz;
            b->vn_before[k] = vx * nx + vy * ny + vz * nz;
        } else if (then == SCREE_MD_THEN_TURNED) {
            nx = b->before_x[k];
            ny = b->before_y[k];
            nz = b->before_z[k];
        } else if (then == SCREE_MD_THEN) {
            /* dt over the distance then, but for the square of the change */
            double per_way = dt * batch->radius_spin[3][k];
            double angle = scree_batch_fma(per_way * per_way, vn, per_way);
            double centre_x = vx - vn * nx, centre_y = vy - vn * ny, centre_z = vz - vn * nz;
            nx -= angle * centre_x;
            ny -= angle * centre_y;
            nz -= angle * centre_z;
        }
        if (then == SCREE_MD_NO_THEN) continue;
        if (levers) {
            double shorter = dt * vn * -overlap_share;
            wx = scree_batch_fma(shorter, batch->spin[0][k], wx);
            wy = scree_batch_fma(shorter, batch->spin[1][k], wy);
            wz = scree_batch_fma(shorter, batch->spin[2][k], wz);
        }
        b->then_x[k] = scree_batch_fma(ny, wz, scree_batch_fma(-nz, wy, vx - vtx));
        b->then_y[k] = scree_batch_fma(nz, wx, scree_batch_fma(-nx, wz, vy - vty));
        b->then_z[k] = scree_batch_fma(nx, wy, scree_batch_fma(-ny, wx, vz - vtz));
    }
}

/* The loop for what is asked. */
SCREE_SPECIALISED void find_motion(struct scree_md_batch *batch, double overlap_share, double dt,
                                   const bool levers, enum scree_md_then then, bool back)
{
    if (back && then != SCREE_MD_NO_THEN)
        relative_motion(batch, overlap_share, dt, levers, SCREE_MD_THEN_TURNED, true);
    else if (back)
        relative_motion(batch, overlap_share, dt, levers, SCREE_MD_NO_THEN, true);
    else if (then == SCREE_MD_THEN_TURNED)
        relative_motion(batch, overlap_share, dt, levers, SCREE_MD_THEN_TURNED, false);
    else if (then == SCREE_MD_THEN)
        relative_motion(batch, overlap_share, dt, levers, SCREE_MD_THEN, false);
    else
        relative_motion(batch, overlap_share, dt, levers, SCREE_MD_NO_THEN, false);
}

void scree_md_contact_kinematics(struct scree_md_batch *batch, double overlap_share, double dt,
                                 double step, enum scree_md_then then, bool back)
{
    batch->b.plain = overlap_share == 0.0 && step == 0.0;
    if (overlap_share != 0.0)
        find_motion(batch, overlap_share, dt, true, then, back);
    else
        find_motion(batch, 0.0, dt, false, then, back);
    if (step > 0.0 && any_partial(&batch->b, step))
        shares_of_step(batch, step, dt);
    else
        whole_steps(batch, dt);
}

void scree_md_contact_closing(struct scree_md_batch *batch, double dt)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double way = -b->vn[k] * dt;
        b->advance[k] = way > b->overlap[k] ? dt * (b->overlap[k] / way) : dt;
    }
    b->plain = batch->whole = false;
}

void scree_md_contact_keep_now(struct scree_md_batch *batch, bool spins)
{
    struct scree_batch *b = &batch->b;
    const size_t size = (size_t)b->n * sizeof *b->vn;
    memcpy(b->now_n, b->vn, size);
    memcpy(b->now_x, b->vtx, size);
    memcpy(b->now_y, b->vty, size);
    memcpy(b->now_z, b->vtz, size);
    if (!spins) return;
    memcpy(b->now_wx, b->wx, size);
    memcpy(b->now_wy, b->wy, size);
    memcpy(b->now_wz, b->wz, size);
}

/* vt = (1 - n n) v + n x L, with L of the levers and spins. Half a step ago n was (n + before) / 2,
 * but for its length, which is short by q / 8 of itself with q the square of the angle of the turn;
 * and the way of the centres is a chord, short by q / 24 of the arc. */
void scree_md_contact_swing(struct scree_md_batch *batch, double overlap_share)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double dx = 0.5 * (b->before_x[k] - nx), dy = 0.5 * (b->before_y[k] - ny);
        double dz = 0.5 * (b->before_z[k] - nz), back = overlap_share * b->overlap[k];
        double wx = batch->radius_spin[0][k] - back * batch->spin[0][k];
        double wy = batch->radius_spin[1][k] - back * batch->spin[1][k];
        double wz = batch->radius_spin[2][k] - back * batch->spin[2][k];
        double x = dy * wz - dz * wy, y = dz * wx - dx * wz, z = dx * wy - dy * wx;
        double vx = batch->moving[0][k], vy = batch->moving[1][k], vz = batch->moving[2][k];
        double vn = b->vn[k], into = vn + (dx * vx + dy * vy + dz * vz),
               q = 4.0 * (dx * dx + dy * dy + dz * dz);
        double cx = vx - vn * nx, cy = vy - vn * ny, cz = vz - vn * nz;
        double short_l = q * (1.0 / 8.0), short_c = q * (1.0 / 24.0 - 1.0 / 8.0);
        x += short_l * b->vtx[k] + short_c * cx - into * dx;
        y += short_l * b->vty[k] + short_c * cy - into * dy;
        z += short_l * b->vtz[k] + short_c * cz - into * dz;
        double along = x * nx + y * ny + z * nz;
        b->swing_x[k] = x - along * nx;
        b->swing_y[k] = y - along * ny;
        b->swing_z[k] = z - along * nz;
    }
}

#define LARGEST 2251799813685248.0 /* 2^51, see scatter.c */

/* Couples of rolling and torsion, on i and the opposite on j. */
bool scree_md_add_couples(struct scree_md_batch *batch, double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    int64_t bad = 0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double x = b->cx[k] * inverse_torque, y = b->cy[k] * inverse_torque;
        double z = b->cz[k] * inverse_torque;
        bad |= !(fabs(x) + fabs(y) + fabs(z) < 0.5 * LARGEST) ? 1 : 0;
        batch->torque_i[0][k] += x;
        batch->torque_i[1][k] += y;
        batch->torque_i[2][k] += z;
        batch->torque_j[0][k] -= x;
        batch->torque_j[1][k] -= y;
        batch->torque_j[2][k] -= z;
    }
    return bad == 0;
}

bool scree_md_scale_loads(struct scree_md_batch *batch, double overlap_share, double inverse_force,
                          double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    int64_t bad = 0;
    for (int k = 0; k < scree_batch_n(b); k++) {
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
