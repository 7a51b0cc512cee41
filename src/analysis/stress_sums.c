/* SPDX-License-Identifier: BSD-3-Clause
 * The stress tensor of a volume. */
#include "stress_sums.h"

#include <string.h>

struct sums {
    const struct scree_analysis_view *view;
    const struct scree_extent *extent;
    struct scree_exact part[SCREE_N_STRESS_PARTS][3][3];
};

static void add_kinetic(struct sums *sums, const struct scree_flow *flow)
{
    const struct scree_particles *p = sums->view->scene->particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double pos[3], v[3], spin[3];
        if (p->vel[i][3] == 0.0) continue;
        if (scree_membranes_have(sums->view->scene->membranes, p->gid[i])) continue;
        scree_grain_now(sums->view, i, pos, v, spin);
        if (!scree_extent_holds(sums->extent, pos)) continue;
        for (int a = 0; a < 3; a++) v[a] -= flow->velocity[a];
        v[flow->component] -= flow->slope * (pos[flow->along] - flow->centre[flow->along]);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                scree_exact_add(&sums->part[SCREE_STRESS_KINETIC][a][b], p->mass[i] * v[a] * v[b]);
    }
}

/* A cut contact is told on both sides, and both must find the same fraction bit for bit: the way
 * starts at the lower gid, brought into the box. From an image of a grain to the grain itself it
 * goes in the direction of its first component that is not zero. */
static double fraction_of_pair(const struct sums *sums, scree_lid i, int32_t j,
                               const double branch[3])
{
    const struct scree_particles *p = sums->view->scene->particles;
    const struct scree_box *box = &sums->view->scene->domain->box;
    double leading = branch[0] != 0.0 ? branch[0] : branch[1] != 0.0 ? branch[1] : branch[2];
    bool from_i = p->gid[i] != p->gid[j] ? p->gid[i] < p->gid[j] : leading < 0.0;
    double start[3], along[3];
    int32_t image[3] = {0, 0, 0};
    memcpy(start, p->pos[from_i ? i : j], sizeof start);
    for (int a = 0; a < 3; a++) along[a] = from_i ? -branch[a] : branch[a];
    scree_box_wrap(box, start, image);
    return scree_extent_fraction(sums->extent, box, start, along);
}

static double fraction_at_wall(const struct sums *sums, scree_lid i, const double branch[3])
{
    const struct scree_box *box = &sums->view->scene->domain->box;
    double start[3], along[3];
    int32_t image[3] = {0, 0, 0};
    memcpy(start, sums->view->scene->particles->pos[i], sizeof start);
    for (int a = 0; a < 3; a++) along[a] = -branch[a];
    scree_box_wrap(box, start, image);
    return scree_extent_fraction(sums->extent, box, start, along);
}

static void add_contact(void *context, enum scree_near_kind kind, size_t place,
                        const struct scree_contact_detail *d)
{
    struct sums *sums = context;
    const struct scree_near *near = &sums->view->scene->contacts->near[kind];
    const struct scree_particles *p = sums->view->scene->particles;
    scree_lid i = near->i[place];
    int32_t j = near->j[place];
    double branch[3], weight;
    if (kind == SCREE_NEAR_WALL) {
        for (int a = 0; a < 3; a++) branch[a] = (p->pos[i][3] - d->overlap) * d->normal[a];
        weight = fraction_at_wall(sums, i, branch);
    } else {
        for (int a = 0; a < 3; a++) branch[a] = p->pos[i][a] - p->pos[j][a];
        weight = fraction_of_pair(sums, i, j, branch);
    }
    if (scree_near_is_cut(kind)) weight *= 0.5; /* the other side adds it, too */
    for (int a = 0; a < 3 && weight > 0.0; a++)
        for (int b = 0; b < 3; b++) {
            double normal = d->normal_force * d->normal[b], tangential = d->force[b] - normal;
            scree_exact_add(&sums->part[SCREE_STRESS_NORMAL][a][b], branch[a] * normal * weight);
            scree_exact_add(&sums->part[SCREE_STRESS_TANGENTIAL][a][b],
                            branch[a] * tangential * weight);
        }
}

void scree_stress_take(struct scree_stress *stress, const struct scree_analysis_view *view,
                       const struct scree_extent *extent, const struct scree_flow *flow)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    sums.view = view;
    sums.extent = extent;
    add_kinetic(&sums, flow);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        view->stepper->tell_contacts(view->state, view->scene, kind, add_contact, &sums);
    double *value = &stress->part[0][0][0];
    scree_analysis_share(view->scene->comm, &sums.part[0][0][0], 9 * SCREE_N_STRESS_PARTS, value);
    for (int k = 0; k < 9 * SCREE_N_STRESS_PARTS; k++) value[k] /= extent->size;
    int dimension = view->scene->domain->box.dimension;
    stress->pressure = 0.0;
    for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < dimension; a++)
            stress->pressure += stress->part[part][a][a] / dimension;
}
