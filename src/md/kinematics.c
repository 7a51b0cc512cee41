/* SPDX-License-Identifier: BSD-3-Clause
 * From grains to contacts and back: gather a batch, its kinematics, forces as integers. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"

/* pos and vel rows combine as difference in [0..2] and as sum in [3] (radius, 1/mass). */
static inline void combine_rows(const double *a, const double *b, double *out)
{
    const scree_row sign = {-1.0, -1.0, -1.0, 1.0};
    scree_row_store(out, scree_row_at(a) + sign * scree_row_at(b));
}

void scree_md_gather_grains(struct scree_md_batch *batch, const struct scree_particles *p)
{
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < b->n; k++) {
        scree_lid i = batch->i[k], j = batch->j[k];
        scree_row spin_i = scree_row_at(p->spin[i]), spin_j = scree_row_at(p->spin[j]);
        double r_i = p->pos[i][3], r_j = p->pos[j][3];
        combine_rows(p->pos[i], p->pos[j], batch->apart[k]);
        combine_rows(p->vel[i], p->vel[j], batch->moving[k]);
        scree_row_store(batch->radius_spin[k],
                        scree_row_fill(r_i) * spin_i + scree_row_fill(r_j) * spin_j);
        scree_row_store(batch->spin[k], spin_i + spin_j);
        b->r_i[k] = r_i;
        b->r_j[k] = r_j;
    }
    for (int k = 0; k < b->n; k++) {
        double dx = batch->apart[k][0], dy = batch->apart[k][1], dz = batch->apart[k][2];
        double distance = sqrt(dx * dx + dy * dy + dz * dz);
        double inverse = 1.0 / distance;
        b->nx[k] = dx * inverse;
        b->ny[k] = dy * inverse;
        b->nz[k] = dz * inverse;
        b->overlap[k] = batch->apart[k][3] - distance;
    }
}

void scree_md_gather_walls(struct scree_md_batch *batch, const struct scree_particles *p,
                           const struct scree_wall *wall)
{
    struct scree_batch *b = &batch->b;
    double pos[SCREE_BATCH][4], gap[SCREE_BATCH], normal[SCREE_BATCH][3], velocity[SCREE_BATCH][3];
    for (int k = 0; k < b->n; k++) memcpy(pos[k], p->pos[batch->i[k]], sizeof pos[k]);
    wall->shape->locate(wall, b->n, (const double(*)[4])pos, gap, normal, velocity);
    for (int k = 0; k < b->n; k++) {
        scree_lid i = batch->i[k];
        b->nx[k] = normal[k][0];
        b->ny[k] = normal[k][1];
        b->nz[k] = normal[k][2];
        b->overlap[k] = -gap[k];
        b->r_i[k] = pos[k][3];
        b->r_j[k] = 0.0;
        for (int c = 0; c < 3; c++) batch->moving[k][c] = p->vel[i][c] - velocity[k][c];
        batch->moving[k][3] = p->vel[i][3];
        for (int c = 0; c < 4; c++) {
            batch->radius_spin[k][c] = pos[k][3] * p->spin[i][c];
            batch->spin[k][c] = p->spin[i][c];
        }
    }
}

/* Relative velocity at the contact point, v_i - v_j + n x (l_i w_i + l_j w_j) with levers
 * l = r - share * overlap, split into its normal and tangential part. */
void scree_md_contact_kinematics(struct scree_md_batch *batch, double overlap_share)
{
    struct scree_batch *restrict b = &batch->b;
    for (int k = 0; k < b->n; k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double vx = batch->moving[k][0], vy = batch->moving[k][1], vz = batch->moving[k][2];
        double back = overlap_share * b->overlap[k];
        double wx = batch->radius_spin[k][0] - back * batch->spin[k][0];
        double wy = batch->radius_spin[k][1] - back * batch->spin[k][1];
        double wz = batch->radius_spin[k][2] - back * batch->spin[k][2];
        double vn = vx * nx + vy * ny + vz * nz;
        b->vn[k] = vn;
        b->vtx[k] = (vx - vn * nx) + (ny * wz - nz * wy);
        b->vty[k] = (vy - vn * ny) + (nz * wx - nx * wz);
        b->vtz[k] = (vz - vn * nz) + (nx * wy - ny * wx);
        b->m_eff[k] = 1.0 / batch->moving[k][3];
    }
}

/* Adding 1.5 * 2^52 to a double smaller than 2^51 leaves its nearest integer in the low bits. This
 * is the same on every machine and vectorises where a conversion instruction is missing. */
#define ROUNDING      6755399441055744.0
#define ROUNDING_BITS 0x4338000000000000
#define LARGEST       2251799813685248.0 /* 2^51 */

static inline int64_t round_to_int(double x)
{
    double sum = x + ROUNDING;
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits - ROUNDING_BITS;
}

bool scree_md_round_loads(struct scree_md_batch *batch, double overlap_share, double inverse_force,
                          double inverse_torque)
{
    const struct scree_batch *restrict b = &batch->b;
    int64_t(*restrict load)[8] = batch->load_i;
    int64_t(*restrict torque)[4] = batch->torque_j;
    int bad = 0;
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
        bad |= !(size < LARGEST) | !(twist < LARGEST);
        load[k][0] = round_to_int(fx);
        load[k][1] = round_to_int(fy);
        load[k][2] = round_to_int(fz);
        load[k][3] = 0;
        load[k][4] = round_to_int(l_i * tx);
        load[k][5] = round_to_int(l_i * ty);
        load[k][6] = round_to_int(l_i * tz);
        load[k][7] = 0;
        torque[k][0] = round_to_int(l_j * tx);
        torque[k][1] = round_to_int(l_j * ty);
        torque[k][2] = round_to_int(l_j * tz);
        torque[k][3] = 0;
    }
    return bad == 0;
}
