/* SPDX-License-Identifier: BSD-3-Clause
 * A cell that deforms in its periodic directions. Positions stay where they are in a box at rest,
 * the reference box, on its position grid; the place of a grain is
 *
 *     x = low + F (X - low)
 *
 * with the deformation gradient F, the same on all ranks, and an upper triangular matrix: the cell
 * does not turn, its first edge stays along x, its second in the plane of x and y. The corner
 * `low` of the box stays where it is. Velocities of grains are relative to the flow of the cell,
 * L (x - low) with L = dF/dt F^-1, so that all images of a grain have the same.
 *
 * In directions that are not periodic nothing deforms: F is 1 there, L is 0, and walls may stand
 * across them.
 *
 * A cell that is sheared on and on would tilt without end. When an edge leans by more than half of
 * a shorter one, the same lattice is described by another, equivalent cell (a flip): F and all
 * positions change, no place does. When that happens depends on F alone. */
#ifndef SCREE_DEFORMATION_H
#define SCREE_DEFORMATION_H

#include <stdbool.h>

#include "scree/box.h"
#include "scree/particles.h"

/* The components of F and L that there are. */
enum {
    SCREE_DEFORMATION_XX,
    SCREE_DEFORMATION_YY,
    SCREE_DEFORMATION_ZZ,
    SCREE_DEFORMATION_XY, /* of L: velocity in x that changes along y */
    SCREE_DEFORMATION_XZ,
    SCREE_DEFORMATION_YZ,
    SCREE_DEFORMATION_COMPONENTS
};
extern const int scree_deformation_row[SCREE_DEFORMATION_COMPONENTS],
    scree_deformation_column[SCREE_DEFORMATION_COMPONENTS];
extern const char *const scree_deformation_names[SCREE_DEFORMATION_COMPONENTS + 1]; /* NULL-ended */

/* What decides the future, all of it real numbers. Sums over very many steps have a rest, so that
 * they lose nothing. */
struct scree_deformation_state {
    double stretch[SCREE_DEFORMATION_COMPONENTS],
        stretch_rest[SCREE_DEFORMATION_COMPONENTS]; /* F */
    double strain[SCREE_DEFORMATION_COMPONENTS],
        strain_rest[SCREE_DEFORMATION_COMPONENTS]; /* sum of dt L */
    double rate[SCREE_DEFORMATION_COMPONENTS];     /* 1/s; L, of half a step before the present */
    double kinetic[SCREE_DEFORMATION_COMPONENTS];  /* J; sum of m v v, at present */
    double contact[SCREE_DEFORMATION_COMPONENTS];  /* J; sum of force times branch, at present */
    double
        impulse[SCREE_DEFORMATION_COMPONENTS]; /* Pa s; sum of dt times stress, up to the present */
    double impulse_rest[SCREE_DEFORMATION_COMPONENTS]; /* (2D: N s/m) */
    double flips[3];                                   /* periods of x by y, x by z, y by z */
};
enum { SCREE_DEFORMATION_NUMBERS = sizeof(struct scree_deformation_state) / sizeof(double) };

struct scree_deformation {
    bool on; /* everything else is of use only then */
    struct scree_deformation_state state;
    /* Found from the state: */
    double f[3][3], inverse[3][3];
    double flow[3][3]; /* 1/s; L */
    double span[3];    /* m; of the sample along directions that are not periodic, see
                          deformation_walls.h */
    /* Of the last step: */
    double step_inverse[3][3]; /* inverse of F in its middle */
    double flow_before[3][3];  /* 1/s; L of the step before */
    double listed[3][3];       /* F when the pair lists were built */
};

/* One flip: edge `edge` of the cell loses `periods` times edge `by`. */
struct scree_deformation_flip {
    int edge, by;
    double periods;
};
enum { SCREE_DEFORMATION_MOST_FLIPS = 3 };

/* Components as a matrix. */
void scree_deformation_unpack(const double component[SCREE_DEFORMATION_COMPONENTS],
                              double matrix[3][3]);
/* The reference box itself, at rest. */
void scree_deformation_init(struct scree_deformation *cell, const struct scree_box *box);
void scree_deformation_refresh(struct scree_deformation *cell); /* what is found from the state */
/* Over a step of dt with the rates given. */
void scree_deformation_advance(struct scree_deformation *cell,
                               const double rate[SCREE_DEFORMATION_COMPONENTS], double dt);
/* m^3, in two dimensions m^2; of the sample, from wall to wall where there are any. */
double scree_deformation_size(const struct scree_deformation *cell, const struct scree_box *box);
/* The deformed box: its corner, its extent along each axis, and how much y leans along x, z along
 * x, z along y (m). Without a cell: the box. */
void scree_deformation_corners(const struct scree_deformation *cell, const struct scree_box *box,
                               double low[3], double high[3], double tilt[3]);
/* Pa, in two dimensions N/m; of the sample at present, > 0 is compression. */
double scree_deformation_stress(const struct scree_deformation *cell, const struct scree_box *box,
                                int component);
/* Add the present stress to its sum over time. */
void scree_deformation_add_impulse(struct scree_deformation *cell, const struct scree_box *box,
                                   double dt);
/* From positions to places; likewise for differences of positions. Without a cell: the same. */
void scree_deformation_place(const struct scree_deformation *cell, const struct scree_box *box,
                             const double pos[3], double place[3]);
void scree_deformation_branch(const struct scree_deformation *cell, const double apart[3],
                              double branch[3]);
/* Are the surfaces of two grains (rows of the column pos) closer than `gap`? The same if they
 * change places. */
static inline bool scree_deformation_closer(const struct scree_deformation *cell,
                                            const double *__restrict a, const double *__restrict b,
                                            double gap)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], reach = a[3] + b[3] + gap;
    double dx = cell->f[0][0] * x + cell->f[0][1] * y + cell->f[0][2] * z;
    double dy = cell->f[1][1] * y + cell->f[1][2] * z, dz = cell->f[2][2] * z;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}
/* Velocity of the flow at a place, added. */
void scree_deformation_add_flow(const struct scree_deformation *cell, const struct scree_box *box,
                                const double place[3], double velocity[3]);

/* Bounds for searches. Pairs with surfaces closer than `skin` are found in the reference box with
 * the skin returned. */
double scree_deformation_search_skin(const struct scree_deformation *cell, double skin,
                                     double largest_radius);
/* 1/s; of distances, at most: of a flow, of the present one. */
double scree_deformation_closing_rate(const double flow[3][3]);
double scree_deformation_approach_rate(const struct scree_deformation *cell);
/* Part by which distances may have become smaller since `listed` by the flow alone. */
double scree_deformation_narrowing(const struct scree_deformation *cell);
void scree_deformation_remember_listed(struct scree_deformation *cell);

/* Flips that are due; applies them to F. Then every grain, and every number of periods between two
 * grains, has to follow. */
int scree_deformation_apply_flips(struct scree_deformation *cell, const struct scree_box *box,
                                  struct scree_deformation_flip flip[SCREE_DEFORMATION_MOST_FLIPS]);
void scree_deformation_flip_grains(const struct scree_box *box,
                                   const struct scree_deformation_flip *flip,
                                   struct scree_particles *p);

#endif
