/* SPDX-License-Identifier: BSD-3-Clause
 * What deforms a periodic cell: the rates of the next step. */
#include "scree/deformation_control.h"

#include <math.h>
#include <string.h>

#define FOLLOW 1e-3 /* of a change of the stiffness, in each step */
/* The damping of a servo is critical for the stiffness that it is told; grains have their own, and
 * a servo that is damped less follows faster: a third of critical. */
#define DAMPED 0.1
#define LANDED 0.5 /* of its target is what a servo must feel to be relieved of its damping */

int scree_deformation_control_n_servos(const struct scree_deformation_control *control)
{
    int n = 0;
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) n += control->servo[s].on;
    return n;
}

void scree_deformation_control_prepare(struct scree_deformation_control *control, double inertia,
                                       double stiffness)
{
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        struct scree_servo_state *state = &control->servo[s].state;
        state->least_inertia = inertia;
        state->least_stiffness = DAMPED * stiffness;
    }
}

static bool is_free(const struct scree_deformation_control *control, int axis)
{
    return control->periodic[axis] && isnan(control->rate[axis]) && isnan(control->stress[axis]);
}

static int count_periodic(const struct scree_deformation_control *control)
{
    return control->periodic[0] + control->periodic[1] + control->periodic[2];
}

static int count_free(const struct scree_deformation_control *control)
{
    int n = 0;
    for (int a = 0; a < 3; a++) n += is_free(control, a);
    return n;
}

bool scree_deformation_control_moves(const struct scree_deformation_control *control, int axis)
{
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if (scree_deformation_row[c] == axis &&
            (control->servo[c].on || (!isnan(control->rate[c]) && control->rate[c] != 0.0)))
            return true;
    return is_free(control, axis) && (!isnan(control->pressure) || control->constant_volume);
}

double scree_deformation_control_mean_stress(const struct scree_deformation_control *control,
                                             const struct scree_deformation *cell,
                                             const struct scree_box *box)
{
    double sum = 0.0;
    for (int a = 0; a < 3; a++)
        if (control->periodic[a]) sum += scree_deformation_stress(cell, box, a);
    return sum / count_periodic(control);
}

unsigned scree_deformation_control_components(const struct scree_deformation_control *control,
                                              int servo)
{
    unsigned components = 0;
    if (servo < SCREE_DEFORMATION_COMPONENTS) return 1U << servo;
    for (int a = 0; a < 3; a++)
        if (is_free(control, a)) components |= 1U << a;
    return components;
}

double scree_deformation_control_virial(const struct scree_deformation_control *control,
                                        const struct scree_deformation *cell, int servo)
{
    const struct scree_deformation_state *s = &cell->state;
    if (servo < SCREE_DEFORMATION_COMPONENTS) return s->kinetic[servo] + s->contact[servo];
    double sum = 0.0;
    for (int a = 0; a < 3; a++)
        if (control->periodic[a]) sum += s->kinetic[a] + s->contact[a];
    return sum * count_free(control) / count_periodic(control);
}

void scree_deformation_control_targets(const struct scree_deformation_control *control, double *low,
                                       double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int a = 0; a < 3; a++) { /* fmin and fmax leave out what is not given */
        *low = fmin(*low, control->stress[a]);
        *high = fmax(*high, control->stress[a]);
    }
    if (!isnan(control->pressure)) *low = *high = control->pressure;
}

/* A load that is the same in all directions comes to rest, best without relief: it would overshoot
 * as a loose sample jams. */
static bool keeps_straining(const struct scree_deformation_control *control)
{
    double low, high;
    scree_deformation_control_targets(control, &low, &high);
    bool sheared = false;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        double rate = control->rate[c], stress = control->stress[c];
        sheared = sheared || (!isnan(rate) && rate != 0.0);
        if (c >= 3) sheared = sheared || (!isnan(stress) && stress != 0.0);
    }
    return sheared || high > low;
}

/* Contacts bear more than what grains do as a gas: servos are relieved, as walls that are touched.
 */
static bool bears_load(const struct scree_deformation_control *control,
                       const struct scree_deformation *cell)
{
    double contact = 0.0, kinetic = 0.0;
    for (int a = 0; a < control->dimension; a++) {
        contact += cell->state.contact[a];
        kinetic += cell->state.kinetic[a];
    }
    return fabs(contact) > kinetic;
}

/* A contact along n with stiffness k resists a rate L of one component with k (n_a b_b)^2, about
 * one dimension-th of k b^2. */
void scree_deformation_control_set_stiffness(struct scree_deformation_control *control,
                                             const struct scree_deformation *cell, double stiffness,
                                             bool walls_strain)
{
    bool bears = (walls_strain || keeps_straining(control)) && bears_load(control, cell);
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        struct scree_servo *servo = &control->servo[s];
        if (!servo->on) continue;
        double share = s == SCREE_DEFORMATION_ISOTROPIC ? (double)count_free(control) : 1.0;
        servo->state.force = scree_deformation_control_virial(control, cell, s);
        servo->state.stiffness +=
            FOLLOW * (DAMPED * stiffness * share / control->dimension - servo->state.stiffness);
        bool relieved = bears && fabs(servo->state.force) > LANDED * fabs(servo->state.target);
        servo->state.inertia = relieved ? servo->state.least_inertia : 0.0;
    }
}

/* Directions whose rate is left to the volume get what keeps it. */
static void keep_volume(const struct scree_deformation_control *control, double *rate)
{
    double sum = 0.0;
    for (int a = 0; a < 3; a++) sum += is_free(control, a) ? 0.0 : rate[a];
    for (int a = 0; a < 3; a++)
        if (is_free(control, a)) rate[a] = -sum / count_free(control);
}

/* From the rate with which the stage began to the one given; without one the cell keeps still. */
static double given_rate(const struct scree_deformation_control *control, int component, double t)
{
    double given = isnan(control->rate[component]) ? 0.0 : control->rate[component];
    double first = control->first_rate[component], risen = t - control->since - control->start;
    if (risen <= 0.0) return first;
    return risen < control->rise ? first + risen / control->rise * (given - first) : given;
}

double scree_deformation_control_target(const struct scree_deformation_control *control,
                                        const struct scree_deformation *cell,
                                        const struct scree_box *box, int servo)
{
    double size = scree_deformation_size(cell, box);
    if (servo < SCREE_DEFORMATION_COMPONENTS) return -control->stress[servo] * size;
    return -control->pressure * size * count_free(control);
}

void scree_deformation_control_given(const struct scree_deformation_control *control, double t,
                                     double rate[SCREE_DEFORMATION_COMPONENTS])
{
    unsigned found = 0; /* components that servos move */
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++)
        if (control->servo[s].on) found |= scree_deformation_control_components(control, s);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        rate[c] = (found >> c & 1U) != 0 ? 0.0 : given_rate(control, c, t);
    if (control->constant_volume) keep_volume(control, rate);
}

void scree_deformation_control_drive(struct scree_deformation_control *control,
                                     const struct scree_deformation *cell,
                                     const struct scree_box *box, double t, double before,
                                     double dt, double rate[SCREE_DEFORMATION_COMPONENTS])
{
    scree_deformation_control_given(control, t + 0.5 * dt, rate);
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        struct scree_servo *servo = &control->servo[s];
        if (!servo->on) continue;
        double target = scree_deformation_control_target(control, cell, box, s);
        scree_servo_kick(servo, t, target, before, dt);
        for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
            if ((scree_deformation_control_components(control, s) >> c & 1U) != 0)
                rate[c] = servo->state.rate;
    }
}

/* Definitions are taken over, states of servos stay. */
static void take(struct scree_deformation_control *control,
                 const struct scree_deformation_control *given)
{
    struct scree_servo_state state[SCREE_DEFORMATION_SERVOS];
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) state[s] = control->servo[s].state;
    *control = *given;
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) control->servo[s].state = state[s];
}

/* 1/s; what a servo that begins to act goes on from. */
static double present_rate(const struct scree_deformation_control *control,
                           const struct scree_deformation *cell, int servo)
{
    double sum = 0.0;
    if (servo < SCREE_DEFORMATION_COMPONENTS) return cell->state.rate[servo];
    for (int a = 0; a < 3; a++)
        if (is_free(control, a)) sum += cell->state.rate[a];
    return sum / count_free(control);
}

/* One that was at work before goes on with its relief. */
static void begin_servos(struct scree_deformation_control *control,
                         const struct scree_deformation *cell,
                         const bool was_on[SCREE_DEFORMATION_SERVOS])
{
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) {
        struct scree_servo *servo = &control->servo[s];
        if (!servo->on) continue;
        servo->start = control->since;
        servo->state.relief = was_on[s] ? servo->state.relief : 0.0;
        servo->state.rate = present_rate(control, cell, s);
        servo->state.force = scree_deformation_control_virial(control, cell, s);
        servo->state.first_target = -servo->state.force;
    }
}

void scree_deformation_control_begin(struct scree_deformation_control *control,
                                     const struct scree_deformation_control *next,
                                     const struct scree_deformation *cell, double t)
{
    if (next != NULL) {
        bool was_on[SCREE_DEFORMATION_SERVOS];
        for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) was_on[s] = control->servo[s].on;
        take(control, next);
        control->since = t;
        memcpy(control->first_rate, cell->state.rate, sizeof control->first_rate);
        begin_servos(control, cell, was_on);
    }
    memcpy(control->staged, cell->state.strain, sizeof control->staged);
}

void scree_deformation_control_save(const struct scree_deformation_control *control,
                                    double *numbers)
{
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++, numbers += SCREE_SERVO_NUMBERS)
        memcpy(numbers, &control->servo[s].state, sizeof(struct scree_servo_state));
}

void scree_deformation_control_load(struct scree_deformation_control *control,
                                    const double *numbers)
{
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++, numbers += SCREE_SERVO_NUMBERS)
        memcpy(&control->servo[s].state, numbers, sizeof(struct scree_servo_state));
}

void scree_deformation_control_save_stage(const struct scree_deformation_control *control,
                                          double *numbers)
{
    *numbers++ = control->since;
    memcpy(numbers, control->first_rate, sizeof control->first_rate);
    memcpy(numbers + SCREE_DEFORMATION_COMPONENTS, control->staged, sizeof control->staged);
}

void scree_deformation_control_load_stage(struct scree_deformation_control *control,
                                          const struct scree_deformation_control *given,
                                          const double *numbers)
{
    if (given != NULL) take(control, given);
    control->since = *numbers++;
    memcpy(control->first_rate, numbers, sizeof control->first_rate);
    memcpy(control->staged, numbers + SCREE_DEFORMATION_COMPONENTS, sizeof control->staged);
    for (int s = 0; s < SCREE_DEFORMATION_SERVOS; s++) control->servo[s].start = control->since;
}
