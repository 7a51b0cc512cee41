/* SPDX-License-Identifier: BSD-3-Clause
 * Sums over the grains of a volume. */
#include <math.h>
#include <string.h>

#include "round.h"
#include "scree/alloc.h"
#include "stress_sums.h"

void scree_grain_now(const struct scree_analysis_view *view, scree_lid i, double pos[3],
                     double velocity[3], double spin[3])
{
    const struct scree_particles *p = view->scene->particles;
    const struct scree_domain *domain = view->scene->domain;
    int32_t image[3] = {0, 0, 0};
    double inside[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]};
    scree_box_wrap(&domain->box, inside, image);
    scree_deformation_place(&domain->cell, &domain->box, inside, pos);
    view->stepper->velocity(view->state, view->scene, i, velocity, spin);
    scree_deformation_add_flow(&domain->cell, &domain->box, pos, velocity);
    const struct scree_wedge *wedge = &view->scene->domain->box.wedge;
    if (wedge->n == 0) return;
    scree_wedge_turn_by(wedge, -image[wedge->u], velocity);
    scree_wedge_turn_by(wedge, -image[wedge->u], spin);
}

void scree_grain_components(const struct scree_analysis_view *view, scree_lid i, double pos[3],
                            double velocity[3], double spin[3])
{
    const struct scree_wedge *wedge = &view->scene->domain->box.wedge;
    scree_grain_now(view, i, pos, velocity, spin);
    if (wedge->n == 0) return;
    scree_round_components(wedge, pos, velocity);
    scree_round_components(wedge, pos, spin);
}

bool scree_grain_in_flow(const struct scree_analysis_view *view, scree_lid i, double velocity[3])
{
    double spin[3];
    if (!view->scene->domain->cell.on) return false;
    view->stepper->velocity(view->state, view->scene, i, velocity, spin);
    return true;
}

double scree_grain_size(const struct scree_box *box, double radius)
{
    const double pi = 3.14159265358979323846;
    return box->dimension == 2 ? pi * radius * radius : 4.0 / 3.0 * pi * radius * radius * radius;
}

void scree_analysis_share(struct scree_comm *comm, struct scree_exact *sums, int n, double *values)
{
    scree_comm_sum_exact(comm, sums, n);
    for (int k = 0; k < n; k++) values[k] = scree_exact_value(&sums[k]);
}

enum {
    N_ALL,
    SOLID,
    DIAMETER,
    MASS_ALL,
    N_FREE,
    MASS,
    MOMENTUM,
    PLACE = MOMENTUM + 3,
    N_SUMS = PLACE + 3
};

void scree_grain_means_compute(struct scree_grain_means *means,
                               const struct scree_analysis_view *view,
                               const struct scree_extent *extent,
                               const struct scree_material_choice *material)
{
    const struct scree_particles *p = view->scene->particles;
    struct scree_exact sum[N_SUMS];
    struct scree_exact_rows rows;
    double value[N_SUMS];
    scree_exact_rows_begin(&rows, sum, N_SUMS);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3], m = p->mass[i], radius = p->pos[i][3];
        if (!scree_chosen_contacts_has_grain(material, view->scene, i)) continue;
        scree_grain_components(view, i, pos, v, spin);
        if (!scree_extent_holds(extent, pos)) continue;
        bool free = p->vel[i][3] != 0.0;
        double *row = scree_exact_rows_next(&rows);
        row[N_ALL] = 1.0;
        row[SOLID] = scree_grain_size(&view->scene->domain->box, radius);
        row[DIAMETER] = 2.0 * radius;
        row[MASS_ALL] = m;
        row[N_FREE] = free ? 1.0 : 0.0;
        row[MASS] = free ? m : 0.0;
        for (int a = 0; a < 3; a++) {
            row[MOMENTUM + a] = free ? m * v[a] : 0.0;
            row[PLACE + a] = free ? m * pos[a] : 0.0;
        }
    }
    scree_exact_rows_end(&rows);
    scree_analysis_share(view->scene->comm, sum, N_SUMS, value);
    *means = (struct scree_grain_means){.n = value[N_ALL],
                                        .solid = value[SOLID],
                                        .diameter = value[DIAMETER] / value[N_ALL],
                                        .density = value[MASS_ALL] / value[SOLID],
                                        .n_free = value[N_FREE],
                                        .mass = value[MASS]};
    for (int a = 0; a < 3 && value[MASS] > 0.0; a++) {
        means->velocity[a] = value[MOMENTUM + a] / value[MASS];
        means->centre[a] = value[PLACE + a] / value[MASS];
    }
}

double scree_flow_slope(const struct scree_analysis_view *view, const struct scree_extent *extent,
                        const struct scree_flow *flow)
{
    const struct scree_particles *p = view->scene->particles;
    struct scree_exact sum[2];
    double value[2];
    for (int k = 0; k < 2; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3];
        if (p->vel[i][3] == 0.0) continue;
        if (scree_membranes_have(view->scene->membranes, p->gid[i])) continue;
        scree_grain_now(view, i, pos, v, spin);
        if (!scree_extent_holds(extent, pos)) continue;
        double x = pos[flow->along] - flow->centre[flow->along];
        scree_exact_add(&sum[0],
                        p->mass[i] * x * (v[flow->component] - flow->velocity[flow->component]));
        scree_exact_add(&sum[1], p->mass[i] * x * x);
    }
    scree_analysis_share(view->scene->comm, sum, 2, value);
    return value[1] > 0.0 ? value[0] / value[1] : 0.0;
}
