/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: m x'' = T + Q - gamma x' (Luding 1.28). T is the target,
 * the force or torque of the outside along the direction or about the axis of the wall, Q that of
 * the grains; at rest Q = -T. The wall is integrated with the leapfrog of the grains: rates are
 * those of half steps.
 *
 * The damping `auto` is not of the document: it is relieved of its slow part by a force that
 * follows gamma x' slowly while grains touch the wall. A wall that has to keep moving, because
 * grains flow or another wall drives them, then bears its target; with - gamma x' it would be off
 * by gamma x', which is many targets when the damping is critical for contacts. A given damping is
 * that of (1.28).
 *
 * What grains do to the wall is summed by the method in integers, so that all ranks find the same
 * motion; nothing here knows a method. A wall is never taken to be lighter than half of the grains
 * that touch it, or of one grain: it is then stable wherever they are, and lighter walls respond no
 * faster. */
#ifndef SCREE_WALL_SERVO_H
#define SCREE_WALL_SERVO_H

#include <stdbool.h>

#include "scree/exact.h"
#include "scree/input.h"
#include "scree/wall_motion.h"

/* What decides the future, all of it real numbers; m and N stand for rad and N m of a turn, kg for
 * kg m^2. */
struct scree_servo_state {
    double path, rate;      /* m, m/s; since the start along the direction */
    double target;          /* N; T of the last step */
    double work;            /* J; of the wall on the grains, all steps before the present one */
    double force;           /* N; Q at present */
    double stiffness;       /* N/m; of the contacts at present, as the method tells it */
    double inertia;         /* kg; of the grains that touch it, at present */
    double least_stiffness; /* N/m; for the damping `auto` of a wall that nobody touches */
    double least_inertia;   /* kg; for the mass `auto`, likewise */
    double relief;          /* N; slow part of the damping force `auto`, not exerted */
    double grain_size;      /* m; diameter */
    double first_target;    /* N; from which T rises: what the grains bear when a stage begins */
};
enum { SCREE_SERVO_NUMBERS = sizeof(struct scree_servo_state) / sizeof(double) };

struct scree_servo {
    bool on;
    enum scree_motion_kind kind;
    double push;                   /* N; or NAN: stress times area */
    double stress, area;           /* Pa, m^2 (in two dimensions N/m, m); area NAN: of the wall */
    const struct scree_node *node; /* in the input; borrowed */
    double inertia, damping;       /* kg, kg/s; NAN: auto */
    double fastest;                /* m/s */
    double low, high;              /* m; of the path */
    double start, rise;            /* s; at rest before; from then to the full target */
    bool begins; /* it has begun between two steps, and first_target is not known yet */
    struct scree_servo_state state;
    double layers; /* of grains behind it, for the damping `auto`; 0: not known, no relief */
    bool strains;  /* of a periodic box, which does not run into its grains: see relieve() */
    /* Sums over the contacts of this rank's grains in the last evaluation, in quanta of the method:
     * stiffness and inertia / dt^2 in quanta of force (torque) per m (rad). */
    struct scree_wide stiffness, touching;
};

/* Keys by kind and dimension. */
const struct scree_param *scree_servo_params(enum scree_motion_kind kind, int dimension);
/* Read the map `node` of the wall `name`; direction or axis as in scree_motion_read(), a direction
 * that is not given is NANs. False if it cannot be used. */
bool scree_servo_read(struct scree_servo *servo, struct scree_input *input,
                      const struct scree_node *node, const char *name, int dimension,
                      double direction[3], double point[3]);

/* What the outside exerts at time t, on the way to `target`. */
double scree_servo_target(const struct scree_servo *servo, double t, double target);
/* From the present step, at time t, to the next: kick over `before` (s; 0 in the first step, then
 * half a step) and half a step, drift over dt. Returns the energy that the wall takes from the
 * grains beyond that of its old rate (J). */
double scree_servo_kick(struct scree_servo *servo, double t, double target, double before,
                        double dt);
/* J; work of the wall on the grains up to the present step. */
double scree_servo_work(const struct scree_servo *servo, double dt);

#endif
