/* SPDX-License-Identifier: BSD-3-Clause
 * How long contacts last, estimated from the grains there are and will be: for `scree check` and
 * for an automatic time step. Private to driver. */
#ifndef SCREE_CONTACT_TIMES_H
#define SCREE_CONTACT_TIMES_H

#include "job.h"

/* The smallest and largest grain of a material; n = 0: none. */
struct scree_material_range {
    double mass[2], radius[2]; /* kg, m */
    int64_t n, n_mobile;
    bool wall; /* there is a wall of it */
};

/* range[job->n_materials]. Collective. */
void scree_job_material_ranges(struct scree_job *job, struct scree_material_range *range);

/* A collision of the smallest (which = 0) or largest (1) grains of materials a and b, which may be
 * a wall; false if they cannot meet. */
bool scree_job_collision(const struct scree_job *job, const struct scree_material_range *range,
                         int a, int b, int which, double speed, struct scree_law_case *c);

/* s; of the estimate, or without damping where that lets contacts last for ever. */
double scree_job_contact_time(const struct scree_law_case *c, const struct scree_law_estimate *e);

/* s; half a period of the fastest oscillation in such a collision, normal or tangential, without
 * damping. A time step must resolve it. */
double scree_job_half_period(const struct scree_job *job, const struct scree_law_case *c,
                             const struct scree_law_estimate *e);

/* The shortest contact time or half period of any pair that can meet, at this impact speed;
 * INFINITY if none can. Collective. */
double scree_job_shortest_contact(struct scree_job *job, double speed);

#endif
