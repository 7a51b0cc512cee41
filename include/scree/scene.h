/* SPDX-License-Identifier: BSD-3-Clause
 * What the job lends to a method and to analyses. */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/balance.h"
#include "scree/comm.h"
#include "scree/contacts.h"
#include "scree/deformation_control.h"
#include "scree/domain.h"
#include "scree/halo.h"
#include "scree/laws.h"
#include "scree/materials.h"
#include "scree/membrane.h"
#include "scree/particles.h"
#include "scree/timer.h"
#include "scree/walls.h"

/* Borrowed from the job, which owns all of it. */
struct scree_scene {
    struct scree_comm *comm;
    struct scree_domain *domain;
    struct scree_particles *particles;
    struct scree_walls *walls;
    const struct scree_membranes *membranes;
    struct scree_membrane_mesh *mesh; /* of the membranes; found anew with the lists */
    struct scree_deformation_control *cell_control; /* of domain->cell */
    struct scree_contacts *contacts;
    const struct scree_materials *materials;
    struct scree_laws *laws;
    struct scree_halo *halo;
    struct scree_balance *balance;
    struct scree_timer *timer;
    uint64_t seed;              /* of all random numbers */
    double dt;                  /* s; length of a tick, the time step of methods that have one */
    int64_t since_tick;         /* ticks have this length since then, ... */
    double since_time;          /* ... which was this time (s) */
    double gravity[3];          /* m/s^2 */
    double background_friction; /* kg/s; gamma_b of the force -gamma_b v (Luding 1.15) */
    double largest_radius;      /* m, over all ranks */
    double largest_mass;        /* kg, over all ranks */
    double sample_overlap;      /* that samples may leave behind, as a part of the smaller radius */
    double inertia_factor;      /* I = factor * m * a^2: 2/5 spheres, 1/2 disks */
};

/* s; of a tick of the present stage or, as long as its length does not change, of any. */
static inline double scree_scene_time(const struct scree_scene *scene, int64_t tick)
{
    return scene->since_time + (double)(tick - scene->since_tick) * scene->dt;
}

#endif
