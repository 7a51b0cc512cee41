/* SPDX-License-Identifier: BSD-3-Clause
 * From contacts to grains: loads are rounded to integers and added, so that the sum over the
 * contacts of a grain does not depend on their order, and action equals reaction exactly. */
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"
#include "scree/vec.h"

/* Adding 1.5 * 2^52 to a double smaller than 2^51 leaves its nearest integer in the low bits. This
 * is the same on every machine and needs no conversion instruction. */
#define ROUNDING      6755399441055744.0
#define ROUNDING_BITS 0x4338000000000000

static inline scree_row_int round_row(scree_row x)
{
    scree_row sum = x + scree_row_fill(ROUNDING);
    scree_row_int bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits - (scree_row_int){ROUNDING_BITS, ROUNDING_BITS, ROUNDING_BITS, ROUNDING_BITS};
}

/* Columns k .. k + 3 as rows, one per contact, rounded. Row element 3 of a load is zero. */
static inline void load_rows(const double (*from)[SCREE_BATCH], int k, scree_row_int rows[4])
{
    scree_row a = scree_row_at(&from[0][k]), b = scree_row_at(&from[1][k]);
    scree_row c = scree_row_at(&from[2][k]), d = {0.0, 0.0, 0.0, 0.0};
    scree_row_transpose(&a, &b, &c, &d);
    rows[0] = round_row(a);
    rows[1] = round_row(b);
    rows[2] = round_row(c);
    rows[3] = round_row(d);
}

static inline void add_row(int64_t *to, scree_row_int row)
{
    scree_row_int_store(to, scree_row_int_at(to) + row);
}

void scree_md_scatter_to_both(const struct scree_md_batch *batch, struct scree_particles *p)
{
    int64_t(*load)[8] = p->load;
    for (int k = 0; k < batch->n_real; k += 4) {
        int n = batch->n_real - k < 4 ? batch->n_real - k : 4;
        scree_row_int force[4], torque_i[4], torque_j[4];
        load_rows((const double(*)[SCREE_BATCH])batch->force, k, force);
        load_rows((const double(*)[SCREE_BATCH])batch->torque_i, k, torque_i);
        load_rows((const double(*)[SCREE_BATCH])batch->torque_j, k, torque_j);
        for (int m = 0; m < n; m++) {
            int64_t *i = load[batch->i[k + m]], *j = load[batch->j[k + m]];
            add_row(i, force[m]);
            add_row(i + 4, torque_i[m]);
            add_row(j, -force[m]);
            add_row(j + 4, torque_j[m]);
        }
    }
}

void scree_md_scatter_to_first(const struct scree_md_batch *batch, struct scree_particles *p)
{
    int64_t(*load)[8] = p->load;
    for (int k = 0; k < batch->n_real; k += 4) {
        int n = batch->n_real - k < 4 ? batch->n_real - k : 4;
        scree_row_int force[4], torque[4];
        load_rows((const double(*)[SCREE_BATCH])batch->force, k, force);
        load_rows((const double(*)[SCREE_BATCH])batch->torque_i, k, torque);
        for (int m = 0; m < n; m++) {
            int64_t *i = load[batch->i[k + m]];
            add_row(i, force[m]);
            add_row(i + 4, torque[m]);
        }
    }
}

void scree_md_scatter_to_walls(const struct scree_md_batch *batch, struct scree_walls *walls,
                               const struct scree_wall_contact *contact, const uint32_t *place,
                               double torque_of_force)
{
    for (int k = 0; k < batch->n_real; k += 4) {
        int n = batch->n_real - k < 4 ? batch->n_real - k : 4;
        scree_row_int force[4];
        load_rows((const double(*)[SCREE_BATCH])batch->force, k, force);
        for (int m = 0; m < n; m++) {
            struct scree_wall *wall = &walls->wall[batch->j[k + m]];
            const double *arm = contact[place[k + m]].arm;
            double on_wall[3], torque[3];
            for (int c = 0; c < 3; c++) {
                scree_wide_add(&wall->force[c], -force[m][c]);
                on_wall[c] = torque_of_force * (double)-force[m][c];
            }
            scree_vec_cross(arm, on_wall, torque);
            for (int c = 0; c < 3; c++) scree_wide_add_rounded(&wall->torque[c], torque[c]);
        }
    }
}

void scree_md_scatter_couples(const struct scree_md_batch *batch, struct scree_walls *walls,
                              double inverse_torque)
{
    const struct scree_batch *b = &batch->b;
    for (int k = 0; k < batch->n_real; k++) {
        struct scree_wide *torque = walls->wall[batch->j[k]].torque;
        scree_wide_add_rounded(&torque[0], -b->couple[0][k] * inverse_torque);
        scree_wide_add_rounded(&torque[1], -b->couple[1][k] * inverse_torque);
        scree_wide_add_rounded(&torque[2], -b->couple[2][k] * inverse_torque);
    }
}
