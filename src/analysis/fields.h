/* SPDX-License-Identifier: BSD-3-Clause
 * Coarse-grained fields: the grid, the kernel, the sums. Private to analysis.
 *
 * A Gaussian of width w along each axis of the grid, cut at 3 w, is averaged over cells: a grain at
 * x gives the cell from a to b the part (G(b) - G(a))/(G(x + 3 w) - G(x - 3 w)), G its integral,
 * multiplied over the axes. At an end of the grid where the sample ends, the kernel is cut there
 * instead, so that nothing is lost: the parts that a grain gives to all cells add up to 1. Contacts
 * give their l_a f_b along the branch by the same kernel (Goldhirsch, Granular Matter 12, 239
 * (2010); near walls: Weinhart, Thornton, Luding, Bokhove, Granular Matter 14, 289 (2012)). About
 * an axis, coordinates are r, the arc r phi at the grain, and the height. */
#ifndef SCREE_FIELDS_H
#define SCREE_FIELDS_H

#include "stress_sums.h"

enum scree_fields_direction { SCREE_FIELDS_R = 3, SCREE_FIELDS_PHI };

struct scree_fields_axis {
    int direction; /* 0 to 2, or scree_fields_direction */
    int n;
    double low, high; /* m, rad */
    double period;    /* 0: it does not repeat */
};

/* Where the kernel is cut, in widths; and its integral at nodes along it. */
enum {
    SCREE_FIELDS_REACH = 3,
    SCREE_FIELDS_NODES_PER_WIDTH = 256,
    SCREE_FIELDS_NODES = 2 * SCREE_FIELDS_REACH * SCREE_FIELDS_NODES_PER_WIDTH + 1
};
struct scree_fields_table {
    double integral[SCREE_FIELDS_NODES], gaussian[SCREE_FIELDS_NODES]; /* from the middle */
};

struct scree_fields {
    const struct scree_node *bins_node, *range_node;
    double width; /* m */
    int axis_word;
    double centre[3];
    /* Found from these: */
    bool round;
    struct scree_wedge turn; /* of a round grid: only axis, u and v are of use */
    int dimension, n_axes;
    struct scree_fields_axis axis[3];
    int64_t n_cells;
    struct scree_fields_table table;
};

/* Sums of a cell over all that counts, weighted by the kernel; components are x, y, z, or of a
 * round grid radial, azimuthal, axial. */
enum scree_fields_sum {
    SCREE_FIELDS_GRAINS,
    SCREE_FIELDS_SOLID,                              /* m^3 */
    SCREE_FIELDS_MASS,                               /* kg */
    SCREE_FIELDS_MOMENTUM,                           /* kg m/s */
    SCREE_FIELDS_SQUARE = SCREE_FIELDS_MOMENTUM + 3, /* J; m v_a v_b: xx, yy, zz, xy, xz, yz */
    SCREE_FIELDS_SPIN = SCREE_FIELDS_SQUARE + 6,     /* kg/s; mass times angular velocity */
    SCREE_FIELDS_CONTACT = SCREE_FIELDS_SPIN + 3,    /* N m; l_a f_b, row by row */
    SCREE_N_FIELDS_SUMS = SCREE_FIELDS_CONTACT + 9
};

extern const char *const scree_fields_axes[]; /* x, y, z */
extern const struct scree_schema scree_fields_maps[];
void scree_fields_check(struct scree_measurement *m, struct scree_input *input,
                        const struct scree_node *node,
                        const struct scree_analysis_setting *setting);

/* The parts of a point along one axis: cells and weights. */
enum { SCREE_FIELDS_SPREAD = 4096 }; /* at most */
struct scree_fields_parts {
    int n;
    int cell[SCREE_FIELDS_SPREAD];
    double weight[SCREE_FIELDS_SPREAD];
};
/* Where the sample ends along an axis at the moment, if that is in the range of the grid or at its
 * end: there the kernel is cut. -INFINITY, INFINITY: it goes on. */
void scree_fields_find_ends(const struct scree_fields *v, int axis, const struct scree_scene *scene,
                            double ends[2]);
/* Coordinate along an axis of the grid of a position in the box. */
double scree_fields_place(const struct scree_fields *v, int axis, const double pos[3]);
void scree_fields_fill_table(struct scree_fields_table *table);
/* The parts along an axis at x with a kernel of `width` in units of this axis. */
void scree_fields_find_parts(const struct scree_fields *v, int axis, double x, double width,
                             const double ends[2], struct scree_fields_parts *parts);

/* m^3; 2D: m^2; of a cell, by its place along a radius; NAN: walls do not tell. */
double scree_fields_cell_size(const struct scree_fields *v, const struct scree_scene *scene,
                              int64_t cell);
/* The table and the file of a window. */
void scree_fields_derive(struct scree_measurement *m, const struct scree_scene *scene,
                         const double *mean, double *row);
void scree_fields_write(const struct scree_measurement *m, const struct scree_scene *scene,
                        const double *mean, FILE *f);
enum scree_status scree_fields_save(const struct scree_measurement *m,
                                    const struct scree_scene *scene,
                                    const struct scree_analysis_window *window, const double *mean);
int scree_fields_n_columns(const struct scree_fields *v);

#endif
