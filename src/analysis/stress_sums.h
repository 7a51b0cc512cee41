/* SPDX-License-Identifier: BSD-3-Clause
 * What stress, packing and inertial number have in common: sums over the grains and the contacts
 * of a volume. Private to analysis. */
#ifndef SCREE_STRESS_SUMS_H
#define SCREE_STRESS_SUMS_H

#include "chosen_contacts.h"

/* The grains whose centres are in a volume. Driven grains are part of the walls: they take room,
 * but have no motion of their own. */
struct scree_grain_means {
    double n, solid;          /* grains; m^3 (2D: m^2) that they fill */
    double diameter, density; /* m; kg/m^3 (2D: kg/m^2) of a grain; means by number, by volume */
    double n_free, mass;      /* grains that are not driven; kg of these */
    double velocity[3];       /* m/s; mean by mass of these; in a wedge radial, azimuthal, axial */
    double centre[3];         /* m; their centre of mass */
};

/* Velocity of reference: mean + slope * (x[along] - centre[along]) in one component. */
struct scree_flow {
    double velocity[3], centre[3];
    int component, along;
    double slope; /* 1/s */
};

enum scree_stress_part {
    SCREE_STRESS_KINETIC,
    SCREE_STRESS_NORMAL,
    SCREE_STRESS_TANGENTIAL,
    SCREE_N_STRESS_PARTS
};

/* Pressure is positive: sigma_ab V = sum m c_a c_b + sum l_a f_b, where c is the velocity relative
 * to the flow, l the branch from the other grain (the wall) to this one, and f the force on it
 * (Luding 1.23 and 1.24, with the sign that makes kinetic and contact pressure of a repulsive gas
 * add up). In a wedge a and b are the radial, azimuthal and axial direction, at a grain or in the
 * middle of a branch. N/m^2; 2D: N/m. */
struct scree_stress {
    double part[SCREE_N_STRESS_PARTS][3][3];
    double pressure; /* a D-th of the trace of all parts */
};

/* All are collective and give all ranks the same. */
void scree_grain_means_compute(struct scree_grain_means *means,
                               const struct scree_analysis_view *view,
                               const struct scree_extent *extent,
                               const struct scree_material_choice *material);
/* Least-squares slope of a velocity component in a direction, by mass. */
double scree_flow_slope(const struct scree_analysis_view *view, const struct scree_extent *extent,
                        const struct scree_flow *flow);
void scree_stress_compute(struct scree_stress *stress, const struct scree_analysis_view *view,
                          const struct scree_extent *extent, const struct scree_flow *flow,
                          const struct scree_material_choice *material);

/* Place of an owned grain within the box, velocity and spin at the present time. */
void scree_grain_now(const struct scree_analysis_view *view, scree_lid i, double pos[3],
                     double velocity[3], double spin[3]);
/* Place of an owned grain, with velocity and spin in the components of stresses: in a wedge radial,
 * azimuthal and axial. */
void scree_grain_components(const struct scree_analysis_view *view, scree_lid i, double pos[3],
                            double velocity[3], double spin[3]);
/* Velocity relative to the flow of a cell that deforms; false if there is none. */
bool scree_grain_in_flow(const struct scree_analysis_view *view, scree_lid i, double velocity[3]);
/* What a grain of this radius fills: m^3, 2D: m^2. */
double scree_grain_size(const struct scree_box *box, double radius);
/* Add up over ranks; values[k] is the nearest double to each sum. */
void scree_analysis_share(struct scree_comm *comm, struct scree_exact *sums, int n, double *values);

#endif
