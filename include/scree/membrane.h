/* SPDX-License-Identifier: BSD-3-Clause
 * Elastic membranes around upright cylindrical samples, pressed on from outside.
 *
 * A membrane is a sheet of nodes in rows round the cylinder, every second row shifted by half a
 * place, so that each node has six neighbours. Nodes are grains of the store, which touch other
 * grains by the contact laws of their material; they do not spin and do not touch each other.
 * Neighbours are joined by links, springs with dashpots. A sheet of equilateral triangles of
 * springs k is, for small strains, an isotropic sheet with E t = 2 k / sqrt(3) and Poisson's ratio
 * 1/3 (Seung and Nelson, Phys. Rev. A 38, 1005), hence k = sqrt(3)/2 E t. The pressure acts on the
 * triangles between nodes, a third of each on every corner, towards the inside.
 *
 * The first and the last row are held: they are part of a wall and follow it, or stay in place.
 * Which nodes are neighbours follows from their gids, the first ones of a run. */
#ifndef SCREE_MEMBRANE_H
#define SCREE_MEMBRANE_H

#include <stdbool.h>

#include "scree/particles.h"
#include "scree/types.h"
#include "scree/walls.h"

enum { SCREE_MEMBRANE_AROUND = 6 }; /* neighbours of a node */

struct scree_membrane {
    const char *name, *material;
    const char *low_wall_name, *high_wall_name;
    double centre[3];   /* m; of its foot */
    double radius;      /* m; of the space inside, up to the surface of the nodes */
    double height;      /* m; between the first and the last row */
    double node_radius; /* m */
    double spacing;     /* m; of nodes, wanted */
    double young;       /* Pa */
    double thickness;   /* m */
    double stretch;     /* length of the links at the start by their length at rest */
    double damping;     /* of links, relative to the critical one of two nodes */
    double pressure;    /* Pa; outside less inside */
    double rise;        /* s; in which it rises from 0, linearly */
    int species;
    int low_wall, high_wall; /* that hold its ends; -1: they stay where they are */
    /* The mesh: node c of row r has number r n_around + c. */
    int32_t n_around, n_rows;
    scree_gid first;                 /* gid of node 0 */
    double rest_ring, rest_diagonal; /* m; of links within a row and between rows */
    double stiffness, dashpot;       /* N/m, kg/s; of a link */
};

struct scree_membranes {
    int n;
    struct scree_membrane *membrane; /* owned; names are owned by the input */
    scree_gid n_nodes;               /* of all; their gids are 1 to n_nodes */
};

const struct scree_param *scree_membranes_params(void);
/* Read the section `membranes` (may be NULL); collects mistakes. */
void scree_membranes_read(struct scree_membranes *membranes, struct scree_input *input,
                          const struct scree_node *node, const char *const *materials,
                          const struct scree_walls *walls, const struct scree_box *box);
void scree_membranes_clear(struct scree_membranes *membranes);
/* Dashpots of the links follow from the mass of the nodes; density of each material in kg/m^3.
 * Complains at `node` of a time step that links cannot take. */
void scree_membranes_set_mass(struct scree_membranes *membranes, const double *density, double dt,
                              struct scree_input *input, const struct scree_node *node);

int64_t scree_membrane_n_nodes(const struct scree_membrane *membrane);
/* Is this grain a node? */
static inline bool scree_membranes_have(const struct scree_membranes *membranes, scree_gid gid)
{
    return gid <= membranes->n_nodes;
}
/* Nodes of this material, over all membranes. */
int64_t scree_membranes_n_of(const struct scree_membranes *membranes, int species);
/* Place and radius of a node at the start. */
void scree_membrane_place(const struct scree_membrane *membrane, int64_t node, double pos[4]);
/* The wall that holds a node: its number, -1: none, it stays in place, -2: the node is free. */
int scree_membrane_holder(const struct scree_membrane *membrane, int64_t node);
/* Neighbours counter-clockwise as seen from outside, -1 beyond the ends. */
void scree_membrane_neighbours(const struct scree_membrane *membrane, int64_t node,
                               int64_t around[SCREE_MEMBRANE_AROUND]);
double scree_membrane_pressure(const struct scree_membrane *membrane, double t);

/* The nodes of this rank (membrane_mesh.c). */
struct scree_membrane_node {
    scree_lid i;
    const struct scree_membrane *of;
    int64_t number;
    scree_lid around[SCREE_MEMBRANE_AROUND]; /* owned grains or ghosts; -1: none */
};
struct scree_membrane_mesh {
    size_t n, capacity;
    struct scree_membrane_node *node; /* owned */
    scree_lid *slot;                  /* [n_nodes + 1] by gid; owned */
};
/* What a node feels. */
struct scree_membrane_load {
    double link[SCREE_MEMBRANE_AROUND][3]; /* N; of each link */
    double pressure[3];                    /* N */
    double dashpots[3];                    /* N; the part of the links that is not elastic */
    double energy; /* J; of the links for which this node has the lower number */
};

/* Find the nodes of this rank and their neighbours among its grains and ghosts. Fails, on this rank
 * only, if one is too far away to be here: the membrane is torn. */
enum scree_status scree_membrane_mesh_find(struct scree_membrane_mesh *mesh,
                                           const struct scree_membranes *membranes,
                                           const struct scree_particles *p);
void scree_membrane_mesh_clear(struct scree_membrane_mesh *mesh);
/* At time t; the velocities are those of the columns. The force of a link on its two ends differs
 * in sign only. */
void scree_membrane_compute_load(const struct scree_membrane_node *node,
                                 const struct scree_particles *p, double t,
                                 struct scree_membrane_load *load);
/* m^3; between the membrane and planes across its ends. The same on all ranks. Collective. */
double scree_membrane_volume(const struct scree_membrane *membrane,
                             const struct scree_membrane_mesh *mesh,
                             const struct scree_particles *p, struct scree_comm *comm);

#endif
