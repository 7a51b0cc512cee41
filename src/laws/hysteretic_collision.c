/* SPDX-License-Identifier: BSD-3-Clause
 * A collision of two plastic and cohesive grains: how long it lasts, what is left of the velocity,
 * and in words. */
#include "hysteretic.h"

#include <stdio.h>

/* One collision, step by step, with the law itself; grains that have not parted after five periods
 * stick, and their contact time is twice that until they have come to rest. */
void scree_hysteretic_estimate(const void *values, const struct scree_law_case *c,
                               struct scree_law_estimate *e)
{
    enum { PER_PERIOD = 2000 };
    const struct scree_hysteretic *v = values;
    double gamma = v->viscous + v->rate * c->m_eff, full = v->full + v->full_per * c->r_eff;
    double half_period = acos(-1.0) * sqrt(c->m_eff / v->unloading);
    double slowest = half_period * sqrt(v->unloading / v->loading);
    e->stiffness = fmax(e->stiffness, fmax(v->unloading, v->cohesion));
    e->damping = fmax(e->damping, gamma);
    e->deepest = c->speed * sqrt(c->m_eff / v->loading);
    e->normal_slope = v->unloading;
    e->contact_time = slowest;
    if (!(c->speed > 0.0)) return;
    double dt = half_period / PER_PERIOD, d = 0.0, speed = c->speed;
    struct scree_hysteretic_state s = {0.0, v->unloading, 0.0, 0.0};
    double at_rest = 0.0; /* s */
    e->restitution = 0.0;
    for (double t = 0.0; t < 10.0 * slowest; t += dt) {
        d += dt * speed;
        if (d <= 0.0) {
            e->restitution = -speed / c->speed;
            e->contact_time = t + dt - d / speed;
            return;
        }
        s = scree_hysteretic_follow(v, s.largest, d, full, scree_hysteretic_grows(v));
        double kick = 0.5 * dt * gamma / c->m_eff;
        speed = (speed * (1.0 - kick) - dt * s.force / c->m_eff) / (1.0 + kick);
        if (at_rest == 0.0 && speed <= 0.0) at_rest = t;
    }
    if (at_rest > 0.0) e->contact_time = 2.0 * at_rest;
}

/* Without damping the grains keep r^2 = k1/k2 - kc (k2 - k1)^2 / (k1 k2 (k2 + kc)) of their energy;
 * the pull is strongest where the k2 line meets the line of cohesion. */
void scree_hysteretic_describe(const void *values, const struct scree_law_case *c, char *text,
                               size_t size)
{
    const struct scree_hysteretic *v = values;
    const double k1 = v->loading, kc = v->cohesion;
    double full = v->full + v->full_per * c->r_eff;
    double deepest = c->speed * sqrt(c->m_eff / k1);
    double k2 = scree_hysteretic_unloading(v, deepest, full, scree_hysteretic_grows(v)),
           excess = k2 - k1;
    double left = 1.0 - k1 / k2, strongest = kc * excess / (k2 + kc) * deepest;
    double kept = k1 / k2 - kc * excess * excess / (k1 * k2 * (k2 + kc));
    struct scree_law_estimate e = {0};
    scree_hysteretic_estimate(values, c, &e);
    snprintf(text, size,
             "k1/k2 %.4g, kc/k2 %.4g, overlap left without force %.4g of the largest (%.3g m), "
             "strongest pull %.3g N = %.3g of the impact, r^2 %.4g without damping: %s",
             k1 / k2, kc / k2, left, deepest, strongest, strongest / (k1 * deepest), kept,
             e.restitution > 0.0 ? "they part" : "they stick");
}
