/* SPDX-License-Identifier: BSD-3-Clause
 * What the kinds of samples share: a region, a range of radii, random velocities. */
#ifndef SCREE_SAMPLES_IMPL_H
#define SCREE_SAMPLES_IMPL_H

#include "scree/samples.h"

/* Filling under way. */
struct scree_sample_run {
    const struct scree_sample_context *context;
    struct scree_particles *p;
    scree_gid n_before; /* largest gid of the samples before this one; fill() moves it on */
};

/* Keys that all kinds which make new grains share. */
struct scree_sample_grains {
    const char *material;
    const struct scree_node *radius;
    double low[3], high[3]; /* m; clipped to the box by check */
    double speed, spin;     /* m/s, rad/s; rms per component */
    /* Set by scree_sample_check_grains(): */
    int species;
    double smallest, largest; /* m; radii */
    bool whole[3];            /* the region is a whole period: no faces to keep away from */
};

extern const struct scree_param scree_sample_grain_params[];

/* Material, radii, region. False if something was wrong or the box is. */
bool scree_sample_check_grains(struct scree_input *input, const struct scree_node *node,
                               const struct scree_box *box, const char *const *materials,
                               struct scree_sample_grains *grains);
double scree_sample_radius(const struct scree_sample_grains *grains, uint64_t seed, scree_gid gid);

/* This rank's share [*begin, *end) of n grains. */
void scree_sample_share(const struct scree_comm *comm, int64_t n, int64_t *begin, int64_t *end);

/* Append one grain of radius pos[3], at rest; mass from the density of its material. */
scree_lid scree_sample_append(struct scree_sample_run *run, scree_gid gid, int species,
                              const double pos[4]);
/* The same with a mass of its own; image counts the periods by which pos was outside the box. */
scree_lid scree_sample_append_heavy(struct scree_sample_run *run, scree_gid gid, int species,
                                    const double pos[4], double mass);

/* Random velocities and spins for the grains appended since slot `first`; the velocity of their
 * common centre of mass over all ranks is taken away. Collective. */
void scree_sample_stir(const struct scree_sample_grains *grains, struct scree_sample_run *run,
                       scree_lid first);

/* Position of a word in a NULL-ended list, or -1. */
int scree_sample_find_word(const char *const *words, const char *word);

#endif
