/* SPDX-License-Identifier: BSD-3-Clause
 * Kinematics of the contacts of a batch, and the forces that the laws gave as loads on grains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/vec.h"

/* Relative velocity at the contact point, v_i - v_j + n x L with L = l_i w_i + l_j w_j and arms
 * l = r - share * overlap, split into its normal and tangential part. */
SCREE_SPECIALISED void find_velocity(struct scree_md_batch *restrict batch, double share,
                                     const bool arms)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double nx = b->normal[0][k], ny = b->normal[1][k], nz = b->normal[2][k];
        double vx = batch->moving[0][k], vy = batch->moving[1][k], vz = batch->moving[2][k];
        double wx = batch->radius_spin[0][k], wy = batch->radius_spin[1][k];
        double wz = batch->radius_spin[2][k];
        if (arms) {
            double shorter = share * b->overlap[k];
            wx -= shorter * batch->spin[0][k];
            wy -= shorter * batch->spin[1][k];
            wz -= shorter * batch->spin[2][k];
        }
        double vn = vx * nx + vy * ny + vz * nz;
        b->vn[k] = vn;
        b->vt[0][k] = (vx - vn * nx) + (ny * wz - nz * wy);
        b->vt[1][k] = (vy - vn * ny) + (nz * wx - nx * wz);
        b->vt[2][k] = (vz - vn * nz) + (nx * wy - ny * wx);
    }
}

void scree_md_find_velocity(struct scree_md_batch *batch, double share)
{
    if (share != 0.0)
        find_velocity(batch, share, true);
    else
        find_velocity(batch, 0.0, false);
}

void scree_md_find_masses(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < scree_batch_n(b); k++) b->m_eff[k] = 1.0 / batch->moving[3][k];
}

/* By the whole step along the present normal, as other codes have it. */
void scree_md_find_way_of_step(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < scree_batch_n(b); k++) b->way[c][k] = b->vt[c][k] * b->dt;
}

void scree_md_find_turned(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < scree_batch_n(b); k++) b->turned[c][k] *= batch->closed[k];
}

/* The velocities that were gathered are means over the step. With the mean of the normal and the
 * arms half way the way of the contact point is of second order, and 0 for grains that turn as one
 * body: a normal that turns with the spin w has the mean (n + n_before) / 2 - w x (w x n) dt^2
 * / 12. The way is brought into the present tangent plane. A contact that closed by more than its
 * overlap did so within the step, and has its way only since then. */
void scree_md_find_way(struct scree_md_batch *restrict batch, double share)
{
    struct scree_batch *b = &batch->b;
    const double dt = b->dt, curved = dt * dt / 48.0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double nx = b->normal[0][k], ny = b->normal[1][k], nz = b->normal[2][k];
        double mx = 0.5 * (nx + b->normal_before[0][k]), my = 0.5 * (ny + b->normal_before[1][k]);
        double mz = 0.5 * (nz + b->normal_before[2][k]);
        double vx = batch->moving[0][k], vy = batch->moving[1][k], vz = batch->moving[2][k];
        double vn = (vx * mx + vy * my + vz * mz) / (mx * mx + my * my + mz * mz + DBL_MIN);
        vx -= vn * mx;
        vy -= vn * my;
        vz -= vn * mz;
        double sx = batch->spin[0][k], sy = batch->spin[1][k], sz = batch->spin[2][k];
        double shorter = share * (b->overlap[k] + 0.5 * dt * vn);
        double wx = batch->radius_spin[0][k] - shorter * sx;
        double wy = batch->radius_spin[1][k] - shorter * sy;
        double wz = batch->radius_spin[2][k] - shorter * sz;
        double about = curved * (sx * nx + sy * ny + sz * nz);
        double off = curved * (sx * sx + sy * sy + sz * sz);
        mx += off * nx - about * sx;
        my += off * ny - about * sy;
        mz += off * nz - about * sz;
        double closing = -dt * vn, d = b->overlap[k];
        double closed = dt * (closing > d ? d / closing : 1.0);
        double x = closed * (vx + (my * wz - mz * wy));
        double y = closed * (vy + (mz * wx - mx * wz));
        double z = closed * (vz + (mx * wy - my * wx));
        double along = x * nx + y * ny + z * nz;
        batch->closed[k] = closed;
        b->way[0][k] = x - along * nx;
        b->way[1][k] = y - along * ny;
        b->way[2][k] = z - along * nz;
    }
}

/* Where a grain touches a wall that turns, the wall goes as fast as it does half way between the
 * last contact point and the present one; what was gathered is the way of the piece of wall that is
 * touched now. Both are the same if the contact point goes with the wall; if it stays in its place,
 * they differ by half a turn of the way, which would add up to an error of first order. */
void scree_md_meet_walls_half_way(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    const double half = 0.5 * b->dt, per_dt = 1.0 / b->dt;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double over[3], swept[3], reach = (b->r_i[k] - b->overlap[k]) * per_dt;
        for (int a = 0; a < 3; a++)
            over[a] = batch->moving[a][k] - reach * (b->normal[a][k] - b->normal_before[a][k]);
        scree_vec_cross(batch->partner_spin[k], over, swept);
        for (int a = 0; a < 3; a++) batch->moving[a][k] += half * swept[a];
    }
}

void scree_md_stand_still(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    memset(b->way, 0, sizeof b->way);
    memset(b->turned, 0, sizeof b->turned);
    memset(b->pair_twist, 0, sizeof b->pair_twist);
    memcpy(b->normal_before, b->normal, sizeof b->normal);
}

/* Places moved by dt times the velocities since the last evaluation. */
void scree_md_find_normals_before(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    const double dt = b->dt;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double dx = batch->apart[0][k] - dt * batch->moving[0][k];
        double dy = batch->apart[1][k] - dt * batch->moving[1][k];
        double dz = batch->apart[2][k] - dt * batch->moving[2][k];
        double inverse = 1.0 / sqrt(dx * dx + dy * dy + dz * dz);
        b->normal_before[0][k] = dx * inverse;
        b->normal_before[1][k] = dy * inverse;
        b->normal_before[2][k] = dz * inverse;
    }
}

/* Half the angle by which both grains together turned about the normal. The spin of a wall is not
 * in the sum of spins. */
void scree_md_find_twist(struct scree_md_batch *batch)
{
    struct scree_batch *b = &batch->b;
    const double half = 0.5 * b->dt;
    for (int k = 0; k < scree_batch_n(b); k++)
        b->pair_twist[k] =
            half * (batch->spin[0][k] * b->normal[0][k] + batch->spin[1][k] * b->normal[1][k] +
                    batch->spin[2][k] * b->normal[2][k]);
    for (int k = 0; b->wall && k < scree_batch_n(b); k++) {
        const double *w = batch->partner_spin[k];
        b->pair_twist[k] +=
            half * (w[0] * b->normal[0][k] + w[1] * b->normal[1][k] + w[2] * b->normal[2][k]);
    }
}

#define LARGEST 2251799813685248.0 /* 2^51, see scatter.c */

/* Couples of rolling and torsion, on i and the opposite on j. */
bool scree_md_add_couples(struct scree_md_batch *batch, double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    int64_t bad = 0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double x = b->couple[0][k] * inverse_torque, y = b->couple[1][k] * inverse_torque;
        double z = b->couple[2][k] * inverse_torque;
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

bool scree_md_scale_loads(struct scree_md_batch *batch, double share, double inverse_force,
                          double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    int64_t bad = 0;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double nx = b->normal[0][k], ny = b->normal[1][k], nz = b->normal[2][k];
        double ftx = b->ft[0][k], fty = b->ft[1][k], ftz = b->ft[2][k];
        double fx = (b->fn[k] * nx + ftx) * inverse_force;
        double fy = (b->fn[k] * ny + fty) * inverse_force;
        double fz = (b->fn[k] * nz + ftz) * inverse_force;
        /* The contact point is at -l_i n from i and at l_j n from j: both torques are -l n x ft. */
        double back = share * b->overlap[k];
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
