/* SPDX-License-Identifier: BSD-3-Clause
 * The stress tensor of a volume. */
#include "stress_sums.h"

#include <string.h>

struct sums {
    struct scree_exact part[SCREE_N_STRESS_PARTS][3][3];
};

static void add_kinetic(struct sums *sums, const struct scree_chosen_contacts *chosen,
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
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                scree_exact_add(&sums->part[SCREE_STRESS_KINETIC][a][b], p->mass[i] * v[a] * v[b]);
    }
}

static void add_contact(void *context, const struct scree_contact *c, double weight)
{
    struct sums *sums = context;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double normal = c->normal_force * c->normal[b], tangential = c->force[b] - normal;
            scree_exact_add(&sums->part[SCREE_STRESS_NORMAL][a][b], c->branch[a] * normal * weight);
            scree_exact_add(&sums->part[SCREE_STRESS_TANGENTIAL][a][b],
                            c->branch[a] * tangential * weight);
        }
}

void scree_stress_compute(struct scree_stress *stress, const struct scree_analysis_view *view,
                          const struct scree_extent *extent, const struct scree_flow *flow,
                          const struct scree_material_choice *material)
{
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = extent, .material = material};
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    add_kinetic(&sums, &chosen, flow);
    scree_chosen_contacts_visit(&chosen, add_contact, &sums);
    double *value = &stress->part[0][0][0];
    scree_analysis_share(view->scene->comm, &sums.part[0][0][0], 9 * SCREE_N_STRESS_PARTS, value);
    for (int k = 0; k < 9 * SCREE_N_STRESS_PARTS; k++) value[k] /= extent->size;
    int dimension = view->scene->domain->box.dimension;
    stress->pressure = 0.0;
    for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < dimension; a++)
            stress->pressure += stress->part[part][a][a] / dimension;
}
