/* SPDX-License-Identifier: BSD-3-Clause
 * What friction laws with a spring, a dashpot and two Coulomb limits have in common: keys, history,
 * energy. The loop itself is in sliding.h. Private to laws. */
#ifndef SCREE_LAWS_SLIDER_H
#define SCREE_LAWS_SLIDER_H

#include <stdbool.h>

#include "scree/laws.h"

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

static inline bool scree_slider_is_damped(const struct scree_slider *v)
{
    return v->viscous + v->rate > 0.0;
}

static inline bool scree_slider_has_two_limits(const struct scree_slider *v)
{
    return v->friction_dynamic < v->friction;
}

/* Odd history: the spring, and if there is a dashpot the share of its force that acts until now.
 * Even: whether the contact slides, if that makes a difference. */
enum { SCREE_SLIDER_SPRING = 0, SCREE_SLIDER_HELD = 3 };
void scree_slider_shape(const void *values, struct scree_law_shape *shape);
void scree_slider_inspect(const struct scree_batch *batch, const void *values,
                          struct scree_slots at, struct scree_law_view *view);
/* The same of contacts with a stiffness (N/m) each. */
void scree_slider_inspect_springs(const struct scree_batch *batch, const double *stiffness,
                                  struct scree_slots at, struct scree_law_view *view);
/* For batches with contacts that close or open within a step, after their forces are known. */
void scree_slider_close_or_open(struct scree_batch *batch, const double *stiffness,
                                double (*spring)[SCREE_BATCH]);
void scree_slider_release(struct scree_batch *batch, const void *values, struct scree_slots at);
/* Likewise. */
void scree_slider_release_springs(struct scree_batch *batch, const struct scree_slider *slider,
                                  const double *stiffness, struct scree_slots at);
void scree_slider_estimate(const void *values, const struct scree_law_case *c,
                           struct scree_law_estimate *estimate);
double scree_slider_friction(const void *values);
void scree_slider_set_friction(void *values, double coefficient);

#endif
