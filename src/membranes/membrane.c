/* SPDX-License-Identifier: BSD-3-Clause
 * Membranes: the mesh and what it is made of. */
#include "scree/membrane.h"

#include <math.h>

#include "scree/alloc.h"

int64_t scree_membrane_n_nodes(const struct scree_membrane *membrane)
{
    return (int64_t)membrane->n_around * membrane->n_rows;
}

int64_t scree_membranes_n_of(const struct scree_membranes *membranes, int species)
{
    int64_t n = 0;
    for (int k = 0; k < membranes->n; k++)
        if (membranes->membrane[k].species == species)
            n += scree_membrane_n_nodes(&membranes->membrane[k]);
    return n;
}

void scree_membranes_clear(struct scree_membranes *membranes)
{
    scree_alloc_free(membranes->membrane);
    *membranes = (struct scree_membranes){0};
}

void scree_membrane_place(const struct scree_membrane *membrane, int64_t node, double pos[4])
{
    const double two_pi = 2.0 * acos(-1.0);
    int64_t row = node / membrane->n_around, column = node % membrane->n_around;
    double place = (double)column + (row % 2 != 0 ? 0.5 : 0.0);
    double angle = two_pi * place / membrane->n_around;
    double off = membrane->radius + membrane->node_radius;
    pos[0] = membrane->centre[0] + off * cos(angle);
    pos[1] = membrane->centre[1] + off * sin(angle);
    pos[2] = membrane->centre[2] + membrane->height * (double)row / (membrane->n_rows - 1);
    pos[3] = membrane->node_radius;
}

int scree_membrane_holder(const struct scree_membrane *membrane, int64_t node)
{
    int64_t row = node / membrane->n_around;
    if (row == 0) return membrane->low_wall;
    return row == membrane->n_rows - 1 ? membrane->high_wall : -2;
}

void scree_membrane_neighbours(const struct scree_membrane *membrane, int64_t node,
                               int64_t around[SCREE_MEMBRANE_AROUND])
{
    int64_t n = membrane->n_around, row = node / n, column = node % n;
    int64_t right = (column + 1) % n, left = (column + n - 1) % n;
    bool shifted = row % 2 != 0;
    int64_t up = row + 1 < membrane->n_rows ? (row + 1) * n : -1;
    int64_t down = row > 0 ? (row - 1) * n : -1;
    int64_t east = shifted ? right : column, west = shifted ? column : left;
    around[0] = row * n + right;
    around[1] = up < 0 ? -1 : up + east;
    around[2] = up < 0 ? -1 : up + west;
    around[3] = row * n + left;
    around[4] = down < 0 ? -1 : down + west;
    around[5] = down < 0 ? -1 : down + east;
}

double scree_membrane_pressure(const struct scree_membrane *membrane, double t)
{
    return t < membrane->rise ? membrane->pressure * (t / membrane->rise) : membrane->pressure;
}

void scree_membranes_set_mass(struct scree_membranes *membranes, const double *density, double dt,
                              struct scree_input *input, const struct scree_node *node)
{
    for (int k = 0; k < membranes->n; k++) {
        struct scree_membrane *m = &membranes->membrane[k];
        double volume = 4.0 / 3.0 * acos(-1.0) * pow(m->node_radius, 3.0);
        double mass = density[m->species] * volume;
        m->dashpot = m->damping * 2.0 * sqrt(0.5 * mass * m->stiffness);
        /* The fastest waves of a triangular lattice have m w^2 = 6 k. */
        double longest = 2.0 / sqrt(6.0 * m->stiffness / mass);
        if (dt > 0.5 * longest)
            scree_input_error(input, node,
                              "membrane '%s': its links need a time step below %g s, not %g s; or "
                              "heavier nodes, or a softer sheet",
                              m->name, 0.5 * longest, dt);
    }
}
