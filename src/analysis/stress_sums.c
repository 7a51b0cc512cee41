/* SPDX-License-Identifier: BSD-3-Clause
 * The stress tensor of a volume. */
#include "stress_sums.h"

enum { N_CONTACT = 9 * (SCREE_N_STRESS_PARTS - SCREE_STRESS_NORMAL) };

static void add_kinetic(struct scree_exact_rows *rows, const struct scree_chosen_contacts *chosen,
                        const struct scree_flow *flow)
{
    const struct scree_analysis_view *view = chosen->view;
    const struct scree_particles *p = view->scene->particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3];
        if (p->vel[i][3] == 0.0) continue;
        if (!scree_chosen_contacts_has_grain(chosen->material, view->scene, i)) continue;
        scree_grain_components(view, i, pos, v, spin);
        if (!scree_extent_holds(chosen->extent, pos)) continue;
        if (!scree_grain_in_flow(view, i, v)) {
            for (int a = 0; a < 3; a++) v[a] -= flow->velocity[a];
            v[flow->component] -= flow->slope * (pos[flow->along] - flow->centre[flow->along]);
        }
        double *row = scree_exact_rows_next(rows);
        for (int k = 0; k < 9; k++) row[k] = p->mass[i] * v[k / 3] * v[k % 3];
    }
}

static void add_contact(void *context, const struct scree_contact *c, double weight)
{
    double *normal_part = scree_exact_rows_next(context), *tangential_part = normal_part + 9;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double normal = c->normal_force * c->normal[b], tangential = c->force[b] - normal;
            *normal_part++ = c->branch[a] * normal * weight;
            *tangential_part++ = c->branch[a] * tangential * weight;
        }
}

void scree_stress_compute(struct scree_stress *stress, const struct scree_analysis_view *view,
                          const struct scree_extent *extent, const struct scree_flow *flow,
                          const struct scree_material_choice *material)
{
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = extent, .material = material};
    struct scree_exact sum[9 * SCREE_N_STRESS_PARTS];
    struct scree_exact_rows rows;
    scree_exact_rows_begin(&rows, sum, 9);
    add_kinetic(&rows, &chosen, flow);
    scree_exact_rows_end(&rows);
    scree_exact_rows_begin(&rows, sum + 9 * SCREE_STRESS_NORMAL, N_CONTACT);
    scree_chosen_contacts_visit(&chosen, add_contact, &rows);
    scree_exact_rows_end(&rows);
    double *value = &stress->part[0][0][0];
    scree_analysis_share(view->scene->comm, sum, 9 * SCREE_N_STRESS_PARTS, value);
    for (int k = 0; k < 9 * SCREE_N_STRESS_PARTS; k++) value[k] /= extent->size;
    int dimension = view->scene->domain->box.dimension;
    stress->pressure = 0.0;
    for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < dimension; a++)
            stress->pressure += stress->part[part][a][a] / dimension;
}
