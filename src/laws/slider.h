/* SPDX-License-Identifier: BSD-3-Clause
 * What friction laws with a spring, a dashpot and two Coulomb limits have in common: keys, the
 * limit, the energy of the spring. Private to laws. */
#ifndef SCREE_LAWS_SLIDER_H
#define SCREE_LAWS_SLIDER_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "scree/laws.h"
#include "tangent.h"

struct scree_slider {
    double stiffness;        /* N/m; kt. Hertzian: N/m^2, per contact radius */
    double damping;          /* kg/s; gamma_t; NAN if not given */
    double damping_rate;     /* 1/s; NAN if not given */
    double friction;         /* mu_s */
    double friction_dynamic; /* mu_d <= mu_s; NAN before check: the same */
    /* Set by check(): gamma_t = viscous + rate m_eff; Hertzian: rate sqrt(contact radius m_eff) */
    double viscous, rate;
};

/* The keys above, for laws whose values begin with this struct. */
extern const struct scree_param scree_slider_params[];
void scree_slider_check(struct scree_input *input, const struct scree_node *node, void *values);
/* Fills in friction_dynamic and refuses one that is too large. */
void scree_slider_check_limits(struct scree_input *input, const struct scree_node *node,
                               struct scree_slider *slider);

static inline bool scree_slider_has_two_limits(const struct scree_slider *v)
{
    return v->friction_dynamic < v->friction;
}

static inline bool scree_slider_is_damped(const struct scree_slider *v)
{
    return v->viscous + v->rate > 0.0;
}

/* Odd history: the spring (m). Even, if there are two limits: whether the contact slides. */
void scree_slider_shape(const void *values, struct scree_law_shape *shape);
void scree_slider_inspect(const struct scree_batch *batch, const void *values,
                          struct scree_slots at, struct scree_law_view *view);
void scree_slider_estimate(const void *values, const struct scree_law_case *c,
                           struct scree_law_estimate *estimate);
double scree_slider_friction(const void *values);
void scree_slider_set_friction(void *values, double coefficient);

/* What Coulomb's law makes of a test force: it slips if that is beyond the limit, and the force is
 * cut by `scale`. A contact that slides (1) goes on sliding until its test force is below the
 * dynamic limit. */
struct scree_slip {
    bool slips;
    double limit, scale; /* N, 1 */
};
SCREE_SPECIALISED struct scree_slip scree_slider_test(const struct scree_slider *v, double load,
                                                      double slides, struct scree_triple force)
{
    double size = sqrt(scree_dot(force, force)), limit = v->friction_dynamic * fabs(load);
    double onset = slides != 0.0 ? limit : v->friction * fabs(load);
    bool slips = size > onset;
    double scale = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
    return (struct scree_slip){slips, limit, scale};
}

/* W; that the tangential force takes beyond what its spring s stores. */
static inline double scree_slider_power(const struct scree_batch *b, int k, double stiffness,
                                        struct scree_triple s)
{
    struct scree_triple beyond = scree_plus(SCREE_TRIPLE(b->ft, k), stiffness, s);
    return -scree_dot(beyond, SCREE_TRIPLE(b->vt, k));
}

/* J; lost by a slip that cut a spring from `test` to s, after it had been drawn out by `way`: the
 * mean force of the spring over the step times the slip. */
SCREE_SPECIALISED double scree_slider_lost(double stiffness, struct scree_triple test,
                                           struct scree_triple s, struct scree_triple way)
{
    struct scree_triple before = scree_plus(test, -1.0, way);
    return 0.5 * stiffness * scree_dot(scree_plus(before, 1.0, s), scree_plus(test, -1.0, s));
}

#endif
