/* SPDX-License-Identifier: BSD-3-Clause
 * When two grains meet: a function of their two states and nothing else. Whoever asks, at whatever
 * time, seen from either side, gets the same bits. */
#ifndef SCREE_ED_PAIR_H
#define SCREE_ED_PAIR_H

#include <math.h>

#include "engine.h"

/* What is known of the partner j of grain i: apart is (xj - xi) - shift, which is exact. */
struct scree_ed_view {
    double apart[3], vi[3], ti, vj[3], tj;
    double reach2; /* m^2; squared sum of the radii */
};

/* s; when they touch, INFINITY if never. Let tm be the later of the two times; from then on d is
 * the branch and u the relative velocity: (d + u t)^2 = s^2 at the smaller root. Grains that
 * overlap by rounding and approach touch at tm. Both fall in the same way: gravity g matters up to
 * tm only, and not at all unless `falls`. */
static inline double scree_ed_meeting(const struct scree_ed_view *p, const double g[3], bool falls)
{
    double tm = p->ti > p->tj ? p->ti : p->tj, ei = tm - p->ti, ej = tm - p->tj;
    double b = 0.0, a = 0.0, dd = 0.0;
    for (int k = 0; k < 3; k++) {
        double way_i = p->vi[k] * ei, way_j = p->vj[k] * ej, u = p->vj[k] - p->vi[k];
        if (falls) {
            way_i += 0.5 * g[k] * ei * ei;
            way_j += 0.5 * g[k] * ej * ej;
            u = (p->vj[k] + g[k] * ej) - (p->vi[k] + g[k] * ei);
        }
        double d = p->apart[k] + (way_j - way_i);
        b += d * u;
        a += u * u;
        dd += d * d;
    }
    double c = dd - p->reach2, discriminant = b * b - a * c;
    double root = sqrt(discriminant > 0.0 ? discriminant : 0.0);
    double t = tm + (c > 0.0 ? c : 0.0) / (root - b);
    return (b < 0.0) & (discriminant >= 0.0) ? t : INFINITY;
}

/* A box that deforms is as in deformation.h: x is a place in the reference box, v is relative to
 * the flow, both the same for all images. With L L = 0 (one shear rate) F(t) = (1 + L t) F(0); a
 * grain that flies straight on at constant velocity has v(t) = v - L v (t - ti), and in the
 * reference box it goes F(0)^-1 (v - L v t) (t - ti). */
static inline void scree_ed_multiply(const double m[3][3], const double a[3], double product[3])
{
    product[0] = m[0][0] * a[0] + m[0][1] * a[1] + m[0][2] * a[2];
    product[1] = m[1][1] * a[1] + m[1][2] * a[2];
    product[2] = m[2][2] * a[2];
}

static inline void scree_ed_flight(const struct scree_ed_world *w, const double v[3], double t0,
                                   double t, double way[3], double now[3])
{
    double turned[3], straight[3], e = t - t0;
    scree_ed_multiply(w->flow, v, turned);
    for (int k = 0; k < 3; k++) {
        straight[k] = (v[k] - turned[k] * t) * e;
        now[k] = v[k] - turned[k] * e;
    }
    scree_ed_multiply(w->back, straight, way);
}

/* F(t) of a difference of places in the reference box. */
static inline void scree_ed_branch(const struct scree_ed_world *w, const double apart[3], double t,
                                   double d[3])
{
    double still[3], turned[3];
    scree_ed_multiply(w->shape, apart, still);
    scree_ed_multiply(w->flow, still, turned);
    for (int k = 0; k < 3; k++) d[k] = still[k] + turned[k] * t;
}

/* As scree_ed_meeting() where radii grow or the box deforms, with the rate s' of the sum of radii:
 * (d + u t)^2 = (s + s' t)^2. */
static inline double scree_ed_driven_meeting(const struct scree_ed_view *p,
                                             const struct scree_ed_world *w)
{
    double tm = p->ti > p->tj ? p->ti : p->tj, reach = sqrt(p->reach2);
    double way_i[3], way_j[3], vi[3], vj[3], apart[3], d[3], carried[3];
    double b = 0.0, a = 0.0, dd = 0.0;
    scree_ed_flight(w, p->vi, p->ti, tm, way_i, vi);
    scree_ed_flight(w, p->vj, p->tj, tm, way_j, vj);
    for (int k = 0; k < 3; k++) apart[k] = p->apart[k] + (way_j[k] - way_i[k]);
    scree_ed_branch(w, apart, tm, d);
    scree_ed_multiply(w->flow, d, carried);
    for (int k = 0; k < 3; k++) {
        double u = (vj[k] - vi[k]) + carried[k];
        b += d[k] * u;
        a += u * u;
        dd += d[k] * d[k];
    }
    double s = reach * (1.0 + w->growth * tm), rate = reach * w->growth;
    b -= s * rate;
    a -= rate * rate;
    double c = dd - s * s, discriminant = b * b - a * c;
    double root = sqrt(discriminant > 0.0 ? discriminant : 0.0), over = c > 0.0 ? c : 0.0;
    double near = tm + over / (root - b), late = tm + (root + b) / -a;
    bool meet = (b < 0.0) & (discriminant >= 0.0), outgrow = (b >= 0.0) & (a < 0.0) & (c > 0.0);
    return meet ? near : outgrow ? late : INFINITY;
}

/* s; when a grain touches a plane: its gap h + u t + n.g t^2 / 2 falls to 0. */
static inline double scree_ed_wall_meeting(const struct scree_ed_state *s,
                                           const struct scree_ed_wall *wall, const double g[3],
                                           double growth)
{
    double rate = s->radius * growth, u = -wall->speed - rate, gn = 0.0;
    double h = -(wall->place + wall->speed * s->t) - (s->radius + rate * s->t);
    for (int k = 0; k < 3; k++) {
        h += wall->normal[k] * s->x[k];
        u += wall->normal[k] * s->v[k];
        gn += wall->normal[k] * g[k];
    }
    if (h < 0.0) h = 0.0;
    double discriminant = u * u - 2.0 * gn * h;
    if (discriminant < 0.0) return INFINITY;
    double root = sqrt(discriminant);
    if (u < 0.0) return s->t + 2.0 * h / (root - u);
    return gn < 0.0 ? s->t + (u + root) / -gn : INFINITY;
}

/* Place at time t: ways are rounded to the position grid, so that it does not matter through which
 * image a grain is seen. */
static inline void scree_ed_way(const struct scree_ed_world *w, const struct scree_ed_state *s,
                                double t, double way[3])
{
    double e = t - s->t, now[3];
    const double *g = w->gravity;
    for (int k = 0; k < 3; k++) way[k] = s->v[k] * e + 0.5 * g[k] * e * e;
    if (w->bent) scree_ed_flight(w, s->v, s->t, t, way, now);
    for (int k = 0; k < 3; k++) way[k] = scree_box_snap(&w->box, k, way[k]);
}

/* As a parabola: velocity at the grain's own time and acceleration, in the reference box. */
static inline void scree_ed_path(const struct scree_ed_world *w, const struct scree_ed_state *s,
                                 double v[3], double bend[3])
{
    double turned[3], first[3];
    for (int k = 0; k < 3; k++) {
        v[k] = s->v[k];
        bend[k] = w->gravity[k];
    }
    if (!w->bent) return;
    scree_ed_multiply(w->flow, s->v, turned);
    for (int k = 0; k < 3; k++) {
        first[k] = s->v[k] - turned[k] * s->t;
        turned[k] *= -2.0;
    }
    scree_ed_multiply(w->back, first, v);
    scree_ed_multiply(w->back, turned, bend);
}

static inline void scree_ed_velocity(const struct scree_ed_world *w, const struct scree_ed_state *s,
                                     double t, double v[3])
{
    double way[3];
    for (int k = 0; k < 3; k++) v[k] = s->v[k] + w->gravity[k] * (t - s->t);
    if (w->bent) scree_ed_flight(w, s->v, s->t, t, way, v);
}

#endif
