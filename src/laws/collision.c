/* SPDX-License-Identifier: BSD-3-Clause
 * Collisions of two grains. Of the linear law in closed form; of a power law by numerical solution:
 * x'' = -x^alpha - c x^beta x', x(0) = 0, x'(0) = 1, with
 * lengths in units of L = (m v^2 / k)^(1 / (1 + alpha)) and times in units of L / v (the scales of
 * Wolf, "Modeling and computer simulation of granular media", 13-15). */
#include "collision.h"

#include <math.h>

#include "normal.h"

enum { MOST_STEPS = 100000 };

/* The forces are not smooth at x = 0, so that steps shrink in proportion to x there. */
static const double step = 0.05, touch = 1e-9;

struct motion {
    double x, v, t;
};

static double acceleration(const struct scree_collision_law *law, double c, double x, double v)
{
    x = fmax(x, 0.0);
    return -pow(x, law->alpha) - (c > 0.0 ? c * pow(x, law->beta) * v : 0.0);
}

/* One Runge-Kutta step of length h, of fourth order. */
static struct motion advance(const struct scree_collision_law *law, double c, struct motion m,
                             double h)
{
    double a1 = acceleration(law, c, m.x, m.v), v2 = m.v + 0.5 * h * a1;
    double a2 = acceleration(law, c, m.x + 0.5 * h * m.v, v2), v3 = m.v + 0.5 * h * a2;
    double a3 = acceleration(law, c, m.x + 0.5 * h * v2, v3), v4 = m.v + h * a3;
    double a4 = acceleration(law, c, m.x + h * v3, v4);
    return (struct motion){m.x + h / 6.0 * (m.v + 2.0 * v2 + 2.0 * v3 + v4),
                           m.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4), m.t + h};
}

/* Until the grains part: at x = 0, or clipped when the force vanishes on the way out. */
static struct motion solve(const struct scree_collision_law *law, double c)
{
    struct motion m = {touch, 1.0, touch};
    bool clip = law->tension == SCREE_TENSION_CLIP;
    for (int n = 0; n < MOST_STEPS; n++) {
        double rate = fabs(m.v) + pow(m.x, 0.5 * (1.0 + law->alpha)) + c * pow(m.x, law->beta + 1);
        struct motion next = advance(law, c, m, step * fmin(1.0, m.x / rate));
        double before = acceleration(law, c, m.x, m.v);
        double after = acceleration(law, c, next.x, next.v);
        if (clip && next.v < 0.0 && after > 0.0) {
            double part = before < 0.0 ? before / (before - after) : 0.0;
            m.v += part * (next.v - m.v);
            m.t += part * (next.t - m.t);
            return m;
        }
        m = next;
        if (m.x < touch && m.v < 0.0) return m;
    }
    return (struct motion){0.0, 0.0, INFINITY};
}

struct scree_collision scree_collision_of(const struct scree_collision_law *law, double mass,
                                          double speed)
{
    double length = pow(mass * speed * speed / law->stiffness, 1.0 / (1.0 + law->alpha));
    double c = law->damping * pow(length, law->beta + 1.0) / (mass * speed);
    struct motion end = solve(law, c);
    return (struct scree_collision){-end.v, end.t * length / speed};
}

void scree_collision_estimate(const struct scree_collision_law *law, const struct scree_law_case *c,
                              struct scree_law_estimate *estimate)
{
    if (!(c->speed > 0.0)) return;
    struct scree_collision collision = scree_collision_of(law, c->m_eff, c->speed);
    estimate->contact_time = collision.time;
    estimate->restitution = collision.restitution;
    /* All of m v^2 / 2 is in k d^(alpha + 1) / (alpha + 1). */
    double energy = 0.5 * c->m_eff * c->speed * c->speed, n = law->alpha + 1.0;
    estimate->deepest = pow(n * energy / law->stiffness, 1.0 / n);
    estimate->normal_slope = law->alpha * law->stiffness * pow(estimate->deepest, law->alpha - 1.0);
}

double scree_collision_damping_for(const struct scree_collision_law *law, double restitution)
{
    double low = 0.0, high = 1.0;
    if (restitution == 1.0) return 0.0;
    while (-solve(law, high).v > restitution && high < 1e3) high *= 2.0;
    for (int k = 0; k < 45; k++) {
        double middle = 0.5 * (low + high);
        if (-solve(law, middle).v > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

bool scree_collision_check_restitution(struct scree_input *input, const struct scree_node *node,
                                       double restitution)
{
    if (restitution == 0.0)
        scree_input_error(input, node,
                          "'restitution' 0 needs infinite damping; give a value above 0");
    return restitution > 0.0;
}

/* With tension the contact ends when the overlap is zero again: exp(-pi d / sqrt(1 - d^2)).
 * Clipped, it ends when the force is: Schwager and Poeschel, Granular Matter 9, 465 (2007). */
double scree_collision_linear_restitution(double d, int tension)
{
    if (d < 1.0) {
        double w = sqrt(1.0 - d * d);
        double phase = acos(-1.0); /* of the oscillation when the contact ends */
        if (tension == SCREE_TENSION_CLIP) phase -= atan2(2.0 * d * w, w * w - d * d);
        return exp(-d / w * phase);
    }
    if (tension == SCREE_TENSION_ALLOW) return 0.0;
    if (d == 1.0) return exp(-2.0);
    double w = sqrt(d * d - 1.0);
    return exp(-d / w * log((d + w) / (d - w)));
}

double scree_collision_linear_damping_for(double restitution, int tension)
{
    double low = 0.0, high = 1.0;
    while (scree_collision_linear_restitution(high, tension) > restitution && high < 1e6)
        high *= 2.0;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (scree_collision_linear_restitution(middle, tension) > restitution)
            low = middle;
        else
            high = middle;
    }
    return low + high; /* c = 2 d */
}
