/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts in a cell that deforms: places instead of positions, the flow between two grains, and
 * what their forces contribute to the stress of the cell. */
#include <string.h>

#include "md_impl.h"

/* Branches are products with exact differences of positions: they change sign exactly when i and j
 * are exchanged. The relative velocity of n-1/2 has the flow over the branch of that moment, half a
 * step back. */
void scree_md_deform_batch(struct scree_md_batch *batch, const struct scree_cell *cell, double dt)
{
    const double(*f)[3] = (const double(*)[3])cell->f, (*l)[3] = (const double(*)[3])cell->flow;
    const double half = 0.5 * dt;
    for (int k = 0; k < batch->b.n; k++) {
        double x = batch->apart[0][k], y = batch->apart[1][k], z = batch->apart[2][k];
        double bx = f[0][0] * x + f[0][1] * y + f[0][2] * z, by = f[1][1] * y + f[1][2] * z;
        double bz = f[2][2] * z;
        batch->apart[0][k] = bx;
        batch->apart[1][k] = by;
        batch->apart[2][k] = bz;
        double ux = batch->moving[0][k] + (l[0][0] * bx + l[0][1] * by + l[0][2] * bz);
        double uy = batch->moving[1][k] + (l[1][1] * by + l[1][2] * bz);
        double uz = batch->moving[2][k] + l[2][2] * bz;
        bx -= half * ux;
        by -= half * uy;
        bz -= half * uz;
        batch->moving[0][k] += l[0][0] * bx + l[0][1] * by + l[0][2] * bz;
        batch->moving[1][k] += l[1][1] * by + l[1][2] * bz;
        batch->moving[2][k] += l[2][2] * bz;
    }
    scree_md_gather_normals(batch);
}

/* From a wall to the centre of the grain. */
void scree_md_find_wall_branches(struct scree_md_batch *batch)
{
    const struct scree_batch *b = &batch->b;
    const double *normal[3] = {b->nx, b->ny, b->nz};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < b->n; k++)
            batch->apart[a][k] = (b->r_i[k] - b->overlap[k]) * normal[a][k];
}

/* For the gains of servos: sum of k b^2. */
static void add_stiffness(struct scree_md *md, const struct scree_pair_law *law, int halves)
{
    const struct scree_md_batch *batch = md->batch;
    const struct scree_law *normal = law->law[SCREE_LAW_NORMAL];
    struct scree_law_view view;
    double amount[SCREE_BATCH];
    if (normal->inspect == NULL) return;
    memset(&view, 0, sizeof view);
    normal->inspect(&batch->b, law->values[SCREE_LAW_NORMAL], law->at[SCREE_LAW_NORMAL], &view);
    for (int k = 0; k < batch->n_real; k++) {
        double x = batch->apart[0][k], y = batch->apart[1][k], z = batch->apart[2][k];
        amount[k] = view.stiffness[k] * (x * x + y * y + z * z);
    }
    scree_account_add(&md->virial[SCREE_CELL_COMPONENTS], md->ledger.quantum, amount, batch->n_real,
                      halves);
}

void scree_md_add_virial(struct scree_md *md, const struct scree_scene *scene,
                         const struct scree_pair_law *law, int halves)
{
    const struct scree_md_batch *batch = md->batch;
    double amount[SCREE_BATCH];
    for (int c = 0; c < SCREE_CELL_COMPONENTS; c++) {
        const double *force = batch->force[scree_cell_row[c]];
        const double *branch = batch->apart[scree_cell_column[c]];
        for (int k = 0; k < batch->n_real; k++)
            amount[k] = md->force_quantum * force[k] * branch[k];
        scree_account_add(&md->virial[c], md->ledger.quantum, amount, batch->n_real, halves);
    }
    /* Contacts with walls do not resist the strain of the cell, which is along them. */
    if (scree_cell_control_n_servos(scene->cell_control) > 0 && !batch->b.wall)
        add_stiffness(md, law, halves);
}
