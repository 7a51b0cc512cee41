/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of membranes on one rank: who their neighbours are, what they feel, what they enclose.
 */
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/exact.h"
#include "scree/membrane.h"
#include "scree/status.h"
#include "scree/vec.h"

static const struct scree_membrane *membrane_of(const struct scree_membranes *membranes,
                                                scree_gid gid)
{
    const struct scree_membrane *m = membranes->membrane;
    while (gid >= m->first + scree_membrane_n_nodes(m)) m++;
    return m;
}

static enum scree_status find_node(struct scree_membrane_node *node,
                                   const struct scree_membranes *membranes,
                                   const struct scree_particles *p, const scree_lid *slot,
                                   scree_lid i)
{
    int64_t around[SCREE_MEMBRANE_AROUND];
    node->i = i;
    node->of = membrane_of(membranes, p->gid[i]);
    node->number = p->gid[i] - node->of->first;
    scree_membrane_neighbours(node->of, node->number, around);
    for (int k = 0; k < SCREE_MEMBRANE_AROUND; k++) {
        node->around[k] = around[k] < 0 ? -1 : slot[node->of->first + around[k]];
        SCREE_CHECK(around[k] < 0 || node->around[k] >= 0, SCREE_PHYSICS,
                    "membrane '%s' is torn: its nodes %lld and %lld have lost sight of each other",
                    node->of->name, (long long)p->gid[i], (long long)(node->of->first + around[k]));
    }
    return SCREE_OK;
}

enum scree_status scree_membrane_mesh_find(struct scree_membrane_mesh *mesh,
                                           const struct scree_membranes *membranes,
                                           const struct scree_particles *p)
{
    mesh->n = 0;
    if (membranes->n == 0) return SCREE_OK;
    size_t n_slots = (size_t)membranes->n_nodes + 1;
    if (mesh->slot == NULL) mesh->slot = scree_alloc(n_slots, sizeof *mesh->slot);
    for (size_t k = 0; k < n_slots; k++) mesh->slot[k] = -1;
    for (scree_lid i = p->n_owned + p->n_ghost - 1; i >= 0; i--)
        if (p->gid[i] <= membranes->n_nodes) mesh->slot[p->gid[i]] = i;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (p->gid[i] > membranes->n_nodes) continue;
        SCREE_GROW(mesh->node, mesh->n, mesh->capacity, mesh->n + 1);
        SCREE_TRY(find_node(&mesh->node[mesh->n], membranes, p, mesh->slot, i));
        mesh->n++;
    }
    return SCREE_OK;
}

void scree_membrane_mesh_clear(struct scree_membrane_mesh *mesh)
{
    scree_alloc_free(mesh->node);
    scree_alloc_free(mesh->slot);
    *mesh = (struct scree_membrane_mesh){0};
}

/* Rows: neighbours 0 and 3 are in the same one. */
static double rest_length(const struct scree_membrane *m, int k)
{
    return k % 3 == 0 ? m->rest_ring : m->rest_diagonal;
}

static void feel_link(const struct scree_membrane_node *node, const struct scree_particles *p,
                      int k, struct scree_membrane_load *load)
{
    const struct scree_membrane *m = node->of;
    scree_lid i = node->i, j = node->around[k];
    double d[3], v[3];
    for (int a = 0; a < 3; a++) {
        d[a] = p->pos[i][a] - p->pos[j][a];
        v[a] = p->vel[i][a] - p->vel[j][a];
    }
    double length = scree_vec_norm(d), longer = length - rest_length(m, k);
    double spring = -m->stiffness * longer / length;
    double dashpot = -m->dashpot * (scree_vec_dot(v, d) / (length * length));
    for (int a = 0; a < 3; a++) {
        load->link[k][a] = (spring + dashpot) * d[a];
        load->dashpots[a] += dashpot * d[a];
    }
    if (p->gid[i] < p->gid[j]) load->energy += 0.5 * m->stiffness * longer * longer;
}

/* Twice the area of the triangle with neighbours k and k + 1, as a vector to the outside; false if
 * there is none. */
static bool find_triangle(const struct scree_membrane_node *node, const struct scree_particles *p,
                          int k, double area[3])
{
    scree_lid b = node->around[k], c = node->around[(k + 1) % SCREE_MEMBRANE_AROUND];
    if (b < 0 || c < 0) return false;
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = p->pos[b][a] - p->pos[node->i][a];
        v[a] = p->pos[c][a] - p->pos[node->i][a];
    }
    scree_vec_cross(u, v, area);
    return true;
}

void scree_membrane_compute_load(const struct scree_membrane_node *node,
                                 const struct scree_particles *p, double t,
                                 struct scree_membrane_load *load)
{
    double pressure = scree_membrane_pressure(node->of, t), area[3];
    memset(load, 0, sizeof *load);
    for (int k = 0; k < SCREE_MEMBRANE_AROUND; k++) {
        if (node->around[k] >= 0) feel_link(node, p, k, load);
        if (!find_triangle(node, p, k, area)) continue;
        for (int a = 0; a < 3; a++) load->pressure[a] -= pressure / 6.0 * area[a];
    }
}

/* By Gauss's theorem with the field (x, y, 0)/2 about the axis, to which planes across it add
 * nothing; exact for flat triangles. */
double scree_membrane_volume(const struct scree_membrane *membrane,
                             const struct scree_membrane_mesh *mesh,
                             const struct scree_particles *p, struct scree_comm *comm)
{
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (size_t n = 0; n < mesh->n; n++) {
        const struct scree_membrane_node *node = &mesh->node[n];
        if (node->of != membrane) continue;
        for (int k = 0; k < SCREE_MEMBRANE_AROUND; k++) {
            double area[3], flow = 0.0;
            scree_lid b = node->around[k], c = node->around[(k + 1) % SCREE_MEMBRANE_AROUND];
            if (!find_triangle(node, p, k, area)) continue;
            if (p->gid[node->i] > p->gid[b] || p->gid[node->i] > p->gid[c]) continue;
            for (int a = 0; a < 2; a++) {
                double middle = (p->pos[node->i][a] + p->pos[b][a] + p->pos[c][a]) / 3.0;
                flow += (middle - membrane->centre[a]) * 0.5 * area[a];
            }
            scree_exact_add(&sum, 0.5 * flow);
        }
    }
    scree_comm_sum_exact(comm, &sum, 1);
    return scree_exact_value(&sum);
}
