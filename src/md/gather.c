/* SPDX-License-Identifier: BSD-3-Clause
 * From grains to contacts: the rows of both partners of each pair, combined, as arrays. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/row.h"

/* Store four rows as columns k .. k + 3 of an array of four. */
static inline void store_columns(double (*to)[SCREE_BATCH], int k, scree_row rows[4])
{
    scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int c = 0; c < 4; c++) scree_row_store(&to[c][k], rows[c]);
}

void scree_md_gather_grains(struct scree_md_batch *batch, const struct scree_particles *p)
{
    /* pos and vel combine as difference in [0..2] and as sum in [3] (radius, 1/mass). */
    const scree_row sign = {-1.0, -1.0, -1.0, 1.0};
    const double(*pos)[4] = (const double(*)[4])p->pos, (*vel)[4] = (const double(*)[4])p->vel;
    const double(*spin)[4] = (const double(*)[4])p->spin;
    struct scree_batch *b = &batch->b;
    for (int k = 0; k < b->n; k += 4) {
        scree_row apart[4], moving[4], radius_spin[4], spins[4];
        for (int m = 0; m < 4; m++) {
            scree_lid i = batch->i[k + m], j = batch->j[k + m];
            scree_row spin_i = scree_row_at(spin[i]), spin_j = scree_row_at(spin[j]);
            double r_i = pos[i][3], r_j = pos[j][3];
            apart[m] = scree_row_at(pos[i]) + sign * scree_row_at(pos[j]);
            moving[m] = scree_row_at(vel[i]) + sign * scree_row_at(vel[j]);
            radius_spin[m] = scree_row_fill(r_i) * spin_i + scree_row_fill(r_j) * spin_j;
            spins[m] = spin_i + spin_j;
            b->r_i[k + m] = r_i;
            b->r_j[k + m] = r_j;
        }
        store_columns(batch->apart, k, apart);
        store_columns(batch->moving, k, moving);
        store_columns(batch->radius_spin, k, radius_spin);
        store_columns(batch->spin, k, spins);
    }
    for (int k = 0; k < b->n; k++) {
        double dx = batch->apart[0][k], dy = batch->apart[1][k], dz = batch->apart[2][k];
        double distance = sqrt(dx * dx + dy * dy + dz * dz);
        double inverse = 1.0 / distance;
        b->nx[k] = dx * inverse;
        b->ny[k] = dy * inverse;
        b->nz[k] = dz * inverse;
        b->overlap[k] = batch->apart[3][k] - distance;
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
        for (int c = 0; c < 3; c++) {
            batch->moving[c][k] = p->vel[i][c] - velocity[k][c];
            batch->radius_spin[c][k] = pos[k][3] * p->spin[i][c];
            batch->spin[c][k] = p->spin[i][c];
        }
        batch->moving[3][k] = p->vel[i][3];
    }
}
