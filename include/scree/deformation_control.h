/* SPDX-License-Identifier: BSD-3-Clause
 * What deforms a periodic cell: rates of strain that are given, or stresses that servos keep
 * (Parrinello and Rahman, J. Appl. Phys. 52, 7182 (1981), in spirit), component by component.
 *
 * A servo is that of a wall (wall_servo.h) with the rate of strain in the place of a velocity and
 * V times a stress, an energy, in that of a force: W dL/dt = V (stress - target) - gamma L. The
 * damping `auto` lets L drift, as that of a wall does, while the sample bears load and is sheared.
 */
#ifndef SCREE_DEFORMATION_CONTROL_H
#define SCREE_DEFORMATION_CONTROL_H

#include "scree/deformation.h"
#include "scree/input.h"
#include "scree/wall_servo.h"

enum { SCREE_DEFORMATION_ISOTROPIC = SCREE_DEFORMATION_COMPONENTS, SCREE_DEFORMATION_SERVOS };

struct scree_deformation_control {
    bool on;
    double rate[SCREE_DEFORMATION_COMPONENTS];   /* 1/s; given; NAN: not */
    double stress[SCREE_DEFORMATION_COMPONENTS]; /* Pa, in two dimensions N/m; likewise */
    double pressure;                             /* Pa, N/m; NAN: not given */
    bool constant_volume;
    double start, rise; /* s; rates are the first ones before, then go over to those given */
    struct scree_servo servo[SCREE_DEFORMATION_SERVOS]; /* those that are needed are on */
    int dimension;
    bool periodic[3]; /* directions that may deform; walls may stand across the others */
    /* Since the present stage began; of a run without stages, since its start: */
    double since;                                    /* s; when that was, for what is given here */
    double first_rate[SCREE_DEFORMATION_COMPONENTS]; /* 1/s; then */
    double staged[SCREE_DEFORMATION_COMPONENTS];     /* strain then */
};
enum { SCREE_DEFORMATION_STAGE_NUMBERS = 1 + 2 * SCREE_DEFORMATION_COMPONENTS };

extern const struct scree_param scree_deformation_params_2d[], scree_deformation_params_3d[];
extern const struct scree_param scree_deformation_rate_params[],
    scree_deformation_stress_params_2d[], scree_deformation_stress_params_3d[];

/* A cell that keeps still, until a stage has something to say. */
void scree_deformation_control_rest(struct scree_deformation_control *control,
                                    const struct scree_box *box);
/* Read the section `cell`, or the key of a stage (NULL: none). */
void scree_deformation_control_read(struct scree_deformation_control *control,
                                    struct scree_input *input, const struct scree_node *node,
                                    const struct scree_box *box);
int scree_deformation_control_n_servos(const struct scree_deformation_control *control);
/* Does the cell ever flow along this axis? */
bool scree_deformation_control_moves(const struct scree_deformation_control *control, int axis);
/* The lowest and the highest normal stress that servos keep; low > high: none. */
void scree_deformation_control_targets(const struct scree_deformation_control *control, double *low,
                                       double *high);
/* Mean of the normal stresses of periodic directions (Pa, N/m). */
double scree_deformation_control_mean_stress(const struct scree_deformation_control *control,
                                             const struct scree_deformation *cell,
                                             const struct scree_box *box);
/* For gains `auto`: inertia and stiffness (kg m^2, J) of the sample at the start. */
void scree_deformation_control_prepare(struct scree_deformation_control *control, double inertia,
                                       double stiffness);
/* Stiffness of all contacts, as the method tells it: sum of k b^2 (J). `walls_strain`: walls do not
 * let the sample come to rest. */
void scree_deformation_control_set_stiffness(struct scree_deformation_control *control,
                                             const struct scree_deformation *cell, double stiffness,
                                             bool walls_strain);
/* What a servo moves and feels: its components of the rate as bits; V times their stress, of the
 * pressure that part which free directions have a share in (J); what the outside exerts in the end
 * (J), at the present size. */
unsigned scree_deformation_control_components(const struct scree_deformation_control *control,
                                              int servo);
double scree_deformation_control_virial(const struct scree_deformation_control *control,
                                        const struct scree_deformation *cell, int servo);
double scree_deformation_control_target(const struct scree_deformation_control *control,
                                        const struct scree_deformation *cell,
                                        const struct scree_box *box, int servo);
/* Rates at time t of the components that no servo moves; 0 for the others. */
void scree_deformation_control_given(const struct scree_deformation_control *control, double t,
                                     double rate[SCREE_DEFORMATION_COMPONENTS]);
/* Rates over the step that begins at time t; `before` as in scree_servo_kick(). */
void scree_deformation_control_drive(struct scree_deformation_control *control,
                                     const struct scree_deformation *cell,
                                     const struct scree_box *box, double t, double before,
                                     double dt, double rate[SCREE_DEFORMATION_COMPONENTS]);
/* A stage begins at time t: `next` drives the cell from now on (NULL: what drove it before). Rates
 * of servos, and those that rise, go on from what they are. */
void scree_deformation_control_begin(struct scree_deformation_control *control,
                                     const struct scree_deformation_control *next,
                                     const struct scree_deformation *cell, double t);

void scree_deformation_control_save(const struct scree_deformation_control *control,
                                    double *numbers);
void scree_deformation_control_load(struct scree_deformation_control *control,
                                    const double *numbers);
/* What a resumed run must know of the present stage: `given` as `next` above, of the last stage
 * that had one. */
void scree_deformation_control_save_stage(const struct scree_deformation_control *control,
                                          double *numbers);
void scree_deformation_control_load_stage(struct scree_deformation_control *control,
                                          const struct scree_deformation_control *given,
                                          const double *numbers);

#endif
