/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: one step. */
#include <math.h>

#include "scree/wall_servo.h"

#define LIGHTEST 0.5 /* of the grains that touch it; see wall_servo.h */
#define STRONG   0.1 /* of the target: a relief beyond this grows so much slower */
#define SLOWER   0.1

static double inertia_of(const struct scree_servo *servo)
{
    const struct scree_servo_state *s = &servo->state;
    double touching = fmax(s->least_inertia, s->inertia);
    return isnan(servo->inertia) ? touching : fmax(servo->inertia, LIGHTEST * touching);
}

/* Critical for the wall on its contacts, so more than that on the softer packing behind them. */
static double damping_of(const struct scree_servo *servo, double inertia)
{
    if (!isnan(servo->damping)) return servo->damping;
    double stiffness = fmax(servo->state.stiffness, servo->state.least_stiffness);
    return 2.0 * sqrt(stiffness * inertia);
}

/* Let `relief` follow the damping force of this rate. The time that it takes is eight times that in
 * which the load of a column of this many elastic layers follows the wall against its damping: the
 * response stays damped. A sample that yields for a while and then stands must not be pushed much
 * harder than by the target until that is forgotten, so a strong relief comes slower than it goes.
 */
static void relieve(struct scree_servo *servo, double force, double friction, double dt)
{
    struct scree_servo_state *s = &servo->state;
    if (!isnan(servo->damping) || servo->layers == 0.0) return;
    double share = dt * friction / (16.0 * (1.0 + servo->layers)), more = force - s->relief;
    bool strong = !servo->strains && fabs(s->relief) > STRONG * fabs(s->target);
    if (strong && more * s->relief > 0.0) share *= SLOWER;
    s->relief += share / (1.0 + share) * more;
}

/* The rate itself is cut, so that nothing winds up while a limit holds: the first step in which
 * the force points away from the limit leaves it. */
static double limit_rate(const struct scree_servo *servo, double rate, double dt)
{
    double path = servo->state.path;
    rate = fmin(fmax(rate, -servo->fastest), servo->fastest);
    return fmin(fmax(rate, (servo->low - path) / dt), (servo->high - path) / dt);
}

double scree_servo_target(const struct scree_servo *servo, double t, double target)
{
    double first = servo->state.first_target, risen = t - servo->start;
    if (risen < 0.0) return first;
    return risen < servo->rise ? first + (target - first) * risen / servo->rise : target;
}

double scree_servo_kick(struct scree_servo *servo, double t, double target, double before,
                        double dt)
{
    struct scree_servo_state *s = &servo->state;
    double after = 0.5 * dt, old = s->rate, risen = t - servo->start, rate = 0.0;
    s->target = scree_servo_target(servo, t, target);
    double inertia = inertia_of(servo);
    if (risen >= 0.0) {
        double damping = damping_of(servo, inertia), friction = damping / inertia;
        double acceleration = (s->target + s->force + s->relief) / inertia;
        rate = (old + before * acceleration) / (1.0 + before * friction);
        rate += after * (acceleration - friction * rate);
        rate = limit_rate(servo, rate, dt);
        double kept = s->inertia > 0.0 ? rate : 0.0; /* nobody touches: it is to land softly */
        relieve(servo, damping * kept, friction, dt);
    }
    s->rate = rate;
    s->path = fmin(fmax(s->path + dt * rate, servo->low), servo->high);
    s->work -= s->force * (before * old + after * rate);
    return s->force * after * (rate - old);
}

double scree_servo_work(const struct scree_servo *servo, double dt)
{
    const struct scree_servo_state *s = &servo->state;
    return s->work - 0.5 * dt * s->force * s->rate;
}
