/* SPDX-License-Identifier: BSD-3-Clause
 * Membranes in an md step: forces on their nodes, and the books of what is not elastic: the work of
 * the pressure, which is that of a drive, and the loss in the dashpots of links. Both are booked by
 * the trapezoidal rule: half with the displacement that led to the present place, half with the
 * next one. */
#include <math.h>

#include "md_impl.h"
#include "scree/alloc.h"
#include "scree/status.h"
#include "scree/vec.h"

static double present_time(const struct scree_md *md, const struct scree_scene *scene)
{
    return scree_scene_time(scene, md->step);
}

/* Both at the present place. */
static void keep_work(struct scree_md *md, size_t n, const struct scree_membrane_load *load)
{
    for (int a = 0; a < 3; a++) {
        md->node_work[n].pressure[a] = load->pressure[a];
        md->node_work[n].dashpots[a] = load->dashpots[a];
    }
}

static void make_room(struct scree_md *md, const struct scree_membrane_mesh *mesh)
{
    SCREE_GROW(md->node_work, 0, md->node_capacity, mesh->n);
}

static bool add_force(const struct scree_md *md, int64_t load[8], const double force[3])
{
    const double most = ldexp(1.0, 51);
    bool fits = true;
    for (int a = 0; a < 3; a++) {
        double quanta = force[a] * md->inverse_force;
        bool good = fabs(quanta) < most;
        if (good) load[a] += llrint(quanta);
        fits = fits && good;
    }
    return fits;
}

static void load_node(struct scree_md *md, const struct scree_scene *scene,
                      const struct scree_membrane_node *node,
                      const struct scree_membrane_load *load)
{
    int64_t *total = scene->particles->load[node->i];
    bool fits = add_force(md, total, load->pressure);
    for (int k = 0; k < SCREE_MEMBRANE_AROUND; k++)
        if (node->around[k] >= 0) fits = add_force(md, total, load->link[k]) && fits;
    if (fits || md->status != SCREE_OK) return;
    md->status =
        SCREE_FAIL(SCREE_PHYSICS,
                   "step %lld: the force on node %lld of membrane '%s' is beyond what can be "
                   "summed: the run is unstable; use a smaller time step",
                   (long long)md->step, (long long)scene->particles->gid[node->i], node->of->name);
}

static void book(struct scree_md *md, const struct scree_scene *scene)
{
    const struct scree_membrane_mesh *mesh = scene->mesh;
    struct scree_ledger *ledger = &md->ledger;
    for (size_t n = 0; n < mesh->n; n++) {
        const double *v = scene->particles->vel[mesh->node[n].i];
        double half = 0.5 * scene->dt;
        double pressure = -half * scree_vec_dot(md->node_work[n].pressure, v);
        double dashpots = -half * scree_vec_dot(md->node_work[n].dashpots, v);
        scree_account_add(&ledger->loss[SCREE_LOSS_DRIVES], ledger->quantum, &pressure, 1, 2);
        scree_account_add(&ledger->loss[SCREE_LOSS_NORMAL], ledger->quantum, &dashpots, 1, 2);
    }
}

void scree_md_add_membranes(struct scree_md *md, struct scree_scene *scene, double dt)
{
    const struct scree_membrane_mesh *mesh = scene->mesh;
    if (mesh->n == 0) return;
    make_room(md, mesh);
    for (size_t n = 0; n < mesh->n; n++) {
        struct scree_membrane_load load;
        scree_membrane_compute_load(&mesh->node[n], scene->particles, present_time(md, scene),
                                    &load);
        load_node(md, scene, &mesh->node[n], &load);
        keep_work(md, n, &load);
    }
    if (dt > 0.0) book(md, scene);
}

void scree_md_add_membrane_work(struct scree_md *md, const struct scree_scene *scene)
{
    book(md, scene);
}

void scree_md_recall_membranes(struct scree_md *md, const struct scree_scene *scene)
{
    const struct scree_membrane_mesh *mesh = scene->mesh;
    make_room(md, mesh);
    for (size_t n = 0; n < mesh->n; n++) {
        struct scree_membrane_load load;
        scree_membrane_compute_load(&mesh->node[n], scene->particles, present_time(md, scene),
                                    &load);
        keep_work(md, n, &load);
    }
}
