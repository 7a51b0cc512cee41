/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts in a cell that deforms: places instead of positions, the flow between two grains, and
 * what their forces contribute to the stress of the cell. */
#include <string.h>

#include "md_impl.h"

/* Branches are products with exact differences of positions: they change sign exactly when i and j
 * are exchanged. */
void scree_md_deform_places(struct scree_md_batch *batch, const struct scree_deformation *cell)
{
    const double(*f)[3] = (const double(*)[3])cell->f;
    for (int k = 0; k < batch->b.n; k++) {
        double x = batch->apart[0][k], y = batch->apart[1][k], z = batch->apart[2][k];
        batch->apart[0][k] = f[0][0] * x + f[0][1] * y + f[0][2] * z;
        batch->apart[1][k] = f[1][1] * y + f[1][2] * z;
        batch->apart[2][k] = f[2][2] * z;
    }
    scree_md_gather_normals(batch);
}

/* Velocities of grains are relative to the flow, which over the branch adds to their difference;
 * dt > 0: over the branch of half a step ago, to which the velocities belong. */
void scree_md_add_flow(struct scree_md_batch *batch, const struct scree_deformation *cell,
                       double dt)
{
    const double(*l)[3] = (const double(*)[3])cell->flow, half = 0.5 * dt;
    for (int k = 0; k < batch->b.n; k++) {
        double bx = batch->apart[0][k], by = batch->apart[1][k], bz = batch->apart[2][k];
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
}

/* From a wall to the centre of the grain. */
void scree_md_find_wall_branches(struct scree_md_batch *batch)
{
    const struct scree_batch *b = &batch->b;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < b->n; k++)
            batch->apart[a][k] = (b->r_i[k] - b->overlap[k]) * b->normal[a][k];
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
    scree_account_add(&md->virial[SCREE_DEFORMATION_COMPONENTS], md->ledger.quantum, amount,
                      batch->n_real, halves);
}

void scree_md_add_virial(struct scree_md *md, const struct scree_scene *scene,
                         const struct scree_pair_law *law, int halves)
{
    const struct scree_md_batch *batch = md->batch;
    double amount[SCREE_BATCH];
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        const double *force = batch->force[scree_deformation_row[c]];
        const double *branch = batch->apart[scree_deformation_column[c]];
        for (int k = 0; k < batch->n_real; k++)
            amount[k] = md->force_quantum * force[k] * branch[k];
        scree_account_add(&md->virial[c], md->ledger.quantum, amount, batch->n_real, halves);
    }
    /* Contacts with walls do not resist the strain of the cell, which is along them. */
    if (scree_deformation_control_n_servos(scene->cell_control) > 0 && !batch->b.wall)
        add_stiffness(md, law, halves);
}
