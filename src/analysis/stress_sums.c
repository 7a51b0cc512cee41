/* SPDX-License-Identifier: BSD-3-Clause
 * The stress tensor of a volume. */
#include "stress_sums.h"

#include <string.h>

#include "round.h"

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
        scree_grain_components(sums->view, i, pos, v, spin);
        if (!scree_extent_holds(sums->extent, pos)) continue;
        if (!scree_grain_in_flow(sums->view, i, v)) {
            for (int a = 0; a < 3; a++) v[a] -= flow->velocity[a];
            v[flow->component] -= flow->slope * (pos[flow->along] - flow->centre[flow->along]);
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                scree_exact_add(&sums->part[SCREE_STRESS_KINETIC][a][b], p->mass[i] * v[a] * v[b]);
    }
}

/* How much of the way between the grains is in the volume. Both ranks of a cut contact must find
 * the same bit for bit, so the way starts at the first grain. From an image of a grain to the grain
 * itself it goes in the direction of its first component that is not zero. */
static double fraction_of(const struct sums *sums, const struct scree_contact *contact)
{
    const struct scree_box *box = &sums->view->scene->domain->box;
    const double *branch = contact->branch;
    double leading = branch[0] != 0.0 ? branch[0] : branch[1] != 0.0 ? branch[1] : branch[2];
    bool from_second = contact->first == contact->second && leading >= 0.0;
    double start[3], along[3];
    int32_t image[3] = {0, 0, 0};
    memcpy(start, contact->place, sizeof start);
    if (from_second)
        memcpy(start, sums->view->scene->particles->pos[contact->slot[1]], sizeof start);
    for (int a = 0; a < 3; a++) along[a] = from_second ? branch[a] : -branch[a];
    scree_box_shift(box, start, image);
    return scree_extent_fraction(sums->extent, box, start, along);
}

/* In a wedge, radial, azimuthal and axial components in the middle of the branch. */
static void find_components(const struct scree_scene *scene, struct scree_contact *contact)
{
    const struct scree_wedge *wedge = &scene->domain->box.wedge;
    const double *start = contact->place;
    double middle[3];
    if (wedge->n == 0) return;
    for (int a = 0; a < 3; a++) middle[a] = start[a] - 0.5 * contact->branch[a];
    scree_round_components(wedge, middle, contact->branch);
    scree_round_components(wedge, middle, contact->force);
    scree_round_components(wedge, middle, contact->normal);
}

static void add_contact(void *context, const struct scree_contact *contact)
{
    struct sums *sums = context;
    struct scree_contact c = *contact;
    double weight = sums->view->scene->domain->cell.on ? 1.0 : fraction_of(sums, contact);
    weight *= contact->weight;
    find_components(sums->view->scene, &c);
    for (int a = 0; a < 3 && weight > 0.0; a++)
        for (int b = 0; b < 3; b++) {
            double normal = c.normal_force * c.normal[b], tangential = c.force[b] - normal;
            scree_exact_add(&sums->part[SCREE_STRESS_NORMAL][a][b], c.branch[a] * normal * weight);
            scree_exact_add(&sums->part[SCREE_STRESS_TANGENTIAL][a][b],
                            c.branch[a] * tangential * weight);
        }
}

void scree_stress_compute(struct scree_stress *stress, const struct scree_analysis_view *view,
                          const struct scree_extent *extent, const struct scree_flow *flow)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    sums.view = view;
    sums.extent = extent;
    add_kinetic(&sums, flow);
    view->stepper->contacts(view->state, view->scene, add_contact, &sums);
    double *value = &stress->part[0][0][0];
    scree_analysis_share(view->scene->comm, &sums.part[0][0][0], 9 * SCREE_N_STRESS_PARTS, value);
    for (int k = 0; k < 9 * SCREE_N_STRESS_PARTS; k++) value[k] /= extent->size;
    int dimension = view->scene->domain->box.dimension;
    stress->pressure = 0.0;
    for (int part = 0; part < SCREE_N_STRESS_PARTS; part++)
        for (int a = 0; a < dimension; a++)
            stress->pressure += stress->part[part][a][a] / dimension;
}
