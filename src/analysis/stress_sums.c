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

/* A contact on the way through the volume. */
struct branch {
    double start[3], along[3]; /* m; where the way begins, in which direction and how far */
    double way[3];             /* m; from the other grain to the one on which the force acts */
};

/* A cut contact is told on both sides, and both must find the same fraction bit for bit: the way
 * starts at the lower gid. From an image of a grain to the grain itself it goes in the direction of
 * its first component that is not zero. */
static void find_branch(const struct scree_particles *p, scree_lid i, int32_t j,
                        struct branch *branch)
{
    double *way = branch->way;
    for (int a = 0; a < 3; a++) way[a] = p->pos[i][a] - p->pos[j][a];
    double leading = way[0] != 0.0 ? way[0] : way[1] != 0.0 ? way[1] : way[2];
    bool from_i = p->gid[i] != p->gid[j] ? p->gid[i] < p->gid[j] : leading < 0.0;
    memcpy(branch->start, p->pos[from_i ? i : j], sizeof branch->start);
    for (int a = 0; a < 3; a++) branch->along[a] = from_i ? -way[a] : way[a];
}

static void find_seam_branch(const struct scree_contacts *contacts, const struct scree_particles *p,
                             scree_lid i, int32_t j, struct branch *branch)
{
    struct scree_seam seam = scree_contacts_seam(contacts, p, i, j);
    double there[3];
    scree_wedge_turn(contacts->wedge, seam.turn, p->pos[seam.second], there);
    memcpy(branch->start, p->pos[seam.first], sizeof branch->start);
    for (int a = 0; a < 3; a++) {
        branch->way[a] = p->pos[seam.first][a] - there[a];
        branch->along[a] = -branch->way[a];
    }
}

static void find_wall_branch(const struct scree_particles *p, scree_lid i,
                             const struct scree_contact_detail *d, struct branch *branch)
{
    memcpy(branch->start, p->pos[i], sizeof branch->start);
    for (int a = 0; a < 3; a++) {
        branch->way[a] = (p->pos[i][3] - d->overlap) * d->normal[a];
        branch->along[a] = -branch->way[a];
    }
}

static double fraction_of(const struct sums *sums, const struct branch *branch)
{
    const struct scree_box *box = &sums->view->scene->domain->box;
    double start[3];
    int32_t image[3] = {0, 0, 0};
    memcpy(start, branch->start, sizeof start);
    scree_box_shift(box, start, image);
    return scree_extent_fraction(sums->extent, box, start, branch->along);
}

static void add_contact(void *context, enum scree_near_kind kind, size_t place,
                        const struct scree_contact_detail *d)
{
    struct sums *sums = context;
    const struct scree_contacts *contacts = sums->view->scene->contacts;
    const struct scree_wedge *wedge = &sums->view->scene->domain->box.wedge;
    const struct scree_near *near = &contacts->near[kind];
    const struct scree_particles *p = sums->view->scene->particles;
    scree_lid i = near->i[place];
    int32_t j = near->j[place];
    struct branch branch;
    double force[3], n[3];
    if (kind == SCREE_NEAR_WALL)
        find_wall_branch(p, i, d, &branch);
    else if (scree_near_is_seam(kind))
        find_seam_branch(contacts, p, i, j, &branch);
    else
        find_branch(p, i, j, &branch);
    const struct scree_cell *cell = &sums->view->scene->domain->cell;
    if (cell->on && kind != SCREE_NEAR_WALL) {
        double apart[3] = {branch.way[0], branch.way[1], branch.way[2]};
        scree_cell_branch(cell, apart, branch.way);
    }
    double weight = cell->on ? 1.0 : fraction_of(sums, &branch);
    if (scree_near_is_cut(kind)) weight *= 0.5; /* the other side adds it, too */
    memcpy(force, d->force, sizeof force);
    memcpy(n, d->normal, sizeof n);
    if (wedge->n > 0) {
        double middle[3];
        for (int a = 0; a < 3; a++) middle[a] = branch.start[a] + 0.5 * branch.along[a];
        scree_round_components(wedge, middle, branch.way);
        scree_round_components(wedge, middle, force);
        scree_round_components(wedge, middle, n);
    }
    for (int a = 0; a < 3 && weight > 0.0; a++)
        for (int b = 0; b < 3; b++) {
            double normal = d->normal_force * n[b], tangential = force[b] - normal;
            scree_exact_add(&sums->part[SCREE_STRESS_NORMAL][a][b],
                            branch.way[a] * normal * weight);
            scree_exact_add(&sums->part[SCREE_STRESS_TANGENTIAL][a][b],
                            branch.way[a] * tangential * weight);
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
