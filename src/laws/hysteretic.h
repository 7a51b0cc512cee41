/* SPDX-License-Identifier: BSD-3-Clause
 * The curve of plastic and cohesive contacts: force and loss on the way from the largest overlap so
 * far to the present one. Equations as in normal_hysteretic.c. */
#ifndef SCREE_HYSTERETIC_H
#define SCREE_HYSTERETIC_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "normal.h"

/* Values of the law; NAN: not given. */
struct scree_hysteretic {
    double loading;         /* N/m; k1 */
    double unloading;       /* N/m; k2, or its largest value */
    double cohesion;        /* N/m; kc */
    double damping;         /* kg/s; gamma0; NAN if not given */
    double damping_rate;    /* 1/s; NAN if not given */
    double plastic_overlap; /* m; where k2 is largest; NAN if not given */
    double plastic_depth;   /* likewise as a fraction; NAN if not given */
    /* Set by check() */
    double viscous, rate;  /* gamma0 = viscous + rate m_eff */
    double full, full_per; /* m, 1; k2 is largest at full + full_per r_eff */
};

static inline bool scree_hysteretic_grows(const struct scree_hysteretic *v)
{
    return v->unloading > v->loading && v->full + v->full_per > 0.0;
}

/* N; at an overlap up to the largest one, on the k2 line. */
static inline double scree_hysteretic_force(double k1, double k2, double largest, double overlap)
{
    double f = k2 * (overlap - (1.0 - k1 / k2) * largest);
    return overlap >= largest ? k1 * overlap : f;
}

/* N/m; k2 of a contact, 1.7; `full`: m, where it is largest. */
SCREE_SPECIALISED double scree_hysteretic_unloading(const struct scree_hysteretic *v,
                                                    double largest, double full, const bool growing)
{
    if (!growing) return v->unloading;
    double part = largest / full;
    part = part < 1.0 ? part : 1.0;
    return v->loading + (v->unloading - v->loading) * part;
}

struct scree_hysteretic_state {
    double largest, unloading, force; /* m, N/m, N */
    double lost;                      /* J; work that is not stored */
};

/* 1.6: from the largest overlap so far to the present one. Loading along k1 loses what the k2 line
 * does not store, k1 d^2 / 2 - (k1 d)^2 / (2 k2); going down the line of cohesion loses its work
 * and what the k2 lines on the way stored, kc d^2 / 2 + (kc d)^2 / (2 k2). */
SCREE_SPECIALISED struct scree_hysteretic_state
scree_hysteretic_follow(const struct scree_hysteretic *v, double largest, double overlap,
                        double full, const bool growing)
{
    const double k1 = v->loading, kc = v->cohesion, difference = v->unloading - k1;
    double most = overlap >= largest ? overlap : largest;
    double k2 = scree_hysteretic_unloading(v, most, full, growing);
    double f = scree_hysteretic_force(k1, k2, most, overlap), pull = -kc * overlap;
    /* The largest overlap whose k2 line ends here on the line of cohesion. */
    double less = overlap * ((v->unloading + kc) / (difference > 0.0 ? difference : DBL_MIN));
    if (growing) {
        double root = sqrt(overlap * overlap + 4.0 * (k1 + kc) / difference * full * overlap);
        less = less < full ? 0.5 * (overlap + root) : less;
    }
    bool pulls = f < pull, falls = pulls && less < most;
    double k2_before = scree_hysteretic_unloading(v, largest, full, growing),
           last = falls ? less : most;
    double from = most * ((k2 - k1) / (k2 + kc)),
           k2_now = scree_hysteretic_unloading(v, last, full, growing);
    double loaded =
        k1 * (most * most * (1.0 - k1 / k2) - largest * largest * (1.0 - k1 / k2_before));
    double fallen = kc * (from * from * (1.0 + kc / k2) - overlap * overlap * (1.0 + kc / k2_now));
    return (struct scree_hysteretic_state){last, k2_now, pulls ? pull : f,
                                           0.5 * (loaded + (falls ? fallen : 0.0))};
}

/* What is said of a law for a typical collision (`estimate` and `describe` of struct scree_law). */
void scree_hysteretic_estimate(const void *values, const struct scree_law_case *c,
                               struct scree_law_estimate *e);
void scree_hysteretic_describe(const void *values, const struct scree_law_case *c, char *text,
                               size_t size);

#endif
