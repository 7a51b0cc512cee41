/* SPDX-License-Identifier: BSD-3-Clause
 * What a user should be told of soft grains: estimates before a run, warnings while it goes on.
 * Private to md. */
#ifndef SCREE_MD_ADVISE_H
#define SCREE_MD_ADVISE_H

#include "md_impl.h"

/* All occasions (md_advise.c); the others are parts of it. Collective. */
enum scree_status scree_md_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice);
/* What the contacts of each pair of materials will be like (forecast.c). */
void scree_md_forecast(const struct scree_md *md, const struct scree_scene *scene,
                       const struct scree_prospect *prospect);
/* The worst overlap at the start (overlap.c). Collective. */
void scree_md_log_overlap(struct scree_md *md, struct scree_scene *scene);
/* Fails if a grain with a gid beyond `after` overlaps so much that it would fly off. Collective. */
enum scree_status scree_md_check_overlap(struct scree_md *md, struct scree_scene *scene,
                                         scree_gid after);
/* Look at all contacts as they are; a step far too long ends the run (warnings.c). Collective. */
enum scree_status scree_md_warn(struct scree_md *md, struct scree_scene *scene);
/* The worst there was, for the end of a run. */
void scree_md_log_worst(const struct scree_md_warnings *warnings);
/* The contacts that strain the time step most, as a text (strain.c). Collective. */
void scree_md_describe_strain(struct scree_md *md, struct scree_scene *scene, char *text,
                              size_t size);

/* Values that are numbers, but leave no room for those computed from them (magnitudes.c). */
void scree_md_examine(const void *values, const struct scree_scene *scene,
                      const struct scree_prospect *prospect, struct scree_input *input);

/* Estimates (estimates.c). A collision of the smallest (which = 0) or largest (1) grains of
 * materials a and b, which may be a wall; false if they cannot meet. */
bool scree_md_find_collision(const struct scree_prospect *prospect, int a, int b, int which,
                             struct scree_law_case *c);
/* s; of the estimate, or without damping where that lets contacts last for ever. */
double scree_md_contact_time(const struct scree_law_case *c, const struct scree_law_estimate *e);
/* s; half a period of the fastest oscillation in such a collision, normal or tangential, without
 * damping. A time step must resolve it. */
double scree_md_half_period(double inertia_factor, const struct scree_law_case *c,
                            const struct scree_law_estimate *e);
/* s; the shortest contact time or half period of any pair that can meet, at the impact speed of
 * the prospect; INFINITY if none can. */
double scree_md_shortest_contact(const struct scree_scene *scene,
                                 const struct scree_prospect *prospect);
/* s; an automatic time step, of two digits. */
double scree_md_choose_step(const void *values, const struct scree_scene *scene,
                            const struct scree_prospect *prospect);

/* Dashpots (dashpots.c).
 * Are the dashpots of a grain too strong for the time step? With G = sum of gamma n n over the
 * contacts of a grain of mass m, no mode of a packing decays faster than 2 g / m, where g is the
 * largest eigenvalue of any G: (n . (v_i - v_j))^2 <= 2 (n . v_i)^2 + 2 (n . v_j)^2. Equal grains
 * on a cubic or face-centred cubic lattice have such a mode. The step must be below its
 * decay time with `timing: synchronised`, twice that with `half-step` (tests/mpi/dashpots.c). */
/* xx, yy, zz, xy, xz, yz of one grain: G over what the timing of each contact allows. */
void scree_dashpots_add(double tensor[6], const double normal[3], double gamma,
                        enum scree_timing timing);
/* Step over the longest one that is stable for a grain of such a mass; 0 without dashpots. */
double scree_dashpots_strain(const double tensor[6], double inverse_mass, double dt);

/* s; the longest stable one of a grain with n equal contacts, in all directions alike. */
double scree_dashpots_longest_step(enum scree_timing timing, double gamma, double mass, int n);

#endif
