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

/* s; when a grain touches a plane: its gap h + u t + n.g t^2 / 2 falls to 0. */
static inline double scree_ed_wall_meeting(const struct scree_ed_state *s,
                                           const struct scree_ed_wall *wall, const double g[3])
{
    double h = -(wall->place + wall->speed * s->t) - s->radius, u = -wall->speed, gn = 0.0;
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
static inline void scree_ed_way(const struct scree_box *box, const struct scree_ed_state *s,
                                const double g[3], double t, double way[3])
{
    double e = t - s->t;
    for (int k = 0; k < 3; k++) way[k] = scree_box_snap(box, k, s->v[k] * e + 0.5 * g[k] * e * e);
}

#endif
